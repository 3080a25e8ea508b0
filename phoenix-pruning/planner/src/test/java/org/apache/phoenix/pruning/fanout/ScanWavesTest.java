/*
 * Copyright the Phoenix Pruning authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except
 * in compliance with the License. You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express
 * or implied. See the License for the specific language governing permissions and limitations under
 * the License.
 */
package org.apache.phoenix.pruning.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.util.EnvironmentEdgeManager;
import org.apache.phoenix.util.ManualEnvironmentEdge;
import org.junit.After;
import org.junit.Test;

/** Tests which scans are opened together, when, and how long a caller may wait for them. */
public class ScanWavesTest {

  private final ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
  private final List<String> log = new ArrayList<>();

  /** Opener that logs its calls. Opening takes 100 ms, and returns no iterator for scan 3. */
  private final ScanWaves.Opener opener =
      new ScanWaves.Opener() {
        @Override
        public void start(Wave wave, long endMillis) {
          log.add("start " + rows(wave) + " until " + endMillis);
        }

        @Override
        public List<PeekingResultIterator> open(Wave wave, Collection<Wave> next, long endMillis) {
          log.add("open " + rows(wave) + " before " + next.size() + " until " + endMillis);
          clock.incrementValue(100);
          return rows(wave).equals("[[3]]")
              ? Collections.emptyList()
              : Collections.singletonList(PeekingResultIterator.EMPTY_ITERATOR);
        }
      };

  private static String rows(Wave wave) {
    return wave.scans().stream()
        .map(
            group ->
                group.stream()
                    .map(scan -> Bytes.toInt(scan.getStartRow()))
                    .collect(Collectors.toList()))
        .collect(Collectors.toList())
        .toString();
  }

  /**
   * Returns scans that start at 0, 1, 2 and so on.
   *
   * @param groups number of scans in each group
   */
  private static List<List<Scan>> scans(int... groups) {
    List<List<Scan>> scans = new ArrayList<>();
    int first = 0;
    for (int size : groups) {
      scans.add(
          IntStream.range(first, first + size)
              .mapToObj(i -> new Scan().withStartRow(Bytes.toBytes(i)))
              .collect(Collectors.toList()));
      first += size;
    }
    return scans;
  }

  @After
  public void resetClock() {
    EnvironmentEdgeManager.reset();
  }

  private List<String> openAll(ScanWaves waves) throws SQLException {
    EnvironmentEdgeManager.injectEdge(clock);
    clock.setValue(0);
    while (waves.hasNext()) {
      waves.open();
      // Simulates the time to read the rows.
      clock.incrementValue(1_000_000);
    }
    assertThat(waves.open()).isEmpty();
    return log;
  }

  @Test
  public void areReadInOrderAndTimedOnlyWhileWaiting() throws SQLException {
    assertThat(openAll(ScanWaves.of(opener, scans(1, 0, 4, 1, 1), 3, false, 0, 600)))
        .containsExactly(
            "start [[0], [1, 2]] until 600",
            "open [[0], [1, 2]] before 0 until 600",
            "start [[3, 4], [5]] until 1000600",
            "open [[3, 4], [5]] before 0 until 1000600",
            "start [[6]] until 2000600",
            "open [[6]] before 0 until 2000600");
  }

  @Test
  public void areReadFromTheEndInReverse() throws SQLException {
    assertThat(openAll(ScanWaves.of(opener, scans(1, 0, 4, 1, 1), 3, true, 0, 600)))
        .containsExactly(
            "start [[4], [5], [6]] until 600",
            "open [[4], [5], [6]] before 0 until 600",
            "start [[1, 2, 3]] until 1000600",
            "open [[1, 2, 3]] before 0 until 1000600",
            "start [[0]] until 2000600",
            "open [[0]] before 0 until 2000600");
  }

  @Test
  public void areStartedAhead() throws SQLException {
    assertThat(openAll(ScanWaves.of(opener, scans(3, 3, 3, 1), 3, false, 2, 600)))
        .containsExactly(
            "start [[0, 1, 2]] until 600",
            "start [[3, 4, 5]] until 600",
            "start [[6, 7, 8]] until 600",
            "open [[0, 1, 2]] before 2 until 600",
            "start [[9]] until 1000600",
            "open [[3, 4, 5]] before 2 until 1000600",
            "open [[6, 7, 8]] before 1 until 2000600",
            "open [[9]] before 0 until 3000600");
  }

  /** Opening a wave must not return an empty list, which would mean the end. */
  @Test
  public void areSkippedIfEmpty() throws SQLException {
    assertThat(openAll(ScanWaves.of(opener, scans(1, 1, 1, 1, 1), 1, false, 0, 600)))
        .containsExactly(
            "start [[0]] until 600",
            "open [[0]] before 0 until 600",
            "start [[1]] until 1000600",
            "open [[1]] before 0 until 1000600",
            "start [[2]] until 2000600",
            "open [[2]] before 0 until 2000600",
            "start [[3]] until 3000600",
            "open [[3]] before 0 until 3000600",
            "start [[4]] until 3000600",
            "open [[4]] before 0 until 3000600");
  }

  @Test
  public void areNotStartedBeyondTheLookahead() throws SQLException {
    WavesIterator rows = new WavesIterator(ScanWaves.of(opener, scans(5), 1, false, 0, 600));
    assertThat(log).isEmpty();
    rows.close();
    assertThat(rows.peek()).isNull();
    assertThat(rows.next()).isNull();
    assertThat(log).isEmpty();
  }
}

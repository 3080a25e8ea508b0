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
package org.apache.phoenix.pruning.server.seek;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Test;

/**
 * Tests which rows a scan with the filter reads. Row keys are numbers; a predicate defines the
 * matching numbers.
 */
public class LooseIndexScanFilterTest {

  private static final int ROWS = 10_000;
  private static final int MAX_UNTESTED_ROWS = 1_024;

  /**
   * Filter that includes the numbers that can match. For any other number, it hints at the next
   * number that can match, or at an earlier number.
   */
  private static final class Matches extends FilterBase {

    private final IntPredicate matches;

    /**
     * Makes hints inexact, as Phoenix's hints are: the next prefix may have no matching row. If
     * null, hints are exact.
     */
    private final Random random;

    private int testedRows;
    private int last = -1;
    private int next;

    Matches(IntPredicate matches, Random random) {
      this.matches = matches;
      this.random = random;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      int row = row(cell);
      assertThat(row).as("rows ascend, and none is before a hint").isGreaterThanOrEqualTo(next);
      assertThat(row).isGreaterThanOrEqualTo(last);
      last = row;
      testedRows++;
      if (matches.test(row)) {
        return ReturnCode.INCLUDE;
      }
      next = row + 1;
      while (next < ROWS && !matches.test(next)) {
        next++;
      }
      if (random != null) {
        next -= random.nextInt(next - row);
      }
      return ReturnCode.SEEK_NEXT_USING_HINT;
    }

    @Override
    public Cell getNextCellHint(Cell cell) {
      return PrivateCellUtil.createFirstOnRow(Bytes.toBytes(next));
    }
  }

  /** Rows that a scan of all rows returned, and its numbers of seeks, steps and tested rows. */
  private record Result(List<Integer> rows, int seeks, int steps, int testedRows) {}

  private static int row(Cell cell) {
    return Bytes.toInt(CellUtil.cloneRow(cell));
  }

  /**
   * Scans all rows.
   *
   * @param cells number of cells of each row
   * @param random makes hints inexact; may be null
   */
  private static Result scan(IntPredicate matches, SeekPace pace, int cells, Random random)
      throws IOException {
    Matches ranges = new Matches(matches, random);
    Filter filter = new LooseIndexScanFilter(ranges, pace);
    List<Integer> rows = new ArrayList<>();
    int seeks = 0;
    int steps = 0;
    int row = 0;
    while (row < ROWS) {
      filter.reset();
      int next = row + 1;
      for (int i = 0; i < cells; i++) {
        Cell cell = PrivateCellUtil.createFirstOnRow(Bytes.toBytes(row));
        ReturnCode code = filter.filterCell(cell);
        if (code == ReturnCode.INCLUDE) {
          if (i == 0) {
            rows.add(row);
          } else {
            assertThat(rows).as("no part of a row").endsWith(row);
          }
          continue;
        }
        assertThat(i).as("cells of a row that was included").isZero();
        if (code == ReturnCode.SEEK_NEXT_USING_HINT) {
          seeks++;
          next = row(filter.getNextCellHint(cell));
        } else {
          assertThat(code).as("row %s", row).isEqualTo(ReturnCode.NEXT_ROW);
          steps++;
        }
        break;
      }
      row = next;
    }
    return new Result(rows, seeks, steps, ranges.testedRows);
  }

  private static List<Integer> matching(IntPredicate matches) {
    return IntStream.range(0, ROWS).filter(matches).boxed().toList();
  }

  @Test
  public void seeksOverLongGaps() throws IOException {
    Result result = scan(row -> row % 100 == 50, new SeekPace(MAX_UNTESTED_ROWS), 1, null);
    assertThat(result.rows()).isEqualTo(matching(row -> row % 100 == 50));
    assertThat(result.seeks()).isEqualTo(101);
    // Three gaps are measured: the first gap, the gap after 8 more, and the gap after another 16.
    assertThat(result.steps()).isEqualTo(4 * SeekPace.STEPS_PER_SEEK);
  }

  @Test
  public void includesUntestedRowsIfGapsAreShort() throws IOException {
    IntPredicate odd = row -> row % 2 == 1;
    Result result = scan(odd, new SeekPace(MAX_UNTESTED_ROWS), 1, null);
    assertThat(result.rows()).containsAll(matching(odd));
    assertThat(result.seeks()).isZero();
    assertThat(result.testedRows()).isLessThan(ROWS / 100);
  }

  @Test
  public void testsEachRowIfConfigured() throws IOException {
    IntPredicate odd = row -> row % 2 == 1;
    Result result = scan(odd, new SeekPace(0), 1, null);
    assertThat(result.rows()).isEqualTo(matching(odd));
    assertThat(result.seeks()).isZero();
    assertThat(result.steps()).isEqualTo(ROWS / 2);
  }

  /** The first gaps are short. The scan must not rely on this measurement forever. */
  @Test
  public void noticesThatGapsBecomeLong() throws IOException {
    IntPredicate matches = row -> row < ROWS / 2 ? row % 2 == 1 : row % 500 == 1;
    Result result = scan(matches, new SeekPace(MAX_UNTESTED_ROWS), 1, null);
    assertThat(result.rows()).containsAll(matching(matches));
    assertThat(result.rows()).hasSizeLessThan(ROWS / 2 + MAX_UNTESTED_ROWS + 100);
    assertThat(result.seeks()).isPositive();
  }

  @Test
  public void losesNoRowWithRandomGaps() throws IOException {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      boolean[] matches = new boolean[ROWS];
      int row = 0;
      while (row < ROWS) {
        int length = 1 + random.nextInt(1 + random.nextInt(50));
        int gap = 1 + random.nextInt(1 + random.nextInt(1 + random.nextInt(300)));
        for (int i = 0; i < length && row < ROWS; i++) {
          matches[row++] = true;
        }
        row += gap;
      }
      IntPredicate all = i -> matches[i];
      int cells = 1 + random.nextInt(3);
      assertThat(scan(all, new SeekPace(0), cells, random).rows())
          .as("seed " + seed)
          .isEqualTo(matching(all));
      assertThat(scan(all, new SeekPace(MAX_UNTESTED_ROWS), cells, random).rows())
          .as("seed " + seed)
          .containsAll(matching(all));
    }
  }
}

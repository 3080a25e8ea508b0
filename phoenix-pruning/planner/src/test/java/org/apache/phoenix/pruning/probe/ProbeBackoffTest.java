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
package org.apache.phoenix.pruning.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.Test;

public class ProbeBackoffTest {

  private final ProbeBackoff backoff = new ProbeBackoff();

  /** Returns the number of statements that send no probes before one does. */
  private int statementsWithoutProbes() {
    int statements = 0;
    for (; backoff.isBackingOff(); statements++) {
      assertThat(backoff.tryProbe()).as("statement %s", statements).isFalse();
    }
    assertThat(backoff.tryProbe()).as("after %s statements", statements).isTrue();
    return statements;
  }

  @Test
  public void probesAsLongAsItPays() {
    for (int i = 0; i < 100; i++) {
      assertThat(statementsWithoutProbes()).as("probe %s", i).isZero();
      backoff.record(400, 100);
    }
    assertThat(backoff).hasToString("probes");
  }

  /**
   * Records two statements whose probes did not pay off. Each statement counts half as much as the
   * next one: 1/2, 1/4, 1/8.
   */
  private void recordTwoUselessProbes() {
    for (int i = 0; i < 2; i++) {
      backoff.record(400, 0);
      assertThat(statementsWithoutProbes()).as("probe %s", i).isZero();
    }
  }

  @Test
  public void backsOffLongerAfterEachUselessProbe() {
    recordTwoUselessProbes();
    List<Integer> backoffs = Arrays.asList(8, 16, 32, 64, 128, 256, 512, 1_024, 1_024, 1_024);
    for (int statements : backoffs) {
      backoff.record(400, 0);
      assertThat(backoff).hasToString("backs off for " + statements + " statements");
      assertThat(statementsWithoutProbes()).as("%s", backoffs).isEqualTo(statements);
    }
  }

  @Test
  public void probesAtOnceAfterAUsefulProbe() {
    recordTwoUselessProbes();
    backoff.record(400, 0);
    assertThat(statementsWithoutProbes()).isEqualTo(8);
    backoff.record(400, 0);
    assertThat(statementsWithoutProbes()).isEqualTo(16);
    backoff.record(400, 400);
    assertThat(statementsWithoutProbes()).isZero();
    backoff.record(400, 0);
    assertThat(statementsWithoutProbes()).as("after a single useless probe").isZero();
    backoff.record(400, 0);
    assertThat(statementsWithoutProbes()).as("from the beginning").isEqualTo(8);
  }

  @Test
  public void probesIfEachSecondStatementSavesScans() {
    for (int i = 0; i < 100; i++) {
      backoff.record(400, i % 2 == 0 ? 0 : 400);
      assertThat(statementsWithoutProbes()).as("probe %s", i).isZero();
    }
  }

  @Test
  public void doesNotBackOffIfNoServerWasProbed() {
    backoff.record(0, 0);
    assertThat(statementsWithoutProbes()).isZero();
  }

  @Test
  public void countsWithoutOverflow() {
    for (int i = 0; i < 100; i++) {
      backoff.record(Integer.MAX_VALUE, Integer.MAX_VALUE / 3);
      assertThat(statementsWithoutProbes()).as("probe %s", i).isZero();
    }
  }
}

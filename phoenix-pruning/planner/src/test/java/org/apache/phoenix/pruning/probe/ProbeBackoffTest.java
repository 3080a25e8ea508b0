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

  private final ProbeBackoff history = new ProbeBackoff();

  /** Returns the number of statements that send no probes before one does. */
  private int rest() {
    int rest = 0;
    for (; history.isBackingOff(); rest++) {
      assertThat(history.tryProbe()).isFalse();
    }
    assertThat(history.tryProbe()).isTrue();
    return rest;
  }

  @Test
  public void asksAsLongAsItPays() {
    for (int i = 0; i < 100; i++) {
      assertThat(rest()).isZero();
      history.record(400, 100);
    }
    assertThat(history).hasToString("probes");
  }

  /**
   * Records two statements whose probes did not pay off. Each statement counts half as much as the
   * next one: 1/2, 1/4, 1/8.
   */
  private void doesNotPayTwice() {
    for (int i = 0; i < 2; i++) {
      history.record(400, 0);
      assertThat(rest()).isZero();
    }
  }

  @Test
  public void restsEverLongerWhereItDoesNotPay() {
    doesNotPayTwice();
    List<Integer> rests = Arrays.asList(8, 16, 32, 64, 128, 256, 512, 1_024, 1_024, 1_024);
    for (int rest : rests) {
      history.record(400, 0);
      assertThat(history).hasToString("backs off for " + rest + " statements");
      assertThat(rest()).isEqualTo(rest);
    }
  }

  @Test
  public void asksAgainAtOnceAfterItHasPaid() {
    doesNotPayTwice();
    history.record(400, 0);
    assertThat(rest()).isEqualTo(8);
    history.record(400, 0);
    assertThat(rest()).isEqualTo(16);
    history.record(400, 400);
    assertThat(rest()).isZero();
    history.record(400, 0);
    assertThat(rest()).as("about a quarter of the last ones").isZero();
    history.record(400, 0);
    assertThat(rest()).as("from the beginning").isEqualTo(8);
  }

  @Test
  public void asksWhereEachSecondStatementFindsRowsEverywhere() {
    for (int i = 0; i < 100; i++) {
      history.record(400, i % 2 == 0 ? 0 : 400);
      assertThat(rest()).isZero();
    }
  }

  @Test
  public void doesNotRestWhereNoServerWasAsked() {
    history.record(0, 0);
    assertThat(rest()).isZero();
  }

  @Test
  public void countsWithoutOverflow() {
    for (int i = 0; i < 100; i++) {
      history.record(Integer.MAX_VALUE, Integer.MAX_VALUE / 3);
      assertThat(rest()).isZero();
    }
  }
}

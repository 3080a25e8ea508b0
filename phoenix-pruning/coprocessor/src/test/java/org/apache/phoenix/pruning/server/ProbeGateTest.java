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
package org.apache.phoenix.pruning.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.Test;

public class ProbeGateTest {

  private static final int HANDLERS = 30;

  private static ProbeGate gate(int handlers, String share) {
    Configuration configuration = new Configuration(false);
    configuration.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, handlers);
    if (share != null) {
      configuration.set(ProbeGate.SHARE, share);
    }
    return new ProbeGate(configuration);
  }

  private static int places(ProbeGate gate) {
    int places = 0;
    while (gate.enter()) {
      places++;
    }
    for (int i = 0; i < places; i++) {
      gate.leave();
    }
    return places;
  }

  @Test
  public void letsAShareOfTheHandlersIn() {
    assertThat(places(gate(HANDLERS, null))).isEqualTo(7);
    assertThat(places(gate(HANDLERS, "0.5"))).isEqualTo(15);
    assertThat(places(gate(HANDLERS, "1"))).isEqualTo(HANDLERS);
    assertThat(places(new ProbeGate(new Configuration(false))))
        .isEqualTo(HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT / 4);
  }

  @Test
  public void letsOneInWhereTheShareIsLess() {
    assertThat(places(gate(3, null))).isEqualTo(1);
    assertThat(places(gate(HANDLERS, "0.001"))).isEqualTo(1);
  }

  @Test
  public void letsNobodyInIfTold() {
    assertThat(places(gate(HANDLERS, "0"))).isZero();
    assertThat(places(gate(HANDLERS, "-1"))).isZero();
  }

  @Test
  public void letsNoMoreInThanThereAreHandlers() {
    assertThat(places(gate(HANDLERS, "2"))).isEqualTo(HANDLERS);
  }

  @Test
  public void takesWhatIsNoNumberForTheDefault() {
    assertThat(places(gate(HANDLERS, "a quarter"))).isEqualTo(7);
  }

  @Test
  public void saysForHowLongARegionMayBeRead() {
    assertThat(gate(HANDLERS, null).pageMillis()).isEqualTo(10);
    Configuration configuration = new Configuration(false);
    for (String[] valueAndMillis : new String[][] {{"25", "25"}, {"0", "1"}, {"long", "10"}}) {
      configuration.set(ProbeGate.PAGE_MILLIS, valueAndMillis[0]);
      assertThat(new ProbeGate(configuration).pageMillis())
          .isEqualTo(Integer.parseInt(valueAndMillis[1]));
    }
  }

  @Test
  public void letsTheNextInWhenOneHasLeft() {
    ProbeGate gate = gate(HANDLERS, "0.05");
    assertThat(gate.enter()).isTrue();
    assertThat(gate.enter()).isFalse();
    assertThat(gate).hasToString("0 of 1 handlers free");
    gate.leave();
    assertThat(gate.enter()).isTrue();
  }
}

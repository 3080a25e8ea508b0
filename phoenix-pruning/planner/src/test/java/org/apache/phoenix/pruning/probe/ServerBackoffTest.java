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

import org.apache.hadoop.hbase.ServerName;
import org.apache.phoenix.util.EnvironmentEdgeManager;
import org.apache.phoenix.util.ManualEnvironmentEdge;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class ServerBackoffTest {

  private static final ServerName SERVER = ServerName.valueOf("a", 1, 1);

  private final ServerBackoff servers = new ServerBackoff();
  private final ManualEnvironmentEdge clock = new ManualEnvironmentEdge();

  @Before
  public void setClock() {
    clock.setValue(1_000_000);
    EnvironmentEdgeManager.injectEdge(clock);
  }

  @After
  public void resetClock() {
    EnvironmentEdgeManager.reset();
  }

  @Test
  public void probesAServerAgainAfterItsBackoff() {
    assertThat(servers.mayProbe(SERVER)).isTrue();
    servers.backOff(SERVER, 10_000);
    assertThat(servers.mayProbe(SERVER)).isFalse();
    clock.incrementValue(9_999);
    assertThat(servers.mayProbe(SERVER)).isFalse();
    clock.incrementValue(1);
    assertThat(servers.mayProbe(SERVER)).isTrue();
    servers.backOff(SERVER, ServerBackoff.NOT_UNDERSTOOD_MILLIS);
    clock.incrementValue(10 * 60_000 - 1);
    assertThat(servers.mayProbe(SERVER)).isFalse();
    clock.incrementValue(1);
    assertThat(servers.mayProbe(SERVER)).isTrue();
  }

  /** A server has another name after each start. */
  @Test
  public void forgetsEndedBackoffs() {
    for (int start = 1; start <= 100; start++) {
      servers.backOff(ServerName.valueOf("a", 1, start), 10_000);
      clock.incrementValue(5_000);
    }
    assertThat(servers).hasToString("backing off from [a,1,99, a,1,100]");
    clock.incrementValue(10_000);
    servers.backOff(SERVER, 10_000);
    assertThat(servers).hasToString("backing off from [a,1,1]");
  }

  @Test
  public void probesOtherAndRestartedServersMeanwhile() {
    servers.backOff(SERVER, ServerBackoff.NOT_UNDERSTOOD_MILLIS);
    assertThat(servers.mayProbe(ServerName.valueOf("b", 1, 1))).isTrue();
    assertThat(servers.mayProbe(ServerName.valueOf("a", 1, 2))).isTrue();
    assertThat(servers.mayProbe(SERVER)).isFalse();
  }
}

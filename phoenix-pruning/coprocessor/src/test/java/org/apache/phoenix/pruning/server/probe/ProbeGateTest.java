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
package org.apache.phoenix.pruning.server.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.RWQueueRpcExecutor;
import org.apache.hadoop.hbase.ipc.RpcExecutor;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.assertj.core.api.JUnitSoftAssertions;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class ProbeGateTest {

  private static final int HANDLERS = 30;

  @Rule public final JUnitSoftAssertions softly = new JUnitSoftAssertions();

  private static ProbeGate gate(int handlers, String share) {
    Configuration configuration = new Configuration(false);
    configuration.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, handlers);
    if (share != null) {
      configuration.set(PruningOptions.SERVER_PROBE_SHARE, share);
    }
    return new ProbeGate(configuration);
  }

  private static int acquireAll(ProbeGate gate) {
    int places = 0;
    while (gate.tryAcquire()) {
      places++;
    }
    for (int i = 0; i < places; i++) {
      gate.release();
    }
    return places;
  }

  @Test
  public void admitsProbesForAShareOfTheHandlers() {
    assertThat(acquireAll(gate(HANDLERS, null))).isEqualTo(7);
    assertThat(acquireAll(gate(HANDLERS, "0.5"))).isEqualTo(15);
    assertThat(acquireAll(new ProbeGate(new Configuration(false))))
        .isEqualTo(HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT / 4);
  }

  @Test
  public void admitsOneProbeForASmallShare() {
    assertThat(acquireAll(gate(3, null))).isEqualTo(1);
    assertThat(acquireAll(gate(HANDLERS, "0.001"))).isEqualTo(1);
  }

  @Test
  public void admitsNoProbeForAShareOfZero() {
    assertThat(acquireAll(gate(HANDLERS, "0"))).isZero();
  }

  @Test
  public void leavesAHandlerToOtherScans() {
    String share = "1";
    assertThat(acquireAll(gate(HANDLERS, share))).isEqualTo(HANDLERS - 1);
    assertThat(acquireAll(gate(2, share))).isEqualTo(1);
    assertThat(acquireAll(gate(1, share))).isEqualTo(1);
  }

  private static Configuration configuration(
      int handlers, float queueFactor, float reads, float scans) {
    Configuration configuration = new Configuration(false);
    configuration.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, handlers);
    configuration.setFloat(RpcExecutor.CALL_QUEUE_HANDLER_FACTOR_CONF_KEY, queueFactor);
    configuration.setFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, reads);
    configuration.setFloat(RWQueueRpcExecutor.CALL_QUEUE_SCAN_SHARE_CONF_KEY, scans);
    return configuration;
  }

  private static int field(RWQueueRpcExecutor executor, String name)
      throws ReflectiveOperationException {
    Field field = RWQueueRpcExecutor.class.getDeclaredField(name);
    field.setAccessible(true);
    return field.getInt(executor);
  }

  @Test
  public void countsTheHandlersThatServeScansAsHBaseDoes() throws ReflectiveOperationException {
    for (int handlers = 1; handlers <= 40; handlers++) {
      for (float queueFactor : new float[] {-1, 0, 0.1f, 0.5f, 1, 2}) {
        for (float reads : new float[] {0.01f, 0.25f, 0.5f, 0.75f, 1}) {
          for (float scans : new float[] {0, 0.01f, 0.25f, 0.5f, 0.9f}) {
            Configuration configuration = configuration(handlers, queueFactor, reads, scans);
            // SimpleRpcScheduler passes at least two handlers to the executor.
            RWQueueRpcExecutor executor =
                new RWQueueRpcExecutor(
                    "test", Math.max(2, handlers), 10, null, configuration, null);
            int ofScans = field(executor, "scanHandlersCount");
            softly
                .assertThat(ProbeGate.scanHandlers(configuration))
                .as("%s handlers, %s, %s, %s", handlers, queueFactor, reads, scans)
                .isEqualTo(ofScans > 0 ? ofScans : field(executor, "readHandlersCount"));
          }
        }
      }
    }
  }

  @Test
  public void admitsProbesForAShareOfTheScanHandlers() {
    assertThat(acquireAll(new ProbeGate(configuration(40, 0.1f, 0, 0.5f)))).isEqualTo(10);
    assertThat(acquireAll(new ProbeGate(configuration(40, 0.1f, 0.5f, 0)))).isEqualTo(5);
    assertThat(acquireAll(new ProbeGate(configuration(40, 0.1f, 0.5f, 0.5f)))).isEqualTo(2);
    Configuration all = configuration(40, 0.1f, 0.5f, 0.5f);
    all.set(PruningOptions.SERVER_PROBE_SHARE, "1");
    assertThat(acquireAll(new ProbeGate(all))).isEqualTo(9);
  }

  @Test
  @Parameters({"a quarter", "-1", "1.01", "NaN"})
  public void usesTheDefaultForAnotherValue(String share) {
    assertThat(acquireAll(gate(HANDLERS, share))).isEqualTo(7);
  }

  @Test
  public void readsARegionFor10MillisecondsByDefault() {
    assertThat(gate(HANDLERS, null).pageMillis()).isEqualTo(10);
  }

  @Test
  @Parameters({"25, 25", "1, 1", "0, 10", "-5, 10", "long, 10"})
  public void limitsTheTimeToReadARegion(String value, int millis) {
    Configuration configuration = new Configuration(false);
    configuration.set(PruningOptions.SERVER_PROBE_PAGE_MS, value);
    assertThat(new ProbeGate(configuration).pageMillis()).isEqualTo(millis);
  }

  @Test
  public void admitsTheNextProbeAfterARelease() {
    ProbeGate gate = gate(HANDLERS, "0.05");
    assertThat(gate.tryAcquire()).isTrue();
    assertThat(gate.tryAcquire()).isFalse();
    assertThat(gate).hasToString("0 of 1 handlers free");
    gate.release();
    assertThat(gate.tryAcquire()).isTrue();
  }
}

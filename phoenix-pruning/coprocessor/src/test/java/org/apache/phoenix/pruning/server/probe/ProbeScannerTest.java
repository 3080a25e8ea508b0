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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.protocol.ProbeAnswer;
import org.apache.phoenix.pruning.protocol.ProbeRequest;
import org.junit.Before;
import org.junit.Test;

/**
 * Tests that a server reads a probe request only after it has found a free handler. A server shows
 * this order only while all its handlers are busy.
 */
public class ProbeScannerTest {

  private static final Scan FORGED =
      new Scan().setAttribute(ProbeRequest.ATTRIBUTE, new byte[] {1, 2, 3});

  private final RegionCoprocessorEnvironment environment = mock(RegionCoprocessorEnvironment.class);
  private final Configuration serverConfiguration = new Configuration(false);
  private MetricRegistry metrics;

  @Before
  public void createServer() {
    metrics =
        MetricRegistries.global()
            .create(new MetricRegistryInfo("ProbeScannerTest", "", "", "", false));
    RegionServerServices services = mock(RegionServerServices.class);
    when(services.getConfiguration()).thenReturn(serverConfiguration);
    when(environment.getOnlineRegions()).thenReturn(services);
    when(environment.getMetricRegistryForRegionServer()).thenReturn(metrics);
    when(environment.getSharedData()).thenReturn(new ConcurrentHashMap<>());
    Configuration ofTable = new Configuration(false);
    ofTable.set(PruningOptions.SERVER_PROBE_SHARE, "0");
    when(environment.getConfiguration()).thenReturn(ofTable);
  }

  @Test
  public void readsTheRequestOnlyIfTheGateAdmitsIt() throws Exception {
    serverConfiguration.set(PruningOptions.SERVER_PROBE_SHARE, "0");
    List<Cell> cells = new ArrayList<>();
    RegionScanner scanner = ProbeScanner.of(environment, FORGED, mock(RegionScanner.class));
    assertThat(scanner.nextRaw(cells)).isFalse();
    assertThat(ProbeAnswer.read(Result.create(cells)).orElseThrow().isRejected()).isTrue();
    assertThat(metrics.counter(ProbeServerMetrics.REJECTED).getCount()).isEqualTo(1);
  }

  /** The share in the table's settings has no effect. A refused request frees its handler. */
  @Test
  public void releasesTheGateIfARequestIsRefused() {
    serverConfiguration.set(PruningOptions.SERVER_PROBE_SHARE, "0.01");
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> ProbeScanner.of(environment, FORGED, mock(RegionScanner.class)))
          .as("request %s", i)
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(ProbeRequest.ATTRIBUTE);
    }
    assertThat(ProbeGate.of(environment)).hasToString("1 of 1 handlers free");
  }
}

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
package org.apache.phoenix.pruning.server.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.protocol.CheckAnswer;
import org.apache.phoenix.pruning.protocol.CheckRequest;
import org.junit.Before;
import org.junit.Test;

/** Tests which requests a server admits. A cluster shows this only while its checks are running. */
public class CheckScannerTest {

  private static final byte[] NONE = {};

  private final RegionCoprocessorEnvironment environment = mock(RegionCoprocessorEnvironment.class);
  private final Configuration serverConfiguration = new Configuration(false);

  @Before
  public void createServer() {
    RegionServerServices services = mock(RegionServerServices.class);
    when(services.getConfiguration()).thenReturn(serverConfiguration);
    when(environment.getOnlineRegions()).thenReturn(services);
    when(environment.getSharedData()).thenReturn(new ConcurrentHashMap<>());
    when(environment.getConfiguration()).thenReturn(new Configuration(false));
    when(environment.getRegionInfo())
        .thenReturn(RegionInfoBuilder.newBuilder(TableName.valueOf("T")).build());
  }

  private static Scan scan(byte[] attribute) {
    return new Scan().setAttribute(CheckRequest.ATTRIBUTE, attribute);
  }

  private static Scan genuine() {
    return scan(CheckRequest.of(1, 10, NONE, NONE, List.of(), null).toBytes());
  }

  private RegionScanner open(Scan scan) {
    return CheckScanner.of(environment, scan, mock(RegionScanner.class));
  }

  private static CheckAnswer.Status status(RegionScanner scanner) throws IOException {
    List<Cell> cells = new ArrayList<>();
    scanner.nextRaw(cells);
    return CheckAnswer.read(Result.create(cells)).orElseThrow().status();
  }

  @Test
  public void readsOneRequestAtATime() throws Exception {
    serverConfiguration.set(PruningOptions.SERVER_CHECK_CONCURRENCY, "1");
    RegionScanner first = open(genuine());
    assertThat(status(first)).isEqualTo(CheckAnswer.Status.COMPARED);
    // A request that has to wait is not read.
    RegionScanner second = open(scan(new byte[] {1, 2, 3}));
    assertThat(status(second)).isEqualTo(CheckAnswer.Status.BUSY);
    second.close();
    assertThat(status(open(genuine()))).isEqualTo(CheckAnswer.Status.BUSY);
    first.close();
    first.close();
    assertThat(status(open(genuine()))).isEqualTo(CheckAnswer.Status.COMPARED);
    assertThat(status(open(genuine()))).isEqualTo(CheckAnswer.Status.BUSY);
  }

  @Test
  public void releasesTheGateAfterARefusal() throws Exception {
    serverConfiguration.set(PruningOptions.SERVER_CHECK_CONCURRENCY, "1");
    for (int i = 0; i < 3; i++) {
      try (RegionScanner forged = open(scan(new byte[] {1, 2, 3}))) {
        assertThatThrownBy(() -> forged.nextRaw(new ArrayList<>()))
            .as("request %s", i)
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining(CheckRequest.ATTRIBUTE);
      }
    }
    try (RegionScanner filtered = open(genuine().setFilter(new PageFilter(1)))) {
      assertThatThrownBy(() -> filtered.nextRaw(new ArrayList<>()))
          .isInstanceOf(AccessDeniedException.class);
    }
  }

  @Test
  public void answersOnlyForTheRegionOfTheRequest() throws Exception {
    byte[] other = {1};
    try (RegionScanner scanner =
        open(scan(CheckRequest.of(1, 10, NONE, other, List.of(), null).toBytes()))) {
      assertThat(status(scanner)).isEqualTo(CheckAnswer.Status.OTHER_REGION);
    }
    try (RegionScanner resumed = open(genuine().withStartRow(other))) {
      assertThat(status(resumed)).isEqualTo(CheckAnswer.Status.OTHER_REGION);
    }
  }

  @Test
  public void pausesAfterAPage() throws Exception {
    AtomicBoolean hasMore = new AtomicBoolean(true);
    RegionScanner endless = mock(RegionScanner.class, withSettings().stubOnly());
    when(endless.nextRaw(any())).thenAnswer(next -> hasMore.get());
    try (RegionScanner scanner = CheckScanner.of(environment, genuine(), endless)) {
      assertThat(status(scanner)).isEqualTo(CheckAnswer.Status.PROGRESS);
      assertThat(status(scanner)).isEqualTo(CheckAnswer.Status.PROGRESS);
      hasMore.set(false);
      assertThat(status(scanner)).isEqualTo(CheckAnswer.Status.COMPARED);
      assertThat(scanner.nextRaw(new ArrayList<>())).isFalse();
    }
  }

  @Test
  public void ignoresRequestsThatItMayNotAnswer() {
    assertThat(CheckScanner.hasToAnswer(new Scan(), environment)).isFalse();
    assertThat(CheckScanner.hasToAnswer(genuine(), environment)).isTrue();
    assertThat(CheckScanner.hasToAnswer(scan(new byte[] {2}), environment)).isFalse();
    serverConfiguration.set(PruningOptions.SERVER_CHECK_CONCURRENCY, "0");
    when(environment.getSharedData()).thenReturn(new ConcurrentHashMap<>());
    assertThat(CheckScanner.hasToAnswer(genuine(), environment)).isFalse();
  }
}

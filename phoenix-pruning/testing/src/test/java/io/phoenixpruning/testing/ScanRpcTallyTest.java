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
package io.phoenixpruning.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Test;

public class ScanRpcTallyTest {

  private static final TableName LINEITEM = TableName.valueOf("LINEITEM");
  private static final TableName ORDERS = TableName.valueOf("ORDERS");
  private static final RegionInfo LOW = region(LINEITEM, "", "m");
  private static final RegionInfo HIGH = region(LINEITEM, "m", "");

  private final Map<Long, TableName> openScanners = new HashMap<>();
  private final ScanRpcTally tally = new ScanRpcTally(openScanners::get);

  @Test
  public void anOpenIsCountedInTheRegionThatItNames() throws IOException {
    tally.add(open(LOW));
    tally.add(open(HIGH));
    tally.add(open(HIGH));
    tally.add(open(region(ORDERS, "", "")));

    ScanRpcCounts counts = tally.counts(LINEITEM);
    assertThat(counts.regions())
        .containsExactlyInAnyOrder(LOW.getEncodedName(), HIGH.getEncodedName());
    assertThat(counts.opens()).isEqualTo(3);
    assertThat(counts.rpcs()).isEqualTo(3);
    assertThat(tally.counts(ORDERS).rpcs()).isEqualTo(1);
  }

  @Test
  public void furtherCallsAreCountedForTheTableOfTheirScanner() {
    openScanners.put(7L, LINEITEM);
    openScanners.put(8L, ORDERS);

    tally.add(next(7));
    tally.add(next(7));
    tally.add(ScanRequest.newBuilder().setScannerId(7).setRenew(true).build());
    tally.add(RequestConverter.buildScanRequest(7, 0, true, false));
    tally.add(next(8));

    ScanRpcCounts counts = tally.counts(LINEITEM);
    assertThat(counts).hasToString("4 scan RPCs (0 open, 2 next, 1 close, 1 renew) in 0 regions");
    assertThat(tally.counts(ORDERS).nexts()).isEqualTo(1);
    assertThat(tally.unknown()).isEqualTo(ScanRpcCounts.NONE);
  }

  @Test
  public void aCallToAScannerThatIsNotOpenIsCountedApart() {
    tally.add(next(7));

    assertThat(tally.counts(LINEITEM)).isEqualTo(ScanRpcCounts.NONE);
    assertThat(tally.unknown().nexts()).isEqualTo(1);
  }

  @Test
  public void aDifferenceHoldsOnlyTheRegionsOpenedSince() throws IOException {
    tally.add(open(LOW));
    ScanRpcCounts before = tally.counts(LINEITEM);
    tally.add(open(HIGH));

    ScanRpcCounts since = tally.counts(LINEITEM).minus(before);
    assertThat(since.regions()).containsExactly(HIGH.getEncodedName());
    assertThat(since.rpcs()).isEqualTo(1);
    assertThat(since.plus(before)).isEqualTo(tally.counts(LINEITEM));
  }

  private static RegionInfo region(TableName table, String start, String end) {
    return RegionInfoBuilder.newBuilder(table)
        .setStartKey(Bytes.toBytes(start))
        .setEndKey(Bytes.toBytes(end))
        .setRegionId(1)
        .build();
  }

  private static ScanRequest open(RegionInfo region) throws IOException {
    return RequestConverter.buildScanRequest(region.getRegionName(), new Scan(), 10, false);
  }

  private static ScanRequest next(long scanner) {
    return RequestConverter.buildScanRequest(scanner, 10, false, 1, false, false, -1);
  }
}

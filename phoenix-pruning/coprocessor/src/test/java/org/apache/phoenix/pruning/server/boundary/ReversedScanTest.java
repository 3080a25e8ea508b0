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
package org.apache.phoenix.pruning.server.boundary;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.util.ScanUtil;
import org.junit.Test;

public class ReversedScanTest {

  @Test
  public void swapsTheRowsOfAReversedScanBack() {
    Scan scan = scan();
    ScanUtil.setLocalIndex(scan);
    ScanUtil.setReversed(scan);
    ScanUtil.setupReverseScan(scan);

    ReversedScan.undoReverse(scan);

    assertThat(scan.isReversed()).isFalse();
    assertThat(ScanUtil.isReversed(scan)).isTrue();
    assertThat(scan.getStartRow()).isEqualTo(Bytes.toBytes("b"));
    assertThat(scan.includeStartRow()).isTrue();
    assertThat(scan.getStopRow()).isEqualTo(Bytes.toBytes("c"));
    assertThat(scan.includeStopRow()).isFalse();
  }

  @Test
  public void leavesForwardScansAlone() {
    Scan scan = scan();
    ScanUtil.setLocalIndex(scan);

    ReversedScan.undoReverse(scan);

    assertThat(scan.getStartRow()).isEqualTo(Bytes.toBytes("b"));
    assertThat(scan.getStopRow()).isEqualTo(Bytes.toBytes("c"));
  }

  @Test
  public void leavesScansThatTheClientDidNotReverseAlone() {
    Scan scan = scan();
    ScanUtil.setLocalIndex(scan);
    ScanUtil.setReversed(scan);

    ReversedScan.undoReverse(scan);

    assertThat(scan.getStartRow()).isEqualTo(Bytes.toBytes("b"));
    assertThat(scan.getStopRow()).isEqualTo(Bytes.toBytes("c"));
  }

  @Test
  public void leavesScansOfDataTablesAlone() {
    Scan scan = scan();
    ScanUtil.setReversed(scan);
    ScanUtil.setupReverseScan(scan);

    ReversedScan.undoReverse(scan);

    assertThat(scan.isReversed()).isTrue();
    assertThat(scan.getStartRow()).isEqualTo(Bytes.toBytes("c"));
  }

  private static Scan scan() {
    return new Scan().withStartRow(Bytes.toBytes("b")).withStopRow(Bytes.toBytes("c"));
  }
}

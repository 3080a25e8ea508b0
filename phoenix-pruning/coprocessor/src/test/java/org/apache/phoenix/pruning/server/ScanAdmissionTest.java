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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.PatchSet;
import org.apache.phoenix.pruning.protocol.DataRowRange;
import org.apache.phoenix.pruning.protocol.PatchRequest;
import org.apache.phoenix.pruning.protocol.SeekRanges;
import org.apache.phoenix.schema.types.PDataType;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class ScanAdmissionTest {

  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("T"))
          .setStartKey(Bytes.toBytes("b"))
          .setEndKey(Bytes.toBytes("c"))
          .build();

  private static RegionCoprocessorEnvironment server(String mode, String patches) {
    Configuration configuration = new Configuration(false);
    if (mode != null) {
      configuration.set(PruningOptions.MODE, mode);
    }
    if (patches != null) {
      configuration.set(PruningOptions.PATCHES, patches);
    }
    RegionCoprocessorEnvironment environment = mock(RegionCoprocessorEnvironment.class);
    when(environment.getConfiguration()).thenReturn(configuration);
    when(environment.getRegionInfo()).thenReturn(REGION);
    return environment;
  }

  private static PatchSet granted(PatchSet requested, String mode, String patches)
      throws Exception {
    Scan scan = new Scan();
    PatchRequest.set(scan, requested);
    ScanAdmission.admit(server(mode, patches), scan);
    return PatchRequest.of(scan);
  }

  private static List<Object[]> requestsToServersThatAllowAll() {
    List<Object[]> cases = new ArrayList<>();
    for (PatchSet requested : List.of(PatchSet.ALL, PatchSet.LOCAL_INDEX, PatchSet.NONE)) {
      for (String allowed :
          new String[] {null, "all", "ALL", "", "no such value", "all,+descending-decimal-bytes"}) {
        cases.add(new Object[] {requested, allowed});
      }
    }
    return cases;
  }

  @Test
  @Parameters(method = "requestsToServersThatAllowAll")
  public void grantsRequestedPatches(PatchSet requested, String allowed) throws Exception {
    assertThat(granted(requested, null, allowed)).isSameAs(requested);
  }

  @Test
  public void grantsNothingInModeStock() throws Exception {
    assertThat(granted(PatchSet.ALL, "stock", null)).isSameAs(PatchSet.NONE);
    assertThat(granted(PatchSet.LOCAL_INDEX, "STOCK", "all")).isSameAs(PatchSet.NONE);
  }

  @Test
  public void grantsNoMoreThanTheServerAllows() throws Exception {
    assertThat(granted(PatchSet.ALL, "exact", " None ")).isSameAs(PatchSet.NONE);
    assertThat(granted(PatchSet.LOCAL_INDEX, null, "none")).isSameAs(PatchSet.NONE);
    assertThat(granted(PatchSet.ALL, null, "local-index")).isSameAs(PatchSet.LOCAL_INDEX);
    assertThat(granted(PatchSet.LOCAL_INDEX, null, "local-index")).isSameAs(PatchSet.LOCAL_INDEX);
    assertThat(granted(PatchSet.NONE, null, "local-index")).isSameAs(PatchSet.NONE);
    PatchSet without = PatchSet.parse("all,-data-row-lookup");
    assertThat(granted(without, null, null)).isEqualTo(without);
    assertThat(granted(PatchSet.ALL, null, "all,-data-row-lookup")).isEqualTo(without);
    assertThat(granted(PatchSet.LOCAL_INDEX, null, "all,-data-row-lookup"))
        .hasToString("local-index,-data-row-lookup");
  }

  @Test
  public void grantsNoPatchOfTheServerWithoutThePatchThatItNeeds() throws Exception {
    assertThat(granted(PatchSet.ALL, null, "all,-index-row-condition"))
        .hasToString("all,-data-row-lookup,-index-row-condition");
    assertThat(granted(PatchSet.parse("all,-index-row-condition"), null, null))
        .hasToString("all,-data-row-lookup,-index-row-condition");
  }

  /** The client has planned with the patch, so the server's setting has no effect. */
  @Test
  public void grantsSkipScanEvenIfTheServerDoesNotAllowItsNeed() throws Exception {
    assertThat(granted(PatchSet.ALL, null, "all,-row-value-ranges").has(Patch.SKIP_SCAN)).isTrue();
    assertThat(granted(PatchSet.ALL, null, "all,-skip-scan").has(Patch.SKIP_SCAN)).isFalse();
  }

  private static Scan localIndexScan(PatchSet patches, String start, String stop) {
    Scan scan = new Scan().withStartRow(Bytes.toBytes(start)).withStopRow(Bytes.toBytes(stop));
    scan.setAttribute(BaseScannerRegionObserverConstants.LOCAL_INDEX, PDataType.TRUE_BYTES);
    scan.setAttribute(BaseScannerRegionObserverConstants.SCAN_ACTUAL_START_ROW, Bytes.toBytes("b"));
    PatchRequest.set(scan, patches);
    return scan;
  }

  /** The check protects rows, so it does not depend on the patches that a client requests. */
  @Test
  @Parameters({"all", "none"})
  public void checksTheRegionForAllClients(String requested) throws Exception {
    PatchSet patches = PatchSet.parse(requested);
    ScanAdmission.admit(server(null, "none"), localIndexScan(patches, "b", "c"));
    Scan elsewhere = localIndexScan(patches, "bb", "c");
    elsewhere.setAttribute(
        BaseScannerRegionObserverConstants.SCAN_ACTUAL_START_ROW, Bytes.toBytes("bb"));
    assertThatThrownBy(() -> ScanAdmission.admit(server(null, "none"), elsewhere))
        .isInstanceOf(DoNotRetryIOException.class);
    ScanAdmission.admit(server("stock", null), elsewhere);
  }

  @Test
  @Parameters({"local-index, false", "none, true"})
  public void undoesReverseOnlyForClientsThatRequestPatches(String requested, boolean isReversed)
      throws Exception {
    Scan turned = localIndexScan(PatchSet.parse(requested), "c", "b").setReversed(true);
    turned.setAttribute(BaseScannerRegionObserverConstants.REVERSE_SCAN, PDataType.TRUE_BYTES);
    ScanAdmission.admit(server(null, null), turned);
    assertThat(turned.isReversed()).isEqualTo(isReversed);
  }

  @Test
  @Parameters({"stock, false", "exact, true"})
  public void seeksOnlyOutsideOfModeStock(String mode, boolean seeks) throws Exception {
    Scan scan = localIndexScan(PatchSet.ALL, "b", "c");
    scan.setAttribute(SeekRanges.ATTRIBUTE, new byte[1]);
    ScanAdmission.admit(server(mode, null), scan);
    assertThat(scan.getAttribute(SeekRanges.ATTRIBUTE) != null).isEqualTo(seeks);
  }

  /** A seek drops rows. Without the patch, a dropped row can end the scan. */
  @Test
  public void seeksOnlyIfEmptyBatchesDoNotEndTheScan() throws Exception {
    assertThat(seeks(PatchSet.ALL, "all,-empty-batch")).isFalse();
    assertThat(seeks(PatchSet.parse("all,-empty-batch"), null)).isFalse();
    assertThat(seeks(PatchSet.NONE, null)).isFalse();
    assertThat(seeks(PatchSet.parse("none,+empty-batch"), "local-index")).isTrue();
    assertThat(seeks(PatchSet.parse("all,-key-order"), "all,-data-row-lookup")).isTrue();
  }

  private static boolean seeks(PatchSet asked, String allowed) throws Exception {
    Scan scan = localIndexScan(asked, "b", "c");
    scan.setAttribute(SeekRanges.ATTRIBUTE, new byte[1]);
    ScanAdmission.admit(server(null, allowed), scan);
    return scan.getAttribute(SeekRanges.ATTRIBUTE) != null;
  }

  /** The filter of a part of a region drops rows, and nothing else tests its condition. */
  @Test
  @Parameters({"exact, all", "exact, none", "stock, all"})
  public void skipsEmptyBatchesInAPartOfARegion(String mode, String allowed) throws Exception {
    for (PatchSet asked : List.of(PatchSet.ALL, PatchSet.NONE)) {
      Scan scan = localIndexScan(asked, "b", "c");
      DataRowRange.between(Bytes.toBytes("b"), Bytes.toBytes("bb")).mark(scan);
      ScanAdmission.admit(server(mode, allowed), scan);
      boolean isAll = mode.equals("exact") && allowed.equals("all") && asked == PatchSet.ALL;
      for (Patch patch : Patch.values()) {
        if (patch.side() == Patch.Side.SERVER && patch.scope() == Patch.Scope.CONNECTION) {
          assertThat(PatchRequest.of(scan).has(patch))
              .as(patch.id())
              .isEqualTo(isAll || patch == Patch.EMPTY_BATCH);
        }
      }
    }
  }
}

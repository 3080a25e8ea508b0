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
package org.apache.phoenix.pruning.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.key.KeyColumn;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.RowKeyLayout;
import org.apache.phoenix.pruning.protocol.DataRowRange;
import org.junit.Test;

/** Tests cached regions from before a merge or a split. */
public class StaleRegionsTest {

  private static final KeySpace EVERYWHERE =
      KeySpace.everywhere(RowKeyLayout.of(KeyColumn.variable("K", false, true)));

  private static HRegionLocation region(String start, String end) {
    return new HRegionLocation(info(start, end), null);
  }

  private static RegionInfo info(String start, String end) {
    return RegionInfoBuilder.newBuilder(TableName.valueOf("T"))
        .setStartKey(Bytes.toBytes(start))
        .setEndKey(Bytes.toBytes(end))
        .build();
  }

  /**
   * Locator that returns the first cached region with a row key, and has the current regions after
   * a refresh.
   */
  private static final class Cache implements KeyRegionLocator {
    private List<HRegionLocation> remembered;
    private final List<HRegionLocation> fresh;
    private int refreshes;

    Cache(List<HRegionLocation> remembered, List<HRegionLocation> fresh) {
      this.remembered = remembered;
      this.fresh = fresh;
    }

    @Override
    public HRegionLocation locate(byte[] rowKey) {
      return remembered.stream()
          .filter(location -> location.getRegion().containsRow(rowKey))
          .findFirst()
          .orElseThrow(AssertionError::new);
    }

    @Override
    public void refresh(byte[] from, byte[] to) {
      refreshes++;
      remembered = fresh;
    }
  }

  private static List<String> starts(List<HRegionLocation> planned) {
    return planned.stream()
        .map(location -> Bytes.toString(location.getRegion().getStartKey()))
        .collect(Collectors.toList());
  }

  @Test
  public void aMergedRegionIsPlannedOnce() throws SQLException {
    List<HRegionLocation> fresh = Arrays.asList(region("", "a"), region("a", "c"), region("c", ""));
    Cache cache =
        new Cache(
            Arrays.asList(region("", "a"), region("a", "b"), region("a", "c"), region("c", "")),
            fresh);
    assertThat(starts(RegionWalk.plan(EVERYWHERE, cache))).containsExactly("", "a", "c");
    assertThat(cache.refreshes).isEqualTo(1);
    RegionWalk.plan(EVERYWHERE, cache);
    assertThat(cache.refreshes).isEqualTo(1);
  }

  @Test
  public void regionsThatOverlapForEverAreAnError() {
    List<HRegionLocation> overlapping = Arrays.asList(region("", "b"), region("a", ""));
    assertThatThrownBy(() -> RegionWalk.plan(EVERYWHERE, new Cache(overlapping, overlapping)))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("overlap");
  }

  @Test
  public void aScanIsPlannedAgainForItsPartOfARegion() {
    DataRowRange rows = DataRowRange.between(Bytes.toBytes("b"), Bytes.toBytes("e"));
    assertThat(rows.within(info("a", "c"))).isEqualTo(range("b", "c"));
    assertThat(rows.within(info("c", "d"))).isEqualTo(range("c", "d"));
    assertThat(rows.within(info("d", ""))).isEqualTo(range("d", "e"));
    assertThat(rows.within(info("", ""))).isEqualTo(rows);
    assertThat(range("", "").within(info("", "c"))).isEqualTo(range("", "c"));
    assertThat(range("", "").within(info("c", ""))).isEqualTo(range("c", ""));
  }

  private static DataRowRange range(String start, String end) {
    return DataRowRange.between(Bytes.toBytes(start), Bytes.toBytes(end));
  }
}

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
package org.apache.phoenix.pruning.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Test;

public class DataRowRangeTest {

  @Test
  public void findsNoRangeOutsideAllRegions() {
    assertThat(outside("", "b", "b", "d", "d", "")).isEmpty();
    assertThat(outside("", "")).isEmpty();
  }

  @Test
  public void findsTheWholeTableOutsideNoRegion() {
    assertThat(outside()).containsExactly(range("", ""));
  }

  @Test
  public void findsRangesBeforeBetweenAndAfterTheRegions() {
    assertThat(outside("b", "c", "d", "e"))
        .containsExactly(range("", "b"), range("c", "d"), range("e", ""));
    assertThat(outside("", "c", "e", "")).containsExactly(range("c", "e"));
  }

  @Test
  public void refusesAScanThatWasNotPlannedForARegion() {
    assertThatThrownBy(() -> DataRowRange.of(new Scan()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("The scan names no range and no region");
  }

  private static List<DataRowRange> outside(String... boundaries) {
    List<HRegionLocation> regions = new ArrayList<>();
    for (int i = 0; i < boundaries.length; i += 2) {
      regions.add(
          new HRegionLocation(
              RegionInfoBuilder.newBuilder(TableName.valueOf("T"))
                  .setStartKey(Bytes.toBytes(boundaries[i]))
                  .setEndKey(Bytes.toBytes(boundaries[i + 1]))
                  .build(),
              null));
    }
    return DataRowRange.outside(regions);
  }

  private static DataRowRange range(String start, String end) {
    return DataRowRange.between(Bytes.toBytes(start), Bytes.toBytes(end));
  }
}

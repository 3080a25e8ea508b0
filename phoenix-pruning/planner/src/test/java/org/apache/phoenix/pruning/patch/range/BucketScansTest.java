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
package org.apache.phoenix.pruning.patch.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.schema.PDatum;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.RowKeySchema.RowKeySchemaBuilder;
import org.apache.phoenix.schema.SaltingUtil;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PUnsignedSmallint;
import org.apache.phoenix.schema.types.PUnsignedTinyint;
import org.apache.phoenix.schema.types.PVarchar;
import org.jspecify.annotations.Nullable;
import org.junit.Test;

/** Tests the scans of salted tables between two keys. The least key in a bucket is 0000. */
public class BucketScansTest {

  private static final byte[] MINIMUM_KEY = new byte[2];

  /** Returns the ranges of the scans, such as {@code 01-02}. */
  private static List<String> between(int buckets, String start, String end) {
    return between(RowKeySchema.EMPTY_SCHEMA, buckets, false, start, end);
  }

  private static List<String> between(
      RowKeySchema key, int buckets, boolean isOrdered, String start, String end) {
    return new BucketScans(ScanRanges.EVERYTHING, new Scan(), key, buckets, isOrdered)
        .between(Bytes.fromHex(start), Bytes.fromHex(end), MINIMUM_KEY, true).stream()
            .map(scan -> Bytes.toHex(scan.getStartRow()) + "-" + Bytes.toHex(scan.getStopRow()))
            .toList();
  }

  @Test
  public void aRegionOfOneBucketHasOneScan() {
    assertThat(between(4, "010000", "020000")).containsExactly("010000-020000");
  }

  @Test
  public void aRegionInsideABucketHasOneScan() {
    assertThat(between(4, "0112", "0134")).containsExactly("0112-0134");
  }

  @Test
  public void theFirstAndTheLastRegionHaveOneScan() {
    assertThat(between(4, "", "010000")).containsExactly("-010000");
    assertThat(between(4, "030000", "")).containsExactly("030000-");
  }

  @Test
  public void theOnlyRegionHasAScanForEachBucket() {
    assertThat(between(4, "", "")).containsExactly("-01", "01-02", "02-03", "03-");
  }

  @Test
  public void theLastRegionHasAScanForEachBucket() {
    assertThat(between(4, "0112", "")).containsExactly("0112-02", "02-03", "03-");
  }

  @Test
  public void aRegionWithTheStartOfABucketHasAScanForIt() {
    assertThat(between(4, "0112", "020001")).containsExactly("0112-02", "02-020001");
  }

  /** Keys such as (0, null) are shorter than the least key. */
  @Test
  public void anOrderedScanEndsBeforeShortKeysOfTheNextBucket() {
    RowKeySchema shortKeys = key(PUnsignedTinyint.INSTANCE, SortOrder.ASC);

    assertThat(between(shortKeys, 4, true, "010000", "020000"))
        .containsExactly("010000-02", "02-020000");
    assertThat(between(shortKeys, 4, false, "010000", "020000")).containsExactly("010000-020000");
  }

  @Test
  public void anOrderedScanIsWholeIfNoKeyIsShort() {
    for (RowKeySchema key :
        List.of(
            key(PUnsignedTinyint.INSTANCE, SortOrder.DESC),
            key(PVarchar.INSTANCE, SortOrder.ASC),
            key(PUnsignedSmallint.INSTANCE, SortOrder.ASC))) {
      assertThat(between(key, 4, true, "010000", "020000"))
          .as(key.toString())
          .containsExactly("010000-020000");
    }
  }

  @Test
  public void anOrderedScanIsWholeIfTheLastColumnIsNotNull() {
    PDatum number = column(PUnsignedTinyint.INSTANCE, SortOrder.ASC);
    RowKeySchema key =
        startOfKey(PUnsignedTinyint.INSTANCE, SortOrder.ASC)
            .addField(number, false, SortOrder.ASC)
            .build();

    assertThat(between(key, 4, true, "010000", "020000")).containsExactly("010000-020000");
  }

  /** Returns a key of a bucket, a column, and a VARCHAR that may be null. */
  private static RowKeySchema key(PDataType<?> type, SortOrder order) {
    return startOfKey(type, order).build();
  }

  private static RowKeySchemaBuilder startOfKey(PDataType<?> type, SortOrder order) {
    return new RowKeySchemaBuilder(4)
        .addField(SaltingUtil.SALTING_COLUMN, false, SortOrder.ASC)
        .addField(column(type, order), false, order)
        .addField(column(PVarchar.INSTANCE, SortOrder.ASC), true, SortOrder.ASC);
  }

  private static PDatum column(PDataType<?> type, SortOrder order) {
    return new PDatum() {
      @Override
      public boolean isNullable() {
        return false;
      }

      @Override
      public PDataType<?> getDataType() {
        return type;
      }

      @Override
      public @Nullable Integer getMaxLength() {
        return null;
      }

      @Override
      public @Nullable Integer getScale() {
        return null;
      }

      @Override
      public SortOrder getSortOrder() {
        return order;
      }
    };
  }

  @Test
  public void bucketsAreUnsigned() {
    List<String> scans = between(256, "", "");

    assertThat(scans).hasSize(256).startsWith("-01", "01-02").endsWith("fe-ff", "ff-");
    assertThat(scans.subList(126, 130)).containsExactly("7e-7f", "7f-80", "80-81", "81-82");
  }

  @Test
  public void aTableOfOneBucketHasOneScan() {
    assertThat(between(1, "", "")).containsExactly("-");
  }

  @Test
  public void repeatedRegionsAreLeftOut() {
    List<HRegionLocation> regions = regions("", "0112");

    BucketScans.addRegions(regions, regions("0112", "0134", ""));
    BucketScans.addRegions(regions, regions("0134", ""));
    BucketScans.addRegions(regions, List.of());

    assertThat(regions)
        .extracting(location -> Bytes.toHex(location.getRegion().getStartKey()))
        .containsExactly("", "0112", "0134");
  }

  /** Returns a list of the regions between boundaries, which can be extended. */
  private static List<HRegionLocation> regions(String... boundaries) {
    return IntStream.range(1, boundaries.length)
        .mapToObj(i -> region(boundaries[i - 1], boundaries[i]))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static HRegionLocation region(String start, String end) {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("T"))
            .setStartKey(Bytes.fromHex(start))
            .setEndKey(Bytes.fromHex(end))
            .setRegionId(1)
            .build();
    return new HRegionLocation(region, null);
  }
}

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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.SaltingUtil;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.ValueSchema;
import org.apache.phoenix.schema.types.PChar;
import org.jspecify.annotations.Nullable;

/** Splits the scans of a salted table at the starts of its buckets. */
public final class BucketScans {

  private final ScanRanges ranges;
  private final Scan scan;
  private final RowKeySchema key;
  private final int buckets;
  private final boolean isOrdered;

  /**
   * Creates the scans of one query.
   *
   * @param scan scan of the whole query
   * @param key key columns of the table, of which the first one is the bucket
   * @param buckets number of buckets of the table, from 1
   * @param isOrdered whether each scan has to return rows in the order of their key columns
   */
  public BucketScans(
      ScanRanges ranges, Scan scan, RowKeySchema key, int buckets, boolean isOrdered) {
    this.ranges = ranges;
    this.scan = scan;
    this.key = key;
    this.buckets = buckets;
    this.isOrdered = isOrdered;
  }

  /**
   * Adds regions in the order of their keys, without the first one if {@code regions} ends with it.
   *
   * @return true
   */
  public static boolean addRegions(List<HRegionLocation> regions, List<HRegionLocation> added) {
    boolean isRepeated =
        !regions.isEmpty()
            && !added.isEmpty()
            && regions.get(regions.size() - 1).getRegion().equals(added.get(0).getRegion());
    regions.addAll(isRepeated ? added.subList(1, added.size()) : added);
    return true;
  }

  /**
   * Returns the scans of the keys of {@code ranges} between two keys, in the order of the keys.
   * Each scan has keys of one bucket. Only a scan of all keys may have some keys of the next
   * bucket.
   *
   * @param start inclusive key, empty for the start of the table
   * @param end exclusive key, empty for the end of the table
   * @param minimumKey zeros, as many as the shortest key without nulls has bytes. The region of a
   *     new table ends with the number of the next bucket and these zeros. It has rows of that
   *     bucket only if trailing columns may be null
   * @param isEndOfRegion whether a region ends at {@code end}
   */
  public List<Scan> between(byte[] start, byte[] end, byte[] minimumKey, boolean isEndOfRegion) {
    List<Scan> scans = new ArrayList<>();
    byte[] from = start;
    int bucket = start.length == 0 ? 0 : start[0] & 0xFF;
    for (; bucket < buckets - 1 && isAfterStart(end, bucket + 1, minimumKey); bucket++) {
      byte[] next = {(byte) (bucket + 1)};
      addIfNotNull(scans, ranges.intersectScan(scan, from, next, 0, true));
      from = next;
    }
    boolean isEndOfBucket = end.length == 0 || (end[0] & 0xFF) != bucket;
    if (isEndOfBucket && end.length > 1 && mustSplitAt(end)) {
      byte[] next = {end[0]};
      addIfNotNull(scans, ranges.intersectScan(scan, from, next, 0, true));
      from = next;
    }
    addIfNotNull(scans, ranges.intersectScan(scan, from, end, 0, isEndOfRegion || isEndOfBucket));
    return scans;
  }

  /**
   * Returns whether keys of the next bucket before {@code end} need a scan of their own. If all
   * keys are scanned in any order, one scan returns those of both buckets.
   */
  private boolean mustSplitAt(byte[] end) {
    return (isOrdered || scan.getStartRow().length > 0 || scan.getStopRow().length > 0)
        && mayBeShorter(end.length);
  }

  /**
   * Returns whether a key can consist of fewer than {@code length} zeros. The last key column must
   * be nullable. The least value of each column before the first nullable column must consist of
   * zeros.
   */
  private boolean mayBeShorter(int length) {
    int columns = key.getFieldCount();
    if (columns == 0 || !key.getField(columns - 1).isNullable()) {
      return false;
    }
    int keyLength = SaltingUtil.NUM_SALTING_BYTES;
    for (int i = 1; i < columns; i++) {
      ValueSchema.Field field = key.getField(i);
      if (field.isNullable()) {
        return i > 1 && keyLength < length;
      }
      if (!field.getDataType().isFixedWidth()
          || field.getDataType() == PChar.INSTANCE
          || field.getSortOrder() != SortOrder.ASC) {
        return false;
      }
      keyLength += field.getByteSize();
    }
    return false;
  }

  /** Returns whether {@code end} is after the least key of {@code bucket}. */
  private static boolean isAfterStart(byte[] end, int bucket, byte[] minimumKey) {
    if (end.length == 0) {
      return true;
    }
    int difference = (end[0] & 0xFF) - bucket;
    return difference > 0
        || (difference == 0
            && Bytes.compareTo(end, 1, end.length - 1, minimumKey, 0, minimumKey.length) > 0);
  }

  private static void addIfNotNull(List<Scan> scans, @Nullable Scan scan) {
    if (scan != null) {
      scans.add(scan);
    }
  }
}

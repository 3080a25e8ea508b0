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
import org.jspecify.annotations.Nullable;

/** Splits the scans of a salted table at the starts of its buckets. */
public final class BucketScans {

  private final ScanRanges ranges;
  private final Scan scan;
  private final int buckets;

  /**
   * Creates the scans of one query.
   *
   * @param scan scan of the whole query
   * @param buckets number of buckets of the table, from 1
   */
  public BucketScans(ScanRanges ranges, Scan scan, int buckets) {
    this.ranges = ranges;
    this.scan = scan;
    this.buckets = buckets;
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
   * Each scan has keys of one bucket.
   *
   * @param start inclusive key, empty for the start of the table
   * @param end exclusive key, empty for the end of the table
   * @param minimumKey key columns of the least key in a bucket. The region of a new table ends with
   *     the number of the next bucket and this key, and has no row of that bucket
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
    addIfNotNull(scans, ranges.intersectScan(scan, from, end, 0, isEndOfRegion || isEndOfBucket));
    return scans;
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

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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Range of the data rows whose index rows a scan returns. The region of the scan holds more rows if
 * the planned region has been merged since. Other scans then read the rest.
 */
public final class DataRowRange extends ScanKeyRange {

  private static final String START_ATTRIBUTE = "_PruningDataStart";
  private static final String END_ATTRIBUTE = "_PruningDataEnd";

  private DataRowRange(byte[] start, byte[] end) {
    super(start, end);
  }

  /**
   * Returns a range of row keys.
   *
   * @param start inclusive start key; empty for the start of the table
   * @param end exclusive end key; empty for the end of the table
   */
  public static DataRowRange between(byte[] start, byte[] end) {
    return new DataRowRange(start, end);
  }

  /**
   * Returns the ranges that lie in none of {@code regions}.
   *
   * @param regions regions in key order, without overlaps
   */
  public static List<DataRowRange> outside(List<HRegionLocation> regions) {
    List<DataRowRange> ranges = new ArrayList<>();
    byte[] start = HConstants.EMPTY_START_ROW;
    for (HRegionLocation location : regions) {
      RegionInfo region = location.getRegion();
      if (!Bytes.equals(start, region.getStartKey())) {
        ranges.add(new DataRowRange(start, region.getStartKey()));
      }
      start = region.getEndKey();
      if (start.length == 0) {
        return ranges;
      }
    }
    ranges.add(new DataRowRange(start, HConstants.EMPTY_END_ROW));
    return ranges;
  }

  /**
   * Returns the range that {@code scan} reads: the range marked on the scan, or else its planned
   * region.
   *
   * @throws IllegalArgumentException if {@code scan} was not planned for a region
   */
  public static DataRowRange of(Scan scan) {
    DataRowRange marked = markedOn(scan);
    if (marked != null) {
      return marked;
    }
    PlannedRegion planned = PlannedRegion.of(scan);
    if (planned == null) {
      throw new IllegalArgumentException("The scan names no range and no region: " + scan);
    }
    return new DataRowRange(planned.start(), planned.end());
  }

  /** Returns whether {@code scan} reads only a part of its region. */
  public static boolean isMarkedOn(Scan scan) {
    return markedOn(scan) != null;
  }

  /** Returns the range marked on {@code scan}, or null if the scan reads all of its region. */
  private static @Nullable DataRowRange markedOn(Scan scan) {
    return read(scan, START_ATTRIBUTE, END_ATTRIBUTE, DataRowRange::new);
  }

  /** Marks {@code scan} with this range, in case the scan is planned again. */
  public void mark(Scan scan) {
    write(scan, START_ATTRIBUTE, END_ATTRIBUTE);
  }

  /** Returns whether every row of {@code region} is in this range. */
  public boolean contains(RegionInfo region) {
    return Bytes.compareTo(start, region.getStartKey()) <= 0
        && (end.length == 0
            || (region.getEndKey().length > 0 && Bytes.compareTo(region.getEndKey(), end) <= 0));
  }

  /** Returns the part of this range that is in {@code region}. The part must not be empty. */
  public DataRowRange within(RegionInfo region) {
    boolean startsBefore = Bytes.compareTo(start, region.getStartKey()) < 0;
    byte[] regionEnd = region.getEndKey();
    boolean endsAfter =
        regionEnd.length > 0 && (end.length == 0 || Bytes.compareTo(end, regionEnd) > 0);
    return new DataRowRange(
        startsBefore ? region.getStartKey() : start, endsAfter ? regionEnd : end);
  }

  public boolean contains(byte[] dataRowKey) {
    return Bytes.compareTo(start, dataRowKey) <= 0
        && (end.length == 0 || Bytes.compareTo(dataRowKey, end) < 0);
  }
}

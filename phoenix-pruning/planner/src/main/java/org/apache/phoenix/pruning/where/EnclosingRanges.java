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
package org.apache.phoenix.pruning.where;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Ranges that enclose the values of a column. If there are too many ranges, about half of them are
 * merged with a neighbour.
 */
final class EnclosingRanges {

  private final int maxRanges;

  /** Last value of each range, by the first value of the range. */
  private TreeMap<byte[], byte[]> lastByFirst = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  private boolean hasNull;

  /** Creates an empty list of at most {@code maxRanges} ranges. */
  EnclosingRanges(int maxRanges) {
    this.maxRanges = maxRanges;
  }

  /** Adds a value, or null if {@code bytes} is empty. */
  void add(byte[] bytes) {
    if (bytes.length == 0) {
      hasNull = true;
      return;
    }
    Map.Entry<byte[], byte[]> before = lastByFirst.floorEntry(bytes);
    if (before == null || Bytes.compareTo(before.getValue(), bytes) < 0) {
      lastByFirst.put(bytes, bytes);
      if (lastByFirst.size() > maxRanges) {
        joinHalf();
      }
    }
  }

  /**
   * Merges each range with the range before it if the gap between them is at most the median gap.
   */
  private void joinHalf() {
    int common = commonBytes(lastByFirst.firstKey(), lastByFirst.lastEntry().getValue());
    List<Long> gaps = new ArrayList<>();
    byte[] last = null;
    for (Map.Entry<byte[], byte[]> range : lastByFirst.entrySet()) {
      if (last != null) {
        gaps.add(number(range.getKey(), common) - number(last, common));
      }
      last = range.getValue();
    }
    List<Long> sorted = new ArrayList<>(gaps);
    Collections.sort(sorted);
    long median = sorted.get(sorted.size() / 2);
    TreeMap<byte[], byte[]> joined = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    Iterator<Long> gap = gaps.iterator();
    for (Map.Entry<byte[], byte[]> range : lastByFirst.entrySet()) {
      if (!joined.isEmpty() && gap.next() <= median) {
        joined.put(joined.lastKey(), range.getValue());
      } else {
        joined.put(range.getKey(), range.getValue());
      }
    }
    lastByFirst = joined;
  }

  private static int commonBytes(byte[] one, byte[] other) {
    int common = 0;
    while (common < Math.min(one.length, other.length) && one[common] == other[common]) {
      common++;
    }
    return common;
  }

  /** Returns the first eight bytes after the common prefix as a non-negative number. */
  private static long number(byte[] bytes, int common) {
    return Bytes.toLong(Arrays.copyOfRange(bytes, common, common + Long.BYTES)) >>> 1;
  }

  /** Returns whether null was added. */
  boolean hasNull() {
    return hasNull;
  }

  /** Returns the inclusive last value of each range, by its inclusive first value. */
  SortedMap<byte[], byte[]> lastByFirst() {
    return Collections.unmodifiableSortedMap(lastByFirst);
  }
}

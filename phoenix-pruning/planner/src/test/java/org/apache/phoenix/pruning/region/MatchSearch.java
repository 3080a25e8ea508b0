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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Searches for a row outside the finite domain that matches and is in one region. The search tries
 * values near the region's boundaries and near the constants of the predicate. These values
 * represent all others: between two neighbours, neither the predicate nor the region changes.
 *
 * <p>A layout without salt is open. The search therefore includes rows with more columns than the
 * layout knows, with some of the trailing nulls, or with nulls only.
 */
final class MatchSearch {

  private final TestTable table;
  private final TestPredicate predicate;
  private final byte[] start;
  private final byte[] end;
  private final byte[][] values;
  private final List<SortedSet<byte[]>> constants = new ArrayList<>();

  MatchSearch(TestTable table, TestPredicate predicate, TestRegions regions, int region) {
    this.table = table;
    this.predicate = predicate;
    this.start = regions.start(region);
    this.end = regions.end(region);
    this.values = new byte[table.columns().size()][];
    for (TestColumn column : table.columns()) {
      SortedSet<byte[]> candidates = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      candidates.addAll(column.domain());
      constants.add(candidates);
    }
    addConstants(predicate);
  }

  private void addConstants(TestPredicate part) {
    if (part instanceof TestPredicate.In in) {
      TestColumn column = table.columns().get(in.column());
      for (TestPredicate.Range range : in.ranges()) {
        constants.get(in.column()).addAll(column.near(column.encode(range.value())));
      }
    } else if (part instanceof TestPredicate.And and) {
      and.parts().forEach(this::addConstants);
    } else if (part instanceof TestPredicate.Or or) {
      or.parts().forEach(this::addConstants);
    }
  }

  boolean canMatch() {
    return search(0, new byte[0]);
  }

  private boolean search(int column, byte[] prefix) {
    if (column == values.length) {
      return predicate.test(values) && isInRegion(prefix);
    }
    for (byte[] value : candidates(column, prefix)) {
      values[column] = value;
      byte[] longer = table.prefix(values, column + 1, 0);
      if (mayReachRegion(longer) && search(column + 1, longer)) {
        return true;
      }
    }
    return false;
  }

  private Collection<byte[]> candidates(int column, byte[] prefix) {
    SortedSet<byte[]> candidates = constants.get(column);
    if (!startsWith(start, prefix) && !startsWith(end, prefix)) {
      return candidates;
    }
    SortedSet<byte[]> more = new TreeSet<>(candidates);
    for (byte[] boundary : List.of(start, end)) {
      if (startsWith(boundary, prefix)) {
        byte[] rest = Bytes.copy(boundary, prefix.length, boundary.length - prefix.length);
        more.addAll(table.columns().get(column).near(rest));
      }
    }
    return more;
  }

  /**
   * Returns whether a key can be in the region if it starts with {@code prefix}, or with {@code
   * prefix} without some of its trailing zeros.
   */
  private boolean mayReachRegion(byte[] prefix) {
    boolean belowEnd = end.length == 0 || Bytes.compareTo(trimmed(prefix), end) < 0;
    return belowEnd && (Bytes.compareTo(prefix, start) >= 0 || startsWith(start, prefix));
  }

  private boolean isInRegion(byte[] key) {
    for (int length = table.rowKey(values).length; length <= key.length; length++) {
      if (contains(Bytes.copy(key, 0, length))) {
        return true;
      }
    }
    TestColumn last = table.columns().get(values.length - 1);
    return last.kind() != TestColumn.Kind.TRAILING_BINARY && startsWith(start, key);
  }

  private boolean contains(byte[] key) {
    return Bytes.compareTo(start, key) <= 0 && (end.length == 0 || Bytes.compareTo(key, end) < 0);
  }

  private static byte[] trimmed(byte[] bytes) {
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] == 0) {
      length--;
    }
    return Bytes.copy(bytes, 0, length);
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    return bytes.length >= prefix.length
        && Bytes.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }
}

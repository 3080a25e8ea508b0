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

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.RowKeyLayout;

/**
 * Table, predicate and region boundaries of a test case. The planned regions are compared with the
 * regions that brute force finds.
 *
 * @param rows all rows of {@code table}, in key order
 * @param known number of columns that the layout knows
 * @param complete whether {@code rows} are all possible rows
 */
record PruningCase(
    TestTable table,
    List<TestTable.Row> rows,
    boolean complete,
    int known,
    TestPredicate predicate,
    List<byte[]> boundaries) {

  /** Returns a description of the first error in the planned regions, or null if there is none. */
  String violation() {
    try {
      return firstViolation();
    } catch (RuntimeException | SQLException e) {
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      return "thrown: " + trace;
    }
  }

  private String firstViolation() throws SQLException {
    TestRegions regions = new TestRegions(boundaries);
    KeySpace space = predicate.keySpace(layout());
    List<Integer> planned = regions.indexesOf(RegionWalk.plan(space, regions));
    if (regions.lookups() != planned.size()) {
      return regions.lookups() + " lookups for the regions " + planned;
    }
    for (int i = 1; i < planned.size(); i++) {
      if (planned.get(i - 1) >= planned.get(i)) {
        return "not in key order: " + planned;
      }
    }
    List<byte[]> matching = matchingKeys();
    String violation = underScan(regions, planned, matching);
    if (violation == null) {
      violation = overScan(regions, planned, matching);
    }
    return violation == null ? wrongNext(space, matching) : violation;
  }

  private List<byte[]> matchingKeys() {
    List<byte[]> keys = new ArrayList<>();
    for (TestTable.Row row : rows) {
      if (predicate.test(row.values())) {
        keys.add(row.key());
      }
    }
    return keys;
  }

  private RowKeyLayout layout() {
    return known == table.columns().size() ? table.layout() : table.layoutOfPrefix(known);
  }

  private static String underScan(
      TestRegions regions, List<Integer> planned, List<byte[]> matching) {
    for (byte[] key : matching) {
      int region = regions.indexOf(key);
      if (!planned.contains(region)) {
        return "UNDER-SCAN: not planned: "
            + regions.describe(region)
            + ", which holds "
            + Bytes.toStringBinary(key);
      }
    }
    return null;
  }

  private String overScan(TestRegions regions, List<Integer> planned, List<byte[]> matching)
      throws SQLException {
    BitSet needed = new BitSet();
    matching.forEach(key -> needed.set(regions.indexOf(key)));
    List<Integer> more = planned.stream().filter(region -> !needed.get(region)).toList();
    if (more.isEmpty() || known < table.columns().size()) {
      return null;
    }
    if (!complete && table.buckets() > 0) {
      KeySpace anySalt = predicate.keySpace(table.layoutOfPrefix(known));
      List<Integer> allowed = regions.indexesOf(RegionWalk.plan(anySalt, regions));
      return allowed.containsAll(more) ? null : "over-scan: of " + more + " only " + allowed;
    }
    for (int region : more) {
      boolean allowed =
          table.buckets() == 0
              && (hasNoSmallestValue(regions, region)
                  || new MatchSearch(table, predicate, regions, region).canMatch());
      if (!allowed) {
        return "over-scan: no match in " + regions.describe(region);
      }
    }
    return null;
  }

  /**
   * Returns whether the region is known to be planned without need. Descending strings have no
   * smallest value above given bytes, so the walk searches for these bytes themselves. The walk
   * finds such bytes in a region that ends in zeros, although [b, b00) can hold no string.
   */
  private boolean hasNoSmallestValue(TestRegions regions, int region) {
    byte[] end = regions.end(region);
    return end.length > 0
        && end[end.length - 1] == 0
        && regions.contains(region, Bytes.head(end, end.length - 1))
        && table.columns().stream()
            .anyMatch(column -> column.kind() == TestColumn.Kind.VARIABLE && column.descending());
  }

  private String wrongNext(KeySpace space, List<byte[]> matching) {
    List<byte[]> starts = new ArrayList<>(boundaries);
    starts.add(new byte[0]);
    for (byte[] boundary : boundaries) {
      starts.add(Bytes.add(boundary, new byte[] {0}));
      starts.add(Bytes.add(boundary, new byte[] {(byte) 0xFF}));
    }
    starts.sort(Bytes.BYTES_COMPARATOR);
    byte[] previous = new byte[0];
    int match = 0;
    for (byte[] from : starts) {
      byte[] next = space.next(from);
      String what = "next(" + text(from) + ") is " + text(next);
      if (next != null && Bytes.compareTo(next, from) < 0) {
        return what + ", which lies before";
      }
      if (previous == null ? next != null : next != null && Bytes.compareTo(next, previous) < 0) {
        return what + ", but was " + text(previous) + " for an earlier key";
      }
      while (match < matching.size() && Bytes.compareTo(matching.get(match), from) < 0) {
        match++;
      }
      if (match < matching.size()
          && (next == null || Bytes.compareTo(next, matching.get(match)) > 0)) {
        return what + ", which leaves out " + text(matching.get(match));
      }
      previous = next;
    }
    return null;
  }

  private static String text(byte[] key) {
    return key == null ? "none" : Bytes.toStringBinary(key);
  }

  /** Returns a smaller case with the same kind of error, or this case if there is none. */
  PruningCase shrink() {
    String kind = kind(violation());
    for (PruningCase smaller : smaller()) {
      if (kind.equals(kind(smaller.violation()))) {
        return smaller.shrink();
      }
    }
    return this;
  }

  private static String kind(String violation) {
    return violation == null ? "" : violation.split("[: ]", 2)[0];
  }

  private List<PruningCase> smaller() {
    List<PruningCase> cases = new ArrayList<>();
    for (int i = 0; i < boundaries.size(); i++) {
      List<byte[]> fewer = new ArrayList<>(boundaries);
      fewer.remove(i);
      cases.add(new PruningCase(table, rows, complete, known, predicate, fewer));
    }
    for (TestPredicate simpler : simpler(predicate)) {
      cases.add(new PruningCase(table, rows, complete, known, simpler, boundaries));
    }
    return cases;
  }

  private static List<TestPredicate> simpler(TestPredicate predicate) {
    List<TestPredicate> result = new ArrayList<>();
    if (predicate instanceof TestPredicate.In in) {
      for (int i = 0; i < in.ranges().size() && in.ranges().size() > 1; i++) {
        result.add(new TestPredicate.In(in.column(), without(in.ranges(), i)));
      }
    } else if (predicate instanceof TestPredicate.And and) {
      result.addAll(and.parts());
      for (int i = 0; i < and.parts().size() && and.parts().size() > 1; i++) {
        result.add(new TestPredicate.And(without(and.parts(), i)));
        for (TestPredicate part : simpler(and.parts().get(i))) {
          result.add(new TestPredicate.And(with(and.parts(), i, part)));
        }
      }
    } else if (predicate instanceof TestPredicate.Or or) {
      result.addAll(or.parts());
      for (int i = 0; i < or.parts().size() && or.parts().size() > 1; i++) {
        result.add(new TestPredicate.Or(without(or.parts(), i)));
        for (TestPredicate part : simpler(or.parts().get(i))) {
          result.add(new TestPredicate.Or(with(or.parts(), i, part)));
        }
      }
    }
    result.sort(Comparator.comparing(part -> part.toString().length()));
    return result;
  }

  private static <T> List<T> without(List<T> list, int index) {
    List<T> result = new ArrayList<>(list);
    result.remove(index);
    return result;
  }

  private static <T> List<T> with(List<T> list, int index, T element) {
    List<T> result = new ArrayList<>(list);
    result.set(index, element);
    return result;
  }

  @Override
  public String toString() {
    return "PRIMARY KEY "
        + table
        + "\n  known   "
        + known
        + "\n  WHERE   "
        + predicate
        + "\n  SPLIT ON "
        + new TestRegions(boundaries)
        + "\n  space   "
        + predicate.keySpace(layout());
  }
}

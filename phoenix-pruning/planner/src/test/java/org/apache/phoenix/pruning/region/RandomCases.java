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

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.region.TestPredicate.Range;

/** Generates random tables, predicates and region boundaries. */
final class RandomCases {

  private static final byte[] INTERESTING = {
    0, 1, 2, 'a', 'b', 0x7F, (byte) 0x80, (byte) 0xFE, (byte) 0xFF
  };

  private final Random random;
  private TestTable table;
  private List<TestTable.Row> rows;
  private boolean complete;

  RandomCases(long seed) {
    this.random = new Random(seed);
    nextTable();
  }

  /** Switches to another table. */
  void nextTable() {
    complete = chance(0.2);
    table = complete ? completeTable() : sparseTable();
    rows = table.rows();
  }

  /** Returns a case with a random predicate and random boundaries for the current table. */
  PruningCase next() {
    int columns = table.columns().size();
    int known = chance(0.15) ? 1 + random.nextInt(columns) : columns;
    return new PruningCase(table, rows, complete, known, predicate(known, 3), boundaries());
  }

  // Tables

  private TestTable completeTable() {
    int salts = buckets();
    byte[][] all = new byte[256][];
    for (int i = 0; i < all.length; i++) {
      all[i] = new byte[] {(byte) i};
    }
    List<byte[]> domain = Arrays.asList(all);
    TestColumn first =
        new TestColumn("c0", TestColumn.Kind.FIXED, 1, random.nextBoolean(), false, domain);
    if (chance(0.96)) {
      return new TestTable(List.of(first), salts);
    }
    if (chance(0.5)) {
      return new TestTable(List.of(twoBytes()), salts);
    }
    TestColumn second =
        new TestColumn("c1", TestColumn.Kind.FIXED, 1, random.nextBoolean(), false, domain);
    return new TestTable(List.of(first, second), salts);
  }

  private TestColumn twoBytes() {
    List<byte[]> domain = new ArrayList<>();
    for (int i = 0; i < 65_536; i++) {
      domain.add(new byte[] {(byte) (i >> 8), (byte) i});
    }
    return new TestColumn("c0", TestColumn.Kind.FIXED, 2, random.nextBoolean(), false, domain);
  }

  private TestTable sparseTable() {
    int size = 1 + random.nextInt(4);
    List<TestColumn> columns = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      columns.add(column(i, i == size - 1));
    }
    return new TestTable(columns, buckets());
  }

  private int buckets() {
    return chance(0.7) ? 0 : 2 + random.nextInt(15);
  }

  private TestColumn column(int index, boolean last) {
    boolean descending = random.nextBoolean();
    boolean nullable = random.nextBoolean();
    if (last && chance(0.2)) {
      return column(index, TestColumn.Kind.TRAILING_BINARY, 0, false, nullable);
    }
    if (chance(0.5)) {
      return column(index, TestColumn.Kind.FIXED, 1 + random.nextInt(4), descending, false);
    }
    return column(index, TestColumn.Kind.VARIABLE, 0, descending, nullable);
  }

  private TestColumn column(
      int index, TestColumn.Kind kind, int width, boolean descending, boolean nullable) {
    TestColumn empty =
        new TestColumn("c" + index, kind, width, descending, nullable, new ArrayList<>());
    SortedSet<byte[]> values = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    int size = 2 + random.nextInt(4);
    while (values.size() < size) {
      byte[] value = bytes(kind == TestColumn.Kind.FIXED ? width : 1 + random.nextInt(3));
      boolean looksLikeNull = descending && nullable && value[0] == (byte) 0xFF;
      if (empty.accepts(value) && !(kind == TestColumn.Kind.VARIABLE && looksLikeNull)) {
        values.add(value);
      }
    }
    List<byte[]> domain = new ArrayList<>(values);
    if (nullable) {
      domain.add(TestColumn.NULL);
    }
    return new TestColumn("c" + index, kind, width, descending, nullable, domain);
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = INTERESTING[random.nextInt(INTERESTING.length)];
    }
    return bytes;
  }

  // Predicates

  private TestPredicate predicate(int known, int depth) {
    if (depth > 0 && chance(0.6)) {
      List<TestPredicate> parts = new ArrayList<>();
      int size = 1 + random.nextInt(3);
      for (int i = 0; i < size; i++) {
        parts.add(predicate(known, depth - 1));
      }
      return chance(0.6) ? new TestPredicate.And(parts) : new TestPredicate.Or(parts);
    }
    int column = random.nextInt(known);
    List<Range> ranges = new ArrayList<>();
    int size = chance(0.5) ? 1 : 1 + random.nextInt(5);
    for (int i = 0; i < size; i++) {
      ranges.add(range(table.columns().get(column)));
    }
    return new TestPredicate.In(column, ranges);
  }

  private Range range(TestColumn column) {
    Range.Op op =
        chance(0.4) ? Range.Op.EQUAL : Range.Op.values()[random.nextInt(Range.Op.values().length)];
    byte[] value = column.domain().get(random.nextInt(column.domain().size()));
    return new Range(op, chance(0.3) ? changed(value) : value);
  }

  /** Returns bytes near {@code value}, which need not be a value of any column. */
  private byte[] changed(byte[] value) {
    return switch (random.nextInt(4)) {
      case 0 -> Bytes.add(value, bytes(1 + random.nextInt(2)));
      case 1 -> Arrays.copyOf(value, Math.max(0, value.length - 1));
      case 2 -> bytes(1 + random.nextInt(3));
      default -> {
        byte[] other = value.clone();
        if (other.length > 0) {
          other[other.length - 1] += (byte) (random.nextBoolean() ? 1 : -1);
        }
        yield other;
      }
    };
  }

  // Boundaries

  private List<byte[]> boundaries() {
    SortedSet<byte[]> boundaries = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    int size = random.nextInt(12);
    byte[] leading = chance(0.2) ? aligned(1) : null;
    for (int i = 0; i < size; i++) {
      byte[] boundary = leading == null ? boundary() : inside(leading);
      if (boundary.length > 0) {
        boundaries.add(boundary);
      }
    }
    return new ArrayList<>(boundaries);
  }

  private byte[] boundary() {
    return switch (random.nextInt(6)) {
      case 0 -> rows.get(random.nextInt(rows.size())).key();
      case 1 -> aligned(1 + random.nextInt(table.columns().size()));
      case 2 -> padded(rows.get(random.nextInt(rows.size())).key());
      case 3 -> padded(aligned(1 + random.nextInt(table.columns().size())));
      case 4 -> cut(rows.get(random.nextInt(rows.size())).key());
      default -> salted(bytes(1 + random.nextInt(5)));
    };
  }

  /**
   * Returns the encoded values of the first {@code count} columns of a random row, with any salt.
   */
  private byte[] aligned(int count) {
    byte[][] values = rows.get(random.nextInt(rows.size())).values();
    return table.prefix(values, count, random.nextInt(Math.max(1, table.buckets())));
  }

  private byte[] padded(byte[] key) {
    return Arrays.copyOf(key, key.length + 1 + random.nextInt(8));
  }

  private byte[] cut(byte[] key) {
    return Arrays.copyOf(key, 1 + random.nextInt(Math.max(1, key.length)));
  }

  private byte[] salted(byte[] bytes) {
    if (table.buckets() > 0) {
      bytes[0] = (byte) random.nextInt(table.buckets() + 1);
    }
    return bytes;
  }

  /** Returns a boundary that starts with {@code leading}. */
  private byte[] inside(byte[] leading) {
    ByteArrayOutputStream boundary = new ByteArrayOutputStream();
    boundary.writeBytes(leading);
    byte[] other = aligned(table.columns().size());
    int skipped = Math.min(other.length, leading.length);
    boundary.writeBytes(
        chance(0.5)
            ? Bytes.copy(other, skipped, other.length - skipped)
            : bytes(random.nextInt(4)));
    return boundary.toByteArray();
  }

  private boolean chance(double probability) {
    return random.nextDouble() < probability;
  }
}

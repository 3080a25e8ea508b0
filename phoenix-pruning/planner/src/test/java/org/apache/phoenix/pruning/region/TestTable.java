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
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.key.RowKeyLayout;
import org.apache.phoenix.schema.SaltingUtil;

/**
 * Test table with all rows of its columns' finite domains. The row keys follow the rules of
 * Phoenix's {@code PTableImpl.newKey} and do not depend on the code under test.
 */
final class TestTable {

  /** A row: its values in key order, and its key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Row(byte[][] values, byte[] key) {}

  private final List<TestColumn> columns;
  private final int buckets;

  /**
   * Creates a table with the primary key {@code columns}.
   *
   * @param buckets number of salt buckets, or 0 if not salted
   */
  TestTable(List<TestColumn> columns, int buckets) {
    this.columns = List.copyOf(columns);
    this.buckets = buckets;
  }

  List<TestColumn> columns() {
    return columns;
  }

  int buckets() {
    return buckets;
  }

  /** Returns the layout that knows all columns and therefore the salts. */
  RowKeyLayout layout() {
    return buckets == 0
        ? RowKeyLayout.of(columns.stream().map(TestColumn::keyColumn).toList())
        : RowKeyLayout.salted(
            columns.stream().map(TestColumn::keyColumn).toList(),
            buckets,
            (key, offset, length) -> SaltingUtil.getSaltingByte(key, offset, length, buckets));
  }

  /** Returns a layout that knows only the first {@code known} columns. */
  RowKeyLayout layoutOfPrefix(int known) {
    return buckets == 0
        ? RowKeyLayout.of(columns.stream().limit(known).map(TestColumn::keyColumn).toList())
        : RowKeyLayout.saltedPrefix(
            columns.stream().limit(known).map(TestColumn::keyColumn).toList(), buckets);
  }

  /** Returns all rows in key order. */
  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    addRows(new byte[columns.size()][], 0, rows);
    rows.sort(Comparator.comparing(Row::key, Bytes.BYTES_COMPARATOR));
    return rows;
  }

  private void addRows(byte[][] values, int column, List<Row> rows) {
    if (column == columns.size()) {
      if (buckets > 0 || usedColumns(values) > 0) {
        rows.add(new Row(values.clone(), rowKey(values)));
      }
      return;
    }
    for (byte[] value : columns.get(column).domain()) {
      values[column] = value;
      addRows(values, column + 1, rows);
    }
  }

  private static int usedColumns(byte[][] values) {
    int used = values.length;
    while (used > 0 && values[used - 1].length == 0) {
      used--;
    }
    return used;
  }

  /** Returns the row key as Phoenix stores it. */
  byte[] rowKey(byte[][] values) {
    byte[] key = withoutSalt(values, usedColumns(values));
    if (buckets > 0) {
      key[0] = SaltingUtil.getSaltingByte(key, 1, key.length - 1, buckets);
    }
    return key;
  }

  /** Returns the key of the first {@code used} columns. The salt, if there is one, is 0. */
  private byte[] withoutSalt(byte[][] values, int used) {
    ByteArrayOutputStream key = new ByteArrayOutputStream();
    if (buckets > 0) {
      key.write(0);
    }
    for (int i = 0; i < used; i++) {
      if (i > 0 && !columns.get(i - 1).isFixed()) {
        key.write(separator(columns.get(i - 1), values[i - 1]));
      }
      key.writeBytes(columns.get(i).encode(values[i]));
    }
    if (used > 0 && !columns.get(used - 1).isFixed()) {
      int last = separator(columns.get(used - 1), values[used - 1]);
      if (last == 0xFF) {
        key.write(last);
      }
    }
    return key.toByteArray();
  }

  private static int separator(TestColumn column, byte[] value) {
    return column.descending() && value.length > 0 ? 0xFF : 0;
  }

  /**
   * Returns the prefix of all keys that have these values in the first {@code count} columns and
   * continue after them.
   */
  byte[] prefix(byte[][] values, int count, int salt) {
    ByteArrayOutputStream key = new ByteArrayOutputStream();
    if (buckets > 0) {
      key.write(salt);
    }
    for (int i = 0; i < count; i++) {
      key.writeBytes(columns.get(i).encode(values[i]));
      if (columns.get(i).kind() == TestColumn.Kind.VARIABLE) {
        key.write(separator(columns.get(i), values[i]));
      }
    }
    return key.toByteArray();
  }

  @Override
  public String toString() {
    return columns + (buckets == 0 ? "" : " SALT_BUCKETS=" + buckets);
  }
}

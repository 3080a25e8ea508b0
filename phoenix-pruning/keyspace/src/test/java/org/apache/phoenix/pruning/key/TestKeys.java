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
package org.apache.phoenix.pruning.key;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All row keys of a layout whose columns have few values. The keys follow the rules of Phoenix and
 * do not depend on the code under test.
 */
final class TestKeys {

  /** The kinds of columns, as Phoenix encodes them. */
  enum Kind {
    FIXED,
    TEXT,
    BINARY
  }

  /** A column with its values. Null stands for null. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Column(KeyColumn key, Kind kind, boolean descending, List<byte[]> values) {

    byte[] token(byte[] value) {
      if (value == null) {
        return kind == Kind.TEXT ? new byte[1] : new byte[0];
      }
      byte[] encoded = value.clone();
      for (int i = 0; descending && i < encoded.length; i++) {
        encoded[i] = (byte) ~encoded[i];
      }
      byte[] separator = {(byte) (descending ? 0xFF : 0)};
      return kind == Kind.TEXT ? ByteStrings.join(encoded, separator) : encoded;
    }

    /** Returns the end of the value in {@code key}, without a separator; -1 if there is none. */
    int end(byte[] key, int start) {
      if (kind != Kind.TEXT) {
        int end = kind == Kind.FIXED ? start + values.get(0).length : key.length;
        return end <= key.length ? end : -1;
      }
      int end = start;
      while (end < key.length && key[end] != 0) {
        end++;
      }
      return end > start || values.contains(null) ? end : -1;
    }

    /** Decodes a value of a column that is not a descending text. */
    byte[] value(byte[] encoded) {
      byte[] value = encoded.clone();
      for (int i = 0; descending && i < value.length; i++) {
        value[i] = (byte) ~value[i];
      }
      return value.length == 0 ? null : value;
    }
  }

  /**
   * A row.
   *
   * @param tokens the tokens of all columns, with all separators
   * @param key the key as Phoenix stores it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Row(byte[][] values, byte[] tokens, byte[] key) {}

  private final List<Column> columns;
  private final List<Row> rows = new ArrayList<>();

  /**
   * Creates the keys of {@code columns}.
   *
   * @param salt computes the first byte of a key, or null if keys are not salted
   */
  TestKeys(List<Column> columns, RowKeyLayout.Salt salt) {
    this.columns = columns;
    add(new byte[columns.size()][], 0, salt);
    rows.sort((a, b) -> ByteStrings.compare(a.key(), b.key()));
  }

  /** Returns all rows, sorted by key. */
  List<Row> rows() {
    return rows;
  }

  /**
   * Returns the values of a key, or null if no row has this key. The key may have further columns,
   * unless it is salted.
   */
  byte[][] values(byte[] key, RowKeyLayout.Salt salt) {
    byte[][] values = new byte[columns.size()][];
    int position = 0;
    if (salt != null) {
      if (key.length == 0 || salt.compute(key, 1, key.length - 1) != key[0]) {
        return null;
      }
      position = 1;
    }
    for (int i = 0; i < values.length; i++) {
      Column column = columns.get(i);
      if (position == key.length) {
        if (column.kind() == Kind.FIXED || !column.values().contains(null)) {
          return null;
        }
        continue;
      }
      int end = column.end(key, position);
      if (end < 0) {
        return null;
      }
      values[i] = column.value(Arrays.copyOfRange(key, position, end));
      boolean separated = column.kind() == Kind.TEXT && end < key.length;
      position = separated ? end + 1 : end;
    }
    boolean more = position < key.length;
    return more && salt != null ? null : values;
  }

  private void add(byte[][] values, int column, RowKeyLayout.Salt salt) {
    if (column < columns.size()) {
      for (byte[] value : columns.get(column).values()) {
        values[column] = value;
        add(values, column + 1, salt);
      }
      return;
    }
    byte[] tokens = {};
    int used = 0;
    for (int i = 0; i < values.length; i++) {
      tokens = ByteStrings.join(tokens, columns.get(i).token(values[i]));
      if (values[i] != null) {
        boolean drops = columns.get(i).kind() == Kind.TEXT && !columns.get(i).descending();
        used = tokens.length - (drops ? 1 : 0);
      }
    }
    byte[] key = Arrays.copyOf(tokens, used);
    if (salt != null) {
      byte[] first = {salt.compute(key, 0, key.length)};
      rows.add(
          new Row(values.clone(), ByteStrings.join(first, tokens), ByteStrings.join(first, key)));
    } else if (used > 0) {
      rows.add(new Row(values.clone(), tokens, key));
    }
  }
}

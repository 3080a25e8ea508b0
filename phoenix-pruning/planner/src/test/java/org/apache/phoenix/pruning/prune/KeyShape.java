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
package org.apache.phoenix.pruning.prune;

import static org.apache.phoenix.pruning.prune.RowCondition.NAMES;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.hbase.index.util.ImmutableBytesPtr;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;

/**
 * Key columns of a table, such as {@code "I S? Id"}: I is an integer, S a string, P a string of
 * {@link #PREFIXES}, and E an integer of {@link #EXTREMES}. A d means descending, and ? nullable.
 */
record KeyShape(String text) {

  static final List<String> STRINGS = List.of("a", "aa", "ab", "b", "ba", "c c", "ca", "d");

  /**
   * Strings. One of them is another string followed by the byte 1, the successor of the separator
   * byte 0.
   */
  private static final List<String> PREFIXES = List.of("a", "a\u0001", "b");

  static final List<Integer> NUMBERS = List.of(-1, 0, 1, 2, 3, 4, 5);

  /**
   * Integers with the least and the greatest value. MAX_VALUE has the bytes FF FF FF FF, and so
   * does MIN_VALUE in a descending column. No value sorts after these bytes.
   */
  private static final List<Integer> EXTREMES = List.of(Integer.MIN_VALUE, 0, Integer.MAX_VALUE);

  static KeyShape random(Random random) {
    return new KeyShape(
        IntStream.range(0, 3)
            .mapToObj(
                i -> {
                  boolean isString = random.nextInt(3) == 0;
                  return (isString ? "S" : "I")
                      + (random.nextInt(3) == 0 ? "d" : "")
                      + (isString && random.nextBoolean() ? "?" : "");
                })
            .collect(Collectors.joining(" ")));
  }

  private String of(int column) {
    return text.split(" ")[column];
  }

  boolean isString(int column) {
    return !of(column).startsWith("I") && !of(column).startsWith("E");
  }

  boolean isDescending(int column) {
    return of(column).contains("d");
  }

  boolean isNullable(int column) {
    return of(column).endsWith("?");
  }

  List<?> values(int column) {
    return switch (of(column).charAt(0)) {
      case 'P' -> PREFIXES;
      case 'E' -> EXTREMES;
      case 'S' -> STRINGS;
      default -> NUMBERS;
    };
  }

  /** Creates the table W, and returns its rows by their keys. No row has only nulls. */
  TreeMap<byte[], Object[]> createTable(Connectionless driver) throws SQLException {
    String columns =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    NAMES.get(i)
                        + (isString(i) ? " VARCHAR" : " INTEGER")
                        + (isNullable(i) ? "" : " NOT NULL"))
            .collect(Collectors.joining(", "));
    String key =
        IntStream.range(0, 3)
            .mapToObj(i -> NAMES.get(i) + (isDescending(i) ? " DESC" : ""))
            .collect(Collectors.joining(", "));
    driver.execute("DROP TABLE IF EXISTS W");
    driver.execute(
        "CREATE TABLE W (" + columns + ", V INTEGER CONSTRAINT PK PRIMARY KEY (" + key + "))");
    PTable table =
        driver.connection().unwrap(PhoenixConnection.class).getTable(new PTableKey(null, "W"));
    TreeMap<byte[], Object[]> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (Object a : domain(0)) {
      for (Object b : domain(1)) {
        for (Object c : domain(2)) {
          Object[] row = {a, b, c};
          if (a != null || b != null || c != null) {
            rows.put(key(table, row), row);
          }
        }
      }
    }
    return rows;
  }

  private List<Object> domain(int column) {
    List<Object> values = new ArrayList<>(values(column));
    if (isNullable(column)) {
      values.add(null);
    }
    return values;
  }

  private byte[] key(PTable table, Object[] row) {
    byte[][] values = new byte[row.length][];
    for (int i = 0; i < row.length; i++) {
      SortOrder order = isDescending(i) ? SortOrder.DESC : SortOrder.ASC;
      values[i] =
          row[i] == null
              ? new byte[0]
              : isString(i)
                  ? PVarchar.INSTANCE.toBytes(row[i], order)
                  : PInteger.INSTANCE.toBytes(row[i], order);
    }
    ImmutableBytesPtr key = new ImmutableBytesPtr();
    table.newKey(key, values);
    return key.copyBytes();
  }
}

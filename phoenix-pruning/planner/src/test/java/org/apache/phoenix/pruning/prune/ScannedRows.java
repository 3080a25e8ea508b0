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

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;

/**
 * Checks the rows that Phoenix's scan for a WHERE finds. The scan's range and filter are applied to
 * all keys of a small domain.
 */
final class ScannedRows {

  private ScannedRows() {}

  /**
   * Each table is tested with all of its rows, with about one in 8, and with about one in 60.
   * Filters therefore step over gaps of different lengths.
   */
  static final List<Integer> PARTS = List.of(1, 8, 60);

  private static final int MAX_BOUNDARIES = 6;

  static void check(String shape, RowCondition... conditions) throws Exception {
    try (Connectionless driver = new Connectionless()) {
      TreeMap<byte[], Object[]> rows = new KeyShape(shape).createTable(driver);
      for (RowCondition condition : conditions) {
        check(driver, rows, condition, shape);
      }
    }
  }

  static void check(
      Connectionless driver, TreeMap<byte[], Object[]> all, RowCondition condition, String table)
      throws Exception {
    StatementContext context = compiled(driver, condition);
    for (int part : PARTS) {
      Random random = new Random(31L * condition.sql().hashCode() + part);
      TreeMap<byte[], Object[]> rows = new TreeMap<>(all);
      rows.values().removeIf(row -> random.nextInt(part) > 0);
      SortedSet<byte[]> boundaries = boundaries(random, all);
      String description =
          table
              + ", 1 of "
              + part
              + " rows, split at "
              + boundaries.stream().map(Bytes::toStringBinary).toList()
              + ": "
              + condition.sql();
      check(
          SimulatedScans.found(context, context.getScan(), rows, boundaries),
          rows,
          condition,
          description);
      check(
          SimulatedScans.found(context, SimulatedScans.loose(context), rows, boundaries),
          rows,
          condition,
          "a loose index scan of " + description);
    }
  }

  static void check(
      List<Object[]> found,
      TreeMap<byte[], Object[]> rows,
      RowCondition condition,
      String description) {
    List<String> lost = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (Object[] row : rows.values()) {
      // Phoenix sorts nulls when it compares row values, so rows with nulls may be found.
      boolean hasNull = condition.hasRowValues() && Arrays.asList(row).contains(null);
      boolean matches = Boolean.TRUE.equals(condition.of().apply(row));
      if (matches && !found.contains(row)) {
        lost.add(Arrays.toString(row));
      } else if (!matches && found.contains(row) && !hasNull) {
        others.add(Arrays.toString(row));
      }
    }
    assertThat(lost).as("lost of " + description).isEmpty();
    assertThat(others).as("others of " + description).isEmpty();
  }

  static StatementContext compiled(Connectionless driver, RowCondition condition) throws Exception {
    try (PreparedStatement statement =
        driver.connection().prepareStatement("SELECT * FROM W WHERE " + condition.sql())) {
      return statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery().getContext();
    }
  }

  /**
   * Returns start keys of regions and guideposts. These are row keys, of which some are truncated
   * or one byte longer.
   */
  static SortedSet<byte[]> boundaries(Random random, TreeMap<byte[], Object[]> rows) {
    List<byte[]> keys = List.copyOf(rows.keySet());
    SortedSet<byte[]> boundaries = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    boundaries.add(HConstants.EMPTY_START_ROW);
    int count = 1 + random.nextInt(MAX_BOUNDARIES);
    for (int i = 0; i < count; i++) {
      byte[] key = keys.get(random.nextInt(keys.size()));
      boundaries.add(
          switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(key, 1 + random.nextInt(key.length));
            case 1 -> Arrays.copyOf(key, key.length + 1);
            default -> key;
          });
    }
    return boundaries;
  }
}

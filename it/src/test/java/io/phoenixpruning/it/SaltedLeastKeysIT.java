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
package io.phoenixpruning.it;

import java.math.BigDecimal;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.config.PruningMode;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * Tests salted tables with the key (K, L), where L may be null and the least value of K is all zero
 * bytes. The region of a bucket begins with a key that is longer than the key of the row (least,
 * null). So this row is in the region of the previous bucket.
 */
@RunWith(Parameterized.class)
public class SaltedLeastKeysIT extends ClusterTest {

  private static final int BUCKETS = 4;

  /** Values of L in ascending order. They spread the rows over all buckets. */
  private static final List<String> L_VALUES = List.of("a", "b", "c", "d", "e");

  /** A type of K, with its least value. */
  private enum Key {
    UNSIGNED_INT(0),
    INTEGER(Integer.MIN_VALUE),
    UNSIGNED_LONG(0),
    SMALLINT(Short.MIN_VALUE);

    private final int least;

    Key(int least) {
      this.least = least;
    }
  }

  private record Row(int k, @Nullable String l) {}

  @Parameters(name = "{0}")
  public static List<Object[]> keys() {
    List<Object[]> keys = new ArrayList<>();
    for (Key key : Key.values()) {
      if (ALL_COMBINATIONS || key == Key.UNSIGNED_INT || key == Key.SMALLINT) {
        keys.add(new Object[] {key});
      }
    }
    return keys;
  }

  @Parameter public Key key;

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    // The bucket of (k, null) depends on k: with eight values, several buckets have such rows.
    for (int i = 0; i < 8; i++) {
      rows.add(new Row(key.least + i, null));
      for (String l : L_VALUES) {
        rows.add(new Row(key.least + i, l));
      }
    }
    return rows;
  }

  private Map<String, Predicate<Row>> conditions() {
    int least = key.least;
    Map<String, Predicate<Row>> conditions = new LinkedHashMap<>();
    conditions.put("K = " + least, row -> row.k == least);
    conditions.put("K < " + (least + 3), row -> row.k < least + 3);
    conditions.put("K <= " + least, row -> row.k == least);
    conditions.put("K > " + least, row -> row.k > least);
    conditions.put("K >= " + least, row -> true);
    conditions.put("K >= " + (least + 2), row -> row.k >= least + 2);
    conditions.put("K BETWEEN %d AND %d".formatted(least, least + 4), row -> row.k <= least + 4);
    conditions.put(
        "K IN (%d, %d)".formatted(least, least + 5), row -> row.k == least || row.k == least + 5);
    conditions.put("L IS NULL", row -> row.l == null);
    conditions.put("L IS NOT NULL", row -> row.l != null);
    conditions.put("L < 'c'", row -> row.l != null && row.l.compareTo("c") < 0);
    conditions.put(
        "K < %d AND L IS NULL".formatted(least + 5), row -> row.k < least + 5 && row.l == null);
    conditions.put("K = %d AND L IS NULL".formatted(least), row -> row.k == least && row.l == null);
    conditions.put("V >= 0", row -> true);
    return conditions;
  }

  private static List<Row> read(Connection connection, String query) throws Exception {
    return ClusterTest.rows(connection, query).stream()
        .map(row -> new Row(((BigDecimal) row.get(0)).intValueExact(), (String) row.get(1)))
        .toList();
  }

  @Test
  public void findsTheRowsBeforeTheRegionsOfTheirBuckets() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      String table = createTable(connection);
      SoftAssertions softly = new SoftAssertions();
      assertRows(softly, connection, table, Combinations.oneOf(2, key.ordinal()));
      execute(connection, "UPDATE STATISTICS " + table);
      assertRows(softly, connection, table, Combinations.oneOf(2, key.ordinal() + 1));
      softly.assertAll();
    }
  }

  private void assertRows(
      SoftAssertions softly, Connection connection, String table, Combinations combinations)
      throws Exception {
    for (Map.Entry<String, Predicate<Row>> condition : conditions().entrySet()) {
      if (combinations.chooseNext()) {
        assertRows(softly, connection, table, condition.getKey(), condition.getValue());
      }
    }
  }

  @Test
  public void deletesTheRowsBeforeTheRegionsOfTheirBuckets() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      connection.setAutoCommit(true);
      String table = createTable(connection);
      execute(connection, "DELETE FROM %s WHERE K < %d".formatted(table, key.least + 3));
      SoftAssertions softly = new SoftAssertions();
      assertRows(softly, connection, table, "V >= 0", row -> row.k >= key.least + 3);
      softly.assertAll();
    }
  }

  private String createTable(Connection connection) throws Exception {
    String table = generateUniqueName();
    execute(
        connection,
        """
        CREATE TABLE %s (K %s NOT NULL, L VARCHAR, V INTEGER CONSTRAINT PK PRIMARY KEY (K, L))
          SALT_BUCKETS = %d, GUIDE_POSTS_WIDTH = 100"""
            .formatted(table, key, BUCKETS));
    for (Row row : rows()) {
      String l = row.l == null ? "NULL" : "'" + row.l + "'";
      execute(connection, "UPSERT INTO %s VALUES (%d, %s, 1)".formatted(table, row.k, l));
    }
    connection.commit();
    return table;
  }

  private void assertRows(
      SoftAssertions softly,
      Connection connection,
      String table,
      String where,
      Predicate<Row> condition)
      throws Exception {
    List<Row> rows = rows().stream().filter(condition).toList();
    String from = " FROM %s WHERE %s".formatted(table, where);

    String unordered = "SELECT K, L" + from;
    softly
        .assertThat(read(connection, unordered))
        .as(unordered)
        .containsExactlyInAnyOrderElementsOf(rows);

    String descending = "SELECT K, L" + from + " ORDER BY K DESC, L";
    softly
        .assertThat(read(connection, descending))
        .as(descending)
        .isEqualTo(
            rows.stream().sorted(Comparator.comparing(Row::k, Comparator.reverseOrder())).toList());

    String count = "SELECT COUNT(*), MIN('x')" + from;
    softly
        .assertThat(read(connection, count))
        .as(count)
        .extracting(Row::k)
        .containsExactly(rows.size());

    for (String select : List.of("SELECT K, L", "SELECT DISTINCT K, L")) {
      String ordered = select + from + " ORDER BY K, L";
      softly.assertThat(read(connection, ordered)).as(ordered).isEqualTo(rows);
    }

    String grouped = "SELECT K, MIN(L)" + from + " GROUP BY K";
    softly
        .assertThat(read(connection, grouped))
        .as(grouped)
        .extracting(Row::k)
        .containsExactlyInAnyOrderElementsOf(
            rows.stream().map(Row::k).collect(Collectors.toCollection(TreeSet::new)));
  }
}

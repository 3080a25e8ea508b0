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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.Before;
import org.junit.Test;

/**
 * Compares expressions of descending key columns with those of ascending ones, and expressions
 * along an index with those of its table.
 */
public class DescendingExpressionsIT extends IndexedTableTest {

  /** Columns of the key and their types. Phoenix refuses a descending VARBINARY. */
  private static final Map<String, String> KEY_COLUMNS =
      Arrays.stream(
              """
              I INTEGER; L BIGINT; SI SMALLINT; TI TINYINT; N DECIMAL(10, 3); F DOUBLE; G FLOAT;
              UI UNSIGNED_INT; UL UNSIGNED_LONG; C VARCHAR; H CHAR(3); D DATE; T TIME; S TIMESTAMP;
              UD UNSIGNED_DATE; US UNSIGNED_TIMESTAMP; BO BOOLEAN; Q VARCHAR; Q2 VARCHAR;
              Q3 VARCHAR; Q4 VARCHAR; BI BINARY(3); VB VARBINARY"""
                  .split(";\\s+"))
          .map(column -> column.split(" ", 2))
          .collect(
              Collectors.toMap(
                  column -> column[0],
                  column -> column[1],
                  (first, second) -> second,
                  LinkedHashMap::new));

  /** Queries of an expression. */
  private static final List<String> QUERIES =
      List.of(
          "SELECT V, $E FROM $T ORDER BY V",
          "SELECT V, CASE WHEN V > 0 THEN $E END FROM $T ORDER BY V",
          "SELECT V FROM $T ORDER BY $E, V",
          "SELECT COUNT(*), $E FROM $T GROUP BY $E ORDER BY MIN(V)",
          "SELECT MIN($E), MAX($E) FROM $T");

  private static final List<String> CONDITION_QUERIES =
      List.of(
          "SELECT V FROM $T WHERE $E ORDER BY V",
          "SELECT V FROM $T WHERE NOT ($E) ORDER BY V",
          "SELECT V, CASE WHEN $E THEN I ELSE V END FROM $T ORDER BY V");

  private static final List<String> AGGREGATE_QUERIES =
      List.of(
          "SELECT $E FROM $T",
          "SELECT V > 3, $E FROM $T GROUP BY V > 3 ORDER BY V > 3",
          "SELECT SI, $E FROM $T GROUP BY SI ORDER BY SI");

  private static final String FAILS = "fails: ";

  private String descending;

  @Before
  public void createTables() throws SQLException {
    descending = "D_" + table;
    for (String own : List.of(table, descending)) {
      String order = own.equals(table) ? "" : " DESC";
      execute(
          connection,
          """
          CREATE TABLE %s (
            %s, V INTEGER, B BIGINT, Z INTEGER, ZS TIMESTAMP, ARR INTEGER ARRAY
            CONSTRAINT PK PRIMARY KEY (%s))"""
              .formatted(
                  own,
                  KEY_COLUMNS.entrySet().stream()
                      .map(column -> column.getKey() + " " + column.getValue() + " NOT NULL")
                      .collect(Collectors.joining(", ")),
                  KEY_COLUMNS.keySet().stream()
                      .map(column -> column + (column.equals("VB") ? "" : order))
                      .collect(Collectors.joining(", "))),
          upsert(own, 1, "a", "2020-01-01", "12:30:45", "1.5", "616263", 7),
          upsert(own, 2, "b", "2020-01-02", "12:30:45.5", "2.25", "61", 2),
          upsert(own, 3, "ab", "2021-06-15", "01:02:03.999", "3", "62ff", 9));
    }
  }

  private static String upsert(
      String own, int i, String text, String date, String time, String number, String hex, int v) {
    String timestamp = "TO_TIMESTAMP('%s %s')".formatted(date, time);
    String day = "TO_DATE('%s')".formatted(date);
    return """
        UPSERT INTO %s VALUES (
          %d, %d, %d, %d, %s, %s, %s, %d, %d, '%s', '%s', %s, TO_TIME('%s %s'), %s, %s, %s, %s,
          '%s', '%s', 'Europe/Berlin', '%s', X'6161%02x', X'%s', %d, %d, NULL, NULL, ARRAY[1, 2])"""
        .formatted(
            own,
            i,
            i * 2,
            i,
            i + 1,
            number,
            number,
            number,
            i,
            i * 3,
            text,
            text,
            day,
            date,
            time.split("\\.")[0],
            timestamp,
            day,
            timestamp,
            v > 5,
            number,
            date,
            hex,
            i,
            hex,
            v,
            4 - i);
  }

  @Test
  public void equalThoseOfAscendingColumns() throws Exception {
    assertThat(different("", table, "", descending)).isEmpty();
  }

  /** Tests an index of all columns. It stores numbers and times of other types than the table. */
  @Test
  public void equalThoseAlongAnIndex() throws Exception {
    String indexed = "X_" + table;
    execute(
        connection,
        """
        CREATE TABLE %s (
          V INTEGER PRIMARY KEY, %s, B BIGINT, Z INTEGER, ZS TIMESTAMP, ARR INTEGER ARRAY)"""
            .formatted(
                indexed,
                KEY_COLUMNS.entrySet().stream()
                    .map(column -> column.getKey() + " " + column.getValue())
                    .collect(Collectors.joining(", "))),
        "UPSERT INTO %1$s (V, %2$s, B, Z, ZS, ARR) SELECT V, %2$s, B, Z, ZS, ARR FROM %3$s"
            .formatted(indexed, String.join(", ", KEY_COLUMNS.keySet()), table));
    for (String order : List.of("", " DESC")) {
      String own = "I_" + indexed + order.trim();
      execute(
          connection,
          "CREATE LOCAL INDEX %s ON %s (%s) INCLUDE (BI, VB, B, Z, ZS, ARR)"
              .formatted(
                  own,
                  indexed,
                  KEY_COLUMNS.keySet().stream()
                      .filter(column -> !List.of("BI", "VB").contains(column))
                      .map(column -> column + order)
                      .collect(Collectors.joining(", "))));
      String hint = "/*+ INDEX(%s %s) */ ".formatted(indexed, own);
      assertThat(rows(connection, "EXPLAIN SELECT " + hint + "V, C FROM " + indexed).toString())
          .contains(own);
      assertThat(different("/*+ NO_INDEX */ ", indexed, hint, indexed)).as(order).isEmpty();
    }
  }

  @Test
  public void differWithoutThePatches() throws Exception {
    for (Map.Entry<Patch, String> left :
        Map.of(
                Patch.DESCENDING_CASE, "CASE WHEN V < 8 THEN L END",
                Patch.CONSTRUCTED_ARRAY, "ARRAY[I, V]",
                Patch.DESCENDING_ARGUMENT, "MD5(C)",
                Patch.DESCENDING_COALESCE, "COALESCE(I, V)")
            .entrySet()) {
      try (Connection without = connect(allBut(left.getKey()))) {
        assertThat(isDifferent(without, "SELECT V, " + left.getValue() + " FROM $T ORDER BY V"))
            .as(left.getKey().id())
            .isTrue();
      }
    }
    leaveOut(Patch.DESCENDING_TIMESTAMP);
    assertThat(isDifferent(connection, "SELECT V, CAST(D AS TIMESTAMP) FROM $T ORDER BY V"))
        .isTrue();
  }

  /** Runs all queries of a table with a hint, and of another table or with another hint. */
  private List<String> different(String hint, String of, String otherHint, String ofOther)
      throws Exception {
    Map<String, List<String>> queries =
        Map.of(
            "key-expressions.txt", QUERIES,
            "key-conditions.txt", CONDITION_QUERIES,
            "key-aggregates.txt", AGGREGATE_QUERIES);
    List<String> different = new ArrayList<>();
    for (Map.Entry<String, List<String>> resource : queries.entrySet()) {
      for (String expression : lines(resource.getKey())) {
        for (String query : resource.getValue()) {
          String sql = query.replace("$E", expression).substring("SELECT ".length());
          String expected = result(connection, "SELECT " + hint + sql.replace("$T", of));
          String actual = result(connection, "SELECT " + otherHint + sql.replace("$T", ofOther));
          if (expected.startsWith(FAILS) || !actual.equals(expected)) {
            different.add("%s: %s instead of %s".formatted(sql, actual, expected));
          }
        }
      }
    }
    return different;
  }

  private boolean isDifferent(Connection client, String sql) {
    return !result(client, sql.replace("$T", table))
        .equals(result(client, sql.replace("$T", descending)));
  }

  private static List<String> lines(String resource) throws IOException {
    try (InputStream in = DescendingExpressionsIT.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** Returns the rows of a query, or its error. */
  private static String result(Connection client, String sql) {
    List<Object> values = new ArrayList<>();
    try (Statement statement = client.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      while (results.next()) {
        for (int i = 1; i <= results.getMetaData().getColumnCount(); i++) {
          Object value = results.getObject(i);
          values.add(value instanceof byte[] bytes ? Arrays.toString(bytes) : value);
        }
      }
      return values.toString();
    } catch (SQLException | RuntimeException e) {
      return FAILS + e;
    }
  }
}

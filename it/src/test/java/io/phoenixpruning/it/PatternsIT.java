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

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** Tests LIKE with nulls, and patterns and texts that are longer than the column. */
public class PatternsIT extends IndexedColumnsTest {

  /** Conditions with the keys of the rows that match. V stands for a column of two characters. */
  private static final Map<String, List<Integer>> LONG_PATTERNS =
      Map.ofEntries(
          entry("V LIKE 'zzz%'", List.of()),
          entry("V NOT LIKE 'zzz%'", List.of(1, 2)),
          entry("V NOT ILIKE 'ZZZ_'", List.of(1, 2)),
          entry("NOT (V LIKE 'zzz%')", List.of(1, 2)),
          entry("NOT (V NOT LIKE 'zzz%')", List.of()),
          entry("NOT (V LIKE 'zzz%' AND K < 9)", List.of(1, 2)),
          entry("V LIKE 'zzz%' OR K = 3", List.of(3)),
          entry("V NOT LIKE 'zzz%' AND V > 'A'", List.of(1, 2)),
          entry("V LIKE '\\_\\_%'", List.of(2)),
          entry("V NOT LIKE '\\_\\_%'", List.of(1)),
          entry("V LIKE '\\_\\_z%'", List.of()),
          entry("V NOT LIKE '\\_\\_z%'", List.of(1, 2)),
          entry("SUBSTR(V, 1, 1) LIKE 'zz%'", List.of()),
          entry("SUBSTR(V, 1, 1) LIKE 'zz%' OR K = 3", List.of(3)),
          entry("NOT (SUBSTR(V, 1, 1) LIKE 'zz%')", List.of(1, 2)),
          entry("SUBSTR(V, 1, 1) NOT LIKE 'zz%'", List.of(1, 2)),
          entry("UPPER(V) NOT LIKE 'ZZZ%'", List.of(1, 2)));

  /** Conditions like those of {@link #LONG_PATTERNS}. */
  private static final Map<String, List<Integer>> LONG_TEXTS =
      Map.ofEntries(
          entry("V = 'zzz'", List.of()),
          entry("V <> 'zzz'", List.of(1, 2)),
          entry("'zzz' <> V", List.of(1, 2)),
          entry("NOT (V = 'zzz')", List.of(1, 2)),
          entry("NOT (V <> 'zzz')", List.of()),
          entry("V NOT IN ('zzz')", List.of(1, 2)),
          entry("V NOT IN ('zzz', 'a')", List.of(2)),
          entry("V = 'zzz' OR K = 3", List.of(3)),
          entry("NOT (V = 'zzz' AND K < 9)", List.of(1, 2)),
          entry("V <> 'zzz' AND V > 'A'", List.of(1, 2)),
          entry("CASE WHEN V = 'zzz' THEN 1 ELSE 0 END = 0", List.of(1, 2, 3)),
          entry("(V, K) <> ('zzz', 3)", List.of(1, 2)),
          entry("NOT ((V, K) = ('zzz', 3))", List.of(1, 2)),
          entry("NOT (SUBSTR(V, 1, 1) = 'zz')", List.of(1, 2)));

  /**
   * Checks that NOT LIKE is not true for NULL. The data table does not store a column that is null,
   * so LIKE has no value to evaluate.
   */
  @Test
  public void nullIsNotUnlikeAnything() throws SQLException {
    for (String column : List.of("S", "S DESC", "C", "C DESC")) {
      createIndex(column);
      String name = column.substring(0, 1);
      for (String condition :
          List.of("NOT LIKE 'z%'", "NOT LIKE 'bz%'", "NOT LIKE '_z'", "NOT ILIKE 'BZ%'")) {
        assertThatRowsAreRight("K FROM $T WHERE " + name + " " + condition);
      }
      assertThatRowsAreRight("K FROM $T WHERE NOT (K = 1 OR " + name + " LIKE 'z%')");
      execute(exact, "DROP INDEX I_" + table + " ON " + table);
    }
  }

  @Test
  public void comparesWithLongPatterns() throws SQLException {
    assertThatRowsAreKnown(LONG_PATTERNS, "V NOT LIKE ?", "zzz%");
  }

  @Test
  public void comparesWithLongTexts() throws SQLException {
    assertThatRowsAreKnown(LONG_TEXTS, "V <> ?", "zzz");
  }

  /**
   * Compares with known rows, because the data table has the same defects without the patches.
   *
   * @param withParameter a condition that finds the rows 1 and 2 with {@code parameter}
   */
  private void assertThatRowsAreKnown(
      Map<String, List<Integer>> conditions, String withParameter, String parameter)
      throws SQLException {
    String shortTable = generateUniqueName();
    execute(
        exact,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, S VARCHAR(2), C CHAR(2))".formatted(shortTable),
        "UPSERT INTO %s VALUES (1, 'a', 'a')".formatted(shortTable),
        "UPSERT INTO %s VALUES (2, '__', '__')".formatted(shortTable),
        "UPSERT INTO %s VALUES (3, NULL, NULL)".formatted(shortTable));
    for (String index : List.of("S) INCLUDE (C", "S DESC) INCLUDE (C", "C) INCLUDE (S", "C DESC")) {
      execute(exact, "CREATE LOCAL INDEX I_%1$s ON %1$s (%2$s)".formatted(shortTable, index));
      for (String hint : List.of("NO_INDEX", "INDEX(%1$s I_%1$s)".formatted(shortTable))) {
        for (String column : List.of("S", "C")) {
          conditions.forEach(
              (condition, expected) ->
                  assertThat(keys(shortTable, hint, condition.replace("V", column)))
                      .as("%s, %s, %s", index, hint, condition)
                      .isEqualTo(expected));
          assertThat(keys(shortTable, hint, withParameter.replace("V", column), parameter))
              .as("%s, %s, %s", index, hint, withParameter)
              .isEqualTo(List.of(1, 2));
        }
      }
      execute(exact, "DROP INDEX I_%1$s ON %1$s".formatted(shortTable));
    }
  }

  private List<Integer> keys(String of, String hint, String condition, Object... binds) {
    try {
      return rows(
              exact, "SELECT /*+ %s */ K FROM %s WHERE %s".formatted(hint, of, condition), binds)
          .stream()
          .map(row -> ((Number) row.get(0)).intValue())
          .sorted()
          .toList();
    } catch (SQLException e) {
      throw new AssertionError(condition, e);
    }
  }

  /** Tests a text below all others, and a backslash in a text of the greatest length. */
  @Test
  public void comparesUnusualTextsWithLongPatterns() throws SQLException {
    String unusual = generateUniqueName();
    execute(exact, "CREATE TABLE %s (K INTEGER PRIMARY KEY, S VARCHAR(4))".formatted(unusual));
    try (PreparedStatement upsert =
        exact.prepareStatement("UPSERT INTO " + unusual + " VALUES (?, ?)")) {
      List<String> texts = List.of("\u0000", "a\\bc");
      for (int i = 0; i < texts.size(); i++) {
        upsert.setInt(1, i + 1);
        upsert.setString(2, texts.get(i));
        upsert.execute();
      }
    }
    assertThat(keys(unusual, "NO_INDEX", "S LIKE ? OR K = 7", "zzzzz%")).isEmpty();
    assertThat(keys(unusual, "NO_INDEX", "S NOT LIKE ?", "zzzzz%")).isEqualTo(List.of(1, 2));
    assertThat(keys(unusual, "NO_INDEX", "S LIKE ?", "a\\\\bc%")).isEqualTo(List.of(2));
    assertThat(keys(unusual, "NO_INDEX", "S LIKE ?", "a\\\\%bc%")).isEqualTo(List.of(2));
    assertThat(
            explain(exact, "SELECT K FROM " + unusual + " WHERE S LIKE 'zzzzz%' AND K > 0")
                .toString())
        .contains("DEGENERATE SCAN");
  }

  /** A column that a view fixes is a literal along an index. */
  @Test
  public void comparesFixedColumnsWithLongPatterns() throws SQLException {
    for (String order : List.of("", " DESC")) {
      String base = generateUniqueName();
      String view = generateUniqueName();
      execute(
          exact,
          """
          CREATE TABLE %s (K1 VARCHAR(2) NOT NULL, K INTEGER NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (K1%s, K))"""
              .formatted(base, order),
          "CREATE LOCAL INDEX I_%1$s ON %1$s (V)".formatted(base),
          "CREATE VIEW %s AS SELECT * FROM %s WHERE K1 = 'a'".formatted(view, base),
          "UPSERT INTO %s VALUES ('a', 1, 5)".formatted(base),
          "UPSERT INTO %s VALUES ('b', 2, 6)".formatted(base));
      for (String hint : List.of("NO_INDEX", "INDEX(%1$s I_%1$s)".formatted(base))) {
        assertThat(keys(base, hint, "K1 NOT LIKE 'zzz%'")).as(hint).isEqualTo(List.of(1, 2));
        assertThat(keys(base, hint, "NOT (K1 LIKE 'zzz%')")).as(hint).isEqualTo(List.of(1, 2));
        assertThat(keys(base, hint, "K1 LIKE 'zzz%'")).as(hint).isEmpty();
      }
      for (String hint : List.of("NO_INDEX", "INDEX(%1$s %1$s#I_%2$s)".formatted(view, base))) {
        assertThat(keys(view, hint, "K1 NOT LIKE 'zzz%'")).as(hint).isEqualTo(List.of(1));
        assertThat(keys(view, hint, "K1 NOT LIKE ?", "zzz%")).as(hint).isEqualTo(List.of(1));
        assertThat(keys(view, hint, "K1 LIKE 'zzz%' OR V = 5")).as(hint).isEqualTo(List.of(1));
        assertThat(keys(view, hint, "K1 LIKE 'a%'")).as(hint).isEqualTo(List.of(1));
        assertThat(keys(view, hint, "K1 LIKE 'zzz%'")).as(hint).isEmpty();
      }
    }
  }
}

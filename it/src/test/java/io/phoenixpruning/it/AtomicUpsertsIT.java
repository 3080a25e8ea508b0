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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.Test;

/** Tests nulls that the server writes, and nulls that are stored in a cell. */
public class AtomicUpsertsIT extends IndexedTableTest {

  /** Expressions of columns X and Y whose value is null, with the type of both columns. */
  private static final List<List<String>> NULLS =
      List.of(
          List.of("VARCHAR", "CASE WHEN V > 5 THEN 'x' ELSE X END"),
          List.of("VARCHAR", "CASE WHEN V < 5 THEN X ELSE 'x' END"),
          List.of("VARCHAR", "SUBSTR(X, 2, 3)"),
          List.of("BOOLEAN", "CASE WHEN V > 5 THEN true ELSE X END"),
          List.of("TINYINT", "CASE WHEN V > 5 THEN 1 ELSE X END"),
          List.of("BIGINT", "Y + X"),
          List.of("BIGINT", "X + Y"),
          List.of("BIGINT", "Y * X"),
          List.of("DECIMAL", "Y - X"),
          List.of("CHAR(3)", "CASE WHEN V > 5 THEN 'x' ELSE X END"),
          List.of("DATE", "CASE WHEN V > 5 THEN Y ELSE X END"));

  private static final List<ConvertedUpdate> CONVERTED =
      List.of(
          new ConvertedUpdate("P", "-355", "-355", false),
          new ConvertedUpdate("P", "V", "7", false),
          new ConvertedUpdate("Q", "V", "7", false),
          new ConvertedUpdate("P", "100 * V", "700", false),
          new ConvertedUpdate("P", "F + V", "7.5", false),
          new ConvertedUpdate("P", "V + 0.125", "7.12", true),
          new ConvertedUpdate("P", "CASE WHEN V > 3 THEN V ELSE 4 END", "7", false),
          new ConvertedUpdate("P", "CASE WHEN V > 8 THEN V ELSE 4 END", "4", false),
          new ConvertedUpdate("P", "K", "1", false),
          new ConvertedUpdate("W", "K", "1", false),
          new ConvertedUpdate("F", "K", "1", false),
          new ConvertedUpdate("D", "TS", "TO_TIMESTAMP('2020-01-01 00:00:00')", true),
          new ConvertedUpdate("W", "CASE WHEN V > 3 THEN K ELSE V END", "1", true),
          new ConvertedUpdate("W", "CASE WHEN V > 8 THEN K ELSE V END", "7", true),
          new ConvertedUpdate("W", "CASE WHEN V > 3 THEN V ELSE K END", "7", true),
          new ConvertedUpdate(
              "W", "CASE WHEN V > 8 THEN 5 WHEN V > 9 THEN V ELSE K END", "1", true),
          new ConvertedUpdate("F", "CASE WHEN V > 3 THEN V ELSE K END", "7", true),
          new ConvertedUpdate("W", "CASE WHEN V > 8 THEN NULL ELSE K END", "1", true),
          new ConvertedUpdate("P", "CASE WHEN V > 8 THEN NULL ELSE V END", "7", true),
          new ConvertedUpdate("S", "L", "'abc'", true),
          new ConvertedUpdate("V", "K", "1", true));

  /** Sets a column to an expression, with the value that is expected. */
  private record ConvertedUpdate(
      String column, String expression, String value, boolean isRightWithoutPatch) {}

  @Test
  public void updatesToNull() throws Exception {
    for (List<String> update : NULLS) {
      assertThat(isNullAfter(update)).as(update.toString()).isTrue();
    }
    leaveOut(Patch.NULL_UPDATE);
    assertThat(NULLS.stream().filter(update -> !isNullAfter(update)))
        .as("wrong without the patch")
        .contains(NULLS.get(0), NULLS.get(2), NULLS.get(3), NULLS.get(5));
  }

  /** Returns false if X is not null after the update, or if the statement fails. */
  private boolean isNullAfter(List<String> update) {
    String own = generateUniqueName();
    String value =
        switch (update.get(0)) {
          case "VARCHAR", "CHAR(3)" -> "'abc'";
          case "BOOLEAN" -> "true";
          case "DATE" -> "TO_DATE('2020-01-01')";
          default -> "7";
        };
    try {
      execute(
          connection,
          "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, X %2$s, Y %2$s)"
              .formatted(own, update.get(0)),
          "CREATE LOCAL INDEX I_%1$s ON %1$s (X) INCLUDE (Y)".formatted(own),
          "UPSERT INTO %s (K, V, Y) VALUES (1, 1, %s)".formatted(own, value),
          "UPSERT INTO %s (K) VALUES (1) ON DUPLICATE KEY UPDATE X = %s"
              .formatted(own, update.get(1)));
      String where = " WHERE X IS NULL AND Y IS NOT NULL";
      return List.of("NO_INDEX", "INDEX(%1$s I_%1$s)".formatted(own)).stream()
          .allMatch(hint -> find(hint, own, where).equals(List.of(row(1))));
    } catch (SQLException e) {
      return false;
    }
  }

  private List<List<Object>> find(String hint, String own, String where) {
    try {
      return rows(connection, "SELECT /*+ " + hint + " */ K FROM " + own + where);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  public void convertsUpdatedValues() throws Exception {
    for (int buckets : new int[] {0, 3}) {
      for (ConvertedUpdate update : CONVERTED) {
        assertThat(storesConverted(connection, update, buckets))
            .as("%s, %s buckets", update, buckets)
            .isTrue();
      }
    }
    try (Connection without = connect(allBut(Patch.UPDATE_TYPE))) {
      without.setAutoCommit(true);
      for (ConvertedUpdate update : CONVERTED) {
        assertThat(storesConverted(without, update, 0))
            .as("%s, without the patch", update)
            .isEqualTo(update.isRightWithoutPatch());
      }
    }
  }

  private boolean storesConverted(Connection client, ConvertedUpdate update, int buckets)
      throws Exception {
    String own = generateUniqueName();
    execute(
        client,
        """
        CREATE TABLE %s (
          K INTEGER NOT NULL, L CHAR(3) NOT NULL, TS DATE NOT NULL, V INTEGER, W BIGINT, F DOUBLE,
          P DECIMAL(10, 2), Q DECIMAL, S VARCHAR(3), D TIMESTAMP
          CONSTRAINT PK PRIMARY KEY (K DESC, L DESC, TS DESC))%s"""
            .formatted(own, buckets == 0 ? "" : " SALT_BUCKETS = " + buckets),
        "CREATE LOCAL INDEX I_%1$s ON %1$s (%2$s)".formatted(own, update.column()),
        "UPSERT INTO %s (K, L, TS, V, F) VALUES (1, 'abc', TO_DATE('2020-01-01'), 7, 0.5)"
            .formatted(own));
    try {
      execute(
          client,
          """
          UPSERT INTO %s (K, L, TS) VALUES (1, 'abc', TO_DATE('2020-01-01'))
          ON DUPLICATE KEY UPDATE %s = %s"""
              .formatted(own, update.column(), update.expression()));
    } catch (SQLException e) {
      return false;
    }
    String where = " WHERE %s = %s".formatted(update.column(), update.value());
    return List.of("NO_INDEX", "INDEX(%1$s I_%1$s)".formatted(own)).stream()
        .allMatch(hint -> find(hint, own, where).equals(List.of(row(1))));
  }

  @Test
  public void updatesWithTheKeyOfARowWithoutTheColumns() throws Exception {
    for (boolean isPatched : List.of(true, false)) {
      if (!isPatched) {
        leaveOut(Patch.UPDATE_KEY);
      }
      String own = generateUniqueName();
      execute(
          connection,
          "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER, X INTEGER)".formatted(own),
          "CREATE LOCAL INDEX I_%1$s ON %1$s (V) INCLUDE (X)".formatted(own),
          "UPSERT INTO %s (K, X) VALUES (1, 5)".formatted(own));
      String update =
          "UPSERT INTO %s (K) VALUES (1) ON DUPLICATE KEY UPDATE V = K + COALESCE(W, 2)"
              .formatted(own);
      if (!isPatched) {
        assertThatThrownBy(() -> execute(connection, update))
            .hasStackTraceContaining("IndexBuildingFailureException");
        continue;
      }
      execute(connection, update);
      for (String hint : List.of("NO_INDEX", "INDEX(%1$s I_%1$s)".formatted(own))) {
        assertThat(rows(connection, "SELECT /*+ %s */ K, V, X FROM %s".formatted(hint, own)))
            .as(hint)
            .isEqualTo(List.of(row(1, 3, 5)));
      }
    }
  }

  @Test
  public void storesNullsOfFixedLength() throws Exception {
    for (boolean isPatched : List.of(true, false)) {
      if (!isPatched) {
        leaveOut(Patch.NULL_PADDING);
      }
      for (List<String> kind :
          List.of(
              List.of("", " ON DUPLICATE KEY IGNORE"),
              List.of("", " ON DUPLICATE KEY UPDATE V = V + 1"),
              List.of(" STORE_NULLS = true", ""))) {
        String own = generateUniqueName();
        execute(
            connection,
            "CREATE TABLE %s (K INTEGER PRIMARY KEY, C CHAR(3), B BINARY(4), V INTEGER)%s"
                .formatted(own, kind.get(0)),
            "CREATE LOCAL INDEX I_%1$s ON %1$s (C) INCLUDE (B)".formatted(own),
            "UPSERT INTO %s VALUES (1, NULL, NULL, 5)%s".formatted(own, kind.get(1)),
            "UPSERT INTO %s VALUES (2, 'a', NULL, 5)%s".formatted(own, kind.get(1)));
        for (String hint : List.of("NO_INDEX", "INDEX(%1$s I_%1$s)".formatted(own))) {
          assertThat(find(hint, own, " WHERE C IS NULL"))
              .as("%s, %s, patch: %s", kind, hint, isPatched)
              .isEqualTo(isPatched ? List.of(row(1)) : List.of());
          assertThat(find(hint, own, " WHERE B IS NULL"))
              .as("%s, %s, patch: %s", kind, hint, isPatched)
              .isEqualTo(isPatched ? List.of(row(1), row(2)) : List.of());
          assertThat(rows(connection, "SELECT /*+ %s */ K, C FROM %s".formatted(hint, own)))
              .as("%s, %s, patch: %s", kind, hint, isPatched)
              .isEqualTo(
                  List.of(
                      Arrays.asList(number(1), isPatched ? null : ""),
                      Arrays.asList(number(2), "a")));
        }
      }
    }
  }

  @Test
  public void upsertsSelectedNulls() throws Exception {
    for (boolean isPatched : List.of(true, false)) {
      if (!isPatched) {
        leaveOut(Patch.NULL_UPSERT);
      }
      for (boolean isAutoCommit : List.of(true, false)) {
        connection.setAutoCommit(true);
        String own = generateUniqueName();
        execute(
            connection,
            "CREATE TABLE %s (K INTEGER PRIMARY KEY, S VARCHAR, V INTEGER)".formatted(own),
            "CREATE LOCAL INDEX I_%1$s ON %1$s (S)".formatted(own),
            "UPSERT INTO %s VALUES (1, 'ab', 5)".formatted(own));
        connection.setAutoCommit(isAutoCommit);
        execute(
            connection,
            "UPSERT /*+ NO_INDEX */ INTO %1$s (K, S) SELECT K, SUBSTR(S, 5) FROM %1$s"
                .formatted(own));
        connection.commit();
        for (String hint : List.of("NO_INDEX", "INDEX(%1$s I_%1$s)".formatted(own))) {
          assertThat(find(hint, own, " WHERE S IS NULL"))
              .as("%s, autocommit: %s, patch: %s", hint, isAutoCommit, isPatched)
              .isEqualTo(isPatched || !isAutoCommit ? List.of(row(1)) : List.of());
        }
      }
    }
  }
}

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

import io.phoenixpruning.it.differential.PatchSwitch;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.EnvironmentEdgeManager;
import org.apache.phoenix.util.ManualEnvironmentEdge;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Compares tables with their local indexes after UPSERTs that change some columns. Also checks that
 * Phoenix's code is wrong if the patch is switched off.
 */
@RunWith(JUnitParamsRunner.class)
public class IndexUpdatesIT extends IndexedTableTest {

  private static List<Object[]> functionsOfUpdatedColumns() {
    return combinations(
        List.of("UPPER(S)", "SUBSTR(S, 1, 1)", "ABS(V)", "V * 0", "LENGTH(S) DESC", "V < 100"),
        List.of(true, false));
  }

  /** Returns each pair of an element of {@code first} and one of {@code second}. */
  private static List<Object[]> combinations(List<?> first, List<?> second) {
    return first.stream()
        .flatMap(one -> second.stream().map(other -> new Object[] {one, other}))
        .toList();
  }

  /**
   * Tests UPSERTs that change columns but not the indexed functions of them. Index rows keep their
   * keys.
   */
  @Test
  @Parameters(method = "functionsOfUpdatedColumns")
  public void keepsIndexRowsWhoseKeyIsUnchanged(String function, boolean isPatched)
      throws Exception {
    if (!isPatched) {
      leaveOut(Patch.UNCHANGED_INDEX_KEY);
    }
    execute(
        connection,
        "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER, S VARCHAR, W INTEGER)",
        "CREATE LOCAL INDEX " + index + " ON " + table + " (" + function + ") INCLUDE (V, W)",
        "UPSERT INTO " + table + " VALUES (1, -10, 'aa', 1)",
        "UPSERT INTO " + table + " VALUES (2, -20, 'ba', 2)",
        "UPSERT INTO " + table + " VALUES (3, -30, 'ca', 3)",
        "UPSERT INTO " + table + " VALUES (1, 10, 'aA', 4)",
        "UPSERT INTO " + table + " VALUES (2, 20, 'bA', NULL)",
        "UPSERT INTO " + table + " SELECT K, -V, 'cA', W + 1 FROM " + table + " WHERE K = 3");
    List<List<Object>> right =
        List.of(row(1, 10, "aA", 4), row(2, 20, "bA", null), row(3, 30, "cA", 4));
    assertThat(stored("K, V, S, W"))
        .as("%s, with the patch: %s", function, isPatched)
        .isEqualTo(right);
    if (isPatched) {
      assertThat(indexed("K, V, S, W")).as(function).isEqualTo(right);
      execute(
          connection,
          "UPSERT INTO " + table + " (K, V, S) VALUES (1, 500, 'long')",
          "DELETE FROM " + table + " WHERE K = 2");
      assertThat(indexed("K, V, S, W"))
          .as(function)
          .containsExactlyInAnyOrder(row(1, 500, "long", 4), row(3, 30, "cA", 4));
    } else {
      assertThat(indexed("K, V, S, W")).as(function).isEmpty();
    }
  }

  /** Runs random statements, and compares indexes with their table after each commit. */
  @Test
  @Parameters({"COLUMN_ENCODED_BYTES = 2", "COLUMN_ENCODED_BYTES = 0"})
  public void indexesSeveralFamiliesAfterADelete(String encoding) throws Exception {
    long seed = Long.getLong("tests.seed", 7);
    Random random = new Random(seed);
    List<String> indexes =
        List.of("(A.V) INCLUDE (B.W)", "(B.W, B.Y) INCLUDE (A.V, A.X)", "(A.X, B.Y)");
    execute(
        connection,
        """
        CREATE TABLE %s (K INTEGER PRIMARY KEY, A.V INTEGER, A.X INTEGER, B.W INTEGER,
          B.Y INTEGER) %s"""
            .formatted(table, encoding));
    for (int i = 0; i < indexes.size(); i++) {
      execute(
          connection,
          "CREATE LOCAL INDEX I%d_%s ON %s %s".formatted(i, table, table, indexes.get(i)));
    }
    for (int commit = 0; commit < 60; commit++) {
      int k = random.nextInt(3);
      String statement =
          random.nextInt(3) == 0
              ? "DELETE FROM " + table + " WHERE K = " + k
              : upsertOfSomeColumns(random, k);
      execute(connection, statement);
      List<List<Object>> stored = allRows("NO_INDEX");
      for (int i = 0; i < indexes.size(); i++) {
        assertThat(allRows("INDEX(" + table + " I" + i + "_" + table + ")"))
            .as("-Dtests.seed=%d, %s, %s, after %s", seed, encoding, indexes.get(i), statement)
            .isEqualTo(stored);
      }
    }
  }

  /**
   * Tests values that expire, and are then written or deleted. Expired values come back if the
   * server does not mask them.
   */
  @Test
  public void maintainsIndexesWithoutExpiredValues() throws Exception {
    execute(
        connection,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, X INTEGER, W INTEGER, Y INTEGER)"
                .formatted(table)
            + " TTL = 1000",
        "CREATE LOCAL INDEX %1$s ON %2$s (V) INCLUDE (W)".formatted(index, table),
        "CREATE LOCAL INDEX J%1$s ON %2$s (X, V)".formatted(index, table));
    ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
    clock.setValue(EnvironmentEdgeManager.currentTimeMillis() + 1);
    EnvironmentEdgeManager.injectEdge(clock);
    try {
      String all = "UPSERT INTO " + table + " VALUES (%d, 1, 2, 3, 4)";
      execute(connection, all.formatted(1));
      clock.incrementValue(TimeUnit.SECONDS.toMillis(1_001));
      execute(connection, "UPSERT INTO " + table + " (K, Y) VALUES (1, 5)");
      assertThat(allRows("NO_INDEX")).isEqualTo(List.of(row(1, null, null, null, 5)));
      assertIndexesAreRight("after the row has expired");
      leaveOut(Patch.EXPIRED_VALUES);
      clock.incrementValue(TimeUnit.SECONDS.toMillis(1_001));
      execute(connection, all.formatted(2));
      clock.incrementValue(TimeUnit.SECONDS.toMillis(1_001));
      execute(connection, "UPSERT INTO " + table + " (K, Y) VALUES (2, 5)");
      assertThat(allRows("NO_INDEX")).isEqualTo(List.of(row(2, null, null, null, 5)));
      assertThat(allRows("INDEX(%s %s)".formatted(table, index)))
          .isEqualTo(List.of(row(2, 1, 2, 3, 5)));
      PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());

      clock.incrementValue(TimeUnit.SECONDS.toMillis(1_001));
      execute(connection, all.formatted(3));
      clock.incrementValue(TimeUnit.SECONDS.toMillis(1_001));
      execute(connection, "UPSERT INTO " + table + " (K, Y) VALUES (3, 5)");
      clock.incrementValue(1);
      execute(connection, "DELETE FROM " + table + " WHERE K = 3");
      assertThat(allRows("NO_INDEX")).isEmpty();
      assertIndexesAreRight("after the new row is deleted");

      long seed = Long.getLong("tests.seed", 2);
      Random random = new Random(seed);
      for (int commit = 0; commit < 75; commit++) {
        clock.incrementValue(1 + TimeUnit.SECONDS.toMillis(random.nextInt(500)));
        String statement =
            random.nextInt(6) == 0
                ? "DELETE FROM " + table + " WHERE K = " + (3 + random.nextInt(5))
                : upsertOfSomeColumns(random, 3 + random.nextInt(5));
        execute(connection, statement);
        assertIndexesAreRight("-Dtests.seed=%d, commit %d, %s".formatted(seed, commit, statement));
      }
    } finally {
      EnvironmentEdgeManager.reset();
    }
  }

  private void assertIndexesAreRight(String description) throws SQLException {
    List<List<Object>> stored = allRows("NO_INDEX");
    for (String name : List.of(index, "J" + index)) {
      assertThat(allRows("INDEX(" + table + " " + name + ")"))
          .as("%s, %s", name, description)
          .isEqualTo(stored);
    }
  }

  private String upsertOfSomeColumns(Random random, int k) {
    List<String> some = new ArrayList<>(List.of("V", "X", "W", "Y"));
    Collections.shuffle(some, random);
    some = some.subList(0, 1 + random.nextInt(some.size()));
    String values =
        some.stream()
            .map(column -> random.nextInt(5) == 0 ? "NULL" : "" + random.nextInt(9))
            .collect(Collectors.joining(", "));
    return "UPSERT INTO %s (K, %s) VALUES (%d, %s)"
        .formatted(table, String.join(", ", some), k, values);
  }

  private List<List<Object>> allRows(String hint) throws SQLException {
    return rows(
        connection, "SELECT /*+ " + hint + " */ K, V, X, W, Y FROM " + table + " ORDER BY K");
  }

  private static List<Object[]> expressionsThatCanBeNull() {
    return combinations(
        List.of("LOCAL INDEX", "INDEX"),
        List.of(
            "SUBSTR(S, 3)",
            "SUBSTR(S, -3)",
            "SUBSTR(S, W)",
            "SUBSTR(S, 1, W)",
            "LPAD(S, W)",
            "UPPER(SUBSTR(S, 3))"));
  }

  /** Tests expressions that leave bytes in the buffer although they are null for the row. */
  @Test
  @Parameters(method = "expressionsThatCanBeNull")
  public void writesNullsOfIndexedExpressions(String kind, String expression) throws Exception {
    execute(
        connection,
        "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, S VARCHAR, W INTEGER)",
        "CREATE " + kind + " " + index + " ON " + table + " (" + expression + ", W)");
    switchToNullsOfExpressions();
    upsertTexts(0);
    assertIndexHas(expression, kind);
    execute(
        connection,
        "UPSERT INTO " + table + " SELECT K, S || 'xy', W FROM " + table + " WHERE K < 10",
        "UPSERT INTO " + table + " SELECT K, SUBSTR(S, 1, 2) FROM " + table + " WHERE K > 9",
        "DELETE FROM " + table + " WHERE W = 5");
    assertIndexHas(expression, kind);
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
    upsertTexts(100);
    assertThat(expressions("INDEX(" + table + " " + index + ")", expression))
        .as("without the patch, %s of (%s)", kind, expression)
        .isNotEqualTo(expressions("NO_INDEX", expression));
    switchToNullsOfExpressions();
    rebuild(table);
    assertIndexHas(expression, kind);
  }

  private static void switchToNullsOfExpressions() throws ReflectiveOperationException {
    PatchSwitch.switchPatchesOfJvm(
        patch -> !patch.isOptIn() || patch == Patch.INDEX_EXPRESSION_NULL);
  }

  private void upsertTexts(int key) throws SQLException {
    connection.setAutoCommit(false);
    for (String text : new String[] {"NULL", "'a'", "'ab'", "'abcd'", "'abcdef'"}) {
      for (String number : new String[] {"NULL", "-1", "0", "2", "5"}) {
        execute(
            connection,
            "UPSERT INTO " + table + " VALUES (" + key++ + ", " + text + ", " + number + ")");
      }
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  private void assertIndexHas(String expression, String kind) throws SQLException {
    assertThat(expressions("INDEX(" + table + " " + index + ")", expression))
        .as("%s of (%s)", kind, expression)
        .isEqualTo(expressions("NO_INDEX", expression));
  }

  private List<List<Object>> expressions(String hint, String expression) throws SQLException {
    return rows(
        connection,
        "SELECT /*+ " + hint + " */ K, " + expression + ", W FROM " + table + " ORDER BY K");
  }
}

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

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Compares tables with their indexes after commits of several writes: DELETEs, rows that are
 * deleted and written again, and rows that ON DUPLICATE KEY skips.
 */
@RunWith(JUnitParamsRunner.class)
public class WriteBatchesIT extends IndexedTableTest {

  /** Tests conditions that give all columns of an index key. */
  @Test
  @Parameters({"LOCAL INDEX, true", "LOCAL INDEX, false", "INDEX, true", "INDEX, false"})
  public void deletesByIndexKeys(String kind, boolean isAutoCommit) throws Exception {
    execute(
        connection,
        "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER)",
        "CREATE " + kind + " " + index + " ON " + table + " (V)");
    connection.setAutoCommit(isAutoCommit);
    for (String condition : List.of("K = 1 AND V = 5", "K IN (1, 2) AND V IN (5, 6)")) {
      execute(
          connection,
          "UPSERT INTO " + table + " VALUES (1, 5)",
          "UPSERT INTO " + table + " VALUES (2, 7)");
      connection.commit();
      execute(
          connection,
          "DELETE /*+ INDEX(%1$s %2$s) */ FROM %1$s WHERE %3$s".formatted(table, index, condition));
      connection.commit();
      assertThat(stored("K, V")).as(condition).containsExactly(row(2, 7));
      assertThat(indexed("K, V")).as(condition).containsExactly(row(2, 7));
    }
  }

  @Test
  @Parameters({"true", "false"})
  public void indexesTheRowsAfterASkippedRow(boolean isPatched) throws Exception {
    createTable("");
    execute(connection, "UPSERT INTO " + table + " VALUES (1, 10, 1)");
    if (!isPatched) {
      leaveOut(Patch.SKIPPED_MUTATION);
    }
    connection.setAutoCommit(false);
    execute(
        connection,
        "UPSERT INTO " + table + " VALUES (1, 11, 2) ON DUPLICATE KEY IGNORE",
        "UPSERT INTO " + table + " VALUES (2, 20, 2) ON DUPLICATE KEY IGNORE",
        "UPSERT INTO " + table + " VALUES (3, 30, 2)");
    connection.commit();
    execute(
        connection,
        "UPSERT INTO " + table + " VALUES (1, 11, 2) ON DUPLICATE KEY IGNORE",
        "UPSERT INTO " + table + " VALUES (3, 0, 0) ON DUPLICATE KEY UPDATE V = V + 1, W = NULL",
        "UPSERT INTO " + table + " VALUES (4, 40, 2) ON DUPLICATE KEY UPDATE V = V + 1");
    connection.commit();
    assertThat(stored("K, V, W"))
        .as("with the patch: %s", isPatched)
        .containsExactly(row(1, 10, 1), row(2, 20, 2), row(3, 31, null), row(4, 40, 2));
    if (isPatched) {
      assertThat(indexed("K, V, W")).as("with the patch").isEqualTo(stored("K, V, W"));
    } else {
      assertThat(indexed("K, V, W")).as("without the patch").isNotEqualTo(stored("K, V, W"));
    }
  }

  /**
   * Tests a DELETE of a row that does not exist. HBase skips such a DELETE if the table has a
   * global index.
   */
  @Test
  public void indexesTheRowsAfterADeleteOfNoRow() throws Exception {
    createTable("");
    execute(connection, "CREATE INDEX G_" + table + " ON " + table + " (W) INCLUDE (V)");
    connection.setAutoCommit(false);
    execute(
        connection,
        "DELETE FROM " + table + " WHERE K = 1",
        "UPSERT INTO " + table + " VALUES (2, 20, 2)",
        "UPSERT INTO " + table + " VALUES (3, 30, 2)");
    connection.commit();
    assertThat(indexed("K, V, W"))
        .isEqualTo(stored("K, V, W"))
        .containsExactly(row(2, 20, 2), row(3, 30, 2));
  }

  /** Returns the statement that creates an index, if any, and the options of the table. */
  private static List<Object[]> indexesAndOptions() {
    String local = "CREATE LOCAL INDEX %1$s ON %2$s (V) INCLUDE (W)";
    String global = "CREATE INDEX %1$s ON %2$s (V) INCLUDE (W)";
    List<Object[]> cases = new ArrayList<>();
    for (String create : List.of(local, global, "")) {
      for (String options : List.of("", "IMMUTABLE_ROWS = true", "SALT_BUCKETS = 2")) {
        // The client writes global indexes of immutable rows, with one timestamp for both batches.
        if (!(create.equals(global) && options.startsWith("IMMUTABLE"))) {
          cases.add(new Object[] {create, options});
        }
      }
    }
    return cases;
  }

  @Test
  @Parameters(method = "indexesAndOptions")
  public void deletesARowBeforeItIsWrittenAgain(String create, String options) throws Exception {
    execute(
        connection,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER, X VARCHAR) %s"
            .formatted(table, options));
    if (!create.isEmpty()) {
      execute(connection, create.formatted(index, table));
    }
    for (int k = 1; k <= 5; k++) {
      execute(connection, "UPSERT INTO " + table + " VALUES (" + k + ", 1, 2, 'x')");
    }
    deleteAndUpsert(connection);
    List<List<Object>> right =
        List.of(
            row(1, 5, null, null),
            row(2, 6, 7, null),
            row(4, 9, null, "y"),
            row(5, 1, 2, "x"),
            row(6, 4, null, null));
    assertThat(stored("K, V, W, X")).isEqualTo(right);
    if (!create.isEmpty()) {
      assertThat(indexed("K, V, W, X")).isEqualTo(right);
    }
  }

  private void deleteAndUpsert(Connection on) throws SQLException {
    on.setAutoCommit(false);
    execute(
        on,
        "DELETE FROM " + table + " WHERE K = 1",
        "UPSERT INTO " + table + " (K, V) VALUES (1, 5)",
        "UPSERT INTO " + table + " (K, W) VALUES (2, 6)",
        "DELETE FROM " + table + " WHERE K <= 2",
        "UPSERT INTO " + table + " (K, V) VALUES (1, 5)",
        "UPSERT INTO " + table + " (K, V) VALUES (2, 6)",
        "UPSERT INTO " + table + " (K, W) VALUES (2, 7)",
        "DELETE FROM " + table + " WHERE K = 3",
        "UPSERT INTO " + table + " (K, V) VALUES (3, 5)",
        "DELETE FROM " + table + " WHERE K = 3",
        "DELETE FROM " + table + " WHERE K = 4",
        "UPSERT INTO " + table + " (K, V) VALUES (4, 8)",
        "DELETE FROM " + table + " WHERE K = 4",
        "UPSERT INTO " + table + " (K, V, X) VALUES (4, 9, 'y')",
        "DELETE FROM " + table + " WHERE K = 6",
        "UPSERT INTO " + table + " (K, V) VALUES (6, 4)");
    on.commit();
  }

  @Test
  public void keepsOldValuesWithoutThePatch() throws Exception {
    createTable("");
    execute(connection, "UPSERT INTO " + table + " VALUES (1, 2, 3)");
    try (Connection without = connect(allBut(Patch.DELETE_THEN_UPSERT))) {
      execute(
          without,
          "DELETE FROM " + table + " WHERE K = 1",
          "UPSERT INTO " + table + " (K, V) VALUES (1, 5)");
      without.commit();
    }
    assertThat(stored("K, V, W")).containsExactly(row(1, 5, 3));
  }

  @Test
  public void deletesARowBeforeOnDuplicateKey() throws Exception {
    createTable("");
    execute(
        connection,
        "UPSERT INTO " + table + " VALUES (1, 10, 1)",
        "UPSERT INTO " + table + " VALUES (2, 20, 1)");
    connection.setAutoCommit(false);
    execute(
        connection,
        "DELETE FROM " + table + " WHERE K = 1",
        "UPSERT INTO " + table + " (K, V) VALUES (1, 11) ON DUPLICATE KEY IGNORE",
        "DELETE FROM " + table + " WHERE K = 2",
        "UPSERT INTO " + table + " (K, V) VALUES (2, 0) ON DUPLICATE KEY UPDATE V = V + 1");
    connection.commit();
    assertThat(stored("K, V, W"))
        .isEqualTo(indexed("K, V, W"))
        .containsExactly(row(1, 11, null), row(2, 0, null));
  }

  /**
   * Tests that a rolled back DELETE is forgotten, and that a later commit counts the remaining
   * rows.
   */
  @Test
  public void forgetsDeletesOfARollback() throws Exception {
    createTable("");
    execute(connection, "UPSERT INTO " + table + " VALUES (1, 2, 3)");
    connection.setAutoCommit(false);
    execute(
        connection,
        "DELETE FROM " + table + " WHERE K = 1",
        "UPSERT INTO " + table + " (K, V) VALUES (1, 5)");
    connection.rollback();
    execute(connection, "UPSERT INTO " + table + " (K, V) VALUES (1, 6)");
    connection.commit();
    assertThat(stored("K, V, W")).containsExactly(row(1, 6, 3));
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      assertThat(result.next()).isTrue();
    }
    assertThat(connection.unwrap(PhoenixConnection.class).getMutationState().getNumRows()).isZero();
  }
}

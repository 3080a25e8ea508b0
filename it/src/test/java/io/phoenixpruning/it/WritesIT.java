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

import io.phoenixpruning.it.differential.PatchSwitch;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixTestDriver;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.EnvironmentEdgeManager;
import org.apache.phoenix.util.ManualEnvironmentEdge;
import org.junit.Test;

/**
 * Compares tables with their local indexes after statements that write. Also checks that Phoenix's
 * code is wrong if the patch is switched off.
 */
public class WritesIT extends IndexedTableTest {

  private static Connection without(Patch patch) throws SQLException {
    Connection without = connect(Map.of(PruningOptions.PATCHES, "all,-" + patch.id()));
    without.setAutoCommit(true);
    return without;
  }

  /** Tests conditions that give all columns of an index key. */
  @Test
  public void deletesByIndexKeys() throws Exception {
    for (String kind : List.of("LOCAL INDEX", "INDEX")) {
      table = generateUniqueName();
      index = "I_" + table;
      execute(
          connection,
          "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER)",
          "CREATE " + kind + " " + index + " ON " + table + " (V)");
      for (boolean commits : new boolean[] {true, false}) {
        connection.setAutoCommit(commits);
        for (String condition : List.of("K = 1 AND V = 5", "K IN (1, 2) AND V IN (5, 6)")) {
          execute(
              connection,
              "UPSERT INTO " + table + " VALUES (1, 5)",
              "UPSERT INTO " + table + " VALUES (2, 7)");
          connection.commit();
          execute(
              connection,
              "DELETE /*+ INDEX(%1$s %2$s) */ FROM %1$s WHERE %3$s"
                  .formatted(table, index, condition));
          connection.commit();
          String what = kind + ", auto-commit: " + commits + ", " + condition;
          assertThat(stored("K, V")).as(what).containsExactly(row(2, 7));
          assertThat(indexed("K, V")).as(what).containsExactly(row(2, 7));
        }
      }
    }
  }

  @Test
  public void maintainsTheIndexesOfTheTableThroughAView() throws Exception {
    for (String options : List.of("SPLIT ON (4)", "SALT_BUCKETS = 2")) {
      table = generateUniqueName();
      maintainsTheIndexesOfTheTableThroughAView(options);
    }
  }

  private void maintainsTheIndexesOfTheTableThroughAView(String options) throws SQLException {
    String view = "W_" + table;
    String child = "X_" + table;
    execute(
        connection,
        """
        CREATE TABLE A_%s (K INTEGER NOT NULL, A INTEGER NOT NULL, B INTEGER, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K, A)) %s"""
            .formatted(table, options));
    String own = "A_" + table;
    execute(
        connection,
        "CREATE LOCAL INDEX I_" + own + " ON " + own + " (V)",
        "CREATE VIEW " + view + " AS SELECT * FROM " + own + " WHERE B = 1",
        "CREATE VIEW " + child + " (C INTEGER) AS SELECT * FROM " + view + " WHERE A = 2",
        "UPSERT INTO " + view + " (K, A, V) VALUES (1, 1, 10)",
        "UPSERT INTO " + child + " (K, V, C) VALUES (2, 20, 3)",
        "UPSERT INTO " + child + " (K, V, C) VALUES (3, 30, 3)",
        "UPSERT INTO " + child + " (K, V) VALUES (2, 21)",
        "DELETE FROM " + child + " WHERE K = 3");
    String hint = "INDEX(" + own + " I_" + own + ")";
    List<List<Object>> right = List.of(row(1, 1, 10), row(2, 2, 21));
    assertThat(rows("NO_INDEX", "K, A, V", own)).isEqualTo(right);
    assertThat(rows(hint, "K, A, V", own)).isEqualTo(right);
    // Statements that the server runs: UPSERT SELECT, and a DELETE of a range.
    execute(
        connection,
        "UPSERT INTO " + view + " (K, A, V) SELECT K, A, V + 1 FROM " + view,
        "UPSERT INTO " + view + " (K, A, V) VALUES (9, 9, 9)",
        "DELETE FROM " + view + " WHERE V = 9");
    right = List.of(row(1, 1, 11), row(2, 2, 22));
    assertThat(rows("NO_INDEX", "K, A, V", own)).isEqualTo(right);
    assertThat(rows(hint, "K, A, V", own)).isEqualTo(right);
    try (Connection without = without(Patch.VIEW_WRITES)) {
      execute(without, "UPSERT INTO " + view + " (K, A, V) VALUES (5, 5, 50)");
    }
    assertThat(rows(hint, "K, A, V", own)).as("without the patch").isEqualTo(right);
    rebuildIndexOf(own);
    assertThat(rows(hint, "K, A, V", own)).isEqualTo(rows("NO_INDEX", "K, A, V", own)).hasSize(3);
  }

  private void rebuildIndexOf(String name) throws SQLException {
    execute(connection, "ALTER INDEX I_" + name + " ON " + name + " REBUILD");
  }

  /**
   * Counts reads of SYSTEM.CATALOG. Phoenix caches the table of a view together with the view. So
   * the patch sends no request of its own, neither for a client's first write nor for later ones.
   */
  @Test
  public void looksUpNoMetadataForWritesThroughAView() throws Exception {
    String view = "W_" + table;
    execute(
        connection,
        "CREATE TABLE "
            + table
            + " (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER) UPDATE_CACHE_FREQUENCY = NEVER",
        "CREATE VIEW " + view + " AS SELECT * FROM " + table + " WHERE W = 1");
    // Both clients that are compared start after another client has ended.
    catalogReads(view, "all");
    List<Long> without = catalogReads(view, "all,-view-writes");
    assertThat(catalogReads(view, "all")).isEqualTo(without);
    assertThat(without.subList(1, without.size())).containsOnly(0L);
  }

  /** Returns the number of reads of SYSTEM.CATALOG for each of the first writes of a new client. */
  private static List<Long> catalogReads(String view, String patches) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty(PruningOptions.PATCHES, patches);
    PhoenixTestDriver client = driver(Map.of());
    try (Connection writer = client.connect(getUrl(), properties)) {
      writer.setAutoCommit(true);
      List<Long> reads = new ArrayList<>();
      for (int k = 0; k < 4; k++) {
        long before = catalogReads();
        execute(writer, "UPSERT INTO " + view + " (K, V) VALUES (" + k + ", 1)");
        reads.add(catalogReads() - before);
      }
      return reads;
    } finally {
      client.close();
    }
  }

  private static long catalogReads() {
    return getUtility().getHBaseCluster().getRegions(TableName.valueOf("SYSTEM.CATALOG")).stream()
        .mapToLong(HRegion::getReadRequestsCount)
        .sum();
  }

  /** Tests an index that is created after the client has cached the view. */
  @Test
  public void maintainsAnIndexThatIsNewerThanTheView() throws Exception {
    String view = "W_" + table;
    String child = "X_" + table;
    execute(
        connection,
        "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER, X INTEGER)",
        "CREATE VIEW " + view + " AS SELECT * FROM " + table + " WHERE W = 1",
        "CREATE VIEW " + child + " AS SELECT * FROM " + view + " WHERE X = 2",
        "UPSERT INTO " + view + " (K, V) VALUES (1, 10)",
        "UPSERT INTO " + child + " (K, V) VALUES (2, 20)");
    try (Connection other = connect(PruningMode.EXACT)) {
      execute(other, "CREATE LOCAL INDEX " + index + " ON " + table + " (V)");
    }
    execute(
        connection,
        "UPSERT INTO " + view + " (K, V) VALUES (3, 30)",
        "UPSERT INTO " + child + " (K, V) VALUES (4, 40)");
    assertThat(indexed("K, V"))
        .isEqualTo(stored("K, V"))
        .containsExactly(row(1, 10), row(2, 20), row(3, 30), row(4, 40));
  }

  @Test
  public void maintainsTheIndexesOfTheParentViewThroughAChildView() throws Exception {
    String view = "W_" + table;
    String child = "X_" + table;
    execute(
        connection,
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, K3 INTEGER NOT NULL, A INTEGER,
          V INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2, K3)) SPLIT ON (2)"""
            .formatted(table),
        "CREATE LOCAL INDEX " + index + " ON " + table + " (V)",
        "CREATE VIEW " + view + " AS SELECT * FROM " + table + " WHERE K1 = 1",
        "CREATE LOCAL INDEX I_" + view + " ON " + view + " (V)",
        "CREATE VIEW " + child + " AS SELECT * FROM " + view + " WHERE K2 = 2",
        "UPSERT INTO " + view + " (K2, K3, V) VALUES (1, 1, 10)");
    try (Connection without = without(Patch.VIEW_WRITES)) {
      assertThatThrownBy(() -> execute(without, "UPSERT INTO " + child + " (K3, V) VALUES (5, 50)"))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    execute(
        connection,
        "UPSERT INTO " + child + " (K3, V) VALUES (2, 20)",
        "CREATE LOCAL INDEX I_" + child + " ON " + child + " (V DESC)",
        "UPSERT INTO " + child + " (K3, V) VALUES (3, 30)",
        "UPSERT INTO " + child + " (K3, V) VALUES (4, 40)",
        "UPSERT INTO " + child + " (K3, V) VALUES (3, 31)",
        "DELETE FROM " + child + " WHERE K3 = 4");
    List<List<Object>> right = List.of(row(1, 1, 1, 10), row(1, 2, 2, 20), row(1, 2, 3, 31));
    assertThat(stored("K1, K2, K3, V")).isEqualTo(right);
    assertThat(indexed("K1, K2, K3, V")).isEqualTo(right);
    assertThat(rows("INDEX(" + view + " I_" + view + ")", "K1, K2, K3, V", view)).isEqualTo(right);
    assertThat(rows("INDEX(" + child + " I_" + child + ")", "K1, K2, K3, V", child))
        .isEqualTo(right.subList(1, 3));
  }

  /**
   * Tests UPSERTs that change columns but not the indexed functions of them. Index rows keep their
   * keys.
   */
  @Test
  public void keepsIndexRowsWhoseKeyIsUnchanged() throws Exception {
    for (String function :
        List.of("UPPER(S)", "SUBSTR(S, 1, 1)", "ABS(V)", "V * 0", "LENGTH(S) DESC", "V < 100")) {
      for (boolean isPatched : List.of(true, false)) {
        connect();
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
        PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
        connection.close();
      }
    }
    connect();
  }

  /** Runs random statements, and compares indexes with their table after each commit. */
  @Test
  public void indexesSeveralFamiliesAfterADelete() throws Exception {
    long seed = Long.getLong("tests.seed", 7);
    Random random = new Random(seed);
    for (String encoding : List.of("COLUMN_ENCODED_BYTES = 2", "COLUMN_ENCODED_BYTES = 0")) {
      table = generateUniqueName();
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
  }

  /**
   * Updates rows whose blocks are not cached, and which HBase therefore reads into memory that it
   * reuses. The servers of the test overwrite this memory when it is released.
   */
  @Test
  public void readsCurrentRowsFromMemoryThatIsNotReleased() throws Exception {
    String longText = "x".repeat(500);
    for (boolean isPatched : List.of(true, false)) {
      connect();
      if (!isPatched) {
        leaveOut(Patch.RELEASED_MEMORY);
      }
      execute(
          connection,
          "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER, S VARCHAR)"
                  .formatted(table)
              + " BLOCKCACHE = false",
          "CREATE LOCAL INDEX %1$s ON %2$s (V) INCLUDE (W, S)".formatted(index, table));
      List<List<Object>> right = new ArrayList<>();
      for (int k = 0; k < 30; k++) {
        execute(
            connection,
            "UPSERT INTO %s VALUES (%d, %d, %d, '%s')".formatted(table, k, k, k, longText));
        right.add(row(k, k + 1, k, longText));
      }
      getUtility().flush(TableName.valueOf(table));
      for (int k = 0; k < 30; k++) {
        execute(
            connection,
            k % 2 == 0
                ? "UPSERT INTO %s (K, V) VALUES (%d, %d)".formatted(table, k, k + 1)
                : "UPSERT INTO %s (K) VALUES (%d) ON DUPLICATE KEY UPDATE V = V + 1"
                    .formatted(table, k));
      }
      if (isPatched) {
        assertThat(stored("K, V, W, S")).as("with the patch").hasSameElementsAs(right);
        assertThat(indexed("K, V, W, S"))
            .as("with the patch")
            .hasSameElementsAs(right)
            .hasSameSizeAs(right);
      } else {
        assertThat(new HashSet<>(indexed("K, V, W, S")))
            .as("without the patch")
            .isNotEqualTo(new HashSet<>(right));
      }
      close();
    }
    connect();
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

  /** Tests expressions that leave bytes in the buffer although they are null for the row. */
  @Test
  public void writesNullsOfIndexedExpressions() throws Exception {
    for (String kind : List.of("LOCAL INDEX", "INDEX")) {
      for (String expression :
          List.of(
              "SUBSTR(S, 3)",
              "SUBSTR(S, -3)",
              "SUBSTR(S, W)",
              "SUBSTR(S, 1, W)",
              "LPAD(S, W)",
              "UPPER(SUBSTR(S, 3))")) {
        table = generateUniqueName();
        index = "I_" + table;
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
    }
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

  @Test
  public void indexesTheRowsAfterASkippedRow() throws Exception {
    for (boolean isPatched : List.of(true, false)) {
      connect();
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
      PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
      connection.close();
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

  @Test
  public void deletesARowBeforeItIsWrittenAgain() throws Exception {
    List<String> indexes =
        List.of(
            "CREATE LOCAL INDEX %1$s ON %2$s (V) INCLUDE (W)",
            "CREATE INDEX %1$s ON %2$s (V) INCLUDE (W)", "");
    for (String create : indexes) {
      for (String options : List.of("", "IMMUTABLE_ROWS = true", "SALT_BUCKETS = 2")) {
        if (create.startsWith("CREATE INDEX") && options.startsWith("IMMUTABLE")) {
          continue; // The client writes these indexes, with one timestamp for both batches.
        }
        connect();
        execute(
            connection,
            "CREATE TABLE "
                + table
                + " (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER, X VARCHAR) "
                + options);
        if (!create.isEmpty()) {
          execute(connection, create.formatted(index, table));
        }
        for (int k = 1; k <= 5; k++) {
          execute(connection, "UPSERT INTO " + table + " VALUES (" + k + ", 1, 2, 'x')");
        }
        deleteAndUpsert(connection);
        String as = create + " " + options;
        List<List<Object>> right =
            List.of(
                row(1, 5, null, null),
                row(2, 6, 7, null),
                row(4, 9, null, "y"),
                row(5, 1, 2, "x"),
                row(6, 4, null, null));
        assertThat(stored("K, V, W, X")).as(as).isEqualTo(right);
        if (!create.isEmpty()) {
          assertThat(indexed("K, V, W, X")).as(as).isEqualTo(right);
        }
        connection.close();
      }
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
    try (Connection without = without(Patch.DELETE_THEN_UPSERT)) {
      without.setAutoCommit(false);
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

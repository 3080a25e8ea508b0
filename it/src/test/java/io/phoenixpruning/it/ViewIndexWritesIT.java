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
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.StreamSupport;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.types.PInteger;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Compares views with their local indexes after statements that write to the table, to a parent
 * view or to another view.
 */
@RunWith(JUnitParamsRunner.class)
public class ViewIndexWritesIT extends IndexedTableTest {

  /** Views with an index, by the name of the view. A name of another view stands for its parent. */
  private static final Map<String, String> VIEWS =
      new TreeMap<>(
          Map.of(
              "ALL", "T$",
              "VALUE", "T$ WHERE A = 1",
              "KEY", "T$ WHERE K2 = 2",
              "RANGE", "T$ WHERE A > 0 AND (S LIKE 'a%' OR K1 = 7)",
              "CHILD", "VALUE$ WHERE K2 = 3",
              "GRANDCHILD", "CHILD$ WHERE W IS NOT NULL"));

  private static final List<String> TABLES =
      List.of(
          "SPLIT ON (3, 6)",
          "SALT_BUCKETS = 3",
          "COLUMN_ENCODED_BYTES = NONE SPLIT ON (5)",
          "IMMUTABLE_ROWS = true",
          "IMMUTABLE_ROWS = true, IMMUTABLE_STORAGE_SCHEME = ONE_CELL_PER_COLUMN SPLIT ON (5)");

  /** Statements that write to {@code T} or to a view. */
  private static final List<String> WRITES =
      List.of(
          "UPSERT INTO T$ VALUES (1, 1, 1, 'ab', 10, 100)",
          "UPSERT INTO T$ VALUES (1, 2, 1, 'ab', 20, 200)",
          "UPSERT INTO T$ VALUES (4, 2, 2, 'b', 30, NULL)",
          "UPSERT INTO T$ VALUES (7, 3, 1, 'b', 40, 400)",
          "UPSERT INTO VALUE$ (K1, K2, S, V, W) VALUES (8, 2, 'ac', 50, 500)",
          "UPSERT INTO CHILD$ (K1, S, V) VALUES (8, 'ac', 60)",
          "UPSERT INTO ALL$ VALUES (9, 2, 1, 'ad', 70, 700)",
          // Rows that change, enter and leave views.
          "UPSERT INTO T$ (K1, K2, V) VALUES (1, 1, 11)",
          "UPSERT INTO T$ (K1, K2, A) VALUES (1, 2, 2)",
          "UPSERT INTO T$ (K1, K2, A) VALUES (4, 2, 1)",
          "UPSERT INTO T$ (K1, K2, W) VALUES (4, 2, 300)",
          "UPSERT INTO T$ (K1, K2, W) VALUES (7, 3, NULL)",
          "UPSERT INTO ALL$ (K1, K2, V, W) VALUES (8, 3, 61, 600)",
          "UPSERT INTO T$ (K1, K2, S) VALUES (9, 2, 'x')",
          "UPSERT INTO T$ (K1, K2, V) VALUES (8, 2, NULL)",
          "UPSERT INTO T$ (K1, K2, V) VALUES (8, 2, 51)",
          "UPSERT INTO KEY$ (K1, A, S, V) VALUES (2, 1, 'ae', 80)",
          "DELETE FROM T$ WHERE K1 = 1 AND K2 = 1",
          "DELETE FROM ALL$ WHERE K1 = 7",
          "DELETE FROM VALUE$ WHERE W = 300");

  /** Statements that only tables with changeable rows allow, or that the server runs. */
  private static final List<String> MUTABLE_WRITES =
      List.of(
          "UPSERT INTO T$ (K1, K2, A, S, V) VALUES (3, 2, 1, 'af', 90) ON DUPLICATE KEY IGNORE",
          "UPSERT INTO T$ (K1, K2, V) VALUES (3, 2, 0) ON DUPLICATE KEY UPDATE V = V + 1",
          "UPSERT INTO T$ (K1, K2, V) VALUES (3, 2, 0) ON DUPLICATE KEY UPDATE A = A + 1",
          "UPSERT INTO T$ (K1, K2, V) SELECT K1, K2, V + 1 FROM T$",
          "UPSERT INTO T$ (K1, K2, A) SELECT K1, K2, 3 - A FROM T$ WHERE A IN (1, 2)",
          "UPSERT INTO T$ (K1, K2, A, S, V, W) SELECT K1 + 10, K2, A, S, V, W FROM T$",
          "DELETE FROM T$ WHERE V > 60");

  @Test
  @Parameters(method = "tables")
  public void maintainsTheIndexesOfAllViews(String options) throws Exception {
    create(options);
    boolean isImmutable = options.contains("IMMUTABLE");
    List<String> writes = new ArrayList<>(WRITES);
    if (isImmutable) {
      writes.removeIf(write -> write.startsWith("UPSERT INTO T$ (") || write.contains("(8, 3, 61"));
    } else {
      writes.addAll(MUTABLE_WRITES);
    }
    try (Connection stock = connect(PruningMode.STOCK)) {
      stock.setAutoCommit(true);
      int statement = 0;
      for (String write : writes) {
        // The server decides, so clients in mode stock can also write to the table.
        boolean isOfTable = write.contains(" INTO T$") || write.contains(" FROM T$");
        execute(isOfTable && statement++ % 2 == 0 ? stock : connection, named(write));
        compare(write);
      }
    }
    // A build writes index rows directly.
    for (String view : VIEWS.keySet()) {
      execute(connection, named("ALTER INDEX I_" + view + "$ ON " + view + "$ REBUILD"));
    }
    compare("the rebuild of all indexes");
    leaveOut(Patch.VIEW_INDEX_WRITES);
    execute(connection, named("UPSERT INTO T$ VALUES (5, 2, 1, 'ag', 55, 5)"));
    assertThat(indexRows("ALL")).as("without the patch").isNotEqualTo(dataRows("ALL"));
  }

  private static List<String> tables() {
    return TABLES;
  }

  private void create(String options) throws SQLException {
    execute(
        connection,
        named(
            """
            CREATE TABLE T$ (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, A INTEGER, S VARCHAR,
              V INTEGER, W INTEGER
              CONSTRAINT PK PRIMARY KEY (K1, K2)) %s"""
                .formatted(options)));
    for (String view : List.of("ALL", "VALUE", "KEY", "RANGE", "CHILD", "GRANDCHILD")) {
      execute(
          connection,
          named("CREATE VIEW " + view + "$ AS SELECT * FROM " + VIEWS.get(view)),
          named("CREATE LOCAL INDEX I_" + view + "$ ON " + view + "$ (V DESC) INCLUDE (W)"));
    }
  }

  /** Replaces {@code $} by the part of each name that no other test uses. */
  private String named(String sql) {
    return sql.replace("$", "_" + table);
  }

  private void compare(String write) throws SQLException {
    for (String view : VIEWS.keySet()) {
      assertThat(indexRows(view)).as("%s after %s", view, write).isEqualTo(dataRows(view));
    }
  }

  private List<List<Object>> indexRows(String view) throws SQLException {
    String hint = "INDEX(" + view + "$ I_" + view + "$)";
    return rows(connection, named("SELECT /*+ " + hint + " */ V, W, K1, K2 FROM " + view + "$"));
  }

  private List<List<Object>> dataRows(String view) throws SQLException {
    return rows(connection, named("SELECT /*+ NO_INDEX */ V, W, K1, K2 FROM " + view + "$"));
  }

  /** Tests indexes that are created after the server has read the catalog. */
  @Test
  public void maintainsAnIndexThatIsNewerThanTheFirstWrite() throws Exception {
    execute(
        connection,
        named(
            "CREATE TABLE T$ (K INTEGER PRIMARY KEY, A INTEGER, V INTEGER, W INTEGER) SPLIT ON (4)"),
        named("CREATE LOCAL INDEX I_T$ ON T$ (V)"),
        named("UPSERT INTO T$ VALUES (1, 1, 10, 1)"),
        named("CREATE VIEW VALUE$ AS SELECT * FROM T$ WHERE A = 1"),
        named("UPSERT INTO T$ VALUES (5, 1, 50, 5)"),
        named("CREATE LOCAL INDEX I_VALUE$ ON VALUE$ (V DESC) INCLUDE (W)"),
        named("UPSERT INTO T$ VALUES (2, 1, 20, 2)"),
        named("UPSERT INTO T$ VALUES (5, 1, 51, 5)"),
        named("DELETE FROM T$ WHERE K = 1"));
    String select = "SELECT /*+ %s */ V, W, K FROM VALUE$";
    String along = named(select.formatted("INDEX(VALUE I_VALUE)"));
    assertThat(rows(connection, along))
        .isEqualTo(rows(connection, named(select.formatted("NO_INDEX"))))
        .hasSize(2);
    try (Admin admin = getUtility().getConnection().getAdmin()) {
      TableName name = TableName.valueOf("T_" + table);
      admin.disableTable(name);
      admin.enableTable(name);
    }
    execute(
        connection,
        named("DROP INDEX I_VALUE$ ON VALUE$"),
        named("UPSERT INTO T$ VALUES (3, 1, 30, 3)"),
        named("UPSERT INTO T$ VALUES (6, 1, 60, 6)"));
    // The rows of the other index
    assertThat(storedIndexRows()).isEqualTo(4);
    execute(
        connection,
        named("DELETE FROM T$ WHERE K IN (3, 6)"),
        named("CREATE LOCAL INDEX I_VALUE$ ON VALUE$ (V) INCLUDE (W)"),
        named("UPSERT INTO T$ VALUES (2, 1, 22, 2)"),
        named("UPSERT INTO T$ VALUES (5, 2, 51, 5)"));
    assertThat(rows(connection, along)).containsExactly(row(22, 2, 2));
  }

  /** The rows of one batch belong to different views, or to none. */
  /**
   * The row of K = 1 exists, but not in the view. So ON DUPLICATE KEY does not add it to the view.
   */
  @Test
  public void addsOnlyRowsOfTheViewOnDuplicateKey() throws Exception {
    execute(
        connection,
        named("CREATE TABLE T$ (K INTEGER PRIMARY KEY, A INTEGER, V INTEGER, W INTEGER)"),
        named("CREATE VIEW VALUE$ AS SELECT * FROM T$ WHERE A = 1"),
        named("CREATE LOCAL INDEX I_VALUE$ ON VALUE$ (V) INCLUDE (W)"),
        named("UPSERT INTO T$ VALUES (1, 2, 10, 1)"),
        named("UPSERT INTO T$ VALUES (2, 1, 20, 2)"));
    List<String> upserts =
        List.of(
            "UPSERT INTO VALUE$ (K, V, W) VALUES (1, 11, 5) ON DUPLICATE KEY UPDATE W = 6",
            "UPSERT INTO VALUE$ (K, V, W) VALUES (1, 11, 5) ON DUPLICATE KEY IGNORE",
            "UPSERT INTO VALUE$ (K, V, W) VALUES (2, 21, 5) ON DUPLICATE KEY UPDATE V = V + 2",
            "UPSERT INTO VALUE$ (K, V, W) VALUES (3, 31, 5) ON DUPLICATE KEY UPDATE W = 6");
    String along = named("SELECT /*+ INDEX(VALUE I_VALUE) */ K, V, W FROM VALUE$");
    for (String upsert : upserts) {
      execute(connection, named(upsert));
    }
    assertThat(rows(connection, along)).containsExactly(row(2, 22, 2), row(3, 31, 5));
    assertThat(storedIndexRows()).isEqualTo(2);
    leaveOut(Patch.VIEW_INDEX_WRITES);
    execute(connection, named(upserts.get(0)));
    assertThat(rows(connection, along)).as("without the patch").hasSize(3);
  }

  @Test
  public void maintainsIndexesOfCommitsWithSeveralStatements() throws Exception {
    create("SPLIT ON (3, 6)");
    connection.setAutoCommit(false);
    for (int k = 0; k < 9; k++) {
      execute(
          connection,
          named("UPSERT INTO T$ VALUES (%d, %d, %d, 'a', %d, %d)".formatted(k, k % 4, k % 3, k, k)),
          named("UPSERT INTO VALUE$ (K1, K2, V) VALUES (%d, 3, %d)".formatted(k + 10, k)));
    }
    execute(
        connection,
        named("DELETE FROM T$ WHERE K1 = 10"),
        named("UPSERT INTO T$ (K1, K2, A, V) VALUES (0, 0, 1, 99)"));
    connection.commit();
    compare("several statements");
  }

  /** Clients write to the table while indexes of views are created. */
  @Test
  public void buildsIndexesOfViewsWhileTheTableIsWritten() throws Exception {
    execute(
        connection,
        named(
            "CREATE TABLE T$ (K INTEGER PRIMARY KEY, A INTEGER, V INTEGER) SPLIT ON (10, 20, 30)"),
        named("CREATE LOCAL INDEX I_T$ ON T$ (V)"));
    AtomicBoolean isDone = new AtomicBoolean();
    Semaphore commits = new Semaphore(0);
    ExecutorService writers = Executors.newFixedThreadPool(3);
    List<Future<?>> written = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Random random = new Random(i);
      written.add(writers.submit(() -> writeUntil(isDone, commits, random)));
    }
    try {
      for (int i = 0; i < 4; i++) {
        commits.acquire(10);
        String view = "V" + i + "$";
        execute(
            connection,
            named("CREATE VIEW " + view + " AS SELECT * FROM T$ WHERE A = " + i % 3),
            named("CREATE LOCAL INDEX I_" + view + " ON " + view + " (V)"));
        commits.acquire(commits.availablePermits() + 10);
      }
    } finally {
      isDone.set(true);
      writers.shutdown();
    }
    for (Future<?> writer : written) {
      writer.get();
    }
    for (int i = 0; i < 4; i++) {
      String select = "SELECT /*+ %%s */ K, V FROM V%1$d$".formatted(i);
      String along = "INDEX(V%1$d$ I_V%1$d$)".formatted(i);
      assertThat(rows(connection, named(select.formatted(along))))
          .as("view " + i)
          .isEqualTo(rows(connection, named(select.formatted("NO_INDEX"))))
          .isNotEmpty();
    }
  }

  /** Commits batches of changes until {@code isDone}, and at least until the table has rows. */
  private Void writeUntil(AtomicBoolean isDone, Semaphore commits, Random random)
      throws SQLException {
    try (Connection writer = connect(PruningMode.EXACT)) {
      do {
        for (int i = 0; i < 5; i++) {
          int key = random.nextInt(40);
          execute(
              writer,
              named(
                  random.nextInt(5) == 0
                      ? "DELETE FROM T$ WHERE K = " + key
                      : "UPSERT INTO T$ VALUES (%d, %d, %d)"
                          .formatted(key, random.nextInt(3), random.nextInt(1000))));
        }
        writer.commit();
        commits.release();
      } while (!isDone.get());
    }
    return null;
  }

  /** Tests columns that a view adds, an index on a function, and two column families. */
  @Test
  public void maintainsIndexesOfColumnsThatOnlyTheViewHas() throws Exception {
    execute(
        connection,
        named("CREATE TABLE S$.T$ (K INTEGER PRIMARY KEY, F.A INTEGER, G.V INTEGER, H.W INTEGER)"),
        named(
            "CREATE VIEW S$.VALUE$ (F.X INTEGER, G.Y VARCHAR) AS SELECT * FROM S$.T$ WHERE F.A = 1"),
        named("CREATE LOCAL INDEX I_X$ ON S$.VALUE$ (X, V + W) INCLUDE (Y)"),
        named("CREATE LOCAL INDEX I_Y$ ON S$.VALUE$ (UPPER(Y)) INCLUDE (V, X)"),
        named("UPSERT INTO S$.VALUE$ (K, V, W, X, Y) VALUES (1, 1, 10, 100, 'a')"),
        named("UPSERT INTO S$.VALUE$ (K, V, W, X, Y) VALUES (2, 2, 20, 200, 'b')"),
        named("UPSERT INTO S$.VALUE$ (K, V, W, X, Y) VALUES (3, 3, 30, 300, 'c')"),
        named("UPSERT INTO S$.T$ (K, V) VALUES (1, 5)"),
        named("UPSERT INTO S$.T$ (K, A) VALUES (2, 7)"),
        named("UPSERT INTO S$.T$ VALUES (4, 1, 4, 40)"),
        named("DELETE FROM S$.T$ WHERE K = 3"));
    List<List<Object>> right = List.of(row(1, 5, 15, 100, "a"), row(4, 4, 44, null, null));
    for (String hint : List.of("NO_INDEX", "INDEX(S$.VALUE$ I_X$)", "INDEX(S$.VALUE$ I_Y$)")) {
      String select = "SELECT /*+ " + hint + " */ K, V, V + W, X, Y FROM S$.VALUE$";
      assertThat(rows(connection, named(select))).as(hint).isEqualTo(right);
    }
    execute(connection, named("UPSERT INTO S$.T$ (K, A) VALUES (2, 1)"));
    String again = "SELECT /*+ INDEX(S$.VALUE$ I_Y$) */ K, V, X, Y FROM S$.VALUE$ WHERE K = 2";
    assertThat(rows(connection, named(again))).containsExactly(row(2, 2, 200, "b"));
  }

  /** Tests cells of other clients, which must keep their timestamps. */
  @Test
  public void keepsTimestampsOfOtherClients() throws Exception {
    execute(
        connection,
        named(
            "CREATE TABLE T$ (K INTEGER PRIMARY KEY, A INTEGER, V INTEGER) COLUMN_ENCODED_BYTES = NONE"),
        named("CREATE VIEW VALUE$ AS SELECT * FROM T$ WHERE A = 1"),
        named("CREATE LOCAL INDEX I_VALUE$ ON VALUE$ (V)"),
        named("UPSERT INTO T$ VALUES (1, 1, 10)"));
    byte[] family = Bytes.toBytes("0");
    Put old = new Put(PInteger.INSTANCE.toBytes(2), 1000L);
    old.addColumn(family, Bytes.toBytes("V"), PInteger.INSTANCE.toBytes(5));
    Put replicated = new Put(PInteger.INSTANCE.toBytes(3));
    replicated.addColumn(family, Bytes.toBytes("V"), PInteger.INSTANCE.toBytes(6));
    replicated.setClusterIds(List.of(new UUID(1, 2)));
    try (Table hbase = getUtility().getConnection().getTable(TableName.valueOf("T_" + table))) {
      hbase.put(old);
      hbase.put(replicated);
      assertThat(hbase.get(new Get(old.getRow())).rawCells()[0].getTimestamp()).isEqualTo(1000L);
    }
    assertThat(storedIndexRows()).isEqualTo(1);
  }

  /** Returns the number of rows of all local indexes. */
  private long storedIndexRows() throws IOException {
    try (Table hbase = getUtility().getConnection().getTable(TableName.valueOf("T_" + table));
        ResultScanner rows = hbase.getScanner(new Scan().addFamily(Bytes.toBytes("L#0")))) {
      return StreamSupport.stream(rows.spliterator(), false).count();
    }
  }

  /** Counts reads of the catalog after the first write. A plain table does not read it at all. */
  @Test
  public void readsTheCatalogOnce() throws Exception {
    execute(
        connection,
        named(
            "CREATE TABLE T$ (K INTEGER PRIMARY KEY, A INTEGER, V INTEGER) UPDATE_CACHE_FREQUENCY = NEVER"),
        named(
            "CREATE TABLE ALL$ (K INTEGER PRIMARY KEY, V INTEGER) UPDATE_CACHE_FREQUENCY = NEVER"),
        named("CREATE VIEW VALUE$ AS SELECT * FROM T$ WHERE A = 1"),
        named("CREATE LOCAL INDEX I_VALUE$ ON VALUE$ (V)"),
        named("UPSERT INTO T$ VALUES (1, 1, 10)"));
    long before = linkReads();
    for (int k = 0; k < 5; k++) {
      execute(
          connection,
          named("UPSERT INTO T$ VALUES (%d, 1, 10)".formatted(k)),
          named("UPSERT INTO ALL$ VALUES (%d, 10)".formatted(k)),
          named("DELETE FROM ALL$ WHERE V = 10"));
    }
    assertThat(linkReads()).isEqualTo(before);
  }

  private static long linkReads() {
    return getUtility()
        .getHBaseCluster()
        .getRegions(TableName.valueOf("SYSTEM.CHILD_LINK"))
        .stream()
        .mapToLong(HRegion::getReadRequestsCount)
        .sum();
  }
}

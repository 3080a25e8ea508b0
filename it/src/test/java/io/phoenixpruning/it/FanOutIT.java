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

import com.google.common.collect.Iterables;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixTestDriver;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.QueryServices;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Tests statements with many more scans than their client has threads and queue capacity. */
public class FanOutIT extends ClusterTest {

  private static final int REGIONS = 40;
  private static final int ROWS = 4 * REGIONS;
  private static final int THREADS = 8;

  /** Maximum number of tasks, running or in the queue. */
  private static final int POOL_CAPACITY = 18;

  /** Maximum number of scans of a statement at a time: half of the threads. */
  private static final int MAX_IN_FLIGHT = THREADS / 2;

  private static final List<String> QUERIES =
      List.of(
          "SELECT K, W FROM FANNED",
          "SELECT K FROM FANNED WHERE W > 17",
          "SELECT /*+ INDEX(FANNED FANNED_V) */ K FROM FANNED WHERE V = 1",
          "SELECT COUNT(*), SUM(W) FROM FANNED",
          "SELECT V, COUNT(*) FROM FANNED GROUP BY V",
          "SELECT K, SUM(W) FROM FANNED GROUP BY K",
          "SELECT DISTINCT V FROM FANNED",
          "SELECT K FROM FANNED ORDER BY K",
          "SELECT K FROM FANNED ORDER BY K DESC",
          "SELECT K FROM FANNED WHERE W > 17 ORDER BY K LIMIT 60",
          "SELECT K FROM FANNED WHERE W > 17 ORDER BY K DESC LIMIT 60",
          "SELECT K, W FROM FANNED ORDER BY W DESC, K",
          "SELECT K FROM FANNED ORDER BY W DESC, K LIMIT 10",
          "SELECT K FROM FANNED WHERE W > 17 UNION ALL SELECT V FROM FANNED");

  /** Joins. With stock, a join waits for a free thread before it scans. */
  private static final List<String> JOINS =
      List.of(
          "SELECT A.K, B.W FROM FANNED A JOIN FANNED B ON A.W = B.K WHERE B.W > 50",
          "SELECT K FROM FANNED WHERE W IN (SELECT K FROM FANNED WHERE V = 1)");

  private static PhoenixTestDriver driver;
  private static Connection exact;
  private static Connection stock;

  /** A test that hangs fails. */
  @Rule public final Timeout timeout = Timeout.seconds(180);

  private final ExecutorService users = Executors.newCachedThreadPool();

  @After
  public void endUsers() {
    users.shutdownNow();
  }

  /** Holds scans of regions before they begin. */
  public static final class Hold extends RegionHook {

    private static final ScanGate GATE = new ScanGate();

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> region, Scan scan) {
      GATE.pass();
    }
  }

  /** Occupies all threads of the client, but leaves room in its queue. */
  private static final class Occupation implements AutoCloseable {

    private final OccupiedThreads threads;

    Occupation() throws Exception {
      threads = new OccupiedThreads(pool(), THREADS);
    }

    @Override
    public void close() throws Exception {
      threads.close();
      awaitIdle();
    }
  }

  @BeforeClass
  public static void createTables() throws Exception {
    driver =
        driver(
            Map.of(
                QueryServices.THREAD_POOL_SIZE_ATTRIB,
                Integer.toString(THREADS),
                QueryServices.QUEUE_SIZE_ATTRIB,
                Integer.toString(POOL_CAPACITY - THREADS)));
    exact = connectTo(PruningMode.EXACT);
    stock = connectTo(PruningMode.STOCK);
    execute(exact, create("FANNED"), "CREATE LOCAL INDEX FANNED_V ON FANNED (V)", create("HELD"));
    fill("FANNED");
    fill("HELD");
    Admin admin = getUtility().getAdmin();
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(TableName.valueOf("HELD")))
            .setCoprocessor(Hold.class.getName())
            .build());
  }

  @AfterClass
  public static void closeDriver() throws SQLException {
    driver.close();
  }

  private static Connection connectTo(PruningMode mode) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty(PruningOptions.MODE, mode.name().toLowerCase(Locale.ROOT));
    Connection connection = driver.connect(getUrl(), properties);
    connection.setAutoCommit(true);
    return connection;
  }

  private static ThreadPoolExecutor pool() throws SQLException {
    return exact.unwrap(PhoenixConnection.class).getQueryServices().getExecutor();
  }

  private static String create(String table) {
    return "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER) SPLIT ON (%s)"
        .formatted(table, splits(REGIONS, 4));
  }

  private static void fill(String table) throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT);
        PreparedStatement upsert =
            connection.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?, ?)")) {
      for (int k = 0; k < ROWS; k++) {
        upsert.setInt(1, k);
        upsert.setInt(2, k % 3);
        upsert.setInt(3, k * 7 % 101);
        upsert.execute();
      }
      connection.commit();
    }
  }

  private static long opens(String table) {
    return scanRpcs(table).opens();
  }

  /** Waits until the client has no task that is running or queued. */
  private static void awaitIdle() throws Exception {
    ThreadPoolExecutor pool = pool();
    AtomicBoolean idle = new AtomicBoolean();
    while (!idle.get()) {
      getUtility().waitFor(60_000, 10, () -> pool.getQueue().isEmpty());
      // A task may have submitted another task before it ended.
      CyclicBarrier all = new CyclicBarrier(THREADS + 1, () -> idle.set(pool.getQueue().isEmpty()));
      for (int i = 0; i < THREADS; i++) {
        pool.submit(() -> all.await());
      }
      all.await();
    }
  }

  private static List<List<Object>> numbers(int... numbers) {
    return List.of(
        IntStream.of(numbers)
            .mapToObj(BigDecimal::valueOf)
            .map(BigDecimal::stripTrailingZeros)
            .collect(Collectors.toList()));
  }

  @Test
  public void stockIsRefused() throws Exception {
    List<String> statements = new ArrayList<>(QUERIES);
    statements.add("UPSERT INTO FANNED SELECT K, V, W FROM FANNED");
    statements.add("DELETE FROM FANNED WHERE W = 5");
    statements.add(create("REFUSED"));
    statements.add("CREATE INDEX FANNED_G ON FANNED (W)");
    statements.add("CREATE LOCAL INDEX FANNED_W ON FANNED (W)");
    for (String sql : statements) {
      try (Occupation occupation = new Occupation()) {
        assertThatThrownBy(
                () -> {
                  if (sql.startsWith("SELECT")) {
                    rows(stock, sql);
                  } else {
                    execute(stock, sql);
                  }
                })
            .as(sql)
            .hasStackTraceContaining("rejected from");
      }
    }
    // These indexes were created, but not filled.
    execute(exact, "DROP INDEX FANNED_G ON FANNED", "DROP INDEX FANNED_W ON FANNED");
  }

  @Test
  public void queriesAreNotRefused() throws Exception {
    try (Connection wide = connect(PruningMode.STOCK)) {
      List<String> queries = new ArrayList<>(QUERIES);
      queries.addAll(JOINS);
      for (String sql : queries) {
        List<List<Object>> expected = rows(wide, sql);
        assertThat(expected).as(sql).isNotEmpty();
        assertThat(rows(exact, sql)).as(sql).isEqualTo(expected);
        try (Occupation occupation = new Occupation()) {
          assertThat(rows(exact, sql)).as(sql).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  public void statementsThatWriteAreNotRefused() throws Exception {
    for (boolean occupied : new boolean[] {true, false}) {
      String table = occupied ? "WRITTEN_1" : "WRITTEN_2";
      try (AutoCloseable occupation = occupied ? new Occupation() : () -> {}) {
        execute(
            exact,
            create(table),
            "CREATE LOCAL INDEX " + table + "_V ON " + table + " (V)",
            "UPSERT INTO " + table + " SELECT K, V, W FROM FANNED",
            "CREATE INDEX " + table + "_G ON " + table + " (W)",
            "CREATE LOCAL INDEX " + table + "_W ON " + table + " (W) INCLUDE (V)",
            "UPDATE STATISTICS " + table);
        String count = "SELECT /*+ %s */ COUNT(*) FROM " + table;
        for (String plan :
            new String[] {
              "NO_INDEX",
              "INDEX(%s %s_V)".formatted(table, table),
              "INDEX(%s %s_W)".formatted(table, table),
              "INDEX(%s %s_G)".formatted(table, table)
            }) {
          assertThat(rows(exact, count.formatted(plan)))
              .as("%s, occupied: %s", plan, occupied)
              .isEqualTo(numbers(ROWS));
        }
        execute(exact, "DELETE FROM " + table + " WHERE W < 50");
        execute(exact, "DELETE FROM " + table + " WHERE V = 2 LIMIT 1000");
        try (Connection wide = connect(PruningMode.STOCK)) {
          String left = "SELECT K, V, W FROM %s WHERE W >= 50 AND V <> 2 ORDER BY K";
          assertThat(rows(exact, "SELECT /*+ NO_INDEX */ K, V, W FROM " + table + " ORDER BY K"))
              .as("occupied: %s", occupied)
              .isEqualTo(rows(wide, left.formatted("FANNED")));
        }
      }
    }
  }

  @Test
  public void aLimitOpensNoMoreThanItNeeds() throws Exception {
    long before = opens("FANNED");
    assertThat(rows(exact, "SELECT K FROM FANNED WHERE W >= 0 LIMIT 3")).hasSize(3);
    awaitIdle();
    assertThat(opens("FANNED") - before).isEqualTo(MAX_IN_FLIGHT);

    before = opens("FANNED");
    assertThat(rows(exact, "SELECT K FROM FANNED WHERE W >= 0 LIMIT 17")).hasSize(17);
    awaitIdle();
    assertThat(opens("FANNED") - before).isEqualTo(2 * MAX_IN_FLIGHT);

    before = opens("FANNED");
    try (Connection wide = connect(PruningMode.STOCK)) {
      assertThat(rows(wide, "SELECT K FROM FANNED WHERE W >= 0 LIMIT 3")).hasSize(3);
    }
    assertThat(opens("FANNED") - before).isEqualTo(REGIONS);
  }

  @Test
  public void scansAreOpenedOneWaveAhead() throws Exception {
    long before = opens("FANNED");
    try (Statement statement = exact.createStatement();
        ResultSet rows = statement.executeQuery("SELECT K FROM FANNED")) {
      assertThat(rows.next()).isTrue();
      awaitIdle();
      assertThat(opens("FANNED") - before).isEqualTo(2 * MAX_IN_FLIGHT);
    }
    awaitIdle();
    assertThat(opens("FANNED") - before).isEqualTo(2 * MAX_IN_FLIGHT);
  }

  /**
   * Checks that as many scans are open before the first row as stock can open. A program may write
   * while it reads. With stock, such a program does not read the rows that it writes.
   */
  @Test
  public void asManyScansAsStockCanOpenAreOpenBeforeTheFirstRow() throws Exception {
    long before = opens("FANNED");
    try (Statement statement = exact.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT K FROM FANNED WHERE K < " + 4 * POOL_CAPACITY)) {
      assertThat(rows.next()).isTrue();
      assertThat(opens("FANNED") - before).isEqualTo(POOL_CAPACITY);
    }
  }

  private static final String[] HELD = {
    "SELECT COUNT(*) FROM HELD", "SELECT K FROM HELD", "SELECT K FROM HELD ORDER BY W"
  };

  /** Holds all further scans of HELD, and returns the number of scans opened so far. */
  private static long hold() throws Exception {
    awaitIdle();
    Hold.GATE.shut();
    return opens("HELD");
  }

  /** Reads the first row in another thread. Returns when {@code held} scans are held. */
  private Future<Boolean> read(ResultSet rows, int held) throws Exception {
    Future<Boolean> reader = users.submit(rows::next);
    Hold.GATE.await(held);
    return reader;
  }

  /** Repeats the test, because the reading and the closing thread may run in any order. */
  @Test
  public void closingStopsTheRest() throws Exception {
    for (String sql : Iterables.concat(Collections.nCopies(20, Arrays.asList(HELD)))) {
      long before = hold();
      Future<Boolean> reader;
      try (Statement statement = exact.createStatement()) {
        ResultSet rows = statement.executeQuery(sql);
        reader = read(rows, MAX_IN_FLIGHT);
        rows.close();
      } finally {
        Hold.GATE.open();
      }
      // Phoenix's own code would return the rows of the scans that were open by then.
      assertThatThrownBy(reader::get)
          .as(sql)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(SQLException.class);
      awaitIdle();
      assertThat(Hold.GATE.arrived()).as(sql).isZero();
      assertThat(opens("HELD") - before).as(sql).isEqualTo(MAX_IN_FLIGHT);
    }
  }

  @Test
  public void closingLosesRowsWithoutThePatch() throws Exception {
    Properties properties = new Properties();
    properties.setProperty(PruningOptions.PATCHES, "all,-cancelled-scan");
    try (Connection unpatched = driver.connect(getUrl(), properties)) {
      hold();
      Future<Boolean> reader;
      try (Statement statement = unpatched.createStatement()) {
        ResultSet rows = statement.executeQuery(HELD[0]);
        reader = read(rows, 1);
        rows.close();
      } finally {
        Hold.GATE.open();
      }
      assertThat(reader.get()).as("a count is returned").isTrue();
    }
  }

  @Test
  public void aTimeoutStopsTheRest() throws Exception {
    for (String sql : HELD) {
      long before = hold();
      try (Statement statement = exact.createStatement()) {
        statement.setQueryTimeout(1);
        ResultSet rows = statement.executeQuery(sql);
        assertThatThrownBy(rows::next).as(sql).isInstanceOf(SQLTimeoutException.class);
      } finally {
        Hold.GATE.open();
      }
      awaitIdle();
      assertThat(Hold.GATE.arrived()).as(sql).isEqualTo(MAX_IN_FLIGHT);
      assertThat(opens("HELD") - before).as(sql).isEqualTo(MAX_IN_FLIGHT);
    }
  }

  /**
   * Checks that a failed statement writes nothing. Its scans continue until they end, but their
   * rows must not be written later.
   */
  @Test
  public void aWriteThatTimesOutWritesNothingLater() throws Exception {
    String target = generateUniqueName();
    execute(exact, "CREATE TABLE " + target + " (K INTEGER PRIMARY KEY, V INTEGER)");
    try (Connection connection = connectTo(PruningMode.EXACT);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      hold();
      statement.setQueryTimeout(1);
      try {
        assertThatThrownBy(
                () -> statement.execute("UPSERT INTO " + target + " SELECT K, V FROM HELD"))
            .isInstanceOf(SQLTimeoutException.class);
        connection.rollback();
      } finally {
        Hold.GATE.open();
      }
      awaitIdle();
      connection.commit();
    }
    assertThat(rows(exact, "SELECT COUNT(*) FROM " + target)).isEqualTo(numbers(0));
  }

  /**
   * Checks that a timeout is on time if all threads are busy. In this case, the scans run in
   * separate threads, not in the user's thread.
   */
  @Test
  public void aTimeoutComesInTimeWhereAllThreadsAreBusy() throws Exception {
    for (String sql : HELD) {
      hold();
      try (Occupation occupation = new Occupation();
          Statement statement = exact.createStatement()) {
        statement.setQueryTimeout(1);
        ResultSet rows = statement.executeQuery(sql);
        assertThatThrownBy(rows::next).as(sql).isInstanceOf(SQLTimeoutException.class);
        assertThat(Hold.GATE.isShut()).as("the scans are still held").isTrue();
        Hold.GATE.await(1);
        Hold.GATE.open();
      } finally {
        Hold.GATE.open();
      }
    }
  }

  @Test
  public void statementsRunSideBySide() throws Exception {
    List<Future<List<List<Object>>>> results = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String sql = i % 2 == 0 ? "SELECT COUNT(*) FROM FANNED" : "SELECT COUNT(W) FROM FANNED";
      results.add(
          users.submit(
              () -> {
                try (Connection connection = connectTo(PruningMode.EXACT)) {
                  return rows(connection, sql);
                }
              }));
    }
    for (int i = 0; i < results.size(); i++) {
      assertThat(results.get(i).get()).as("statement %s", i).isEqualTo(numbers(ROWS));
    }
  }

  /** Tests regions that change before they are scanned, while others are read. */
  @Test
  public void regionsMayChangeBetweenWaves() throws Exception {
    // The name must be new. Cells that a dropped table has left would also be split.
    String table = generateUniqueName();
    String index = "I_" + table;
    execute(exact, create(table), "CREATE LOCAL INDEX " + index + " ON " + table + " (V)");
    fill(table);
    List<List<Object>> all = new ArrayList<>();
    for (int k = 0; k < ROWS; k++) {
      all.addAll(numbers(k));
    }
    for (String sql :
        new String[] {
          "SELECT /*+ NO_INDEX */ K FROM " + table + " ORDER BY K",
          "SELECT /*+ NO_INDEX */ K FROM " + table,
          "SELECT /*+ INDEX(%1$s %2$s) */ K FROM %1$s WHERE V >= 0".formatted(table, index)
        }) {
      try (Statement statement = exact.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        List<List<Object>> read = new ArrayList<>();
        assertThat(rows.next()).as(sql).isTrue();
        read.addAll(numbers(rows.getInt(1)));
        change(table);
        while (rows.next()) {
          read.addAll(numbers(rows.getInt(1)));
        }
        assertThat(read).as(sql).containsExactlyInAnyOrderElementsOf(all);
        if (sql.contains("ORDER BY")) {
          assertThat(read).as(sql).isEqualTo(all);
        }
      }
    }
  }

  /** Merges the second and third last regions, and splits the last one. */
  private static void change(String table) throws Exception {
    int count = regions(table).size();
    merge(regions(table).get(count - 3), regions(table).get(count - 2));
    List<RegionInfo> regions = regions(table);
    byte[] start = regions.get(regions.size() - 1).getStartKey();
    byte[] middle = Bytes.copy(start);
    middle[3]++;
    split(regions.get(regions.size() - 1), middle);
  }
}

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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.phoenix.jdbc.PhoenixTestDriver;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.util.EnvironmentEdgeManager;
import org.apache.phoenix.util.ManualEnvironmentEdge;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Tests clients that have cached the metadata and the regions of a table. In the meantime, another
 * client truncates the table, or drops it and creates it again. Also tests rows that expire while
 * they are read, and large rows.
 */
public class RunningClientsIT extends ClusterTest {

  private static final int ROWS = 100;

  private static PhoenixTestDriver driver;

  private String table;
  private String index;

  /** Columns of the index that the test created last. */
  private String indexed;

  private Connection owner;
  private Connection running;

  @BeforeClass
  public static void startDriver() {
    driver = driver(Map.of());
  }

  @AfterClass
  public static void closeDriver() throws SQLException {
    driver.close();
  }

  @Before
  public void connect() throws SQLException {
    table = generateUniqueName();
    index = "I_" + table;
    owner = connect(PruningMode.EXACT);
    owner.setAutoCommit(true);
    running = driver.connect(getUrl(), new Properties());
    running.setAutoCommit(true);
  }

  @After
  public void close() throws SQLException {
    running.close();
    owner.close();
  }

  private void createTable(String options) throws SQLException {
    execute(owner, "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER) " + options);
    createIndex("V");
    upsert(owner, 1);
  }

  private void createIndex(String columns) throws SQLException {
    indexed = columns;
    execute(owner, "CREATE LOCAL INDEX " + index + " ON " + table + " (" + columns + ")");
  }

  /** Writes rows whose V is K modulo 10, times {@code factor}. */
  private void upsert(Connection connection, int factor) throws SQLException {
    try (PreparedStatement upsert =
        connection.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?)")) {
      connection.setAutoCommit(false);
      for (int k = 0; k < ROWS; k++) {
        upsert.setInt(1, k);
        upsert.setInt(2, k % 10 * factor);
        upsert.execute();
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  /** Asserts that the running client finds the rows of the table along its index. */
  private void assertFindsTheRows(int rowsWithThree) throws SQLException {
    for (String query :
        List.of(
            "K, V FROM " + table + " WHERE V = 3",
            "K, V FROM " + table + " WHERE V = 3 AND K = 23",
            "K, V FROM " + table + " WHERE V IN (3, 6) AND K BETWEEN 15 AND 64",
            "COUNT(*), SUM(K) FROM " + table + " WHERE V >= 0",
            "V, K FROM " + table + " WHERE V >= 3 ORDER BY V DESC, K DESC LIMIT 7")) {
      assertThat(rows(running, "SELECT /*+ INDEX(" + table + " " + index + ") */ " + query))
          .as("%s along (%s)", query, indexed)
          .isEqualTo(rows(owner, "SELECT /*+ NO_INDEX */ " + query));
    }
    assertThat(rows(running, "SELECT K FROM " + table + " WHERE V = 3"))
        .as("without a hint, with an index of (%s)", indexed)
        .hasSize(rowsWithThree);
  }

  private void truncate(boolean keepsRegions) throws Exception {
    Admin admin = getUtility().getAdmin();
    admin.disableTable(TableName.valueOf(table));
    admin.truncateTable(TableName.valueOf(table), keepsRegions);
  }

  @Test
  public void findsTheRowsOfATruncatedTable() throws Exception {
    truncates("SPLIT ON (" + splits(10, 10) + ")");
  }

  /**
   * Tests a salted table, whose regions are kept. With NO_INDEX, Phoenix reads a region of several
   * buckets several times.
   */
  @Test
  public void findsTheRowsOfATruncatedTableThatIsSalted() throws Exception {
    truncatesAndKeepsRegions("SALT_BUCKETS = 4");
  }

  @Test
  public void findsTheRowsOfATruncatedTableWhoseMetadataIsCached() throws Exception {
    truncates("UPDATE_CACHE_FREQUENCY = 900000 SPLIT ON (" + splits(10, 10) + ")");
  }

  private void truncatesAndKeepsRegions(String options) throws Exception {
    createTable(options);
    assertFindsTheRows(10);
    truncate(true);
    assertFindsTheRows(0);
    upsert(running, 1);
    assertFindsTheRows(10);
  }

  private void truncates(String options) throws Exception {
    truncatesAndKeepsRegions(options);
    truncate(false);
    assertThat(regions(table)).hasSize(1);
    upsert(owner, 3);
    assertFindsTheRows(10);
  }

  @Test
  public void findsTheRowsOfATableThatIsCreatedAgainWithOtherRegions() throws Exception {
    createTable("SPLIT ON (" + splits(10, 10) + ")");
    assertFindsTheRows(10);
    execute(owner, "DROP TABLE " + table);
    createTable("SPLIT ON (" + splits(4, 33) + ")");
    assertFindsTheRows(10);
    execute(owner, "DROP TABLE " + table);
    createTable("SALT_BUCKETS = 3");
    assertFindsTheRows(10);
  }

  @Test
  public void findsTheRowsOfATableThatIsCreatedAgainWithOtherColumns() throws Exception {
    createTable("SPLIT ON (" + splits(10, 10) + ")");
    assertFindsTheRows(10);
    execute(
        owner,
        "DROP TABLE " + table,
        "CREATE TABLE %s (K BIGINT PRIMARY KEY DESC, V SMALLINT) SPLIT ON (30, 60)"
            .formatted(table));
    createIndex("K, V");
    upsert(owner, 1);
    assertFindsTheRows(10);
  }

  @Test
  public void findsTheRowsAlongAnIndexThatIsCreatedAgainWithOtherColumns() throws Exception {
    createTable("SPLIT ON (" + splits(10, 10) + ")");
    for (String columns : List.of("K, V", "V DESC", "V + 1, V", "V")) {
      assertFindsTheRows(10);
      execute(owner, "DROP INDEX " + index + " ON " + table);
      createIndex(columns);
    }
    assertFindsTheRows(10);
    upsert(running, 3);
    assertFindsTheRows(10);
  }

  /** Tests that expired rows are missing, and that no row is returned twice. */
  @Test
  public void readsRowsThatExpire() throws Exception {
    createTable("TTL = 1000 SPLIT ON (" + splits(10, 10) + ")");
    ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
    clock.setValue(EnvironmentEdgeManager.currentTimeMillis());
    String query = "SELECT /*+ INDEX(" + table + " " + index + ") */ K FROM " + table;
    List<Integer> keys = new ArrayList<>();
    try (PreparedStatement statement = running.prepareStatement(query + " WHERE V >= 0")) {
      statement.setFetchSize(3);
      try (ResultSet rows = statement.executeQuery()) {
        EnvironmentEdgeManager.injectEdge(clock);
        while (rows.next()) {
          keys.add(rows.getInt(1));
          if (keys.size() == 5) {
            clock.incrementValue(TimeUnit.SECONDS.toMillis(2_000));
          }
        }
      }
      assertThat(keys).doesNotHaveDuplicates().hasSizeBetween(5, ROWS);
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).as("after all rows have expired").isFalse();
      }
      upsert(owner, 1);
      assertFindsTheRows(10);
    } finally {
      EnvironmentEdgeManager.reset();
    }
  }

  /** Tests rows that are too large for the answers of probes. */
  @Test
  public void readsRowsOfOneMegabyte() throws Exception {
    execute(
        owner,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, X VARCHAR) SPLIT ON (%s)"
            .formatted(table, splits(10, 4)),
        "CREATE LOCAL INDEX " + index + " ON " + table + " (V) INCLUDE (X)");
    try (PreparedStatement upsert =
        owner.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?, ?)")) {
      for (int k = 0; k < 40; k++) {
        upsert.setInt(1, k);
        upsert.setInt(2, k % 8);
        upsert.setString(3, Integer.toString(k).repeat(1 << 19));
        upsert.execute();
      }
    }
    for (String query :
        List.of(
            "K, X FROM " + table + " WHERE V = 3",
            "K, X FROM " + table + " WHERE V IN (3, 4) AND K BETWEEN 11 AND 20",
            "V, K, X FROM " + table + " WHERE V >= 5 ORDER BY V DESC, K DESC LIMIT 3")) {
      assertThat(rows(running, "SELECT /*+ INDEX(" + table + " " + index + ") */ " + query))
          .as(query)
          .isNotEmpty()
          .isEqualTo(rows(owner, "SELECT /*+ NO_INDEX */ " + query));
    }
  }
}

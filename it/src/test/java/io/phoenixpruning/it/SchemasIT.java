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

import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.Connection;
import java.sql.Date;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixDatabaseMetaData;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.PhoenixRuntime;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.Test;

/**
 * Tests salted and multi-tenant tables, schemas, views and their indexes, types and sort orders.
 */
public class SchemasIT extends ClusterTest {

  private static final Map<String, String> VERIFYING = Map.of(PruningOptions.VERIFY, "true");

  /**
   * Checks that the rows along the index equal the rows of the table, and the rows of all regions.
   * Returns the number of planned regions.
   */
  private static int planned(Connection connection, String table, String index, String where)
      throws Exception {
    int planned = plannedOfIndex(connection, table, index, where);
    String from = " COUNT(*) FROM " + table + " WHERE " + where;
    assertThat(rows(connection, "SELECT /*+ INDEX(" + table + " " + index + ") */" + from))
        .as(where)
        .isEqualTo(rows(connection, "SELECT /*+ NO_INDEX */" + from));
    return planned;
  }

  /**
   * Checks that the rows along the index equal the rows of all regions. Use this method for
   * conditions for which stock's index does not return the rows of the table. Returns the number of
   * planned regions.
   */
  private static int plannedOfIndex(Connection connection, String table, String index, String where)
      throws Exception {
    String query =
        "SELECT /*+ INDEX(%1$s %2$s) */ COUNT(*) FROM %1$s WHERE %3$s"
            .formatted(table, index, where);
    try (Connection none = connect(PruningMode.NONE)) {
      if (connection.unwrap(PhoenixConnection.class).getTenantId() == null) {
        assertThat(rows(connection, query)).as(where).isEqualTo(rows(none, query));
      }
    }
    Integer planned = attributes(connection, query).getRegionsPlanned();
    assertThat(planned).as("%s: %s", where, explain(connection, query)).isNotNull();
    return planned;
  }

  private static void upsert(Connection connection, String table, String... rows) throws Exception {
    for (String row : rows) {
      execute(connection, "UPSERT INTO " + table + " VALUES (" + row + ")");
    }
    connection.commit();
  }

  @Test
  public void prunesSaltedTables() throws Exception {
    try (Connection connection = connect(VERIFYING)) {
      execute(
          connection,
          """
          CREATE TABLE SALTED (PK1 INTEGER NOT NULL, PK2 INTEGER NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (PK1, PK2)) SALT_BUCKETS = 8""",
          "CREATE LOCAL INDEX SALTED_V ON SALTED (V)");
      for (int i = 0; i < 100; i++) {
        upsert(connection, "SALTED", i + ", " + i % 10 + ", " + i % 5);
      }
      assertThat(planned(connection, "SALTED", "SALTED_V", "V = 3")).isEqualTo(8);
      assertThat(planned(connection, "SALTED", "SALTED_V", "V = 3 AND PK1 = 13")).isEqualTo(8);
      assertThat(planned(connection, "SALTED", "SALTED_V", "V = 3 AND PK1 = 13 AND PK2 = 3"))
          .as("the whole key is known, and so its bucket")
          .isEqualTo(1);
    }
  }

  @Test
  public void findsTheRowsOfARegionOverSeveralBuckets() throws Exception {
    try (Connection connection = connect(VERIFYING)) {
      execute(
          connection,
          """
          CREATE TABLE BUCKETS (PK1 INTEGER NOT NULL, PK2 INTEGER NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (PK1, PK2)) SALT_BUCKETS = 4""",
          "CREATE LOCAL INDEX BUCKETS_V ON BUCKETS (V)");
      for (int pk1 = 0; pk1 < 100; pk1 += 10) {
        for (int pk2 = 0; pk2 < 20; pk2++) {
          execute(connection, "UPSERT INTO BUCKETS VALUES (" + pk1 + ", " + pk2 + ", 5)");
        }
      }
      connection.commit();
      splitAt("BUCKETS", bucketKey(1, 80));
      splitAt("BUCKETS", bucketKey(2, 50));
      mergeAt("BUCKETS", 2);
      String from = " FROM BUCKETS WHERE V = 5 AND PK1 = 20";
      List<List<Object>> expected = rows(connection, "SELECT /*+ NO_INDEX */ PK2" + from);
      assertThat(expected).hasSize(20);
      String indexed = "SELECT /*+ INDEX(BUCKETS BUCKETS_V) */ PK2" + from;
      assertThat(rows(connection, indexed)).isEqualTo(expected);
      try (Connection stock = connect(PruningMode.STOCK)) {
        assertThat(rows(stock, indexed)).as("stock").isNotEqualTo(expected);
      }
    }
  }

  private static byte[] bucketKey(int bucket, int pk1) {
    return ByteUtil.concat(
        new byte[] {(byte) bucket}, PInteger.INSTANCE.toBytes(pk1), new byte[Integer.BYTES]);
  }

  private static void splitAt(String table, byte[] key) throws Exception {
    for (RegionInfo region : regions(table)) {
      if (region.containsRow(key)) {
        split(region, key);
        return;
      }
    }
  }

  /** Merges the two regions that meet at the first key of {@code bucket}. */
  private static void mergeAt(String table, int bucket) throws Exception {
    List<RegionInfo> regions = regions(table);
    for (int i = 1; i < regions.size(); i++) {
      byte[] start = regions.get(i).getStartKey();
      if (start[0] == bucket && regions.get(i - 1).getStartKey()[0] < bucket) {
        merge(regions.get(i - 1), regions.get(i));
        return;
      }
    }
    throw new AssertionError("no region starts with bucket " + bucket + ": " + regions);
  }

  @Test
  public void prunesByTheTenant() throws Exception {
    try (Connection global = connect(VERIFYING)) {
      execute(
          global,
          """
          CREATE TABLE SHOPS (T VARCHAR NOT NULL, K INTEGER NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (T, K)) MULTI_TENANT = true SPLIT ON ('b', 'c', 'd')""",
          "CREATE LOCAL INDEX SHOPS_V ON SHOPS (V)");
      for (String tenant : List.of("a", "b", "c", "d")) {
        upsert(global, "SHOPS", "'" + tenant + "', 1, 5", "'" + tenant + "', 2, 6");
      }
      assertThat(planned(global, "SHOPS", "SHOPS_V", "V = 5")).isEqualTo(4);
      assertThat(planned(global, "SHOPS", "SHOPS_V", "V = 5 AND T = 'c'")).isEqualTo(1);
    }
    try (Connection tenant =
        connect(Map.of(PhoenixRuntime.TENANT_ID_ATTRIB, "c", PruningOptions.VERIFY, "true"))) {
      assertThat(planned(tenant, "SHOPS", "SHOPS_V", "V = 5")).isEqualTo(1);
      execute(
          tenant,
          "CREATE VIEW MY_SHOP (W INTEGER) AS SELECT * FROM SHOPS",
          "CREATE LOCAL INDEX MY_SHOP_W ON MY_SHOP (W)",
          "UPSERT INTO MY_SHOP (K, V, W) VALUES (7, 1, 9)");
      tenant.commit();
      assertThat(planned(tenant, "MY_SHOP", "MY_SHOP_W", "W = 9")).isEqualTo(1);
    }
  }

  @Test
  public void prunesByTheConstantsOfAView() throws Exception {
    try (Connection connection = connect(VERIFYING)) {
      execute(
          connection,
          """
          CREATE TABLE BASE (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (10, 20, 30)""",
          "CREATE LOCAL INDEX BASE_V ON BASE (V)",
          "CREATE VIEW NARROW (W INTEGER) AS SELECT * FROM BASE WHERE K1 = 25",
          "CREATE LOCAL INDEX NARROW_W ON NARROW (W)");
      upsert(connection, "BASE", "5, 1, 5", "15, 1, 5", "25, 1, 5", "35, 1, 5");
      execute(connection, "UPSERT INTO NARROW (K1, K2, V, W) VALUES (25, 2, 5, 9)");
      connection.commit();
      assertThat(planned(connection, "NARROW", "NARROW_W", "W = 9")).isEqualTo(1);
      assertThat(planned(connection, "NARROW", "BASE_V", "V = 5")).isEqualTo(1);
      assertThat(planned(connection, "BASE", "BASE_V", "V = 5")).isEqualTo(4);
    }
  }

  /**
   * Finds all rows of a table whose view has more key columns. Phoenix 5.2.1 refuses an index of
   * such a table, but older clusters can have one. The salt of a view's row depends on all its key
   * columns, but its index row has only the key columns of the table.
   */
  @Test
  public void findsTheRowsOfViewsWithMoreKeyColumns() throws Exception {
    try (Connection exact = connect(PruningMode.EXACT)) {
      createExtendingView(exact, "EXTENDED");
      runWithoutLinks("EXTENDED", () -> createIndex(exact, "EXTENDED"));
      assertThatRowsOfExtendingViewAreFound(exact, "EXTENDED");
    }
  }

  /**
   * Tests views without rows in SYSTEM.CHILD_LINK. Phoenix writes this table and SYSTEM.CATALOG
   * separately, so such rows can be missing.
   */
  @Test
  public void findsTheRowsOfExtendingViewsWithoutLinks() throws Exception {
    try (Connection exact = connect(PruningMode.EXACT)) {
      createExtendingView(exact, "UNLINKED");
      runWithoutLinks(
          "UNLINKED",
          () -> {
            createIndex(exact, "UNLINKED");
            assertThatRowsOfExtendingViewAreFound(exact, "UNLINKED");
          });
    }
  }

  /** Holds the scans of SYSTEM.CATALOG that look for views without links. */
  public static final class CatalogHold extends RegionHook {

    private static volatile CountDownLatch gate = new CountDownLatch(0);

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> region, Scan scan)
        throws IOException {
      if (scan.getFilter() instanceof FilterList) {
        try {
          gate.await();
        } catch (InterruptedException e) {
          throw (IOException) new InterruptedIOException().initCause(e);
        }
      }
    }
  }

  @Test(timeout = 120_000)
  public void plansAllBucketsWhileTheCatalogIsScanned() throws Exception {
    getUtility()
        .getHBaseCluster()
        .getRegions(PhoenixDatabaseMetaData.SYSTEM_CATALOG_HBASE_TABLE_NAME)
        .get(0)
        .getCoprocessorHost()
        .load(CatalogHold.class, Coprocessor.PRIORITY_USER, getUtility().getConfiguration());
    String query =
        """
        SELECT /*+ INDEX(SLOW_CATALOG SLOW_CATALOG_V) */ V FROM SLOW_CATALOG WHERE V = 5
          AND K1 = 1 AND K2 = 1""";
    try (Connection exact = connect(PruningMode.EXACT)) {
      execute(
          exact,
          """
          CREATE TABLE SLOW_CATALOG (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (K1, K2)) SALT_BUCKETS = 8""",
          "CREATE LOCAL INDEX SLOW_CATALOG_V ON SLOW_CATALOG (V)",
          "UPSERT INTO SLOW_CATALOG VALUES (1, 1, 5)");
      exact.commit();
      CatalogHold.gate = new CountDownLatch(1);
      try {
        assertThat(rows(exact, query)).hasSize(1);
        assertThat(attributes(exact, query).getRegionsPlanned()).isEqualTo(8);
      } finally {
        CatalogHold.gate.countDown();
      }
      Awaitility.await().until(() -> attributes(exact, query).getRegionsPlanned() == 1);
      assertThat(rows(exact, query)).hasSize(1);
    }
  }

  private static void createExtendingView(Connection connection, String table) throws Exception {
    execute(
        connection,
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2)) SALT_BUCKETS = 8"""
            .formatted(table),
        "CREATE VIEW VIEW_" + table + " AS SELECT * FROM " + table,
        "CREATE VIEW EXTENDING_"
            + table
            + " (K3 INTEGER NOT NULL PRIMARY KEY) AS SELECT * FROM VIEW_"
            + table);
  }

  private static void createIndex(Connection connection, String table) throws Exception {
    execute(connection, "CREATE LOCAL INDEX " + table + "_V ON " + table + " (V)");
  }

  private static void assertThatRowsOfExtendingViewAreFound(Connection exact, String table)
      throws Exception {
    execute(exact, "UPSERT INTO " + table + " VALUES (1, 1, 5)");
    // K3 starts at 1: with 0, the rows of view and table would share a bucket and an index row.
    for (int k3 = 1; k3 < 6; k3++) {
      execute(
          exact,
          "UPSERT INTO EXTENDING_" + table + " (K1, K2, K3, V) VALUES (1, 1, " + k3 + ", 5)");
    }
    exact.commit();
    String query =
        """
        SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2, V FROM %1$s
          WHERE V = 5 AND K1 = 1 AND K2 = 1"""
            .formatted(table);
    try (Connection none = connect(PruningMode.NONE)) {
      assertThat(rows(none, query)).hasSize(6);
    }
    assertThat(rows(exact, query)).hasSize(6);
    assertThat(attributes(exact, query).getRegionsPlanned()).isEqualTo(8);
  }

  @Test
  public void computesTheBucketOfATableWhoseViewsHaveTheSameKey() throws Exception {
    try (Connection connection = connect(VERIFYING)) {
      execute(
          connection,
          """
          CREATE TABLE VIEWED (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (K1, K2)) SALT_BUCKETS = 8""",
          "CREATE LOCAL INDEX VIEWED_V ON VIEWED (V)",
          "CREATE VIEW VIEWING (W INTEGER) AS SELECT * FROM VIEWED WHERE K1 = 1",
          "CREATE VIEW VIEWING_TWICE (X INTEGER) AS SELECT * FROM VIEWING WHERE V = 5");
      upsert(connection, "VIEWED", "1, 1, 5", "1, 2, 5", "2, 1, 5");
      assertThat(planned(connection, "VIEWED", "VIEWED_V", "V = 5 AND K1 = 1")).isEqualTo(8);
      assertThat(planned(connection, "VIEWED", "VIEWED_V", "V = 5 AND K1 = 1 AND K2 = 1"))
          .isEqualTo(1);
    }
  }

  /** Runs an action while Phoenix does not know that a table has views. */
  private static void runWithoutLinks(String table, ThrowingCallable action) throws Exception {
    SystemRows.runWithout("SYSTEM.CHILD_LINK", table, action);
  }

  @Test
  public void findsTheRowsOfDescendingNullableAndTrailingColumns() throws Exception {
    try (Connection connection = connect(VERIFYING)) {
      execute(
          connection,
          """
          CREATE TABLE ORDERS (K1 VARCHAR, K2 DECIMAL(10, 2), K3 VARCHAR(3), K4 VARBINARY,
            V INTEGER
            CONSTRAINT PK PRIMARY KEY (K1 DESC, K2, K3 DESC, K4))""",
          "CREATE LOCAL INDEX ORDERS_V ON ORDERS (V)");
      upsert(
          connection,
          "ORDERS",
          "'a', 1.5, 'x', X'00', 5",
          "'ab', -1.5, 'xyz', X'FF', 5",
          "'b', NULL, 'y', NULL, 5",
          "NULL, 0, 'z', X'0001', 5",
          "NULL, NULL, 'z', X'01', 5");
      splitAt("ORDERS", new byte[] {(byte) 0x9E});
      splitAt("ORDERS", new byte[] {(byte) 0x01});
      for (String where :
          List.of(
              "K1 = 'a'",
              "K1 > 'a'",
              "K1 < 'b'",
              "K1 IS NULL",
              "K1 IS NOT NULL AND K2 IS NULL",
              "K1 = 'ab' AND K2 < 0",
              "K1 IN ('a', 'b') AND K3 >= 'x'",
              "K3 = 'z' AND K4 = X'0001'",
              "K1 LIKE 'a%' AND K4 > X'00'")) {
        planned(connection, "ORDERS", "ORDERS_V", "V = 5 AND " + where);
      }
      // For the first condition, stock's index returns one row of three, whichever regions are
      // scanned.
      plannedOfIndex(connection, "ORDERS", "ORDERS_V", "V = 5 AND (K1, K2) > ('a', 0)");
      plannedOfIndex(connection, "ORDERS", "ORDERS_V", "V = 5 AND (K1, K2) <= ('ab', 2)");
      assertThat(planned(connection, "ORDERS", "ORDERS_V", "V = 5 AND K1 = 'b'")).isEqualTo(1);
      assertThat(planned(connection, "ORDERS", "ORDERS_V", "V = 5 AND K1 IS NULL")).isEqualTo(1);
    }
  }

  @Test
  public void prunesTablesInSchemasByDates() throws Exception {
    try (Connection connection = connect(VERIFYING)) {
      execute(
          connection,
          """
          CREATE TABLE S1.EVENTS (D DATE NOT NULL, K BIGINT NOT NULL, V VARCHAR
            CONSTRAINT PK PRIMARY KEY (D, K))""",
          "CREATE LOCAL INDEX EVENTS_V ON S1.EVENTS (V)");
      for (int month = 1; month <= 9; month++) {
        upsert(connection, "S1.EVENTS", "TO_DATE('2020-0" + month + "-01'), " + month + ", 'x'");
      }
      for (int month = 2; month <= 9; month++) {
        splitAt("S1.EVENTS", PDate.INSTANCE.toBytes(Date.valueOf("2020-0" + month + "-01")));
      }
      assertThat(
              planned(
                  connection,
                  "S1.EVENTS",
                  "EVENTS_V",
                  "V = 'x' AND D >= TO_DATE('2020-05-01') AND D < TO_DATE('2020-06-30')"))
          .isEqualTo(2);
      assertThat(
              planned(
                  connection,
                  "S1.EVENTS",
                  "EVENTS_V",
                  "V = 'x' AND TRUNC(D, 'MONTH') = TO_DATE('2020-05-01')"))
          .as("one holds the month, the first and the last those too far away to be pruned")
          .isEqualTo(3);
    }
  }

  @Test
  public void failsWhereAPrunedRegionHoldsAMatch() throws Exception {
    try (Connection connection = connect(VERIFYING)) {
      execute(
          connection,
          "CREATE TABLE STRAY (PK1 INTEGER NOT NULL PRIMARY KEY, V INTEGER) SPLIT ON (10, 20)",
          "CREATE LOCAL INDEX STRAY_V ON STRAY (V)");
      upsert(connection, "STRAY", "5, 5", "15, 5", "25, 5");
      String query = "SELECT /*+ INDEX(STRAY STRAY_V) */ PK1 FROM STRAY WHERE V = 5 AND PK1 = 15";
      assertThat(rows(connection, query)).hasSize(1);
      copyIndexRowToLastRegion("STRAY");
      assertThatThrownBy(() -> rows(connection, query))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining(PruningOptions.VERIFY)
          .hasMessageContaining("was pruned, but holds the matching index row");
    }
    try (Connection connection = connect(PruningMode.EXACT)) {
      assertThat(
              rows(
                  connection,
                  "SELECT /*+ INDEX(STRAY STRAY_V) */ PK1 FROM STRAY WHERE V = 5 AND PK1 = 15"))
          .hasSize(1);
    }
  }

  /** Copies an index row of the second region to the last one, where it does not belong. */
  private static void copyIndexRowToLastRegion(String table) throws Exception {
    List<RegionInfo> regions = regions(table);
    byte[] from = regions.get(1).getStartKey();
    byte[] to = regions.get(2).getStartKey();
    try (Table hbase = getUtility().getConnection().getTable(TableName.valueOf(table));
        ResultScanner rows =
            hbase.getScanner(
                new Scan()
                    .withStartRow(from)
                    .withStopRow(to)
                    .addFamily(QueryConstants.DEFAULT_LOCAL_INDEX_COLUMN_FAMILY_BYTES))) {
      for (Result row : rows) {
        byte[] key = row.getRow();
        System.arraycopy(to, 0, key, 0, to.length);
        Put put = new Put(key);
        for (Cell cell : row.rawCells()) {
          put.addColumn(
              CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), CellUtil.cloneValue(cell));
        }
        hbase.put(put);
      }
    }
  }
}

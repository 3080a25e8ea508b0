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
import java.io.IOException;
import java.sql.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.PhoenixRuntime;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Tests regions that were split or merged and still read the files of their parent regions. */
public class HalfFilesIT extends ClusterTest {

  private static final List<String> QUERIES =
      List.of(
          "K1, K2, V FROM %s WHERE V = 5",
          "K1, K2, V, C, D FROM %s WHERE V IN (2, 5, 7)",
          "K1, K2, V, U FROM %s WHERE V >= 6 AND K1 BETWEEN 3 AND 44",
          "COUNT(*), SUM(C), SUM(K2) FROM %s WHERE V < 4",
          "V, COUNT(*) FROM %s WHERE V < 8 GROUP BY V",
          "K1, K2, V FROM %s WHERE V > 2 ORDER BY V, K1, K2",
          "K1, K2, V, C FROM %s WHERE V < 4 ORDER BY V DESC, K1 DESC, K2 DESC",
          "K1, K2 FROM %s WHERE V = 6 AND K1 > 5 ORDER BY K1 DESC, K2 DESC LIMIT 40");

  private static final int ROWS = 500;

  private static final byte[] INDEX_FAMILY = QueryConstants.DEFAULT_LOCAL_INDEX_COLUMN_FAMILY_BYTES;

  private String table;
  private Connection connection;

  /** Creates a table of two regions with 50 x 10 rows in total, which are flushed to files. */
  @Before
  public void createTable() throws Exception {
    table = generateUniqueName();
    connection = connect(PruningMode.EXACT);
    execute(
        connection,
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, C INTEGER,
          D VARCHAR, U INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (20)"""
            .formatted(table),
        "CREATE LOCAL INDEX I_" + table + " ON " + table + " (V) INCLUDE (C, D)");
    upsertPairs(
        connection,
        table,
        50,
        10,
        (k1, k2) ->
            Arrays.asList(k1, k2, (k1 + k2) % 10, 10 * k1 + k2, k2 % 3 == 0 ? null : "d" + k2, k2));
    forbidCompaction();
    getUtility().getAdmin().flush(TableName.valueOf(table));
  }

  /**
   * Disables compactions, so that only the tests compact. Also makes blocks small, so that a scan
   * reads several blocks of a file.
   */
  private void forbidCompaction() throws IOException {
    Admin admin = getUtility().getAdmin();
    TableDescriptor descriptor = admin.getDescriptor(TableName.valueOf(table));
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(descriptor)
            .setCompactionEnabled(false)
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(descriptor.getColumnFamily(INDEX_FAMILY))
                    .setBlocksize(512)
                    .build())
            .build());
  }

  /**
   * Serves the table as ours again, because Phoenix cannot drop a table after it has read half of
   * its files.
   */
  @After
  public void close() throws Exception {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
    serveAsOurs(table);
    connection.close();
  }

  private static byte[] key(int k1, int k2) {
    return ByteUtil.concat(PInteger.INSTANCE.toBytes(k1), PInteger.INSTANCE.toBytes(k2));
  }

  private boolean hasReferenceFiles() {
    return getUtility().getHBaseCluster().getRegions(TableName.valueOf(table)).stream()
        .anyMatch(region -> region.hasReferences());
  }

  /** Returns the number of index rows that a client of HBase finds. */
  private int indexRows(boolean reversed) throws Exception {
    Scan scan = new Scan().addFamily(INDEX_FAMILY).setReversed(reversed);
    int rows = 0;
    try (Table hTable = getUtility().getConnection().getTable(TableName.valueOf(table));
        ResultScanner scanner = hTable.getScanner(scan)) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  /**
   * Runs each query twice in modes exact and none, because a scan must not break the next scan.
   * Then runs the query with a page for each row.
   */
  private void assertThatRowsAreRight() throws Exception {
    assertThat(indexRows(false)).isEqualTo(ROWS);
    assertThat(indexRows(true)).isEqualTo(ROWS);
    Map<String, String> pages = Map.of(QueryServices.PHOENIX_SERVER_PAGE_SIZE_MS, "0");
    try (Connection none = connect(PruningMode.NONE);
        Connection paged = connect(pages)) {
      // Paged queries run only once, because a page for each row takes long.
      assertThatRowsAreRight(List.of(connection, connection, none, none, paged));
    }
  }

  private void assertThatRowsAreRight(List<Connection> connections) throws Exception {
    for (String query : QUERIES) {
      String sql = String.format(query, table);
      List<List<Object>> expected = rows(connection, "SELECT /*+ NO_INDEX */ " + sql);
      assertThat(expected).as(sql).isNotEmpty();
      for (int i = 0; i < connections.size(); i++) {
        assertThat(
                rows(
                    connections.get(i),
                    "SELECT /*+ INDEX(" + table + " I_" + table + ") */ " + sql))
            .as("connection %d, %s", i, sql)
            .isEqualTo(expected);
      }
    }
  }

  private void splitAndRead(int region, byte[] splitPoint) throws Exception {
    split(regions(table).get(region), splitPoint);
    assertThat(hasReferenceFiles()).isTrue();
    assertThatRowsAreRight();
    new RegionChanges(getUtility()).compact(TableName.valueOf(table));
    assertThat(hasReferenceFiles()).isFalse();
    assertThat(indexRows(false)).isEqualTo(ROWS);
    assertThatRowsAreRight(List.of(connection));
  }

  @Test
  public void readsTheHalvesOfASplit() throws Exception {
    splitAndRead(1, key(35, 2));
  }

  /** Tests the first region. Its index keys start with as many zero bytes as its end key has. */
  @Test
  public void readsTheHalvesOfTheFirstRegion() throws Exception {
    splitAndRead(0, key(7, 3));
  }

  @Test
  public void readsTheHalvesOfTheFirstRegionSplitAtAShorterKey() throws Exception {
    splitAndRead(0, PInteger.INSTANCE.toBytes(7));
  }

  private void assertThatHalfAFileIsReadOnlyOnce() throws Exception {
    split(regions(table).get(1), key(35, 2));
    assertThat(hasReferenceFiles()).isTrue();
    assertThat(indexRows(false)).isEqualTo(ROWS);
    // Stock has closed the file after the first scan.
    assertThatThrownBy(() -> indexRows(false))
        .hasMessageContaining(HDFS ? "Could not seek" : "because \"this.in\" is null");
  }

  private void assertThatAReversedScanFails() throws Exception {
    split(regions(table).get(1), key(35, 2));
    assertThat(hasReferenceFiles()).isTrue();
    assertThatThrownBy(() -> indexRows(true)).hasMessageContaining("Timestamp cannot be negative");
  }

  @Test
  public void stockReadsHalfAFileOnlyOnce() throws Exception {
    serveAsStock(table);
    assertThatHalfAFileIsReadOnlyOnce();
  }

  @Test
  public void stockFailsInAReversedScanOfHalfAFile() throws Exception {
    serveAsStock(table);
    assertThatAReversedScanFails();
  }

  @Test
  public void readsHalfAFileOnlyOnceWithoutThePatch() throws Exception {
    withoutThePatch(this::assertThatHalfAFileIsReadOnlyOnce);
  }

  @Test
  public void failsInAReversedScanWithoutThePatch() throws Exception {
    withoutThePatch(this::assertThatAReversedScanFails);
  }

  /** Runs a test whose split opens regions without the patch. */
  private void withoutThePatch(RegionChange test) throws Exception {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn() && patch != Patch.HALF_FILE);
    try {
      test.run();
    } finally {
      // Changes the table, so that the method close opens the regions again with the patch.
      serveAsStock(table);
    }
  }

  /** Reads files with a scanner that a region has chosen when it opened. */
  @Test
  public void readsWithThePatchUntilTheRegionCloses() throws Exception {
    split(regions(table).get(1), key(35, 2));
    assertThat(hasReferenceFiles()).isTrue();
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn() && patch != Patch.HALF_FILE);
    assertThat(indexRows(false)).isEqualTo(ROWS);
    assertThat(indexRows(false)).isEqualTo(ROWS);
  }

  /**
   * Checks that a scan continues when a compaction archives its files. The scan uses a reader that
   * all scans share.
   */
  @Test
  public void continuesAfterTheFilesAreCompacted() throws Exception {
    split(regions(table).get(1), key(35, 2));
    RegionInfo lower = regions(table).get(1);
    Scan scan =
        new Scan()
            .addFamily(INDEX_FAMILY)
            .setReadType(Scan.ReadType.PREAD)
            .setCacheBlocks(false)
            .setCaching(1)
            .withStartRow(lower.getStartKey())
            .withStopRow(lower.getEndKey());
    int rows = 0;
    try (Table hTable = getUtility().getConnection().getTable(TableName.valueOf(table));
        ResultScanner scanner = hTable.getScanner(scan)) {
      assertThat(scanner.next()).isNotNull();
      rows++;
      assertThat(hasReferenceFiles()).isTrue();
      new RegionChanges(getUtility()).compact(TableName.valueOf(table));
      assertThat(hasReferenceFiles()).isFalse();
      while (scanner.next() != null) {
        rows++;
      }
    }
    assertThat(rows).isEqualTo(152);
  }

  @Test
  public void readsTheFilesOfMergedRegions() throws Exception {
    List<RegionInfo> regions = regions(table);
    merge(regions.get(0), regions.get(1));
    assertThat(hasReferenceFiles()).isTrue();
    assertThatRowsAreRight();
    new RegionChanges(getUtility()).compact(TableName.valueOf(table));
    assertThatRowsAreRight();
  }

  /**
   * A DELETE that the server runs writes markers into all families, under the keys of data rows.
   */
  @Test
  public void skipsTheMarkersOfDeletedDataRows() throws Exception {
    connection.setAutoCommit(true);
    execute(connection, "DELETE FROM " + table + " WHERE K2 > 7 OR C IN (101, 202, 333)");
    getUtility().getAdmin().flush(TableName.valueOf(table));
    assertThat(markersOfDataRows()).isPositive();
    List<RegionInfo> regions = regions(table);
    merge(regions.get(0), regions.get(1));
    assertThat(hasReferenceFiles()).isTrue();
    assertThatRowsAreRight(List.of(connection));
    new RegionChanges(getUtility()).compact(TableName.valueOf(table));
    assertThat(hasReferenceFiles()).isFalse();
    assertThatRowsAreRight(List.of(connection));
    execute(connection, "DELETE FROM " + table + " WHERE K2 > 6 OR C = 303");
    getUtility().getAdmin().flush(TableName.valueOf(table));
    split(regions(table).get(0), key(35, 2));
    assertThat(hasReferenceFiles()).isTrue();
    assertThatRowsAreRight(List.of(connection));
    new RegionChanges(getUtility()).compact(TableName.valueOf(table));
    assertThat(hasReferenceFiles()).isFalse();
    assertThatRowsAreRight(List.of(connection));
  }

  /** Returns the number of rows in the index's family whose keys are as long as those of data. */
  private int markersOfDataRows() throws IOException {
    Scan scan = new Scan().addFamily(INDEX_FAMILY).setRaw(true);
    int markers = 0;
    try (Table hTable = getUtility().getConnection().getTable(TableName.valueOf(table));
        ResultScanner scanner = hTable.getScanner(scan)) {
      for (Result row : scanner) {
        markers += row.getRow().length == key(0, 0).length ? 1 : 0;
      }
    }
    return markers;
  }

  /**
   * Compares rows along an index of a view before a change of the regions, after the change, and
   * after a compaction.
   */
  private void assertThatViewIsRight(
      Connection reader, String view, String columns, RegionChange change) throws Exception {
    Admin admin = getUtility().getAdmin();
    admin.flush(TableName.valueOf(table));
    String rows = columns + " FROM " + view + " WHERE C >= 0 ORDER BY " + columns;
    String hinted = "SELECT /*+ INDEX(" + view + " I_" + view + ") */ " + rows;
    List<List<Object>> expected = rows(reader, "SELECT /*+ NO_INDEX */ " + rows);
    assertThat(expected).isNotEmpty();
    assertThat(rows(reader, hinted)).isEqualTo(expected);
    change.run();
    assertThat(hasReferenceFiles()).isTrue();
    assertThat(rows(reader, hinted)).isEqualTo(expected);
    new RegionChanges(getUtility()).compact(TableName.valueOf(table));
    assertThat(hasReferenceFiles()).isFalse();
    assertThat(rows(reader, hinted)).isEqualTo(expected);
  }

  private interface RegionChange {
    void run() throws Exception;
  }

  private String createView(String where) throws Exception {
    String view = generateUniqueName();
    execute(
        connection,
        "CREATE VIEW " + view + " AS SELECT * FROM " + table + where,
        "CREATE LOCAL INDEX I_" + view + " ON " + view + " (C) INCLUDE (V)");
    return view;
  }

  /**
   * Tests indexes of views. Phoenix looks up only the indexes of the table, and loses the index
   * rows of views.
   */
  @Test
  public void readsTheIndexesOfViews() throws Exception {
    String view = createView("");
    assertThatViewIsRight(
        connection, view, "K1, K2, V, C", () -> split(regions(table).get(1), key(35, 2)));
  }

  @Test
  public void losesTheIndexesOfViewsWithoutThePatch() throws Exception {
    createView("");
    getUtility().getAdmin().flush(TableName.valueOf(table));
    assertThat(indexRows(false)).isEqualTo(2 * ROWS);
    withoutThePatch(
        () -> {
          split(regions(table).get(1), key(35, 2));
          assertThat(hasReferenceFiles()).isTrue();
          assertThat(indexRows(false)).isLessThan(2 * ROWS);
        });
  }

  /**
   * Tests views without rows in SYSTEM.CHILD_LINK. Phoenix writes this table and SYSTEM.CATALOG
   * separately, so such rows can be missing.
   */
  @Test
  public void keepsTheIndexOfAViewWithoutChildLink() throws Exception {
    String view = createView("");
    String child = generateUniqueName();
    execute(
        connection,
        "CREATE VIEW " + child + " (W INTEGER) AS SELECT * FROM " + view + " WHERE K1 > 3",
        "CREATE LOCAL INDEX I_" + child + " ON " + child + " (C, W) INCLUDE (V)");
    connection.setAutoCommit(true);
    execute(connection, "DELETE FROM SYSTEM.CHILD_LINK WHERE TABLE_NAME = '" + table + "'");
    execute(connection, "DELETE FROM SYSTEM.CHILD_LINK WHERE TABLE_NAME = '" + view + "'");
    assertThatViewIsRight(
        connection, view, "K1, K2, V, C", () -> split(regions(table).get(1), key(35, 2)));
    assertThatViewIsRight(
        connection, child, "K1, K2, V, C, W", () -> split(regions(table).get(0), key(7, 3)));
  }

  /**
   * Tests an index whose view is missing in SYSTEM.CATALOG. If the links to the children of a view
   * are missing, Phoenix drops the view although it has children.
   */
  @Test
  public void keepsTheIndexOfAViewThatPhoenixDoesNotFind() throws Exception {
    String view = createView("");
    String query =
        "SELECT /*+ INDEX(%1$s I_%1$s) */ K1, K2, V, C FROM %1$s WHERE C >= 0".formatted(view);
    List<List<Object>> expected = rows(connection, query);
    assertThat(expected).isNotEmpty();
    getUtility().getAdmin().flush(TableName.valueOf(table));
    split(regions(table).get(1), key(35, 2));
    RegionChanges changes = new RegionChanges(getUtility());
    ConnectionQueryServices services =
        connection.unwrap(PhoenixConnection.class).getQueryServices();
    SystemRows.runWithout(
        "SYSTEM.CATALOG",
        view,
        () -> {
          services.clearCache();
          assertThatThrownBy(() -> changes.compact(TableName.valueOf(table)))
              .hasStackTraceContaining("SYSTEM.CATALOG has the index, but not its view");
          assertThat(hasReferenceFiles()).isTrue();
        });
    services.clearCache();
    changes.compact(TableName.valueOf(table));
    assertThat(hasReferenceFiles()).isFalse();
    assertThat(rows(connection, query)).containsExactlyInAnyOrderElementsOf(expected);
  }

  /**
   * Tests a view that inherits an index. The view lists the index of its parent as its own, with
   * its own constants.
   */
  @Test
  public void keepsTheIndexThatAViewInherits() throws Exception {
    String view = "Z_" + generateUniqueName();
    execute(
        connection,
        "CREATE VIEW " + view + " AS SELECT * FROM " + table,
        "CREATE LOCAL INDEX I_" + view + " ON " + view + " (C) INCLUDE (V)",
        "CREATE VIEW A_" + view + " AS SELECT * FROM " + view + " WHERE K1 = 35");
    connection.setAutoCommit(true);
    execute(connection, "DELETE FROM SYSTEM.CHILD_LINK WHERE TABLE_NAME = '" + table + "'");
    assertThatViewIsRight(
        connection, view, "K1, K2, V, C", () -> split(regions(table).get(1), key(35, 2)));
  }

  /** Checks that the rows of a dropped index are left out without an error. */
  @Test
  public void forgetsTheIndexOfADroppedView() throws Exception {
    String view = createView("");
    String dropped = createView(" WHERE K1 > 3");
    execute(connection, "DROP VIEW " + dropped + " CASCADE");
    assertThatViewIsRight(
        connection, view, "K1, K2, V, C", () -> split(regions(table).get(1), key(35, 2)));
  }

  @Test
  public void readsTheIndexOfAViewOfAView() throws Exception {
    String parent = generateUniqueName();
    execute(
        connection,
        "CREATE VIEW " + parent + " AS SELECT * FROM " + table + " WHERE K1 = 35",
        "CREATE VIEW V_" + parent + " (W INTEGER) AS SELECT * FROM " + parent + " WHERE V < 8",
        "CREATE LOCAL INDEX I_V_" + parent + " ON V_" + parent + " (C) INCLUDE (V, W)");
    assertThatViewIsRight(
        connection, "V_" + parent, "K2, V, W, C", () -> split(regions(table).get(1), key(35, 2)));
  }

  @Test
  public void splitsATableWithIndexesOfViewsAlone() throws Exception {
    String view = createView(" WHERE K1 > 3");
    execute(connection, "DROP INDEX I_" + table + " ON " + table);
    assertThatViewIsRight(
        connection, view, "K1, K2, V, C", () -> split(regions(table).get(1), key(35, 2)));
  }

  @Test
  public void mergesATableWithIndexesOfViewsAlone() throws Exception {
    String view = createView("");
    execute(connection, "DROP INDEX I_" + table + " ON " + table);
    assertThatViewIsRight(
        connection,
        view,
        "K1, K2, V, C",
        () -> merge(regions(table).get(0), regions(table).get(1)));
  }

  @Test
  public void readsTheIndexOfATenantsView() throws Exception {
    table = generateUniqueName();
    String view = generateUniqueName();
    execute(
        connection,
        """
        CREATE TABLE %s (T VARCHAR NOT NULL, K INTEGER NOT NULL, C INTEGER, V INTEGER
          CONSTRAINT PK PRIMARY KEY (T, K)) MULTI_TENANT = TRUE"""
            .formatted(table));
    try (Connection tenant = connect(Map.of(PhoenixRuntime.TENANT_ID_ATTRIB, "t"))) {
      tenant.setAutoCommit(true);
      execute(
          tenant,
          "CREATE VIEW " + view + " AS SELECT * FROM " + table,
          "CREATE LOCAL INDEX I_" + view + " ON " + view + " (C) INCLUDE (V)");
      forbidCompaction();
      for (int k = 0; k < 40; k++) {
        execute(tenant, "UPSERT INTO " + view + " VALUES (" + k + ", " + k % 7 + ", " + k + ")");
      }
      byte[] splitPoint = ByteUtil.concat(Bytes.toBytes("t\0"), PInteger.INSTANCE.toBytes(19));
      assertThatViewIsRight(
          tenant, view, "K, C, V", () -> split(regions(table).get(0), splitPoint));
    }
  }
}

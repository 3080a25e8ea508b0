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
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.ByteUtil;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Tests regions that split or merge after the scans of a query were planned and before they run.
 */
public class BoundaryChangeIT extends ClusterTest {

  private String table;
  private String select;
  private Connection connection;

  /**
   * Creates five regions: [-, 10), [10, 20), [20, 30), [30, 40), [40, -). Each has 10 rows with V2
   * = 5.
   */
  @Before
  public void createTable() throws Exception {
    table = generateUniqueName();
    connection = connect(PruningMode.EXACT);
    createTableOfPairs(connection, table, "I_" + table, "10, 20, 30, 40");
    upsertPairs(connection, table, 50, 10, (pk1, pk2) -> List.of(pk1, pk2, pk1 % 7, pk2));
    select = "SELECT /*+ INDEX(" + table + " I_" + table + ") */ ";
  }

  @After
  public void close() throws Exception {
    connection.close();
  }

  private List<List<Object>> expectedRows(String columns, String where) throws Exception {
    List<List<Object>> rows =
        rows(connection, "SELECT /*+ NO_INDEX */ " + columns + " FROM " + table + where);
    assertThat(rows).isNotEmpty();
    return rows;
  }

  private PlannedQuery plan(PruningMode mode, String columns, String where) throws Exception {
    return new PlannedQuery(mode, select + columns + " FROM " + table + where);
  }

  private void mergeAround(int boundary) throws Exception {
    byte[] key = ByteUtil.concat(PInteger.INSTANCE.toBytes(boundary), new byte[Integer.BYTES]);
    List<RegionInfo> regions = regions(table);
    for (int i = 1; i < regions.size(); i++) {
      if (Arrays.equals(regions.get(i).getStartKey(), key)) {
        merge(regions.get(i - 1), regions.get(i));
        return;
      }
    }
    throw new AssertionError("no boundary " + boundary + " in " + regions);
  }

  private void splitAt(int boundary) throws Exception {
    byte[] key = ByteUtil.concat(PInteger.INSTANCE.toBytes(boundary), new byte[Integer.BYTES]);
    for (RegionInfo region : regions(table)) {
      if (region.containsRow(key)) {
        split(region, key);
        return;
      }
    }
    throw new AssertionError("no region holds " + boundary);
  }

  @Test
  public void findsTheRowsOfARegionMergedWithItsLeftNeighbour() throws Exception {
    String where = " WHERE V2 = 5 AND PK1 = 15";
    List<List<Object>> expected = expectedRows("PK1, PK2, V2", where);
    try (PlannedQuery exact = plan(PruningMode.EXACT, "PK1, PK2, V2", where);
        PlannedQuery stock = plan(PruningMode.STOCK, "PK1, PK2, V2", where)) {
      assertThat(exact.scans()).isEqualTo(1);
      mergeAround(10);
      assertThat(exact.rows()).isEqualTo(expected);
      assertThat(stock.rows()).as("a stock client on a server of ours").isEqualTo(expected);
    }
  }

  /** The view fixes a column of the key, which is in the rows of the index. */
  @Test
  public void findsTheRowsOfMergedRegionsAlongAnInheritedIndex() throws Exception {
    String view = "W_" + table;
    execute(connection, "CREATE VIEW %s AS SELECT * FROM %s WHERE PK2 = 5".formatted(view, table));
    String along = "SELECT /*+ INDEX(%1$s \"%1$s#I_%2$s\") */ ".formatted(view, table);
    String from = " FROM %s WHERE V2 = 5".formatted(view);
    List<List<Object>> expected = rows(connection, "SELECT /*+ NO_INDEX */ PK1, PK2, V1" + from);
    assertThat(expected).hasSize(50);
    try (PlannedQuery query = new PlannedQuery(PruningMode.EXACT, along + "PK1, PK2, V1" + from)) {
      mergeAround(20);
      assertThat(query.rows()).containsExactlyInAnyOrderElementsOf(expected);
    }
    assertThat(explain(connection, along + "PK1, PK2, V1" + from))
        .as("the index of the table")
        .anyMatch(step -> step.contains("OVER I_" + table));
    try (Connection writer = connect(Map.of())) {
      writer.setAutoCommit(true);
      rows(writer, along + "COUNT(*)" + from);
      mergeAround(30);
      try (Statement statement = writer.createStatement()) {
        String delete = "DELETE /*+ INDEX(%1$s \"%1$s#I_%2$s\") */".formatted(view, table);
        assertThat(statement.executeUpdate(delete + from)).isEqualTo(50);
      }
    }
    assertThat(rows(connection, along + "COUNT(*)" + from).toString()).isEqualTo("[[0]]");
  }

  /**
   * Tests a merged region whose first rows do not belong to the scan. Once the scan has read four
   * blocks, HBase returns an empty batch for each such row. Phoenix mistakes such a batch for the
   * end.
   */
  @Test
  public void findsTheRowsOfAMergedRegionThatBeginsWithEmptyBatches() throws Exception {
    Admin admin = getUtility().getAdmin();
    TableDescriptor descriptor = admin.getDescriptor(TableName.valueOf(table));
    ColumnFamilyDescriptor family = descriptor.getColumnFamily(Bytes.toBytes("L#0"));
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(descriptor)
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(family).setBlocksize(64).build())
            .build());
    String sql = select + "PK1, PK2, V1 FROM " + table + " WHERE V2 = 5";
    List<List<Object>> expected = expectedRows("PK1, PK2, V1", " WHERE V2 = 5");
    try (PlannedQuery without =
            new PlannedQuery(Map.of(PruningOptions.PATCHES, "all,-empty-batch"), sql);
        PlannedQuery unpaged =
            new PlannedQuery(
                Map.of(QueryServices.PHOENIX_SERVER_PAGING_ENABLED_ATTRIB, "false"), sql)) {
      mergeAround(20);
      assertThat(without.rows()).as("without the patch").isEqualTo(expected);
      assertThat(unpaged.rows()).as("without pages").isEqualTo(expected);
    }
  }

  @Test
  public void stockLosesTheRowsOfARegionMergedWithItsLeftNeighbour() throws Exception {
    serveAsStock(table);
    String where = " WHERE V2 = 5 AND PK1 = 15";
    List<List<Object>> expected = expectedRows("PK1, PK2, V2", where);
    try (PlannedQuery stock = plan(PruningMode.STOCK, "PK1, PK2, V2", where)) {
      mergeAround(10);
      assertThat(stock.rows()).isEmpty();
    }
  }

  @Test
  public void findsTheRowsOfARegionMergedWithItsRightNeighbour() throws Exception {
    String where = " WHERE V2 = 5 AND PK1 = 15";
    List<List<Object>> expected = expectedRows("PK1, PK2, V2", where);
    try (PlannedQuery exact = plan(PruningMode.EXACT, "PK1, PK2, V2", where)) {
      mergeAround(20);
      assertThat(exact.rows()).isEqualTo(expected);
    }
  }

  @Test
  public void readsEachPartOfAMergedRegionOnce() throws Exception {
    String pruned = " AND PK1 BETWEEN 12 AND 45";
    String[][] queries = {
      {"PK1, PK2, V2", " WHERE V2 = 5" + pruned},
      {"PK1, PK2, V2", " WHERE V2 IN (3, 5, 8)" + pruned},
      {"PK1, V1, V2", " WHERE V2 IN (3, 5, 8) AND V1 = 2" + pruned},
      {"PK1, PK2, V2", " WHERE V2 > 4" + pruned + " ORDER BY V2 DESC, PK1 DESC, PK2 DESC"},
      {"COUNT(*), SUM(PK1)", " WHERE V2 = 5" + pruned},
      {"V2, COUNT(*)", " WHERE V2 IN (3, 5, 8)" + pruned + " GROUP BY V2"},
      {"DISTINCT PK1", " WHERE V2 < 4" + pruned},
    };
    List<PlannedQuery> planned = new ArrayList<>();
    List<List<List<Object>>> expected = new ArrayList<>();
    try {
      for (String[] query : queries) {
        expected.add(expectedRows(query[0], query[1]));
        planned.add(plan(PruningMode.EXACT, query[0], query[1]));
        assertThat(planned.get(planned.size() - 1).scans()).as(query[1]).isEqualTo(4);
      }
      mergeAround(20);
      mergeAround(40);
      for (int i = 0; i < queries.length; i++) {
        assertThat(planned.get(i).rows()).as(queries[i][1]).isEqualTo(expected.get(i));
      }
    } finally {
      for (PlannedQuery query : planned) {
        query.close();
      }
    }
  }

  @Test
  public void readsEachPartOfAMergedRegionOfASaltedTableOnce() throws Exception {
    execute(
        connection,
        "CREATE TABLE S_" + table + " (PK1 INTEGER PRIMARY KEY, V2 INTEGER) SALT_BUCKETS = 4",
        "CREATE LOCAL INDEX SI_" + table + " ON S_" + table + " (V2)",
        "UPSERT INTO S_" + table + " SELECT PK1, V1 FROM " + table + " WHERE PK2 = 0");
    connection.commit();
    String from = " FROM S_" + table + " WHERE V2 IN (1, 3) AND PK1 > 10";
    String hint = "/*+ INDEX(S_" + table + " SI_" + table + ") */ ";
    List<List<Object>> expected = rows(connection, "SELECT /*+ NO_INDEX */ PK1, V2" + from);
    assertThat(expected).hasSize(10);
    try (PlannedQuery exact =
        new PlannedQuery(PruningMode.EXACT, "SELECT " + hint + "PK1, V2" + from)) {
      List<RegionInfo> regions = regions("S_" + table);
      merge(regions.get(1), regions.get(2));
      assertThat(exact.rows()).isEqualTo(expected);
    }
  }

  /**
   * Tests a server that accepts scans that it should refuse. A client in mode exact may lose rows,
   * but returns no row twice.
   */
  @Test
  public void doublesNoRowOnAServerThatChecksAsStockDoes() throws Exception {
    serveAsStock(table);
    String where = " WHERE V2 IN (3, 5) AND PK1 BETWEEN 12 AND 45";
    List<List<Object>> expected = expectedRows("PK1, PK2, V2", where);
    try (PlannedQuery exact = plan(PruningMode.EXACT, "PK1, PK2, V2", where)) {
      List<RegionInfo> regions = regions(table);
      merge(regions.get(1), regions.get(2), regions.get(3));
      assertThat(exact.rows()).isSubsetOf(expected).doesNotHaveDuplicates();
    }
  }

  @Test
  public void readsEachPartOnceWithStatistics() throws Exception {
    execute(connection, "UPDATE STATISTICS " + table);
    String where = " WHERE V2 < 8 AND PK1 BETWEEN 12 AND 45";
    List<List<Object>> expected = expectedRows("PK1, PK2, V2", where);
    List<List<Object>> ordered =
        expectedRows("PK1, PK2, V2", where + " ORDER BY V2, PK1 DESC, PK2");
    try (PlannedQuery exact = plan(PruningMode.EXACT, "PK1, PK2, V2", where);
        PlannedQuery order =
            plan(PruningMode.EXACT, "PK1, PK2, V2", where + " ORDER BY V2, PK1 DESC, PK2")) {
      assertThat(exact.scans()).isGreaterThan(4);
      mergeAround(30);
      splitAt(43);
      assertThat(exact.rows()).isEqualTo(expected);
      assertThat(order.rows()).isEqualTo(ordered);
    }
  }

  @Test
  public void findsTheRowsOfARegionThatSplit() throws Exception {
    String where = " WHERE V2 = 5 AND PK1 BETWEEN 12 AND 18";
    List<List<Object>> expected = expectedRows("PK1, PK2, V2", where);
    try (PlannedQuery exact = plan(PruningMode.EXACT, "PK1, PK2, V2", where);
        PlannedQuery stock = plan(PruningMode.STOCK, "PK1, PK2, V2", where)) {
      splitAt(15);
      assertThat(exact.rows()).isEqualTo(expected);
      assertThat(stock.rows()).isEqualTo(expected);
    }
  }

  @Test
  public void leavesOutGuidepostsOfMergedRegions() throws Exception {
    execute(connection, "UPDATE STATISTICS " + table);
    String where = " WHERE V2 < 8 AND PK1 BETWEEN 12 AND 45";
    String order = " ORDER BY V2, PK1, PK2";
    mergeAround(30);
    for (String columns : List.of("PK1, PK2, V2", "COUNT(*), SUM(PK1)")) {
      assertThat(rows(connection, select + columns + " FROM " + table + where))
          .as(columns)
          .isEqualTo(expectedRows(columns, where));
    }
    assertThat(rows(connection, select + "PK1, PK2, V2 FROM " + table + where + order))
        .isEqualTo(expectedRows("PK1, PK2, V2", where + order));
    try (Connection stock = connect(PruningMode.STOCK)) {
      assertThat(rows(stock, select + "PK1, PK2, V2 FROM " + table + where))
          .as("stock doubles rows")
          .hasSizeGreaterThan(expectedRows("PK1, PK2, V2", where).size());
    }
  }

  /**
   * Tests verification after boundaries have changed. When regions are looked up again, the planned
   * ranges lie in regions that were not planned.
   */
  @Test
  public void verifiesOnlyRegionsThatWereNotPlanned() throws Exception {
    String where = " WHERE V2 = 5 AND PK1 BETWEEN 12 AND 18";
    String sql = select + "PK1, PK2, V2 FROM " + table + where;
    List<List<Object>> expected = expectedRows("PK1, PK2, V2", where);
    Map<String, String> verifying = Map.of(PruningOptions.VERIFY, "true");
    try (PlannedQuery beforeSplit = new PlannedQuery(verifying, sql)) {
      splitAt(15);
      assertThat(beforeSplit.rows()).isEqualTo(expected);
    }
    try (PlannedQuery beforeMerge = new PlannedQuery(verifying, sql)) {
      mergeAround(10);
      mergeAround(20);
      assertThat(beforeMerge.rows()).isEqualTo(expected);
    }
  }
}

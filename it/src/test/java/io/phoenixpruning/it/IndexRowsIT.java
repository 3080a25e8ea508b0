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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.QueryServices;
import org.junit.Before;
import org.junit.Test;

/** Tests how the server filters, completes and joins the rows of a local index. */
public class IndexRowsIT extends ClusterTest {

  private static final List<String> CONDITIONS =
      List.of(
          "V = 1 AND K2 BETWEEN 'b' AND 'y'",
          "V = 1 AND (K2 = 'c' OR K2 > 'd')",
          "V = 1 AND C BETWEEN 2 AND 8",
          "V = 1 AND NOT (C < 3 OR C > 7)",
          "V = 1 AND U > 4",
          "V = 1 AND U BETWEEN 2 AND 8",
          "V = 1 AND (U < 3 OR U > 7)",
          "V = 1 AND B AND K2 >= 'b'");

  /** Modes in which clients request patches from the server. */
  private static final PruningMode[] OURS = {PruningMode.EXACT, PruningMode.NONE};

  private static String value(int row, int every, String value) {
    return row % every == 0 ? "NULL" : value;
  }

  private String table;
  private String index;

  /**
   * Creates a table. Some of its rows have nulls: in the key, in columns that the index covers (C,
   * B), and in other columns (U, W).
   */
  @Before
  public void createTable() throws Exception {
    table = generateUniqueName();
    index = "I_" + table;
    try (Connection connection = connect(PruningMode.EXACT)) {
      connection.setAutoCommit(true);
      execute(
          connection,
          """
          CREATE TABLE %s (K1 INTEGER NOT NULL, K2 VARCHAR, K3 INTEGER NOT NULL, V INTEGER,
            C INTEGER, B BOOLEAN, U INTEGER, W INTEGER
            CONSTRAINT PK PRIMARY KEY (K1, K2, K3)) SPLIT ON (5)"""
              .formatted(table),
          "CREATE LOCAL INDEX I_" + table + " ON " + table + " (V) INCLUDE (C, B)",
          "CREATE TABLE D_" + table + " (ID INTEGER PRIMARY KEY, X INTEGER)");
      for (int row = 0; row < 60; row++) {
        String values =
            String.join(
                ", ",
                Integer.toString(row / 6),
                value(row, 3, "'" + (char) ('a' + row % 26) + "'"),
                Integer.toString(row),
                "1",
                value(row, 4, Integer.toString(row % 10)),
                value(row, 5, row % 2 == 0 ? "TRUE" : "FALSE"),
                value(row, 7, Integer.toString(row % 9)),
                value(row, 2, Integer.toString(row % 8)));
        execute(connection, "UPSERT INTO " + table + " VALUES (" + values + ")");
      }
      for (int id = 0; id < 5; id++) {
        execute(connection, "UPSERT INTO D_" + table + " VALUES (" + id + ", " + 2 * id + ")");
      }
    }
  }

  /**
   * Compares the index with the data table in each mode. In {@code select}, $T and $D stand for the
   * names of the tables.
   */
  private void assertThatRowsAreRight(String select, PruningMode... modes) throws Exception {
    String sql = select.replace("$T", table).replace("$D", "D_" + table);
    for (PruningMode mode : modes.length == 0 ? OURS : modes) {
      try (Connection connection = connect(mode)) {
        List<List<Object>> expected = rows(connection, "SELECT /*+ NO_INDEX */ " + sql);
        assertThat(expected).as(sql).isNotEmpty().isNotEqualTo(List.of(Arrays.asList(0L, null)));
        assertThat(rows(connection, "SELECT /*+ INDEX(" + table + " " + index + ") */ " + sql))
            .as("%s: %s", mode, sql)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  public void findsTheRowsAfterNulls() throws Exception {
    for (String condition : CONDITIONS) {
      assertThatRowsAreRight("K1, K2, K3 FROM $T WHERE " + condition);
    }
  }

  /** Tests rows that have none of the requested columns. HBase does not return such rows. */
  @Test
  public void looksUpRowsThatHaveNothingToLookUp() throws Exception {
    assertThatRowsAreRight("W, COUNT(*), MAX(U) FROM $T WHERE V = 1 GROUP BY W ORDER BY W");
    assertThatRowsAreRight("COUNT(*), COUNT(W) FROM $T WHERE V = 1 AND (W IS NULL OR W < 5)");
    assertThatRowsAreRight("DISTINCT C, W FROM $T WHERE V = 1 AND K1 <> 3 ORDER BY C, W");
    assertThatRowsAreRight("K1, K3, W FROM $T WHERE V = 1 ORDER BY W, K3 LIMIT 40");
  }

  @Test
  public void looksUpRowsOfAGlobalIndexThatHaveNothingToLookUp() throws Exception {
    index = "G_" + table;
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection, "CREATE INDEX " + index + " ON " + table + " (V, K1, K2, K3) INCLUDE (C)");
    }
    looksUpRowsThatHaveNothingToLookUp();
    assertThatRowsAreRight("W, COUNT(*) FROM $T WHERE C BETWEEN 2 AND 8 GROUP BY W ORDER BY W");
  }

  @Test
  public void aggregatesJoinedRows() throws Exception {
    String in = " FROM $T WHERE V = 1 AND C IN (SELECT X FROM $D)";
    assertThatRowsAreRight("COUNT(*), SUM(K3)" + in);
    assertThatRowsAreRight("C, COUNT(*), MAX(K1)" + in + " GROUP BY C ORDER BY C");
    assertThatRowsAreRight("B, COUNT(*), MAX(U)" + in + " AND U < 7 GROUP BY B ORDER BY B");
    String join = " FROM $T JOIN $D ON $T.C = $D.X WHERE V = 1";
    assertThatRowsAreRight("COUNT(*), SUM(ID)" + join);
    assertThatRowsAreRight("ID, COUNT(*), MAX(W)" + join + " GROUP BY ID ORDER BY ID");
  }

  /** Queries along the index for which Phoenix returns wrong rows. */
  private static final List<String> DEFECTS =
      List.of(
          "K1, K2, K3 FROM $T WHERE V = 1 AND K2 BETWEEN 'b' AND 'y'",
          "COUNT(*), SUM(K3) FROM $T WHERE V = 1 AND C IN (SELECT X FROM $D)");

  private void assertThatPhoenixAnswers(PruningMode client) throws Exception {
    try (Connection connection = connect(client)) {
      for (String defect : DEFECTS) {
        String sql = defect.replace("$T", table).replace("$D", "D_" + table);
        assertThat(rows(connection, "SELECT /*+ INDEX(" + table + " I_" + table + ") */ " + sql))
            .as("%s: %s", client, sql)
            .isNotEqualTo(rows(connection, "SELECT /*+ NO_INDEX */ " + sql));
      }
    }
  }

  @Test
  public void patchesNothingForAClientThatDoesNotAsk() throws Exception {
    for (String defect : DEFECTS) {
      assertThatRowsAreRight(defect);
    }
    assertThatPhoenixAnswers(PruningMode.STOCK);
  }

  @Test
  public void patchesNothingOnATableWithoutPatches() throws Exception {
    Admin admin = getUtility().getAdmin();
    TableName name = TableName.valueOf(table);
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
            .setValue(PruningOptions.PATCHES, "none")
            .build());
    assertThatPhoenixAnswers(PruningMode.EXACT);
  }

  /** Tests HBase's update_config, which makes servers read their configuration again. */
  @Test
  public void followsAnUpdateOfTheServersConfiguration() throws Exception {
    List<RegionServerThread> servers = getUtility().getHBaseCluster().getRegionServerThreads();
    servers.forEach(
        server -> server.getRegionServer().getConfiguration().set(PruningOptions.PATCHES, "none"));
    try {
      getUtility().getAdmin().updateConfiguration();
      assertThatPhoenixAnswers(PruningMode.EXACT);
    } finally {
      servers.forEach(
          server -> server.getRegionServer().getConfiguration().unset(PruningOptions.PATCHES));
      getUtility().getAdmin().updateConfiguration();
    }
    for (String defect : DEFECTS) {
      assertThatRowsAreRight(defect);
    }
  }

  @Test
  public void patchesNothingInModeStockOfTheServer() throws Exception {
    serveAsStock(table);
    assertThatPhoenixAnswers(PruningMode.EXACT);
  }

  /** Tests queries that are wrong in mode stock because of a defect of the client. */
  @Test
  public void skipsNoValueBeforeTheConditionIsTested() throws Exception {
    for (String select :
        List.of(
            "DISTINCT V, K1 FROM $T WHERE K3 = 17 OR K3 > 50 ORDER BY K1",
            "DISTINCT V FROM $T WHERE K3 = 17",
            "V FROM $T WHERE K3 = 17 GROUP BY V LIMIT 3",
            "COUNT(DISTINCT V) FROM $T WHERE K3 = 17 HAVING COUNT(DISTINCT V) > 0")) {
      assertThatRowsAreRight(select, PruningMode.EXACT, PruningMode.NONE);
    }
    String select = "DISTINCT V FROM " + table + " WHERE K3 = 17";
    try (Connection stock = connect(PruningMode.STOCK)) {
      assertThat(rows(stock, "SELECT /*+ INDEX(" + table + " I_" + table + ") */ " + select))
          .isEmpty();
    }
  }

  @Test
  public void looksUpRowsAlongTheIndexOfAViewsTable() throws Exception {
    String view = generateUniqueName();
    String hint = "SELECT /*+ INDEX(" + view + " " + view + "#I_" + table + ") */ ";
    String select = "K3, U, W FROM " + view + " WHERE V = 1 AND U > 2 ORDER BY K3";
    try (Connection exact = connect(PruningMode.EXACT);
        Connection stock = connect(PruningMode.STOCK)) {
      execute(exact, "CREATE VIEW " + view + " AS SELECT * FROM " + table + " WHERE K1 = 4");
      List<List<Object>> expected = rows(exact, "SELECT /*+ NO_INDEX */ " + select);
      assertThat(expected).isNotEmpty();
      assertThat(explain(exact, hint + select).toString()).contains("I_" + table);
      assertThat(rows(exact, hint + select)).isEqualTo(expected);
      assertThatThrownBy(() -> rows(stock, hint + select)).hasMessageContaining("Index: 0");
    }
  }

  /**
   * Reads each index row in a request of its own. After each request, the server overwrites the
   * memory that it has released, as it does with large rows and longer pages.
   */
  @Test
  public void keepsTheIndexRowsOfSeveralRequests() throws Exception {
    String large = generateUniqueName();
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE " + large + " (K INTEGER PRIMARY KEY, V INTEGER, S VARCHAR, U INTEGER)",
          "CREATE LOCAL INDEX I_" + large + " ON " + large + " (V) INCLUDE (S)");
      disableBlockCache(TableName.valueOf(large));
      upsertRows(
          connection, large, 300, k -> List.of(k, 1, Integer.toString(k).repeat(1000), 2 * k));
    }
    getUtility().getAdmin().flush(TableName.valueOf(large));

    String sql = "K, S, U FROM " + large + " WHERE V = 1 AND K < 200";
    List<List<Object>> right = readPages("all", "SELECT /*+ NO_INDEX */ " + sql);
    String hinted = "SELECT /*+ INDEX(%1$s I_%1$s) */ ".formatted(large) + sql;
    assertThat(right).hasSize(200);
    assertThat(readPages("all", hinted)).isEqualTo(right);
    assertThat(readPages("all,-data-row-lookup", hinted)).isNotEqualTo(right).hasSize(200);
  }

  private static List<List<Object>> readPages(String patches, String sql) throws Exception {
    try (Connection connection =
        connect(
            Map.of(
                PruningOptions.PATCHES, patches, QueryServices.PHOENIX_SERVER_PAGE_SIZE_MS, "0"))) {
      return rows(connection, sql);
    }
  }

  /** HBase reads blocks that are not cached into memory outside the heap. */
  private static void disableBlockCache(TableName table) throws Exception {
    Admin admin = getUtility().getAdmin();
    TableDescriptorBuilder descriptor =
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(table));
    for (ColumnFamilyDescriptor family : admin.getDescriptor(table).getColumnFamilies()) {
      descriptor.modifyColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family).setBlockCacheEnabled(false).build());
    }
    admin.modifyTable(descriptor.build());
  }
}

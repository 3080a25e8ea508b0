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
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.types.PInteger;
import org.junit.After;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Runs statements along uncovered global indexes, and counts the rows of the indexes afterwards.
 * The servers of the tests delete outdated index rows of any age. Without the patch, Phoenix takes
 * the index rows that a join reads for outdated ones.
 */
public class UncoveredIndexIT extends ClusterTest {

  private static final int ROWS = 4;

  private static final String COLUMNS = "K INTEGER PRIMARY KEY, A INTEGER, N INTEGER, X VARCHAR";

  /** Maps names of tables to the statements that create them, with T as their name. */
  private static final Map<String, List<String>> TABLES =
      Map.ofEntries(
          indexed("PLAIN", COLUMNS, "", "A"),
          indexed("DESCENDING", COLUMNS, "", "A DESC, X DESC"),
          indexed("NAMED", COLUMNS, "COLUMN_ENCODED_BYTES = NONE", "A"),
          indexed("FUNCTIONS", COLUMNS, "", "A + 1, UPPER(X)"),
          indexed("SALTED", COLUMNS, "SALT_BUCKETS = 3", "A"),
          indexed("KEYS", COLUMNS, "", "K DESC"),
          indexed(
              "FAMILIES", "K INTEGER PRIMARY KEY, F.A INTEGER, G.N INTEGER, H.X VARCHAR", "", "A"),
          indexed(
              "ONE_CELL",
              COLUMNS,
              "IMMUTABLE_ROWS = true, IMMUTABLE_STORAGE_SCHEME = ONE_CELL_PER_COLUMN",
              "A"),
          indexed("CELLS", COLUMNS, "IMMUTABLE_ROWS = true", "A"),
          indexed(
              "CELL_FAMILIES",
              "K INTEGER PRIMARY KEY, F.A INTEGER, G.N INTEGER, H.X VARCHAR",
              "IMMUTABLE_ROWS = true",
              "A"),
          Map.entry(
              "VIEWED",
              List.of(
                  "CREATE TABLE BASE_T (K INTEGER PRIMARY KEY, A INTEGER, N INTEGER, C INTEGER)",
                  "CREATE VIEW T (X VARCHAR) AS SELECT * FROM BASE_T WHERE C = 7",
                  "CREATE UNCOVERED INDEX I_T ON T (A)")));

  private static final String JOIN = "T.K FROM %s T JOIN PARTNERS R ON T.N = R.N";

  private static final Map<String, String> QUERIES =
      Map.ofEntries(
          Map.entry(JOIN, "[[1], [2], [3]]"),
          Map.entry("USE_SORT_MERGE_JOIN */ " + JOIN, "[[1], [2], [3]]"),
          Map.entry("T.K FROM PARTNERS R JOIN %s T ON T.N = R.N", "[[1], [2], [3]]"),
          Map.entry(JOIN + " WHERE T.A > 10 AND T.X > 'a'", "[[2], [3]]"),
          Map.entry(
              "T.K, R.N FROM %s T LEFT JOIN PARTNERS R ON T.N = R.N WHERE T.A > 20",
              "[[3, 3], [4, null]]"),
          Map.entry(
              "T.K, T.X FROM PARTNERS R LEFT JOIN %s T ON T.N = R.N",
              "[[1, b1], [2, b2], [3, b3]]"),
          Map.entry("T.K FROM %1$s T JOIN %1$s U ON T.N = U.N", "[[1], [2], [3], [4]]"),
          Map.entry("T.K FROM %s T WHERE T.N IN (SELECT N FROM PARTNERS)", "[[1], [2], [3]]"),
          Map.entry("T.K FROM %s T WHERE T.N NOT IN (SELECT N FROM PARTNERS)", "[[4]]"),
          Map.entry(
              "T.K FROM %s T WHERE EXISTS (SELECT 1 FROM PARTNERS R WHERE R.N = T.N)",
              "[[1], [2], [3]]"),
          Map.entry("T.K FROM %s T WHERE T.N = (SELECT MAX(N) FROM PARTNERS)", "[[3]]"),
          Map.entry("R.N FROM PARTNERS R WHERE R.N IN (SELECT N FROM %s)", "[[1], [2], [3]]"),
          Map.entry("COUNT(*) FROM %s T JOIN PARTNERS R ON T.N = R.N", "[[3]]"),
          Map.entry(
              "T.N, COUNT(*) FROM %s T JOIN PARTNERS R ON T.N = R.N GROUP BY T.N",
              "[[1, 1], [2, 1], [3, 1]]"),
          Map.entry("SUM(T.N) FROM %s T WHERE T.X > 'b1'", "[[9]]"),
          Map.entry("T.N FROM %s T WHERE T.X > 'a' ORDER BY T.X DESC LIMIT 2", "[[4], [3]]"),
          Map.entry("COUNT(*) FROM %s T WHERE T.A > 10", "[[3]]"));

  private static Map.Entry<String, List<String>> indexed(
      String name, String columns, String options, String indexedColumns) {
    return Map.entry(
        name,
        List.of(
            "CREATE TABLE T (%s) %s".formatted(columns, options),
            "CREATE UNCOVERED INDEX I_T ON T (%s)".formatted(indexedColumns)));
  }

  @BeforeClass
  public static void createPartners() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE PARTNERS (K INTEGER PRIMARY KEY, N INTEGER)",
          "UPSERT INTO PARTNERS VALUES (1, 1)",
          "UPSERT INTO PARTNERS VALUES (2, 2)",
          "UPSERT INTO PARTNERS VALUES (3, 3)");
      connection.commit();
    }
  }

  @After
  public void switchAllPatchesOn() throws ReflectiveOperationException {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
  }

  @Test
  public void keepsIndexRowsThatQueriesRead() throws Exception {
    for (Map.Entry<String, List<String>> table : TABLES.entrySet()) {
      String name = table.getKey();
      try (Connection exact = connect(PruningMode.EXACT);
          Connection stock = connect(PruningMode.STOCK)) {
        create(exact, name, table.getValue());
        fill(exact, name);
        for (Map.Entry<String, String> query : QUERIES.entrySet()) {
          String sql = hinted(name, query.getKey());
          assertThat(rows(exact, sql).toString()).as(sql).isEqualTo(query.getValue());
          assertThat(rows(stock, sql).toString()).as(sql).isEqualTo(query.getValue());
          assertThat(indexRows(name)).as(sql).hasSize(ROWS);
        }
        String join = hinted(name, JOIN);
        assertThat(explain(exact, join)).as(join).anyMatch(step -> step.contains(index(name)));
      }
    }
  }

  @Test
  public void keepsIndexRowsThatWritesRead() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      create(connection, "WRITTEN", indexed("WRITTEN", COLUMNS, "", "A").getValue());
      fill(connection, "WRITTEN");
      execute(
          connection,
          "DELETE FROM WRITTEN WHERE A > 10 AND N IN (SELECT N FROM PARTNERS WHERE N < 3)");
      connection.commit();
      execute(
          connection,
          "UPSERT INTO WRITTEN (K, X) SELECT K, 'z' FROM WRITTEN WHERE A > 10 AND N IN (SELECT N"
              + " FROM PARTNERS)");
      connection.commit();
      assertThat(indexRows("WRITTEN")).hasSize(ROWS - 1);
      assertThat(rows(connection, hinted("WRITTEN", "T.K, T.X FROM %s T")).toString())
          .isEqualTo("[[1, b1], [3, z], [4, b4]]");
    }
  }

  /** The client of Phoenix does not name the columns of the index's condition. */
  @Test
  public void keepsRowsOfPartialIndexes() throws Exception {
    try (Connection exact = connect(PruningMode.EXACT);
        Connection stock = connect(PruningMode.STOCK)) {
      execute(
          exact,
          "CREATE TABLE PARTIAL (%s)".formatted(COLUMNS),
          "CREATE UNCOVERED INDEX I_PARTIAL ON PARTIAL (A) WHERE X > 'b1'");
      fill(exact, "PARTIAL");
      assertThat(indexRows("PARTIAL")).hasSize(ROWS - 1);
      String join = hinted("PARTIAL", JOIN + " WHERE T.X > 'b1'");
      assertThat(rows(exact, join).toString()).isEqualTo("[[2], [3]]");
      String hinted = hinted("PARTIAL", "T.K, T.N FROM %s T WHERE T.A > 20");
      assertThat(rows(stock, hinted).toString()).isEqualTo("[[3, 3], [4, 4]]");
      assertThat(indexRows("PARTIAL")).hasSize(ROWS - 1);
    }
  }

  /** Deletes a data row and changes another one without Phoenix, so that the index keeps both. */
  @Test
  public void deletesOutdatedIndexRows() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      create(
          connection,
          "OUTDATED",
          indexed("OUTDATED", COLUMNS, "COLUMN_ENCODED_BYTES = NONE", "A").getValue());
      fill(connection, "OUTDATED");
      try (Table table = utility.getConnection().getTable(TableName.valueOf("OUTDATED"))) {
        table.delete(new Delete(PInteger.INSTANCE.toBytes(1)));
        table.put(
            new Put(PInteger.INSTANCE.toBytes(2))
                .addColumn(Bytes.toBytes("0"), Bytes.toBytes("A"), PInteger.INSTANCE.toBytes(99)));
      }
      assertThat(indexRows("OUTDATED")).hasSize(ROWS);
      assertThat(rows(connection, hinted("OUTDATED", JOIN)).toString()).isEqualTo("[[3]]");
      assertThat(indexRows("OUTDATED")).hasSize(ROWS - 2);
    }
  }

  @Test
  public void deletesIndexRowsWithoutThePatch() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      create(connection, "UNPATCHED", indexed("UNPATCHED", COLUMNS, "", "A").getValue());
      fill(connection, "UNPATCHED");
      PatchSwitch.switchPatchesOfJvm(patch -> patch != Patch.UNCOVERED_INDEX && !patch.isOptIn());
      assertThat(rows(connection, hinted("UNPATCHED", JOIN))).isEmpty();
      assertThat(indexRows("UNPATCHED")).isEmpty();
      execute(connection, "ALTER INDEX I_UNPATCHED ON UNPATCHED REBUILD");
      assertThat(indexRows("UNPATCHED")).hasSize(ROWS);
    }
  }

  private static void create(Connection connection, String name, List<String> statements)
      throws SQLException {
    for (String statement : statements) {
      execute(connection, statement.replaceAll("\\b(|I_|BASE_)T\\b", "$1" + name));
    }
  }

  /** Writes the rows (1, 10, 1, b1) to (4, 40, 4, b4). */
  private static void fill(Connection connection, String name) throws SQLException {
    for (int k = 1; k <= ROWS; k++) {
      execute(
          connection,
          "UPSERT INTO %s (K, A, N, X) VALUES (%d, %d, %d, 'b%d')"
              .formatted(name, k, 10 * k, k, k));
    }
    connection.commit();
  }

  private static String hinted(String name, String query) {
    String hint = "SELECT /*+ INDEX(T I_%1$s) INDEX(%1$s I_%1$s) ".formatted(name);
    return hint + (query.contains("*/ ") ? query : "*/ " + query).formatted(name);
  }

  private static String index(String name) {
    return name.equals("VIEWED") ? "_IDX_BASE_" + name : "I_" + name;
  }

  /** Returns the rows of an index, which HBase reads without checking them. */
  private static List<Result> indexRows(String name) throws IOException {
    try (Table index = utility.getConnection().getTable(TableName.valueOf(index(name)));
        ResultScanner scanner = index.getScanner(new Scan())) {
      List<Result> rows = new ArrayList<>();
      scanner.forEach(rows::add);
      return rows;
    }
  }
}

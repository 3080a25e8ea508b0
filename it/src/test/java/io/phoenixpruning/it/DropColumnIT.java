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
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.types.PLong;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Drops columns of tables with local indexes, and reads the remaining cells from HBase. */
@RunWith(JUnitParamsRunner.class)
public class DropColumnIT extends TableTest {

  private static final int ROWS = 12;

  @After
  public void close() throws Exception {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
  }

  private static Connection without(Patch patch) throws SQLException {
    Connection without = connect(allBut(patch));
    without.setAutoCommit(true);
    return without;
  }

  /** Creates a table of three columns, with an index on each, and writes rows from number 0. */
  private void create(String key, String options) throws SQLException {
    execute(
        connection,
        "CREATE TABLE %s (%s, V INTEGER, W INTEGER, X INTEGER) %s".formatted(table, key, options),
        "CREATE LOCAL INDEX IV_%1$s ON %1$s (V)".formatted(table),
        "CREATE LOCAL INDEX IW_%1$s ON %1$s (W) INCLUDE (X)".formatted(table),
        "CREATE LOCAL INDEX IX_%1$s ON %1$s (X) INCLUDE (W)".formatted(table));
    for (int k = 0; k < ROWS; k++) {
      execute(
          connection,
          "UPSERT INTO %s (K, V, W, X) VALUES (%d, %d, %d, %d)"
              .formatted(table, k, k % 5, k % 4, k % 3));
    }
  }

  private void drop(Connection by, String columns) throws SQLException {
    execute(by, "ALTER TABLE " + table + " DROP COLUMN " + columns);
  }

  /** Returns all cells of a family of the table in HBase. */
  private List<Cell> cells(String family) throws Exception {
    List<Cell> cells = new ArrayList<>();
    Scan scan = new Scan().addFamily(Bytes.toBytes(family));
    try (Table stored =
            connection
                .unwrap(PhoenixConnection.class)
                .getQueryServices()
                .getTable(Bytes.toBytes(table));
        ResultScanner rows = stored.getScanner(scan)) {
      for (Result row : rows) {
        cells.addAll(row.listCells());
      }
    }
    return cells;
  }

  private PTable index(String prefix) throws SQLException {
    return connection.unwrap(PhoenixConnection.class).getTableNoCache(prefix + table);
  }

  /**
   * Returns the keys of all rows of {@code indexes}. The key of a row contains the id of its index.
   */
  private Set<String> rowsOf(List<PTable> indexes) throws Exception {
    Set<String> rows = new HashSet<>();
    for (Cell cell : cells("L#0")) {
      String row = Bytes.toStringBinary(CellUtil.cloneRow(cell));
      for (PTable index : indexes) {
        if (row.contains(Bytes.toStringBinary(PLong.INSTANCE.toBytes(index.getViewIndexId())))) {
          rows.add(row);
        }
      }
    }
    return rows;
  }

  private int count(String hint) throws SQLException {
    return ((Number)
            rows(connection, "SELECT /*+ %s */ COUNT(*) FROM %s".formatted(hint, table))
                .get(0)
                .get(0))
        .intValue();
  }

  @Test
  @Parameters({"", "SPLIT ON (5)", "SALT_BUCKETS = 3"})
  public void deletesTheRowsOfDroppedIndexes(String options) throws Exception {
    create("K UNSIGNED_INT PRIMARY KEY", options);
    execute(
        connection,
        "CREATE VIEW VW_%1$s (Y INTEGER) AS SELECT * FROM %1$s WHERE W = 1".formatted(table),
        "CREATE LOCAL INDEX IY_%1$s ON VW_%1$s (V, Y)".formatted(table),
        "UPSERT INTO VW_%s (K, V, Y) VALUES (100, 1, 2)".formatted(table));
    List<PTable> dropped = List.of(index("IV_"), index("IY_"));
    List<PTable> kept = List.of(index("IW_"), index("IX_"));
    // The view has 3 rows of the table, and its own.
    assertThat(rowsOf(dropped)).hasSize(ROWS + 1 + 4);
    // The write through the view also writes the indexes of the table.
    assertThat(rowsOf(kept)).hasSize(2 * (ROWS + 1));

    drop(connection, "V");

    assertThat(rowsOf(dropped)).isEmpty();
    assertThat(rowsOf(kept)).hasSize(2 * (ROWS + 1));
    assertThat(count("NO_INDEX")).isEqualTo(ROWS + 1);
    for (String index : List.of("IW_", "IX_")) {
      assertThat(
              rows(
                  connection,
                  "SELECT /*+ INDEX(%1$s %2$s%1$s) */ K, W, X FROM %1$s WHERE %3$s"
                      .formatted(table, index, index.equals("IW_") ? "W >= 0" : "X >= 0")))
          .as(index)
          .isEqualTo(
              rows(
                  connection,
                  "SELECT /*+ NO_INDEX */ K, W, X FROM %s WHERE %s"
                      .formatted(table, index.equals("IW_") ? "W >= 0" : "X >= 0")));
    }
  }

  @Test
  @Parameters({"SPLIT ON ('b')", "SALT_BUCKETS = 3"})
  public void deletesTheRowsOfDroppedIndexesOfAllTenants(String options) throws Exception {
    execute(
        connection,
        """
        CREATE TABLE %s (TENANT VARCHAR NOT NULL, K INTEGER NOT NULL, V VARCHAR, W INTEGER,
          CONSTRAINT PK PRIMARY KEY (TENANT, K)) MULTI_TENANT = true%s"""
            .formatted(table, options.startsWith("SALT") ? ", " + options : " " + options),
        "CREATE LOCAL INDEX IV_%1$s ON %1$s (V)".formatted(table),
        "CREATE LOCAL INDEX IW_%1$s ON %1$s (W)".formatted(table));
    for (String tenant : List.of("a", "abcd", "c")) {
      for (int k = 0; k < ROWS; k++) {
        execute(
            connection, "UPSERT INTO %s VALUES ('%s', %d, '%2$s', 1)".formatted(table, tenant, k));
      }
    }
    List<PTable> dropped = List.of(index("IV_"));
    List<PTable> kept = List.of(index("IW_"));
    assertThat(rowsOf(dropped)).hasSize(3 * ROWS);

    drop(connection, "V");

    assertThat(rowsOf(dropped)).isEmpty();
    assertThat(rowsOf(kept)).hasSize(3 * ROWS);
    assertThat(count("NO_INDEX")).isEqualTo(3 * ROWS);
    assertThat(count("INDEX(%1$s IW_%1$s)".formatted(table))).isEqualTo(3 * ROWS);
  }

  /** -32768 is the id of the first index. */
  @Test
  @Parameters({
    " | DROP INDEX IV_%1$s ON %1$s",
    " | ALTER INDEX IV_%1$s ON %1$s REBUILD",
    " | ALTER TABLE %1$s DROP COLUMN V",
    "SPLIT ON (5) | ALTER TABLE %1$s DROP COLUMN V"
  })
  public void keepsDataRowsWhoseKeyIsTheIdOfAnIndex(String options, String statement)
      throws Exception {
    for (boolean isPatched : List.of(true, false)) {
      table = generateUniqueName();
      create("K BIGINT PRIMARY KEY", options);
      execute(connection, "UPSERT INTO %s (K, V, W) VALUES (-32768, 1, 2)".formatted(table));
      try (Connection by = without(isPatched ? Patch.FIRST_FAMILY : Patch.DROPPED_INDEX)) {
        execute(by, statement.formatted(table));
      }
      assertThat(count("NO_INDEX"))
          .as("with the patch: %s", isPatched)
          .isEqualTo(isPatched ? ROWS + 1 : ROWS);
    }
  }

  @Test
  @Parameters({"", "SPLIT ON (5)", "SALT_BUCKETS = 3"})
  public void deletesDroppedColumnsFromIndexes(String options) throws Exception {
    create("K UNSIGNED_INT PRIMARY KEY", options);
    drop(connection, "X");
    // Each row of the indexes on V and W has only the empty column.
    assertThat(cells("L#0")).hasSize(2 * ROWS);
    assertThat(count("INDEX(%1$s IW_%1$s)".formatted(table))).isEqualTo(ROWS);

    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn() && patch != Patch.DROPPED_COLUMN);
    table = generateUniqueName();
    create("K UNSIGNED_INT PRIMARY KEY", options);
    try (Connection without = without(Patch.FIRST_FAMILY)) {
      drop(without, "X");
    }
    if (options.isEmpty()) {
      assertThat(cells("L#0")).hasSize(2 * ROWS);
    } else {
      // The values of X remain, and rows are added.
      assertThat(cells("L#0")).hasSizeGreaterThan(3 * ROWS);
    }
  }

  @SuppressWarnings("unused") // JUnitParams calls it.
  private static Object[][] families() {
    return new Object[][] {
      {"A.V INTEGER, B.W INTEGER, A.X INTEGER", "A.V"},
      {"A.V INTEGER, A.X INTEGER, B.W INTEGER", "A.V, A.X"},
      {"A.V INTEGER, B.W INTEGER, B.X INTEGER", "V"},
      {"A.V INTEGER, B.W INTEGER, B.X INTEGER", "%s.V"},
      {"A.V INTEGER, B.W INTEGER, A.X INTEGER", "A.V, B.W, X"},
      {"B.V INTEGER, A.W INTEGER, C.X INTEGER", "W, V"}
    };
  }

  @Test
  @Parameters(method = "families")
  public void countsRowsAfterTheFirstFamilyHasChanged(String columns, String dropped)
      throws Exception {
    boolean isIndexed = !dropped.contains("X") && !columns.contains("C.X");
    List<List<Object>> two = List.of(List.of(BigDecimal.valueOf(2)));
    for (boolean isPatched : List.of(true, false)) {
      table = generateUniqueName();
      execute(connection, "CREATE TABLE %s (K INTEGER PRIMARY KEY, %s)".formatted(table, columns));
      if (isIndexed) {
        execute(
            connection, "CREATE LOCAL INDEX I_%1$s ON %1$s (X) INCLUDE (V, W)".formatted(table));
      }
      execute(
          connection,
          "UPSERT INTO %s VALUES (1, 2, 3, 4)".formatted(table),
          "UPSERT INTO %s (K) VALUES (2)".formatted(table));
      try (Connection by = without(isPatched ? Patch.DROPPED_INDEX : Patch.FIRST_FAMILY)) {
        drop(by, dropped.formatted(table));
      }
      String query = "SELECT /*+ %s */ COUNT(*) FROM %s";
      String data = query.formatted("NO_INDEX", table);
      if (isPatched) {
        assertThat(rows(connection, data)).as("with the patch").isEqualTo(two);
        if (isIndexed) {
          assertThat(
                  rows(connection, query.formatted("INDEX(%1$s I_%1$s)", table).formatted(table)))
              .as("with the patch, along the index")
              .isEqualTo(two);
        }
      } else if (dropped.endsWith("V") && columns.contains("B.X")) {
        // Phoenix is right, because V was the only column of the first family.
        assertThat(rows(connection, data)).as("without the patch").isEqualTo(two);
      } else if (dropped.contains("B.W")) {
        assertThatThrownBy(() -> rows(connection, data))
            .as("without the patch")
            .hasMessageContaining("NoSuchColumnFamilyException");
      } else {
        assertThat(rows(connection, data)).as("without the patch").isNotEqualTo(two);
      }
    }
  }

  /**
   * Drops an index while the client still knows the regions before a merge. Then the deletion of
   * its rows is planned again, when the catalog no longer has the index.
   */
  @Test
  @Parameters({"true", "false"})
  public void deletesTheRowsOfADroppedIndexAfterAMerge(boolean isDroppedWithColumn)
      throws Exception {
    create("K UNSIGNED_INT PRIMARY KEY", "SPLIT ON (5)");
    PTable dropped = index("IV_");
    PTable kept = index("IW_");
    RegionChanges regions = new RegionChanges(getUtility());
    assertThat(count("INDEX(%1$s IV_%1$s)".formatted(table))).isEqualTo(ROWS);
    regions.merge(regions.regions(table).toArray(RegionInfo[]::new));
    if (isDroppedWithColumn) {
      drop(connection, "V");
    } else {
      execute(connection, "DROP INDEX IV_%1$s ON %1$s".formatted(table));
    }
    assertThat(rowsOf(List.of(dropped))).isEmpty();
    assertThat(rowsOf(List.of(kept))).hasSize(ROWS);
  }
}

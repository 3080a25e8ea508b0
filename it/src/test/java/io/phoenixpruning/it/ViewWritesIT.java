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
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Properties;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.phoenix.jdbc.PhoenixTestDriver;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Compares tables with their local indexes after statements that write through a view. */
@RunWith(JUnitParamsRunner.class)
public class ViewWritesIT extends IndexedTableTest {

  @Test
  @Parameters({"SPLIT ON (4)", "SALT_BUCKETS = 2"})
  public void maintainsTheIndexesOfTheTableThroughAView(String options) throws SQLException {
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
    try (Connection without = connect(allBut(Patch.VIEW_WRITES))) {
      without.setAutoCommit(true);
      execute(without, "UPSERT INTO " + view + " (K, A, V) VALUES (5, 5, 50)");
    }
    assertThat(rows(hint, "K, A, V", own)).as("without the patch").isEqualTo(right);
    rebuildIndexOf(own);
    assertThat(rows(hint, "K, A, V", own)).isEqualTo(rows("NO_INDEX", "K, A, V", own)).hasSize(3);
  }

  @Test
  @Parameters({
    "BIGINT | 30",
    "UNSIGNED_LONG | 30",
    "VARCHAR | 'ab'",
    "CHAR(3) | 'ab'",
    "DECIMAL | -1.5",
    "DOUBLE | 2.5"
  })
  public void writesConstantsOfDescendingColumns(String type, String constant) throws Exception {
    String view = "W_" + table;
    execute(
        connection,
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 %s NOT NULL, K3 INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2 DESC, K3))"""
            .formatted(table, type),
        "CREATE VIEW %s AS SELECT * FROM %s WHERE K2 = %s".formatted(view, table, constant),
        "UPSERT INTO %s (K1, K3, V) VALUES (1, 5, 2)".formatted(view));
    String upsert = "UPSERT INTO %1$s (K1, K3, V) SELECT K1, %2$d, V FROM %1$s WHERE K3 = 5";
    execute(connection, upsert.formatted(view, 7));
    connection.setAutoCommit(false);
    execute(connection, upsert.formatted(view, 8));
    connection.commit();
    connection.setAutoCommit(true);
    String all = "SELECT K1, K3, V FROM %s WHERE K2 = %s".formatted(table, constant);
    assertThat(rows(connection, all)).containsExactly(row(1, 5, 2), row(1, 7, 2), row(1, 8, 2));
    assertThat(rows(connection, "SELECT COUNT(*) FROM " + table)).containsExactly(row(3));
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
    try (Connection without = connect(allBut(Patch.VIEW_WRITES))) {
      without.setAutoCommit(true);
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

  private static List<Object[]> inheritedIndexes() {
    return List.of(
        new Object[] {"T", "V", ""},
        new Object[] {"T", "K1, V", ""},
        new Object[] {"T", "V", "SALT_BUCKETS = 2"},
        new Object[] {"T", "V", "IMMUTABLE_ROWS = true"},
        new Object[] {"W", "V", ""});
  }

  /**
   * Deletes through a view of a view along an index of the table or of the parent view. All three
   * have the same rows.
   */
  @Test
  @Parameters(method = "inheritedIndexes")
  public void deletesThroughAViewAlongAnInheritedIndex(String owner, String indexed, String options)
      throws Exception {
    String view = "W_" + table;
    String child = "X_" + table;
    String owning = owner.equals("T") ? table : view;
    execute(
        connection,
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, K3 INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2, K3)) %s"""
            .formatted(table, options),
        "CREATE VIEW " + view + " AS SELECT * FROM " + table + " WHERE K2 = 4",
        "CREATE LOCAL INDEX " + index + " ON " + owning + " (" + indexed + ")",
        "CREATE VIEW " + child + " AS SELECT * FROM " + view + " WHERE K1 = 3",
        "UPSERT INTO " + view + " (K1, K3, V) VALUES (3, 3, 9)",
        "UPSERT INTO " + view + " (K1, K3, V) VALUES (3, 4, 9)",
        "UPSERT INTO " + view + " (K1, K3, V) VALUES (3, 7, 1)",
        "UPSERT INTO " + view + " (K1, K3, V) VALUES (2, 8, 1)");
    String delete = "DELETE FROM " + child + " WHERE V = 1";
    assertThat(explain(connection, delete)).as("the plan").anyMatch(line -> line.contains(index));
    if (owner.equals("T")) {
      try (Connection without = connect(allBut(Patch.VIEW_DELETE))) {
        without.setAutoCommit(true);
        assertThatThrownBy(() -> execute(without, delete))
            .hasRootCauseInstanceOf(NoSuchElementException.class);
      }
    }
    execute(connection, delete);
    List<List<Object>> right = List.of(row(2, 4, 8, 1), row(3, 4, 3, 9), row(3, 4, 4, 9));
    assertThat(rows("NO_INDEX", "K1, K2, K3, V", table)).isEqualTo(right);
    assertThat(rows("INDEX(" + owning + " " + index + ")", "K1, K2, K3, V", owning))
        .isEqualTo(right);
  }
}

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
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;
import org.apache.hadoop.hbase.security.visibility.VisibilityTestUtil;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.metrics.ClientPruningMetrics;
import org.apache.phoenix.pruning.metrics.PruningMetric;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/**
 * Tests tables whose cells have visibility labels. HBase hides such a cell from users who do not
 * have its label. In all modes, with and without probes, each user gets the same rows.
 */
public class VisibilityLabelsIT {

  @ClassRule
  public static final SecureCluster CLUSTER =
      new SecureCluster(
          utility -> {
            VisibilityTestUtil.enableVisiblityLabels(utility.getConfiguration());
            return Map.of();
          });

  private static final String LABEL = "secret";

  /** All cells of the rows with an odd K2 have the label, in the table and in both indexes. */
  private static final TableName ROWS = TableName.valueOf("LABELLED_ROWS");

  /** Only the cells of the data have labels. */
  private static final TableName DATA = TableName.valueOf("LABELLED_DATA");

  /** Like {@link #ROWS}, but Phoenix changes rows after they got their labels. */
  private static final TableName CHANGED = TableName.valueOf("LABELLED_CHANGED");

  private static final int ROW_COUNT = 240;

  /** A value of V that four rows have, two of them with an odd K2. Each is in another region. */
  private static final int RARE = 50;

  /** Queries with a condition on the primary key, along the natural index and the other one. */
  private static final List<String> KEY_QUERIES =
      List.of(
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2 FROM %1$s WHERE V = 3 AND K1 = 15",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2 FROM %1$s WHERE V = 3 AND K1 IN (5, 25, 35)",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, W FROM %1$s WHERE V = 3 AND K1 BETWEEN 12 AND 33",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ COUNT(*), SUM(K1) FROM %1$s WHERE V < 4 AND K1 < 20",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ K1, K2 FROM %1$s WHERE K1 = 25 AND V = 3",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ W, K2 FROM %1$s WHERE K1 IN (15, 16) AND V < 4",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ V, COUNT(*) FROM %1$s WHERE K1 = 25 GROUP BY V");

  /** Queries without such a condition. Servers are probed. */
  private static final List<String> FAN_OUT_QUERIES =
      List.of(
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2 FROM %1$s WHERE V = 3",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2 FROM %1$s WHERE V = " + RARE,
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2, W FROM %1$s WHERE V = " + RARE,
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2 FROM %1$s WHERE V = 77",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2, W FROM %1$s WHERE V IN (3, 5) AND W > 9",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ V, COUNT(*) FROM %1$s WHERE V > 3 GROUP BY V",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ DISTINCT V FROM %1$s",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ DISTINCT K1 FROM %1$s WHERE K1 < 25",
          "SELECT COUNT(*) FROM"
              + " (SELECT /*+ INDEX(%1$s %1$s_V) */ DISTINCT V FROM %1$s LIMIT 4)",
          "SELECT COUNT(*) FROM"
              + " (SELECT /*+ INDEX(%1$s %1$s_V) */ K1 FROM %1$s WHERE V = 3 LIMIT 17)",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ V, K1, K2 FROM %1$s WHERE V > 1"
              + " ORDER BY V DESC, K1, K2 LIMIT 7",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ K1, K2 FROM %1$s WHERE V = 3",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ K1, K2, W FROM %1$s WHERE V = " + RARE,
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ K1, K2 FROM %1$s WHERE K1 IN (5, 15, 25) AND V = 3");

  private static User cleared;
  private static User uncleared;

  @BeforeClass
  public static void createTables() throws Exception {
    CLUSTER.utility().waitTableAvailable(VisibilityConstants.LABELS_TABLE_NAME);
    try (Connection connection = CLUSTER.connect(PruningMode.EXACT)) {
      for (TableName table : List.of(ROWS, DATA, CHANGED)) {
        createTable(connection, table);
      }
    }
    cleared = CLUSTER.user("cleared");
    uncleared = CLUSTER.user("uncleared");
    for (TableName table : List.of(ROWS, DATA, CHANGED)) {
      for (User user : List.of(cleared, uncleared)) {
        CLUSTER.grant(user, table, null, Permission.Action.READ);
      }
    }
    try {
      org.apache.hadoop.hbase.client.Connection hbase = CLUSTER.utility().getConnection();
      VisibilityClient.addLabels(hbase, new String[] {LABEL});
      VisibilityClient.setAuths(hbase, new String[] {LABEL}, cleared.getShortName());
      // The super user reads all cells only with the label.
      VisibilityClient.setAuths(hbase, new String[] {LABEL}, User.getCurrent().getShortName());
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    label(ROWS, cell -> true);
    label(DATA, cell -> CellUtil.cloneFamily(cell)[0] != 'L');
    label(CHANGED, cell -> true);
  }

  private static void createTable(Connection connection, TableName table) throws SQLException {
    ClusterTest.execute(
        connection,
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, W INTEGER,
          CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (10, 20, 30)"""
            .formatted(table),
        "CREATE LOCAL INDEX %1$s_V ON %1$s (V)".formatted(table),
        "CREATE LOCAL INDEX %1$s_K1 ON %1$s (K1, V)".formatted(table));
    ClusterTest.upsertRows(
        connection,
        table.getNameAsString(),
        ROW_COUNT,
        row -> List.of(row / 6, row % 6 + 1, row % 67 == 14 ? RARE : (row / 6 + row) % 6, row));
  }

  /**
   * Writes cells of the rows with an odd K2 again, with a label. All keys end with K2, those of the
   * table and those of both indexes.
   */
  private static void label(TableName table, Predicate<Cell> labelled) throws Exception {
    try (org.apache.hadoop.hbase.client.Connection connection =
            ConnectionFactory.createConnection(CLUSTER.utility().getConfiguration());
        Table hbase = connection.getTable(table);
        ResultScanner rows = hbase.getScanner(new Scan())) {
      for (Result row : rows) {
        byte[] key = row.getRow();
        if (key[key.length - 1] % 2 == 0) {
          continue;
        }
        Put put = new Put(key);
        for (Cell cell : row.rawCells()) {
          if (labelled.test(cell)) {
            put.add(cell);
          }
        }
        if (!put.isEmpty()) {
          put.setCellVisibility(new CellVisibility(LABEL));
          hbase.put(put);
        }
      }
    }
  }

  /** Returns the options of the modes, some of them with probes, by their names. */
  private static Map<String, Map<String, String>> variants() {
    Map<String, Map<String, String>> variants = new LinkedHashMap<>();
    for (PruningMode mode : PruningMode.values()) {
      variants.put(mode.name(), Map.of(PruningOptions.MODE, mode.name().toLowerCase(Locale.ROOT)));
    }
    variants.put("without probes", Map.of(PruningOptions.PROBE, "false"));
    variants.put("probes", Map.of(PruningOptions.PROBE_MIN_REGIONS, "2"));
    variants.put(
        "probes without rows",
        Map.of(PruningOptions.PROBE_MIN_REGIONS, "2", PruningOptions.PROBE_ROWS_KB, "0"));
    variants.put(
        "verify", Map.of(PruningOptions.PROBE_MIN_REGIONS, "2", PruningOptions.VERIFY, "true"));
    return variants;
  }

  /** Returns every fourth query, or all queries with {@code -Dit.combinations=true}. */
  private static List<String> someQueries() {
    Combinations some = Combinations.oneOf(4);
    return Stream.of(KEY_QUERIES, FAN_OUT_QUERIES)
        .flatMap(List::stream)
        .filter(query -> some.chooseNext())
        .toList();
  }

  private static String withNoIndexHint(String query) {
    return query.replaceFirst("INDEX\\([^)]*\\)", "NO_INDEX");
  }

  private static String outcome(User user, TableName table, String query) throws Exception {
    return CLUSTER.outcome(user, Map.of(PruningOptions.MODE, "exact"), query.formatted(table));
  }

  /** Asserts that each variant returns the same to a user, and returns it. */
  private static String sameOutcome(User user, TableName table, String query) throws Exception {
    Map<String, String> outcomes = new LinkedHashMap<>();
    for (Map.Entry<String, Map<String, String>> variant : variants().entrySet()) {
      outcomes.put(
          variant.getKey(), CLUSTER.outcome(user, variant.getValue(), query.formatted(table)));
    }
    String exact = outcomes.get(PruningMode.EXACT.name());
    assertThat(outcomes.values()).as("%s: %s, %s", user, query, outcomes).containsOnly(exact);
    return exact;
  }

  @Test
  public void returnsTheRowsOfTheTableThatAUserMaySee() throws Exception {
    int fewer = 0;
    for (List<String> queries : List.of(KEY_QUERIES, FAN_OUT_QUERIES)) {
      for (String query : queries) {
        String all = sameOutcome(cleared, ROWS, query);
        String some = sameOutcome(uncleared, ROWS, query);
        assertThat(all).as(query).isEqualTo(outcome(cleared, ROWS, withNoIndexHint(query)));
        assertThat(some).as(query).isEqualTo(outcome(uncleared, ROWS, withNoIndexHint(query)));
        fewer += some.equals(all) ? 0 : 1;
      }
    }
    assertThat(fewer).as("queries that find fewer rows without the label").isGreaterThan(12);
  }

  /** A server that hides cells does not tell that a region has no row. */
  @Test
  public void probesSkipNoRegions() throws Exception {
    String query = FAN_OUT_QUERIES.get(3).formatted(ROWS);
    SecureCluster.runAs(
        uncleared,
        () -> {
          try (Connection connection =
                  CLUSTER.connect(Map.of(PruningOptions.PROBE_MIN_REGIONS, "2"));
              Statement statement = connection.createStatement();
              ResultSet result = statement.executeQuery(query)) {
            assertThat(result.next()).isFalse();
            assertThat(ClientPruningMetrics.of(result))
                .containsEntry(PruningMetric.REGIONS_PLANNED, 4L)
                .containsEntry(PruningMetric.REGIONS_SKIPPED_BY_PROBE, 0L);
          }
          return null;
        });
  }

  /**
   * Tests labels only on the cells of the data. The rows of the index show their columns to all
   * users. The server also returns columns that it looks up in the data: it does not check these.
   */
  @Test
  public void modesAgreeIfOnlyTheDataHasLabels() throws Exception {
    for (String query : someQueries()) {
      String all = sameOutcome(cleared, DATA, query);
      assertThat(all).as(query).isEqualTo(outcome(cleared, DATA, withNoIndexHint(query)));
      assertThat(sameOutcome(uncleared, DATA, query)).as(query).isEqualTo(all);
    }
  }

  /**
   * Tests rows that Phoenix changes after they got labels. Phoenix's deletions have no label, so
   * they do not delete such cells: the old rows of the indexes stay. This is also so in mode stock.
   */
  @Test
  public void modesAgreeAfterPhoenixChangesLabelledRows() throws Exception {
    try (Connection connection = CLUSTER.connect(PruningMode.EXACT)) {
      connection.setAutoCommit(true);
      ClusterTest.execute(
          connection,
          "UPSERT INTO " + CHANGED + " (K1, K2, V) VALUES (15, 3, 3)",
          "UPSERT INTO " + CHANGED + " (K1, K2, V) VALUES (15, 2, 3)",
          "DELETE FROM " + CHANGED + " WHERE K1 = 25 AND K2 = 3");
    }
    for (User user : List.of(cleared, uncleared)) {
      for (String query : someQueries()) {
        sameOutcome(user, CHANGED, query);
      }
    }
    String query = "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2, V FROM %1$s WHERE V >= 0 AND K1 = 15";
    assertThat(outcome(cleared, CHANGED, query)).contains("[15, 3, 3]", "[15, 3, 5]");
    assertThat(outcome(cleared, CHANGED, withNoIndexHint(query)))
        .contains("[15, 3, 3]")
        .doesNotContain("[15, 3, 5]");
  }

  /**
   * Tests skip scans and DISTINCT. HBase puts its filter for labels into a list with those of
   * Phoenix. The first row of each K1 has the label.
   */
  @Test
  public void losesRowsWithoutThePatch() throws Exception {
    String skipScan = KEY_QUERIES.get(5);
    String right = outcome(uncleared, ROWS, withNoIndexHint(skipScan));
    String distinct = "SELECT /*+ NO_INDEX */ DISTINCT K1 FROM %1$s WHERE K1 < 4";
    assertThat(right).isNotEqualTo("[]");
    assertThat(sameOutcome(uncleared, ROWS, skipScan)).isEqualTo(right);
    assertThat(sameOutcome(uncleared, ROWS, distinct)).isEqualTo("[[0], [1], [2], [3]]");
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn() && patch != Patch.INJECTED_FILTER);
    try {
      assertThat(sameOutcome(uncleared, ROWS, skipScan)).isEqualTo("[]");
      assertThat(sameOutcome(uncleared, ROWS, distinct)).isEqualTo("[]");
    } finally {
      PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
    }
  }
}

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
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.MapReduceParallelScanGrouper;
import org.apache.phoenix.iterate.TableResultIterator;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.mapreduce.PhoenixInputSplit;
import org.apache.phoenix.monitoring.ScanMetricsHolder;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.protocol.PlanStamp;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Checks that MapReduce tasks read the scans that the driver has planned. Each task compiles the
 * statement again, and might choose another index by then.
 */
public class MapReducePlansIT extends ClusterTest {

  private static final int REGIONS = 10;

  private static final String BY_V = "SELECT PK1, PK2, V FROM M WHERE V = 3";

  private static final List<String> QUERIES =
      List.of(
          BY_V,
          "SELECT PK1, PK2, X FROM M WHERE V = 3",
          "SELECT * FROM M WHERE V = 3",
          "SELECT PK2, PK1 FROM M WHERE V < 50",
          "SELECT PK1, PK2 FROM M WHERE V > 90 AND PK1 < 40",
          "SELECT PK1, PK2, X FROM M WHERE V = 7 AND PK1 = 17",
          "SELECT PK1, PK2, X FROM M WHERE V > 7 AND PK1 = 17",
          "SELECT PK1, V FROM M WHERE PK1 BETWEEN 20 AND 60 AND V BETWEEN 20 AND 30",
          "SELECT PK1, V FROM M WHERE PK1 IN (3, 33, 63) AND V > 20",
          "SELECT PK1, V FROM M WHERE PK1 IN (3, 33, 63) AND V IN (3, 33, 63)",
          "SELECT PK1, W FROM M WHERE W = 4 AND V = 4",
          "SELECT PK1, W FROM M WHERE W = 4 AND V > 4 AND PK1 > 40",
          "SELECT PK1, W FROM M WHERE W > 4 AND V = 4 AND PK1 > 40",
          "SELECT PK1 + 1, PK2 FROM M WHERE PK1 > 50 AND V = 51",
          "SELECT X, PK2 FROM M WHERE PK2 = 4 AND V = 51",
          "SELECT V, PK1 FROM M WHERE PK1 = 51",
          "SELECT PK1, V FROM M WHERE PK1 > 51 AND PK2 = 1",
          "SELECT V FROM M WHERE V < 40 GROUP BY V",
          "SELECT PK1 FROM M WHERE V = 40 AND PK1 < 90 GROUP BY PK1");

  private static final String[] INDEXES = {
    "CREATE LOCAL INDEX %1$s_V ON %1$s (V)",
    "CREATE LOCAL INDEX %1$s_PK1_V ON %1$s (PK1, V)",
    "CREATE LOCAL INDEX %1$s_W ON %1$s (W, V)"
  };

  /** Separate table for statistics, because the client may cache statistics. */
  private static final String WITH_STATISTICS = "MS";

  private Connection connection;

  @Before
  public void connect() throws SQLException {
    connection = connect(PruningMode.EXACT);
  }

  private void createTable(String name, String... indexes) throws SQLException {
    MapReduceTable.create(connection, name, "SPLIT ON (" + splits(REGIONS, 10) + ")");
    for (String index : indexes) {
      execute(connection, index.formatted(name));
    }
    MapReduceTable.write(connection, name, 100 * REGIONS, 100);
  }

  @After
  public void dropTable() throws SQLException {
    execute(connection, "DROP TABLE IF EXISTS M", "DROP TABLE IF EXISTS " + WITH_STATISTICS);
    connection.close();
  }

  private static MapReduceInput input(Map<String, String> settings, String query) {
    return MapReduceInput.of(getUtility().getConfiguration(), settings, "M", query);
  }

  /** Plans a query, and returns its splits as the tasks receive them. */
  private static List<PhoenixInputSplit> plan(Map<String, String> settings, String query)
      throws Exception {
    return input(settings, query).splits();
  }

  private static List<List<Object>> read(
      Map<String, String> settings, String query, List<PhoenixInputSplit> splits) throws Exception {
    return input(settings, query).rows(splits);
  }

  /**
   * Returns the rows in a fixed order. Groups are merged, because each scan returns its own part of
   * a group, without the values of aggregates.
   */
  private static List<List<Object>> comparable(String query, List<List<Object>> rows) {
    List<List<Object>> comparable = new ArrayList<>();
    boolean isGrouped = query.contains("GROUP BY") || query.contains("DISTINCT");
    for (List<Object> row : rows) {
      if (!isGrouped || !comparable.contains(row)) {
        comparable.add(row);
      }
    }
    comparable.sort(Comparator.comparing(List::toString));
    return comparable;
  }

  private List<List<Object>> expectedRows(String query) throws SQLException {
    return comparable(
        query, rows(connection, query.replaceFirst("SELECT ", "SELECT /*+ NO_INDEX */ ")));
  }

  /** Returns the table or index that each query reads. */
  private static Map<String, String> scanned(Map<String, String> settings) throws SQLException {
    return scanned(settings, QUERIES);
  }

  private static Map<String, String> scanned(Map<String, String> settings, List<String> queries)
      throws SQLException {
    Map<String, String> scanned = new LinkedHashMap<>();
    try (Connection other = connect(settings)) {
      for (String query : queries) {
        scanned.put(query, attributes(other, query).getTableName());
      }
    }
    return scanned;
  }

  private static Map<String, List<PhoenixInputSplit>> planAll(Map<String, String> settings)
      throws Exception {
    return planAll(settings, QUERIES);
  }

  private static Map<String, List<PhoenixInputSplit>> planAll(
      Map<String, String> settings, List<String> queries) throws Exception {
    Map<String, List<PhoenixInputSplit>> planned = new LinkedHashMap<>();
    for (String query : queries) {
      planned.put(query, plan(settings, query));
    }
    return planned;
  }

  private void assertRead(
      Map<String, String> settings, Map<String, List<PhoenixInputSplit>> planned) throws Exception {
    for (String query : planned.keySet()) {
      assertThat(comparable(query, read(settings, query, planned.get(query))))
          .as(query)
          .isEqualTo(expectedRows(query));
    }
  }

  @Test
  public void readsScansThatWerePlannedBeforeStatisticsWereCollected() throws Exception {
    createTable(WITH_STATISTICS, INDEXES);
    List<String> queries =
        QUERIES.stream()
            .map(query -> query.replace(" FROM M ", " FROM " + WITH_STATISTICS + " "))
            .collect(Collectors.toList());
    Map<String, String> before = scanned(Map.of(), queries);
    Map<String, List<PhoenixInputSplit>> planned = planAll(Map.of(), queries);
    execute(connection, "UPDATE STATISTICS " + WITH_STATISTICS);
    assertThat(scanned(Map.of(), queries)).as("statistics change plans").isNotEqualTo(before);
    assertRead(Map.of(), planned);
  }

  @Test
  public void readsScansThatWerePlannedWithOtherSettings() throws Exception {
    createTable("M", INDEXES);
    Map<String, String> stock = Map.of(PruningOptions.MODE, "stock");
    Map<String, String> explained = Map.of(PruningOptions.EXPLAIN_CANDIDATES, "true");
    assertThat(scanned(stock)).as("the mode changes plans").isNotEqualTo(scanned(Map.of()));
    assertRead(stock, planAll(Map.of()));
    assertRead(Map.of(), planAll(stock));
    if (ALL_COMBINATIONS) {
      assertRead(Map.of(), planAll(Map.of(PruningOptions.MODE, "none")));
      assertRead(explained, planAll(Map.of()));
    }
  }

  @Test
  public void readsScansThatWerePlannedBeforeAnIndexWasCreated() throws Exception {
    createTable("M", INDEXES);
    Map<String, String> before = scanned(Map.of());
    Map<String, List<PhoenixInputSplit>> planned = planAll(Map.of());
    execute(connection, "CREATE LOCAL INDEX M_NEW ON M (PK2, V) INCLUDE (X, W)");
    assertThat(scanned(Map.of())).as("the index changes plans").isNotEqualTo(before);
    assertRead(Map.of(), planned);
  }

  /** Tests groups, whose scans also name the index for which they were planned. */
  @Test
  public void readsGroupsThatWerePlannedBeforeAnIndexWasCreated() throws Exception {
    List<String> queries =
        List.of(
            "SELECT V FROM M WHERE W = 3 AND V > 20 GROUP BY V",
            "SELECT DISTINCT V, PK2 FROM M WHERE W = 3 AND V > 20",
            "SELECT V FROM M WHERE W = 3 AND V > 20 GROUP BY V HAVING V < 70",
            "SELECT V FROM M WHERE W = 3 AND V > 20 GROUP BY V ORDER BY V DESC");
    createTable("M", "CREATE LOCAL INDEX %1$s_W ON %1$s (W) INCLUDE (V)");
    Map<String, String> before = scanned(Map.of(), queries);
    Map<String, List<PhoenixInputSplit>> planned = planAll(Map.of(), queries);
    execute(connection, "CREATE LOCAL INDEX M_NEW ON M (W, V)");
    assertThat(before.values()).containsOnly("M_W(M)");
    assertThat(scanned(Map.of(), queries).values()).containsOnly("M_NEW(M)");
    assertRead(Map.of(), planned);
  }

  /**
   * Tests scans that were planned before there was a local index, and that are therefore not
   * marked.
   */
  @Test
  public void readsScansThatWerePlannedBeforeTheFirstLocalIndexWasCreated() throws Exception {
    createTable("M");
    Map<String, List<PhoenixInputSplit>> planned = planAll(Map.of());
    assertThat(planned.get(BY_V).get(0).getScans().get(0).getAttribute(PlanStamp.ATTRIBUTE))
        .isNull();
    execute(connection, "CREATE LOCAL INDEX M_V ON M (V)");
    assertRead(Map.of(), planned);
  }

  @Test
  public void refusesUnmarkedScansOfATableForAReaderAlongAnIndex() throws Exception {
    String hinted = BY_V.replaceFirst("SELECT ", "SELECT /*+ INDEX(M M_V) */ ");
    createTable("M");
    List<PhoenixInputSplit> planned = plan(Map.of(), hinted);
    List<Scan> scans = planned.get(0).getScans();
    assertThat(rowsOf(BY_V, scans)).isPositive();
    execute(connection, "CREATE LOCAL INDEX M_V ON M (V)");
    String message = "planned for the rows of a table, but this reader has compiled its statement";
    assertThatThrownBy(() -> read(Map.of(), hinted, planned))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
    assertThatThrownBy(() -> rowsOf(hinted, scans))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("INDEX or NO_INDEX");
  }

  @Test
  public void refusesUnmarkedScansOfAnIndexForAReaderOfTheTable() throws Exception {
    createTable("M", INDEXES);
    List<Scan> scans = plan(Map.of(PruningOptions.MODE, "stock"), BY_V).get(0).getScans();
    assertThat(rowsOf(BY_V, scans)).isPositive();
    assertThatThrownBy(() -> rowsOf(BY_V.replaceFirst("SELECT ", "SELECT /*+ NO_INDEX */ "), scans))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("planned for a local index, but this reader has compiled its");
  }

  @Test
  public void refusesScansOfAnIndexThatIsGone() throws Exception {
    createTable("M", INDEXES);
    List<PhoenixInputSplit> planned = plan(Map.of(), BY_V);
    execute(connection, "DROP INDEX M_V ON M");
    assertThatThrownBy(() -> read(Map.of(), BY_V, planned))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Scans were planned for M_V, but this reader ")
        .hasMessageContaining("INDEX or NO_INDEX");
    execute(connection, "CREATE LOCAL INDEX M_V ON M (V, PK2)");
    assertThatThrownBy(() -> read(Map.of(), BY_V, planned))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("planned for an earlier index M_V than the one");
  }

  /**
   * Tests the iterator with which Spark and Trino read scans. Their tasks compile the statements
   * again.
   */
  @Test
  public void refusesAReaderThatHasCompiledAnotherPlan() throws Exception {
    createTable("M", INDEXES);
    List<Scan> scans = plan(Map.of(), BY_V).get(0).getScans();
    assertThat(rowsOf(BY_V, scans)).isPositive();
    String hinted = BY_V.replaceFirst("SELECT ", "SELECT /*+ NO_INDEX */ ");
    assertThatThrownBy(() -> rowsOf(hinted, scans))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("planned for M_V, but this reader has compiled its statement for M.");
    assertThat(rowsOf(BY_V.replace("PK1, PK2, V", "PK2"), scans))
        .as("columns of the key")
        .isPositive();
    String grouped = BY_V.replace("PK1, PK2, V", "V, COUNT(*)") + " GROUP BY V";
    assertThatThrownBy(() -> rowsOf(grouped, scans))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("planned for other columns or groups of M_V");
  }

  private int rowsOf(String query, List<Scan> scans) throws SQLException {
    int rows = 0;
    try (PhoenixStatement statement = connection.createStatement().unwrap(PhoenixStatement.class)) {
      QueryPlan plan = statement.optimizeQuery(query);
      PhoenixConnection ofPlan = plan.getContext().getConnection();
      for (Scan scan : scans) {
        ScanMetricsHolder metrics =
            ScanMetricsHolder.getInstance(
                plan.getContext().getReadMetricsQueue(), "M", scan, ofPlan.getLogLevel());
        TableResultIterator iterator =
            new TableResultIterator(
                ofPlan.getMutationState(),
                scan,
                metrics,
                ofPlan.getQueryServices().getRenewLeaseThresholdMilliSeconds(),
                plan,
                MapReduceParallelScanGrouper.getInstance());
        while (iterator.next() != null) {
          rows++;
        }
        iterator.close();
      }
    }
    return rows;
  }

  @Test
  public void leavesScansOfModeStockUnmarked() throws Exception {
    createTable("M", INDEXES);
    for (PhoenixInputSplit split : plan(Map.of(PruningOptions.MODE, "stock"), BY_V)) {
      assertThat(split.getScans())
          .as("%s", split.getKeyRange())
          .isNotEmpty()
          .allMatch(scan -> scan.getAttribute(PlanStamp.ATTRIBUTE) == null);
    }
    for (PhoenixInputSplit split : plan(Map.of(), BY_V)) {
      assertThat(split.getScans())
          .as("%s", split.getKeyRange())
          .isNotEmpty()
          .allMatch(scan -> scan.getAttribute(PlanStamp.ATTRIBUTE) != null);
    }
  }
}

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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.metrics.ClientPruningMetrics;
import org.apache.phoenix.pruning.metrics.PruningMetric;
import org.apache.phoenix.util.PhoenixRuntime;
import org.junit.BeforeClass;
import org.junit.Test;

/** Tests which scans are sent after the server was probed for many regions. */
public class RegionProbeIT extends ClusterTest {

  private static final int REGIONS = 40;
  private static final int ROWS = 400;

  /**
   * Number of common values, each in every fifth region. The rare value, 1000, is in three regions.
   */
  private static final int VALUES = 5;

  private static final List<Integer> RARE = List.of(55, 155, 355);

  @BeforeClass
  public static void createTables() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE PROBED (K INTEGER PRIMARY KEY, V INTEGER, X INTEGER) SPLIT ON ("
              + splits(REGIONS, ROWS / REGIONS)
              + ")",
          "CREATE LOCAL INDEX PROBED_V ON PROBED (V)",
          "CREATE TABLE PROBED_D (K INTEGER PRIMARY KEY, G INTEGER)",
          "UPSERT INTO PROBED_D VALUES (55, 1)",
          "UPSERT INTO PROBED_D VALUES (155, 2)",
          "UPSERT INTO PROBED_D VALUES (399, 3)");
      upsertRows(
          connection,
          "PROBED",
          ROWS,
          k -> List.of(k, RARE.contains(k) ? 1_000 : k / (ROWS / REGIONS) % VALUES, k));
    }
  }

  private static Connection probing(String... options) throws SQLException {
    Map<String, String> all = new HashMap<>();
    all.put(PruningOptions.PROBE_MIN_REGIONS, "2");
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return connect(all);
  }

  private static long scanRpcs(Connection connection, String sql) throws SQLException {
    long before = scanRpcs("PROBED").rpcs();
    rows(connection, sql);
    return scanRpcs("PROBED").rpcs() - before;
  }

  @Test
  public void probesTheServerInsteadOfItsRegions() throws SQLException {
    String rare = "SELECT /*+ INDEX(PROBED PROBED_V) */ K FROM PROBED WHERE V = 1000";
    String none = "SELECT /*+ INDEX(PROBED PROBED_V) */ K FROM PROBED WHERE V = 1001";
    try (Connection off = probing(PruningOptions.PROBE, "false");
        Connection withoutRows = probing(PruningOptions.PROBE_ROWS_KB, "0");
        Connection withRows = probing();
        Connection inChunks = probing(PruningOptions.PROBE_BATCH_REGIONS, "10")) {
      assertThat(scanRpcs(off, rare)).isEqualTo(REGIONS);
      assertThat(scanRpcs(withoutRows, rare)).isEqualTo(1 + RARE.size());
      assertThat(scanRpcs(withoutRows, none)).isEqualTo(1);
      assertThat(scanRpcs(withRows, rare)).isEqualTo(1);
      assertThat(scanRpcs(inChunks, rare)).isEqualTo(4);
      assertThat(rows(withRows, rare)).isEqualTo(rows(off, rare)).hasSize(RARE.size());
      assertThat(rows(withoutRows, rare)).isEqualTo(rows(off, rare));
      assertThat(explain(withRows, rare))
          .anySatisfy(step -> assertThat(step.trim()).isEqualTo("PROBE 40 REGIONS ON 1 SERVER"));
      assertThat(explain(off, rare)).noneSatisfy(step -> assertThat(step).contains("PROBE "));
    }
  }

  private static final List<String> QUERIES =
      List.of(
          "SELECT K FROM PROBED WHERE V = 1000",
          "SELECT K, X FROM PROBED WHERE V = 1000",
          "SELECT K FROM PROBED WHERE V = 1000 AND X > 100",
          "SELECT K FROM PROBED WHERE V IN (3, 1000)",
          "SELECT K FROM PROBED WHERE V > 3",
          "SELECT K FROM PROBED WHERE V IN (3, 1000) ORDER BY V, K",
          "SELECT K FROM PROBED WHERE V IN (3, 1000) ORDER BY V DESC, K DESC",
          "SELECT K FROM PROBED WHERE V IN (3, 1000) ORDER BY K LIMIT 7",
          "SELECT K FROM PROBED WHERE V IN (3, 1000) ORDER BY V DESC, K DESC LIMIT 7 OFFSET 2",
          "SELECT COUNT(*) FROM PROBED WHERE V = 1000",
          "SELECT COUNT(*) FROM PROBED WHERE V = 1001",
          "SELECT COUNT(K), MAX(X) FROM PROBED WHERE V IN (3, 1000)",
          "SELECT V, COUNT(*), MIN(X) FROM PROBED WHERE V >= 3 GROUP BY V ORDER BY V",
          "SELECT V, COUNT(*) FROM PROBED WHERE V >= 3 GROUP BY V HAVING COUNT(*) > 5",
          "SELECT DISTINCT V FROM PROBED WHERE V >= 2 ORDER BY V",
          "SELECT PROBED.K, D.G FROM PROBED JOIN PROBED_D D ON PROBED.X = D.K WHERE PROBED.V = 1000",
          """
          SELECT COUNT(*), SUM(D.G) FROM PROBED JOIN PROBED_D D ON PROBED.X = D.K
            WHERE PROBED.V IN (3, 1000)""",
          "SELECT K FROM PROBED WHERE V = (SELECT MAX(V) FROM PROBED WHERE V < 900) AND X < 60");

  @Test
  public void findsTheSameRows() throws SQLException {
    try (Connection none = connect(PruningMode.NONE);
        Connection withRows = probing();
        Connection few = probing(PruningOptions.PROBE_ROWS_KB, "1");
        Connection withoutRows = probing(PruningOptions.PROBE_ROWS_KB, "0")) {
      for (String query : QUERIES) {
        String index = query.replace("SELECT ", "SELECT /*+ INDEX(PROBED PROBED_V) */ ");
        List<List<Object>> expected =
            rows(none, query.replace("SELECT ", "SELECT /*+ NO_INDEX */ "));
        for (Connection connection : List.of(withRows, few, withoutRows)) {
          assertThat(rows(connection, index)).as(query).isEqualTo(expected);
        }
      }
    }
  }

  private static Map<PruningMetric, Long> countsOf(Connection connection, String sql)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        // The counts are final after the last row.
      }
      assertThat(PhoenixRuntime.getOverAllReadRequestMetrics(result))
          .containsKeys("REGIONS_PLANNED", "PROBES_SENT");
      return ClientPruningMetrics.of(result);
    }
  }

  @Test
  public void countsProbes() throws Exception {
    String rare = "SELECT /*+ INDEX(PROBED PROBED_V) */ K FROM PROBED WHERE V = 1000";
    try (Connection withoutRows = probing(PruningOptions.PROBE_ROWS_KB, "0");
        Connection withRows = probing(PruningOptions.PROBE_BATCH_REGIONS, "20")) {
      long sent = ClientPruningMetrics.global().value(PruningMetric.PROBES_SENT);
      assertThat(countsOf(withoutRows, rare))
          .containsEntry(PruningMetric.REGIONS_PLANNED, (long) REGIONS)
          .containsEntry(PruningMetric.PROBES_SENT, 1L)
          .containsEntry(PruningMetric.REGIONS_PROBED, (long) REGIONS)
          .containsEntry(PruningMetric.REGIONS_SKIPPED_BY_PROBE, (long) REGIONS - RARE.size())
          .containsEntry(PruningMetric.REGIONS_ANSWERED_BY_PROBE, 0L)
          .containsEntry(PruningMetric.PROBE_MAY_MATCH, (long) RARE.size())
          .containsEntry(PruningMetric.PROBE_FAILED, 0L);
      assertThat(countsOf(withRows, rare))
          .containsEntry(PruningMetric.PROBES_SENT, 2L)
          .containsEntry(PruningMetric.REGIONS_ANSWERED_BY_PROBE, (long) RARE.size())
          .containsEntry(PruningMetric.PROBE_MAY_MATCH, 0L);
      assertThat(ClientPruningMetrics.global().value(PruningMetric.PROBES_SENT) - sent)
          .isEqualTo(3);
      String one = "SELECT /*+ INDEX(PROBED PROBED_V) */ K FROM PROBED WHERE V = 1000 AND K = 5";
      assertThat(countsOf(withRows, one))
          .containsEntry(PruningMetric.REGIONS_PLANNED, 1L)
          .containsEntry(PruningMetric.PROBES_SENT, 0L);
    }
  }

  @Test
  public void countsAnswersOnTheServer() throws Exception {
    try (Connection connection = probing()) {
      long probes = serverCounter("pruningProbes");
      long skipped = serverCounter("pruningRegionsWithoutRow");
      rows(connection, "SELECT /*+ INDEX(PROBED PROBED_V) */ K FROM PROBED WHERE V = 1000");
      assertThat(serverCounter("pruningProbes") - probes).isEqualTo(1);
      assertThat(serverCounter("pruningRegionsWithoutRow") - skipped)
          .isEqualTo(REGIONS - RARE.size());
    }
  }

  private static long serverCounter(String counter) {
    long sum = 0;
    for (MetricRegistry registry : MetricRegistries.global().getMetricRegistries()) {
      Metric metric = registry.getMetrics().get(counter);
      if (metric instanceof Counter count) {
        sum += count.getCount();
      }
    }
    return sum;
  }
}

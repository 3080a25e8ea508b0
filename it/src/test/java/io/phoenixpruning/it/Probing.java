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
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.protocol.PlannedRegion;

/**
 * Runs queries along a local index with each kind of probe, and without probes, and compares their
 * rows with those of the data table. The table is on one server.
 */
final class Probing implements AutoCloseable {

  private final String table;
  private final String hint;
  private final Connection withoutProbe;
  private final Connection withRows;
  private final Connection withFewRows;
  private final Connection withoutRows;

  /**
   * Opens the connections.
   *
   * @param table name of HBase's table
   * @param hint hint for the index, such as {@code INDEX(T I)}
   * @param options options of all connections
   */
  Probing(String table, String hint, Map<String, String> options) throws SQLException {
    this.table = table;
    this.hint = "SELECT /*+ " + hint + " */ ";
    withoutProbe = connect(options, PruningOptions.PROBE, "false");
    withRows = connect(options);
    withFewRows = connect(options, PruningOptions.PROBE_ROWS_KB, "1");
    withoutRows = connect(options, PruningOptions.PROBE_ROWS_KB, "0");
  }

  /** Returns a connection that probes if at least two regions are planned. */
  static Connection connect(Map<String, String> options, String... more) throws SQLException {
    Map<String, String> properties = new HashMap<>(options);
    properties.put(PruningOptions.PROBE_MIN_REGIONS, "2");
    for (int i = 0; i < more.length; i += 2) {
      properties.put(more[i], more[i + 1]);
    }
    return ClusterTest.connect(properties);
  }

  Connection withoutProbe() {
    return withoutProbe;
  }

  Connection withRows() {
    return withRows;
  }

  Connection withoutRows() {
    return withoutRows;
  }

  String withIndexHint(String query) {
    return query.replace("SELECT ", hint);
  }

  List<List<Object>> rowsOfTable(String query) throws SQLException {
    return ClusterTest.rows(withoutProbe, query.replace("SELECT ", "SELECT /*+ NO_INDEX */ "));
  }

  /** Returns the number of scan RPCs of an execution along the index. */
  long rpcs(Connection connection, String query) throws SQLException {
    long before = ClusterTest.scanRpcs(table).rpcs();
    ClusterTest.rows(connection, withIndexHint(query));
    return ClusterTest.scanRpcs(table).rpcs() - before;
  }

  /** Returns how many of the planned scans return a row. Each scan is sent alone. */
  private int countMatchingScans(String query) throws Exception {
    int matching = 0;
    List<RegionInfo> regions = ClusterTest.regions(table);
    try (ForgedScans client = new ForgedScans()) {
      for (Scan scan : ForgedScans.planned(withoutProbe, withIndexHint(query))) {
        matching += client.scan(region(regions, scan), scan).isEmpty() ? 0 : 1;
      }
    }
    return matching;
  }

  private static RegionInfo region(List<RegionInfo> regions, Scan scan) {
    for (RegionInfo region : regions) {
      if (PlannedRegion.of(region).equals(PlannedRegion.of(scan))) {
        return region;
      }
    }
    throw new AssertionError("no region for " + scan);
  }

  /**
   * Asserts the number of scan RPCs of a query whose condition is fully expressed by its range of
   * the index. Also asserts that its rows are right.
   *
   * @param scans number of planned scans; some of them return rows, but less than three quarters
   */
  void assertProbesInsteadOfScanning(int scans, String query) throws Exception {
    int matching = countMatchingScans(query);
    assertThat(matching).as(query).isBetween(1, scans * 3 / 4);
    assertThat(rpcs(withoutProbe, query)).as(query).isEqualTo(scans);
    assertThat(rpcs(withoutRows, query)).as(query).isEqualTo(1 + matching);
    assertThat(rpcs(withRows, query)).as(query).isEqualTo(1);
    assertFindsTheRowsOfTheTable(query);
  }

  /** Asserts that the rows are right with each kind of probe. */
  void assertFindsTheRowsOfTheTable(String... queries) throws SQLException {
    assertFindsTheRowsOfTheTable(Combinations.oneOf(1), queries);
  }

  /** Asserts that the rows are right for the chosen combinations of a query and a kind of probe. */
  void assertFindsTheRowsOfTheTable(Combinations combinations, String... queries)
      throws SQLException {
    for (String query : queries) {
      List<List<Object>> expected = rowsOfTable(query);
      for (Connection connection :
          Arrays.asList(withoutProbe, withRows, withFewRows, withoutRows)) {
        if (combinations.chooseNext()) {
          assertThat(ClusterTest.rows(connection, withIndexHint(query)))
              .as(query)
              .isEqualTo(expected);
        }
      }
    }
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : Arrays.asList(withoutProbe, withRows, withFewRows, withoutRows)) {
      connection.close();
    }
  }
}

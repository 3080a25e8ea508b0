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
package io.phoenixpruning.cli.demo;

import io.phoenixpruning.testing.EmbeddedCluster;
import io.phoenixpruning.testing.ResultRows;
import io.phoenixpruning.testing.ScanRpcCounts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;

/**
 * Runs queries in all modes. Queries and modes alternate, so that other load on the machine and the
 * state of the JIT compiler affect all of them equally.
 */
final class Measuring implements AutoCloseable {

  private static final int WARM_UPS = 3;
  private static final int RUNS = 11;

  private final EmbeddedCluster cluster;
  private final Map<PruningMode, Connection> connections = new EnumMap<>(PruningMode.class);

  Measuring(EmbeddedCluster cluster) throws SQLException {
    this.cluster = cluster;
    for (PruningMode mode : PruningMode.values()) {
      connections.put(mode, cluster.connect(Map.of(PruningOptions.MODE, DemoReport.name(mode))));
    }
  }

  /** Returns how many times each query runs in each mode. */
  static int roundCount() {
    return WARM_UPS + RUNS;
  }

  /**
   * Runs each of {@code queries} in all modes, and once on the data table to get the expected rows.
   *
   * @param done receives the number of completed rounds
   */
  List<QueryReport> measure(List<DemoQuery> queries, LongConsumer done) throws SQLException {
    Connection unpruned = Objects.requireNonNull(connections.get(PruningMode.NONE));
    List<QueryRuns> runs = new ArrayList<>();
    for (DemoQuery query : queries) {
      runs.add(new QueryRuns(query, rows(unpruned, query.dataTableSql())));
    }
    for (int round = 1; round <= roundCount(); round++) {
      for (QueryRuns query : runs) {
        for (Map.Entry<PruningMode, Connection> mode : connections.entrySet()) {
          Run run = run(mode.getValue(), query.query(), query.expected());
          if (round > WARM_UPS) {
            query.add(mode.getKey(), run);
          }
        }
      }
      done.accept(round);
    }
    return runs.stream().map(QueryRuns::report).toList();
  }

  private Run run(Connection connection, DemoQuery query, ResultRows expected) {
    ScanRpcCounts before = cluster.scanRpcs().counts(LineItemTable.NAME);
    ResultRows rows = ResultRows.NONE;
    Optional<String> failure = Optional.empty();
    long start = System.nanoTime();
    try {
      rows = rows(connection, query.indexSql());
    } catch (SQLException e) {
      // Stock Phoenix is known to fail for some queries. Such a failure is a result, too.
      failure = Optional.of(String.valueOf(e.getMessage()));
    }
    long nanos = System.nanoTime() - start;
    ScanRpcCounts scans = cluster.scanRpcs().counts(LineItemTable.NAME).minus(before);
    boolean same = query.ordered() ? rows.equals(expected) : rows.hasSameRows(expected);
    return new Run(
        rows.size(),
        failure.isEmpty() && same,
        scans.regions().size(),
        scans.rpcs(),
        nanos,
        failure);
  }

  private static ResultRows rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return ResultRows.read(result);
    }
  }

  /** The runs of a query so far. */
  private record QueryRuns(
      DemoQuery query, ResultRows expected, Map<PruningMode, List<Run>> byMode) {

    QueryRuns(DemoQuery query, ResultRows expected) {
      this(query, expected, new EnumMap<>(PruningMode.class));
    }

    void add(PruningMode mode, Run run) {
      byMode.computeIfAbsent(mode, key -> new ArrayList<>()).add(run);
    }

    QueryReport report() {
      Map<PruningMode, Measurement> measurements = new EnumMap<>(PruningMode.class);
      byMode.forEach((mode, runs) -> measurements.put(mode, new Measurement(runs)));
      return new QueryReport(query, expected.size(), measurements);
    }
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : connections.values()) {
      connection.close();
    }
  }
}

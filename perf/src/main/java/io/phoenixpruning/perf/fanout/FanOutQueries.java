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
package io.phoenixpruning.perf.fanout;

import io.phoenixpruning.perf.cluster.ClusterProcesses;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Admin;

/**
 * Runs {@link FanOutTable#QUERY}, one query at a time, for values that match in few and in all
 * regions. All ways take turns, and each round starts with the next way.
 */
final class FanOutQueries implements AutoCloseable {

  private final ClusterProcesses cluster;
  private final FanOutTable table;
  private final Map<Way, Connection> connections = new EnumMap<>(Way.class);
  private final List<Way> order;

  /**
   * Opens a connection for each way.
   *
   * @param chunk maximum number of regions in one probe request
   */
  FanOutQueries(ClusterProcesses cluster, FanOutTable table, Collection<Way> ways, int chunk)
      throws SQLException {
    this.cluster = cluster;
    this.table = table;
    this.order = new ArrayList<>(ways);
    for (Way way : ways) {
      connections.put(way, cluster.connect(way.properties(chunk)));
    }
  }

  /** Runs all queries in all ways, round by round, until {@code time} is over. */
  void warmUp(Duration time, Consumer<String> progress) throws SQLException, IOException {
    Map<Matching, Map<Way, Runs>> discarded = noRuns();
    long start = System.nanoTime();
    for (int round = 1; System.nanoTime() - start < time.toNanos(); round++) {
      progress.accept("warm-up round %d".formatted(round));
      round(BlockCache.WARM, discarded);
    }
  }

  /**
   * Runs all queries in all ways.
   *
   * @param progress receives a message for each round
   */
  Map<Matching, Map<Way, Runs>> measure(BlockCache cache, int rounds, Consumer<String> progress)
      throws SQLException, IOException {
    Map<Matching, Map<Way, Runs>> runs = noRuns();
    for (int round = 1; round <= rounds; round++) {
      progress.accept("%s block cache, round %d of %d".formatted(cache, round, rounds));
      round(cache, runs);
    }
    return runs;
  }

  private Map<Matching, Map<Way, Runs>> noRuns() {
    Map<Matching, Map<Way, Runs>> all = new EnumMap<>(Matching.class);
    for (Matching matching : Matching.values()) {
      Map<Way, Runs> ofWays = new EnumMap<>(Way.class);
      order.forEach(way -> ofWays.put(way, new Runs()));
      all.put(matching, ofWays);
    }
    return all;
  }

  private void round(BlockCache cache, Map<Matching, Map<Way, Runs>> all)
      throws SQLException, IOException {
    try (Admin admin = FanOutTable.admin(connections.get(order.get(0)))) {
      for (Matching matching : Matching.values()) {
        for (Way way : order) {
          Runs runs = all.get(matching).get(way);
          if (runs.failure().isEmpty()) {
            cache.prepare(admin);
            run(way, matching, runs);
          }
        }
      }
    }
    Collections.rotate(order, 1);
  }

  /**
   * Runs one query and adds it to {@code runs}. A query that fails is recorded as a result. A query
   * with wrong rows ends the benchmark with an exception.
   */
  private void run(Way way, Matching matching, Runs runs) {
    long rpcs = cluster.scanRpcs(FanOutTable.NAME);
    long misses = cluster.dataBlockMisses();
    long start = System.nanoTime();
    try {
      int rows = rows(connections.get(way), matching);
      double millis = (System.nanoTime() - start) / 1e6;
      check(rows, matching, table.regions());
      runs.add(
          millis, cluster.scanRpcs(FanOutTable.NAME) - rpcs, cluster.dataBlockMisses() - misses);
    } catch (SQLException e) {
      runs.fail(reason(e));
    }
  }

  /** Returns the first line of the message of {@code failure}. */
  static String reason(SQLException failure) {
    return failure.toString().lines().findFirst().orElseThrow();
  }

  /** Throws an exception unless the number of rows is one for each region that matches. */
  static void check(int rows, Matching matching, int regions) {
    if (rows != matching.regions(regions)) {
      throw new IllegalStateException(
          "Number of rows: %d. Expected %d".formatted(rows, matching.regions(regions)));
    }
  }

  /** Compiles and runs the query, and returns the number of its rows. */
  static int rows(Connection connection, Matching matching) throws SQLException {
    int rows = 0;
    try (PreparedStatement query = connection.prepareStatement(FanOutTable.QUERY)) {
      query.setInt(1, matching.value());
      try (ResultSet result = query.executeQuery()) {
        while (result.next()) {
          rows++;
        }
      }
    }
    return rows;
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : connections.values()) {
      connection.close();
    }
  }
}

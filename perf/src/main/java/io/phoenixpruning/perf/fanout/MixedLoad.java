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
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A load of clients that query one region each, and of a few clients that query all regions.
 * Queries are due at fixed rates, however long answers take. The time of a query counts from when
 * it was due, and includes all waiting for the client's previous query.
 */
final class MixedLoad {

  private static final String POINT = FanOutTable.QUERY + " AND K1 = ?";
  private static final long SEED = 17;

  private final ClusterProcesses cluster;
  private final FanOutTable table;
  private final Offered offered;

  /**
   * The load that clients offer.
   *
   * @param clients number of threads, each with a connection
   * @param fanOutClients number of the clients that query all regions
   * @param points queries of one region per second, for all their clients together
   * @param fanOuts queries of all regions per second, for all their clients together; ten regions
   *     match
   * @param length length of a slice, which ends when all queries that were due in it are answered
   */
  record Offered(int clients, int fanOutClients, double points, double fanOuts, Duration length) {

    /** Returns a load with the same queries of one region, and no others. */
    Offered withoutFanOuts() {
      return new Offered(clients - fanOutClients, 0, points, 0, length);
    }
  }

  /** The responses to queries of one region, and of all regions. */
  record Answers(Responses points, Responses fanOuts) {

    Answers() {
      this(new Responses(), new Responses());
    }
  }

  /** A query of a client, which fails unless the number of its rows is right. */
  @FunctionalInterface
  private interface Query {
    void run(Connection connection) throws SQLException;
  }

  MixedLoad(ClusterProcesses cluster, FanOutTable table, Offered offered) {
    this.cluster = cluster;
    this.table = table;
    this.offered = offered;
  }

  /**
   * Runs a slice.
   *
   * @param properties connection properties
   * @param answers collects the responses
   */
  void run(Map<String, String> properties, Answers answers)
      throws SQLException, InterruptedException, ExecutionException {
    List<Connection> connections = new ArrayList<>();
    ExecutorService executor = Executors.newFixedThreadPool(offered.clients());
    try {
      for (int i = 0; i < offered.clients(); i++) {
        connections.add(cluster.connect(properties));
      }
      run(connections, executor, answers);
    } finally {
      executor.shutdownNow();
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  private void run(List<Connection> connections, ExecutorService executor, Answers answers)
      throws InterruptedException, ExecutionException {
    long start = System.nanoTime();
    List<Future<Responses>> points = new ArrayList<>();
    List<Future<Responses>> fanOuts = new ArrayList<>();
    int pointClients = offered.clients() - offered.fanOutClients();
    for (int i = 0; i < offered.clients(); i++) {
      Connection connection = connections.get(i);
      if (i < pointClients) {
        SplittableRandom random = new SplittableRandom(SEED + i);
        Schedule schedule =
            new Schedule(start, offered.length(), offered.points(), i, pointClients);
        points.add(executor.submit(() -> ask(connection, schedule, c -> point(c, random))));
      } else {
        Schedule schedule =
            new Schedule(
                start,
                offered.length(),
                offered.fanOuts(),
                i - pointClients,
                offered.fanOutClients());
        fanOuts.add(executor.submit(() -> ask(connection, schedule, this::fanOut)));
      }
    }
    for (Future<Responses> client : points) {
      answers.points().add(client.get());
    }
    for (Future<Responses> client : fanOuts) {
      answers.fanOuts().add(client.get());
    }
  }

  private static Responses ask(Connection connection, Schedule schedule, Query query) {
    Responses responses = new Responses();
    schedule
        .due()
        .forEach(
            due -> {
              Schedule.await(due);
              try {
                query.run(connection);
                responses.add(System.nanoTime() - due);
              } catch (SQLException e) {
                responses.fail(FanOutQueries.reason(e));
              }
            });
    return responses;
  }

  private void fanOut(Connection connection) throws SQLException {
    FanOutQueries.check(
        FanOutQueries.rows(connection, Matching.TEN), Matching.TEN, table.regions());
  }

  private void point(Connection connection, SplittableRandom random) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(POINT)) {
      query.setInt(1, Matching.ALL.value());
      query.setInt(2, random.nextInt(table.regions()));
      try (ResultSet result = query.executeQuery()) {
        if (!result.next() || result.next()) {
          throw new IllegalStateException("Expected exactly one row");
        }
      }
    }
  }
}

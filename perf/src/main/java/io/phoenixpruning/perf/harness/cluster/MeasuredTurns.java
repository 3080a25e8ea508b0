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
package io.phoenixpruning.perf.harness.cluster;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes a statement several times, and measures all executions together. */
final class MeasuredTurns {

  private static final Logger LOGGER = LoggerFactory.getLogger(MeasuredTurns.class);

  private final ThreadUsage usage = new ThreadUsage();

  /** Executor of the measured work. Threads of JMX are not measured. */
  private final ExecutorService turns =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "turns");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Executes a statement.
   *
   * @param executionsOfCommit executions before each commit, for a statement that writes
   */
  Turn run(
      Connection connection,
      Turn.Kind kind,
      String sql,
      int executions,
      BoundParameters parameters,
      int executionsOfCommit)
      throws IOException {
    Callable<long[]> work =
        () ->
            switch (kind) {
              case COMPILE -> compile(connection, sql, executions, parameters);
              case QUERY -> query(connection, sql, executions, parameters);
              case UPDATE -> update(connection, sql, executions, parameters, executionsOfCommit);
            };
    ProcessUsage before = usage.total();
    long start = System.nanoTime();
    try {
      long[] rowsAndSum = turns.submit(work).get();
      double millis = (System.nanoTime() - start) / 1e6;
      return new Turn(millis, usage.total().since(before), rowsAndSum[0], rowsAndSum[1]);
    } catch (ExecutionException e) {
      LOGGER.error("{} failed", sql, e);
      throw new IOException(sql + ": " + e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted");
    }
  }

  private static long[] compile(
      Connection connection, String sql, int executions, BoundParameters parameters)
      throws SQLException {
    long columns = 0;
    for (int i = 0; i < executions; i++) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        parameters.bind(statement);
        columns +=
            statement
                .unwrap(PhoenixPreparedStatement.class)
                .optimizeQuery()
                .getProjector()
                .getColumnCount();
      }
    }
    return new long[] {executions, columns};
  }

  private static long[] query(
      Connection connection, String sql, int executions, BoundParameters parameters)
      throws SQLException {
    long rows = 0;
    long sum = 0;
    for (int i = 0; i < executions; i++) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        parameters.bind(statement);
        try (ResultSet result = statement.executeQuery()) {
          QueryRun run = QueryClient.read(result, System.nanoTime());
          rows += run.getRows();
          sum += run.getSum();
        }
      }
    }
    return new long[] {rows, sum};
  }

  private static long[] update(
      Connection connection,
      String sql,
      int executions,
      BoundParameters parameters,
      int executionsOfCommit)
      throws SQLException {
    long rows = 0;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 1; i <= executions; i++) {
        parameters.bind(statement);
        rows += statement.executeUpdate();
        if (i % executionsOfCommit == 0 || i == executions) {
          connection.commit();
        }
      }
    }
    return new long[] {rows, 0};
  }
}

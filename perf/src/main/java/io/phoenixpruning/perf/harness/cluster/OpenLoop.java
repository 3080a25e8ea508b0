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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends queries at a fixed rate over some connections, without waiting for answers. If all
 * connections are busy, a query is sent late, and its latency counts from the time when it was due.
 */
final class OpenLoop {

  private static final Logger LOGGER = LoggerFactory.getLogger(OpenLoop.class);

  private final List<Connection> connections;
  private final String sql;

  /**
   * Creates a load.
   *
   * @param connections a connection for each thread
   * @param sql a query with one parameter
   */
  OpenLoop(List<Connection> connections, String sql) {
    this.connections = connections;
    this.sql = sql;
  }

  /**
   * Runs the query once for each value of its parameter.
   *
   * @param rate queries a second
   * @return the latency of each query in milliseconds, or NaN if it failed
   */
  double[] run(int[] binds, double rate) throws IOException {
    double[] millis = new double[binds.length];
    long start = System.nanoTime();
    int size = connections.size();
    ExecutorService pool = Executors.newFixedThreadPool(size);
    try {
      List<Callable<Void>> threads = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        Connection connection = connections.get(i);
        int first = i;
        threads.add(
            () -> {
              for (int query = first; query < binds.length; query += size) {
                long due = start + (long) (query / rate * 1e9);
                await(due);
                millis[query] =
                    isAnswered(connection, binds[query])
                        ? (System.nanoTime() - due) / 1e6
                        : Double.NaN;
              }
              return null;
            });
      }
      for (Future<Void> thread : pool.invokeAll(threads)) {
        thread.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted");
    } finally {
      pool.shutdownNow();
    }
    return millis;
  }

  private static void await(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Returns whether the query succeeded. Under load, a failure is a result. */
  private boolean isAnswered(Connection connection, int bind) {
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setInt(1, bind);
      try (ResultSet result = query.executeQuery()) {
        while (result.next()) {
          result.getObject(1);
        }
      }
      return true;
    } catch (SQLException e) {
      LOGGER.warn("{} failed", sql, e);
      return false;
    }
  }
}

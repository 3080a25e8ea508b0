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
package io.phoenixpruning.cli;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Finds out whether a cluster answers, without the many minutes for which its client would try. */
final class Reachability {

  private static final String PREFIX = "jdbc:phoenix";

  private final Duration patience;

  Reachability(Duration patience) {
    this.patience = patience;
  }

  /**
   * Connects to {@code url}.
   *
   * @throws RefusedException if that fails, or takes too long; the attempt then goes on until the
   *     JVM ends
   */
  Connection connect(String url) throws InterruptedException {
    if (!url.startsWith(PREFIX)) {
      throw new RefusedException(
          "--url is "
              + url
              + ", but has to be like "
              + PREFIX
              + ":HOST,HOST:PORT, with the hosts and the port of ZooKeeper");
    }
    ExecutorService connector =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "connect");
              thread.setDaemon(true);
              return thread;
            });
    Future<Connection> connection = connector.submit(() -> DriverManager.getConnection(url));
    connector.shutdown();
    try {
      return connection.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new RefusedException(
          "--url is "
              + url
              + ", but nothing answers there within "
              + patience.toSeconds()
              + " s: check the hosts and the port of ZooKeeper, and that HBase runs",
          e);
    } catch (ExecutionException e) {
      String reason =
          e.getCause() instanceof SQLException refused
              ? refused.getMessage()
              : OneLineErrors.describe(e.getCause());
      throw new RefusedException(
          "--url is " + url + ", which cannot be connected to: " + reason, e.getCause());
    }
  }
}

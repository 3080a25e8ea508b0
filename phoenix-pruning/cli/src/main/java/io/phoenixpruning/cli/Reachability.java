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

import java.time.Duration;
import java.util.EnumSet;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.phoenix.jdbc.ConnectionInfo;
import org.apache.phoenix.util.ReadOnlyProps;

/** Finds out whether an HBase answers, without the many minutes for which its client would try. */
final class Reachability {

  private static final String PREFIX = "jdbc:phoenix";

  private final Duration patience;

  Reachability(Duration patience) {
    this.patience = patience;
  }

  /**
   * Asks the HBase of {@code url} for its region servers.
   *
   * @throws RefusedException if there is none, or no answer in time; the attempt then goes on until
   *     the JVM ends
   */
  void check(String url) throws InterruptedException {
    if (!url.startsWith(PREFIX)) {
      throw refused(url, "is not one of Phoenix", null);
    }
    ExecutorService asking =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "ask HBase");
              thread.setDaemon(true);
              return thread;
            });
    Future<ClusterMetrics> answer = asking.submit(() -> ask(url));
    asking.shutdown();
    try {
      answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw refused(url, "does not answer within " + patience.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      throw refused(url, "fails: " + e.getCause().getMessage(), e);
    }
  }

  private static ClusterMetrics ask(String url) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    for (var setting :
        ConnectionInfo.create(url, ReadOnlyProps.EMPTY_PROPS, new Properties()).asProps()) {
      configuration.set(setting.getKey(), setting.getValue());
    }
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      return admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS));
    }
  }

  private static RefusedException refused(String url, String what, Exception cause) {
    return new RefusedException(
        "--url is "
            + url
            + ", which "
            + what
            + ", but has to be "
            + PREFIX
            + ":HOST,HOST:PORT with the hosts and the port of a ZooKeeper whose HBase runs: mend it,"
            + " or start HBase",
        cause);
  }
}

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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.phoenix.jdbc.PhoenixDatabaseMetaData;
import org.apache.phoenix.util.SchemaUtil;

/**
 * Connects to a running cluster, without the many minutes for which HBase's client would try, and
 * without making Phoenix's tables on it.
 */
public final class Reachability {

  private static final String START = "mend it, or start HBase";
  private static final String MEND = "mend it";

  /** How long an answer may take. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private Reachability() {}

  /**
   * Connects to the cluster that the user gave.
   *
   * @param folder for what libraries write
   * @param cleanup closes the connection
   * @throws RefusedException if the URL is none, if there is no HBase with Phoenix, or no answer in
   *     time; the attempt then goes on until the JVM ends
   */
  public static Connection open(String url, Path folder, Cleanup cleanup)
      throws InterruptedException {
    ClusterUrl cluster = ClusterUrl.parse(url);
    Libraries.write(folder);
    Connection connection = connect(cluster);
    cleanup.add(connection::close);
    return connection;
  }

  private static Connection connect(ClusterUrl url) throws InterruptedException {
    ExecutorService asking =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "ask HBase");
              thread.setDaemon(true);
              return thread;
            });
    Future<Connection> answer = asking.submit(() -> ask(url));
    asking.shutdown();
    try {
      return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw refused(url, "which does not answer within " + PATIENCE.toSeconds() + " s", START, e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RefusedException refused) {
        throw refused;
      }
      throw refused(url, "which fails: " + OneLineErrors.messages(e.getCause()), MEND, e);
    }
  }

  private static Connection ask(ClusterUrl url) throws Exception {
    knock(url);
    Configuration configuration = url.configuration();
    try (var connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      ClusterMetrics metrics =
          admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS));
      if (metrics.getLiveServerMetrics().isEmpty()) {
        throw refused(url, "whose HBase has no region server", "start one", null);
      }
      TableName catalog =
          SchemaUtil.getPhysicalTableName(
              PhoenixDatabaseMetaData.SYSTEM_CATALOG_NAME_BYTES, configuration);
      if (!admin.tableExists(catalog)) {
        throw refused(
            url,
            "whose HBase has no table "
                + catalog
                + ", which this command does not make on a cluster of others",
            "set up Phoenix there, and connect once with its sqlline.py",
            null);
      }
    }
    return DriverManager.getConnection(url.toString());
  }

  /** HBase's client would go on trying where nothing listens, and would not say so. */
  private static void knock(ClusterUrl url) {
    Optional<IOException> failure = Optional.empty();
    for (InetSocketAddress server : url.registry()) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(server.getHostString(), server.getPort()));
        return;
      } catch (UnknownHostException e) {
        failure =
            failure.or(
                () ->
                    Optional.of(
                        new UnknownHostException("unknown host " + server.getHostString())));
      } catch (IOException e) {
        failure = failure.or(() -> Optional.of(e));
      }
    }
    failure.ifPresent(
        first -> {
          throw refused(url, "which does not answer (" + first.getMessage() + ")", START, first);
        });
  }

  private static RefusedException refused(
      ClusterUrl url, String what, String advice, Exception cause) {
    return new RefusedException("--url is '" + url + "', " + what + ": " + advice, cause);
  }
}

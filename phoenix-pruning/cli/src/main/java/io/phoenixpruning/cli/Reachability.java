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

import io.phoenixpruning.cli.console.RefusedException;
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
import org.jspecify.annotations.Nullable;

/**
 * Connects to a running cluster. Each step has a timeout of seconds, because HBase's client would
 * retry for many minutes. Does not create Phoenix's tables on the cluster.
 */
public final class Reachability {

  private static final String START_ADVICE = "Correct the URL, or start HBase";

  /** A server does not tell a client without Kerberos why it closes the connection. */
  private static final String KERBEROS_ADVICE = ". A cluster with Kerberos needs HBASE_CONF_DIR";

  private static final String CHECK_ADVICE = "Check the URL and the cluster";

  /** Maximum time to wait for HBase's answer. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  /** Maximum time to wait for Phoenix's client, which then checks all system tables. */
  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(60);

  /** Setting of HBase's client for its requests to ZooKeeper, in milliseconds. */
  private static final String REGISTRY_TIMEOUT = "zookeeper.registry.async.get.timeout";

  private Reachability() {}

  /**
   * Connects to the cluster of {@code url}.
   *
   * @param folder folder for the files that libraries write
   * @param cleanup receives a step that closes the connection
   * @throws RefusedException if the URL is invalid, if HBase or Phoenix is missing, or if the
   *     cluster does not answer in time; after a timeout, the attempt continues until the JVM ends
   */
  public static Connection open(String url, Path folder, Cleanup cleanup)
      throws InterruptedException {
    // Before Phoenix's first class writes to a log.
    Libraries.write(folder);
    KerberosLogin.configure();
    ClusterUrl cluster = ClusterUrl.parse(url);
    Connection connection = connect(cluster);
    cleanup.add(connection::close);
    return connection;
  }

  private static Connection connect(ClusterUrl url) throws InterruptedException {
    ExecutorService executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "ask HBase");
              thread.setDaemon(true);
              return thread;
            });
    try {
      await(url, executor.submit(() -> checkPhoenix(url)), ANSWER_TIMEOUT);
      return await(
          url,
          executor.submit(() -> DriverManager.getConnection(url.toString())),
          CONNECTION_TIMEOUT);
    } finally {
      executor.shutdown();
    }
  }

  private static <T> T await(ClusterUrl url, Future<T> answer, Duration timeout)
      throws InterruptedException {
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      String advice =
          System.getenv("HBASE_CONF_DIR") == null ? START_ADVICE + KERBEROS_ADVICE : START_ADVICE;
      throw refused(url, "does not answer within " + timeout.toSeconds() + " s", advice, e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof RefusedException refused) {
        throw refused;
      }
      throw refused(
          url, "cannot be opened (" + OneLineErrors.messages(cause) + ")", CHECK_ADVICE, e);
    }
  }

  /** Returns {@code url}. Fails unless HBase answers and has Phoenix's tables. */
  private static ClusterUrl checkPhoenix(ClusterUrl url) throws Exception {
    checkListening(url);
    Configuration configuration = url.configuration();
    // HBase's client would give up earlier, with an error that does not name the URL.
    configuration.setLong(REGISTRY_TIMEOUT, 2 * ANSWER_TIMEOUT.toMillis());
    try (var connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      ClusterMetrics metrics =
          admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS));
      if (metrics.getLiveServerMetrics().isEmpty()) {
        throw refused(
            url, "leads to an HBase without region servers", "Start a region server", null);
      }
      TableName catalog =
          SchemaUtil.getPhysicalTableName(
              PhoenixDatabaseMetaData.SYSTEM_CATALOG_NAME_BYTES, configuration);
      if (!admin.tableExists(catalog)) {
        throw refused(
            url,
            "leads to an HBase without the table "
                + catalog
                + ", which this command does not create",
            "Set up Phoenix on that cluster, and connect once with its sqlline.py",
            null);
      }
    }
    return url;
  }

  /**
   * Checks that a server of the registry accepts connections. If no server listens, HBase's client
   * would keep retrying without a message.
   */
  private static void checkListening(ClusterUrl url) {
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
          throw refused(url, "does not answer (" + first.getMessage() + ")", START_ADVICE, first);
        });
  }

  private static RefusedException refused(
      ClusterUrl url, String what, String advice, @Nullable Exception cause) {
    return new RefusedException("--url '" + url + "' " + what + ". " + advice, cause);
  }
}

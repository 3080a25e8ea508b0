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
package io.phoenixpruning.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper, an HBase master and a region server with Phoenix in this JVM, like HBase's standalone
 * mode. The servers keep all files in one folder and listen only on free ports of the loopback
 * interface. A restart on the same folder has the same tables, even if the JVM was killed.
 */
public final class EmbeddedCluster implements AutoCloseable {

  /** Address of the interface on which the servers listen. */
  public static final String LOOPBACK = "127.0.0.1";

  /** Maximum time for an orderly stop of the servers. */
  private static final long CLOSE_MILLIS = TimeUnit.SECONDS.toMillis(20);

  /** Maximum time for an immediate stop of the servers. */
  private static final long ABORT_MILLIS = TimeUnit.SECONDS.toMillis(15);

  private final Path folder;
  private final MiniZooKeeperCluster zooKeeper;
  private final Configuration configuration;
  private final ScanRpcCounter scanRpcs;
  private volatile @Nullable LocalHBaseCluster hbase;

  /**
   * Creates a cluster that is not started.
   *
   * @param folder folder for the cluster's files; no other running cluster may use it
   * @throws IllegalStateException if this JVM has already used Phoenix with other settings
   */
  public EmbeddedCluster(Path folder) {
    ParsedConfigurationFactory.install(ClusterConfiguration.CLIENT);
    this.folder = folder;
    this.configuration = ClusterConfiguration.in(folder);
    this.zooKeeper = new MiniZooKeeperCluster(configuration);
    this.scanRpcs = ScanRpcCounter.on(() -> started().getRegionServers());
  }

  /**
   * Starts the servers and waits until they accept requests.
   *
   * @throws IOException if a server does not start; {@link #abort()} stops the others
   */
  public void start() throws IOException, InterruptedException {
    int port = zooKeeper.startup(folder.resolve("zookeeper").toFile());
    configuration.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, port);
    LocalHBaseCluster started =
        new LocalHBaseCluster(configuration, 1, 1, HMaster.class, HRegionServer.class);
    hbase = started;
    started.startup();
  }

  /** Returns the JDBC URL for this process and others on this machine. */
  public String url() {
    return "jdbc:phoenix:" + LOOPBACK + ":" + zooKeeper.getClientPort();
  }

  /**
   * Connects with {@code properties}. The first connection creates Phoenix's system tables if they
   * are missing.
   */
  public Connection connect(Map<String, String> properties) throws SQLException {
    Properties all = new Properties();
    all.putAll(properties);
    return DriverManager.getConnection(url(), all);
  }

  /** Returns the counter of the Scan RPCs that reach the region servers. */
  public ScanRpcCounter scanRpcs() {
    return scanRpcs;
  }

  private LocalHBaseCluster started() {
    return Objects.requireNonNull(hbase, "start was not called");
  }

  /** Returns the number of open regions of {@code table}. */
  public int openRegions(TableName table) {
    return started().getRegionServers().stream()
        .mapToInt(server -> server.getRegionServer().getRegions(table).size())
        .sum();
  }

  /**
   * Stops the servers after they have written data in memory to the folder. A server that takes too
   * long is aborted, and replays its write-ahead log at the next start.
   */
  @Override
  public void close() throws IOException {
    if (hbase != null) {
      HMaster master = hbase.getActiveMaster();
      if (master != null) {
        master.shutdown();
      }
      hbase.getRegionServers().forEach(server -> server.getRegionServer().stop("Closed"));
      join(CLOSE_MILLIS);
    }
    // Aborts servers that were too slow, and stops ZooKeeper.
    abort();
  }

  /**
   * Stops the servers immediately, without writing data in memory. Use this method for a folder
   * that is about to be deleted. Also stops a cluster that has started only in part.
   *
   * @throws IOException if a server is still running afterwards
   */
  public void abort() throws IOException {
    try {
      if (hbase != null) {
        hbase.getRegionServers().stream()
            .filter(Thread::isAlive)
            .forEach(server -> server.getRegionServer().abort("Not needed any more"));
        hbase.getMasters().stream()
            .filter(Thread::isAlive)
            .forEach(server -> server.getMaster().abort("Not needed any more"));
        List<String> running = join(ABORT_MILLIS);
        if (!running.isEmpty()) {
          throw new IOException("HBase still runs after it was stopped: " + running);
        }
      }
    } finally {
      zooKeeper.shutdown();
    }
  }

  /**
   * Waits for the servers' threads to end, but not longer than {@code millis}.
   *
   * @return names of the threads that are still running
   */
  private List<String> join(long millis) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    LocalHBaseCluster servers = started();
    List<Thread> threads =
        Stream.<Thread>concat(servers.getRegionServers().stream(), servers.getMasters().stream())
            .toList();
    try {
      for (Thread thread : threads) {
        TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the servers were stopping", e);
    }
    return threads.stream().filter(Thread::isAlive).map(Thread::getName).toList();
  }
}

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
package io.phoenixpruning.cli.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
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

/**
 * ZooKeeper, an HBase master and a region server with Phoenix in this JVM, as HBase's standalone
 * mode has them. They keep everything in one folder, listen on the loopback interface only, on free
 * ports, and come back with the same tables when started on that folder again, also after the JVM
 * was killed.
 */
public final class EmbeddedCluster implements AutoCloseable {

  /** The interface on which the servers listen. */
  public static final String LOOPBACK = "127.0.0.1";

  /** How long the servers may take to stop in good order. */
  private static final long CLOSE_MILLIS = TimeUnit.SECONDS.toMillis(20);

  /** How long they may take to stop at once. */
  private static final long ABORT_MILLIS = TimeUnit.SECONDS.toMillis(15);

  private final Path folder;
  private final MiniZooKeeperCluster zooKeeper;
  private final Configuration configuration;
  private final ScanRpcCounter scanRpcs;
  private volatile LocalHBaseCluster hbase;

  /**
   * A cluster that is not started.
   *
   * @param folder where it keeps its files; of no other running cluster
   * @throws IllegalStateException if Phoenix was used in this JVM before, for another cluster
   */
  public EmbeddedCluster(Path folder) {
    EmbeddedConfigurationFactory.install(ClusterConfiguration.CLIENT);
    this.folder = folder;
    this.configuration = ClusterConfiguration.in(folder);
    this.zooKeeper = new MiniZooKeeperCluster(configuration);
    this.scanRpcs = ScanRpcCounter.on(() -> hbase.getRegionServers());
  }

  /**
   * Starts, and waits until requests are taken.
   *
   * @throws IOException if a server does not start; {@link #abort()} stops those that did
   */
  public void start() throws IOException, InterruptedException {
    int port = zooKeeper.startup(folder.resolve("zookeeper").toFile());
    configuration.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, port);
    hbase = new LocalHBaseCluster(configuration, 1, 1, HMaster.class, HRegionServer.class);
    hbase.startup();
  }

  /** The JDBC URL, for this and other processes on this machine. */
  public String url() {
    return "jdbc:phoenix:" + LOOPBACK + ":" + zooKeeper.getClientPort();
  }

  /**
   * Connects with {@code properties}. The first connection makes Phoenix's system tables where they
   * are missing.
   */
  public Connection connect(Map<String, String> properties) throws SQLException {
    Properties all = new Properties();
    all.putAll(properties);
    return DriverManager.getConnection(url(), all);
  }

  /** The Scan RPCs that reach the region servers. */
  public ScanRpcCounter scanRpcs() {
    return scanRpcs;
  }

  /** The number of regions of {@code table} that are open. */
  public int openRegions(TableName table) {
    return hbase.getRegionServers().stream()
        .mapToInt(server -> server.getRegionServer().getRegions(table).size())
        .sum();
  }

  /**
   * Stops in good order: what is in memory is written to the folder first. A server that takes too
   * long is stopped at once; it replays its log when it is started again.
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
    // Ends those that were too slow.
    abort();
  }

  /**
   * Stops at once, without writing what is in memory: for a folder that is about to be deleted.
   * Also stops a cluster that has not started completely.
   *
   * @throws IOException if a server goes on nevertheless
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
          throw new IOException("HBase goes on although it was stopped: " + running);
        }
      }
    } finally {
      zooKeeper.shutdown();
    }
  }

  /**
   * Waits for the servers' threads to end, but not longer than {@code millis}.
   *
   * @return the names of those that still run
   */
  private List<String> join(long millis) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    List<Thread> threads =
        Stream.<Thread>concat(hbase.getRegionServers().stream(), hbase.getMasters().stream())
            .toList();
    try {
      for (Thread thread : threads) {
        TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the servers stop", e);
    }
    return threads.stream().filter(Thread::isAlive).map(Thread::getName).toList();
  }
}

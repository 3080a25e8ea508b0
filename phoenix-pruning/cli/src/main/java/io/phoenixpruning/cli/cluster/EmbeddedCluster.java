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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.JVMClusterUtil.MasterThread;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;

/**
 * ZooKeeper, an HBase master and a region server with Phoenix in this JVM, as HBase's standalone
 * mode has them. They keep everything in one folder, listen on the loopback interface only, on free
 * ports, and come back with the same tables when started on that folder again.
 */
public final class EmbeddedCluster implements AutoCloseable {

  static final String LOOPBACK = "127.0.0.1";

  private final MiniZooKeeperCluster zooKeeper;
  private final LocalHBaseCluster hbase;
  private final ScanRpcCounter scanRpcs;

  private EmbeddedCluster(MiniZooKeeperCluster zooKeeper, LocalHBaseCluster hbase) {
    this.zooKeeper = zooKeeper;
    this.hbase = hbase;
    this.scanRpcs = ScanRpcCounter.on(hbase::getRegionServers);
  }

  /**
   * Starts a cluster and waits until it takes requests.
   *
   * @param folder where the cluster keeps its files; of no other running cluster
   * @throws IOException if a server does not start; those that did are stopped
   */
  public static EmbeddedCluster start(Path folder) throws IOException, InterruptedException {
    Configuration configuration = ClusterConfiguration.in(folder);
    MiniZooKeeperCluster zooKeeper = new MiniZooKeeperCluster(configuration);
    int port = zooKeeper.startup(folder.resolve("zookeeper").toFile());
    configuration.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, port);
    LocalHBaseCluster hbase = null;
    try {
      hbase = new LocalHBaseCluster(configuration, 1, 1, HMaster.class, HRegionServer.class);
      hbase.startup();
      return new EmbeddedCluster(zooKeeper, hbase);
    } catch (IOException | RuntimeException failure) {
      if (hbase != null) {
        abort(hbase);
      }
      zooKeeper.shutdown();
      throw failure;
    }
  }

  /** The JDBC URL, for this and other processes on this machine. */
  public String url() {
    return "jdbc:phoenix:" + LOOPBACK + ":" + zooKeeper.getClientPort();
  }

  /**
   * Connects with {@code properties}, besides those that suit an embedded cluster. The latter hold
   * for all connections of this JVM to the cluster, so the first one has to be made here.
   */
  public Connection connect(Map<String, String> properties) throws SQLException {
    Properties all = new Properties();
    all.putAll(ClusterConfiguration.CLIENT);
    all.putAll(properties);
    return DriverManager.getConnection(url(), all);
  }

  /** The Scan RPCs that reach the region servers. */
  public ScanRpcCounter scanRpcs() {
    return scanRpcs;
  }

  /** The number of regions of {@code table} that are open. */
  public int openRegions(TableName table) {
    int open = 0;
    for (RegionServerThread server : hbase.getRegionServers()) {
      List<HRegion> regions = server.getRegionServer().getRegions(table);
      open += regions.size();
    }
    return open;
  }

  /** Stops in good order: what is in memory is written to the folder first. */
  @Override
  public void close() throws IOException {
    hbase.shutdown();
    hbase.join();
    zooKeeper.shutdown();
  }

  /** Stops at once, for a folder that is about to be deleted: what is in memory is lost. */
  public void abort() throws IOException {
    abort(hbase);
    zooKeeper.shutdown();
  }

  private static void abort(LocalHBaseCluster hbase) {
    for (RegionServerThread server : hbase.getRegionServers()) {
      server.getRegionServer().abort("The cluster is not needed any more");
    }
    for (MasterThread master : hbase.getMasters()) {
      master.getMaster().abort("The cluster is not needed any more");
    }
    hbase.join();
  }
}

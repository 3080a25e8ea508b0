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

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.procedure2.RemoteProcedureDispatcher;
import org.apache.hadoop.hbase.regionserver.ShutdownHook;
import org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec;
import org.apache.hadoop.hbase.regionserver.wal.WALCellCodec;
import org.apache.phoenix.query.QueryServices;

/**
 * The settings of an {@link EmbeddedCluster}, also for servers in processes of their own: one
 * machine, one user, up to thousands of regions.
 */
public final class ClusterConfiguration {

  /** What clients need; the servers are clients, too. */
  static final Map<String, String> CLIENT =
      Map.of(
          // Everything is near: ask often whether a region is open or a table has changed.
          HConstants.HBASE_CLIENT_PAUSE,
          "20",
          QueryServices.DELAY_FOR_SCHEMA_UPDATE_CHECK,
          "50",
          QueryServices.NUM_RETRIES_FOR_SCHEMA_UPDATE_CHECK,
          "2000",
          // Nobody writes to a table while it gets an index.
          QueryServices.INDEX_POPULATION_SLEEP_TIME,
          "0",
          // 32 regions for a log of queries would be a third of the time that Phoenix needs to
          // start.
          QueryServices.LOG_SALT_BUCKETS_ATTRIB,
          "1",
          // UPDATE STATISTICS returns when the statistics are there.
          QueryServices.RUN_UPDATE_STATS_ASYNC,
          "false",
          // A query without pruning is a task for every guidepost, and 5,000 would be the limit.
          QueryServices.QUEUE_SIZE_ATTRIB,
          "200000");

  private static final Map<String, String> SERVER =
      Map.ofEntries(
          Map.entry("fs.defaultFS", "file:///"),
          Map.entry("fs.file.impl", ForklessLocalFileSystem.class.getName()),
          Map.entry(LocalHBaseCluster.ASSIGN_RANDOM_PORTS, "true"),
          Map.entry(HConstants.MASTER_INFO_PORT, "-1"),
          Map.entry(HConstants.REGIONSERVER_INFO_PORT, "-1"),
          // A busy machine must not end a session. A killed master has to expire before the next.
          Map.entry(HConstants.ZK_SESSION_TIMEOUT, "40000"),
          Map.entry("hbase.master.start.timeout.localHBaseCluster", "90000"),
          Map.entry(HConstants.ZOOKEEPER_QUORUM, EmbeddedCluster.LOOPBACK),
          Map.entry("hbase.master.ipc.address", EmbeddedCluster.LOOPBACK),
          Map.entry("hbase.regionserver.ipc.address", EmbeddedCluster.LOOPBACK),
          Map.entry("hbase.master.hostname", "localhost"),
          Map.entry("hbase.unsafe.regionserver.hostname", "localhost"),
          Map.entry("hbase.master.wait.on.regionservers.maxtostart", "1"),
          Map.entry("hbase.regionserver.msginterval", "1000"),
          Map.entry(RemoteProcedureDispatcher.DISPATCH_DELAY_CONF_KEY, "5"),
          Map.entry("hbase.client.serverside.retries.multiplier", "1"),
          // Who starts the cluster stops it, also when the JVM ends.
          Map.entry(ShutdownHook.RUN_SHUTDOWN_HOOK, "false"),
          Map.entry("fs.automatic.close", "false"),
          // Thousands of small regions: no 2 MB buffer for each, many opened at a time.
          Map.entry("hbase.hregion.memstore.mslab.enabled", "false"),
          Map.entry("hbase.regionserver.executor.openregion.threads", "8"),
          Map.entry("hbase.regionserver.executor.closeregion.threads", "8"),
          // All files are near: to look for them would start a process for each one.
          Map.entry("hbase.master.balancer.uselocality", "false"),
          // What Phoenix asks of its servers, with few threads for what a single user does little.
          Map.entry(WALCellCodec.WAL_CELL_CODEC_CLASS_KEY, IndexedWALEditCodec.class.getName()),
          Map.entry(
              CountingRpcSchedulerFactory.CONFIGURATION_KEY,
              CountingRpcSchedulerFactory.class.getName()),
          Map.entry(QueryServices.INDEX_HANDLER_COUNT_ATTRIB, "10"),
          Map.entry(QueryServices.METADATA_HANDLER_COUNT_ATTRIB, "10"),
          Map.entry(QueryServices.SERVER_SIDE_HANDLER_COUNT_ATTRIB, "10"),
          Map.entry(QueryServices.COMMIT_STATS_ASYNC, "false"));

  private ClusterConfiguration() {}

  /** The settings of the servers of a cluster that keeps its files in {@code folder}. */
  public static Configuration in(Path folder) {
    Configuration configuration = HBaseConfiguration.create();
    CLIENT.forEach(configuration::set);
    SERVER.forEach(configuration::set);
    configuration.set(HConstants.HBASE_DIR, folder.resolve("hbase").toUri().toString());
    configuration.set("hbase.tmp.dir", folder.resolve("tmp").toString());
    configuration.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    return configuration;
  }
}

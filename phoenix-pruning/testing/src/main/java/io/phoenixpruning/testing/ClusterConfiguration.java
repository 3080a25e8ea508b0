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

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.procedure2.RemoteProcedureDispatcher;
import org.apache.hadoop.hbase.regionserver.ShutdownHook;
import org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec;
import org.apache.hadoop.hbase.regionserver.wal.WALCellCodec;
import org.apache.phoenix.query.QueryServices;

/**
 * Settings of an {@link EmbeddedCluster}, and of servers in separate processes. They suit one
 * machine, one user and up to thousands of regions.
 */
public final class ClusterConfiguration {

  /** Settings of clients. Servers use these settings, too, because they are also clients. */
  static final Map<String, String> CLIENT =
      Map.of(
          // All servers are local. Clients check often whether a region is open or a table has
          // changed.
          HConstants.HBASE_CLIENT_PAUSE,
          "10",
          HConstants.HBASE_CLIENT_RETRIES_NUMBER,
          "35",
          QueryServices.DELAY_FOR_SCHEMA_UPDATE_CHECK,
          "50",
          QueryServices.NUM_RETRIES_FOR_SCHEMA_UPDATE_CHECK,
          "2000",
          // Nobody writes to a table while an index on it is created.
          QueryServices.INDEX_POPULATION_SLEEP_TIME,
          "0",
          // With the default of 32 regions, the query log would take a third of Phoenix's start
          // time.
          QueryServices.LOG_SALT_BUCKETS_ATTRIB,
          "1",
          // UPDATE STATISTICS waits until the statistics are written.
          QueryServices.RUN_UPDATE_STATS_ASYNC,
          "false",
          // A query without pruning queues a task for every guidepost. The default limit is 5,000.
          QueryServices.QUEUE_SIZE_ATTRIB,
          "200000");

  private static final Map<String, String> SERVER =
      Map.ofEntries(
          Map.entry("fs.defaultFS", "file:///"),
          Map.entry("fs.file.impl", ForklessLocalFileSystem.class.getName()),
          Map.entry(LocalHBaseCluster.ASSIGN_RANDOM_PORTS, "true"),
          Map.entry(HConstants.MASTER_INFO_PORT, "-1"),
          Map.entry(HConstants.REGIONSERVER_INFO_PORT, "-1"),
          // A busy machine must not end a session. If a master is killed, its session has to expire
          // before the next master starts.
          Map.entry(HConstants.ZK_SESSION_TIMEOUT, "40000"),
          Map.entry("hbase.master.start.timeout.localHBaseCluster", "90000"),
          Map.entry(HConstants.ZOOKEEPER_QUORUM, EmbeddedCluster.LOOPBACK),
          Map.entry("hbase.master.ipc.address", EmbeddedCluster.LOOPBACK),
          Map.entry("hbase.regionserver.ipc.address", EmbeddedCluster.LOOPBACK),
          Map.entry("hbase.master.hostname", "localhost"),
          Map.entry("hbase.unsafe.regionserver.hostname", "localhost"),
          Map.entry("hbase.master.wait.on.regionservers.maxtostart", "1"),
          Map.entry("hbase.regionserver.msginterval", "1000"),
          // The master does not wait to batch region assignments or requests to a server.
          Map.entry(AssignmentManager.ASSIGN_DISPATCH_WAIT_MSEC_CONF_KEY, "5"),
          Map.entry(RemoteProcedureDispatcher.DISPATCH_DELAY_CONF_KEY, "5"),
          Map.entry("hbase.master.event.waiting.time", "5"),
          Map.entry("hbase.client.serverside.retries.multiplier", "1"),
          // The code that starts the cluster stops it, also at JVM shutdown.
          Map.entry(ShutdownHook.RUN_SHUTDOWN_HOOK, "false"),
          Map.entry("fs.automatic.close", "false"),
          // For thousands of small regions: no 2 MB buffer for each region, and more threads to
          // open them.
          Map.entry("hbase.hregion.memstore.mslab.enabled", "false"),
          Map.entry("hbase.regionserver.executor.openregion.threads", "8"),
          Map.entry("hbase.regionserver.executor.closeregion.threads", "8"),
          // All files are local. A check of the locality would start a process for each file.
          Map.entry("hbase.master.balancer.uselocality", "false"),
          // Settings that Phoenix requires on servers, with few threads for the tasks of a single
          // user.
          Map.entry(WALCellCodec.WAL_CELL_CODEC_CLASS_KEY, IndexedWALEditCodec.class.getName()),
          Map.entry(
              CountingRpcSchedulerFactory.CONFIGURATION_KEY,
              CountingRpcSchedulerFactory.class.getName()),
          Map.entry(QueryServices.INDEX_HANDLER_COUNT_ATTRIB, "10"),
          Map.entry(QueryServices.METADATA_HANDLER_COUNT_ATTRIB, "10"),
          Map.entry(QueryServices.SERVER_SIDE_HANDLER_COUNT_ATTRIB, "10"),
          Map.entry(QueryServices.COMMIT_STATS_ASYNC, "false"));

  private ClusterConfiguration() {}

  /** Returns the settings of servers whose cluster keeps its files in {@code folder}. */
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

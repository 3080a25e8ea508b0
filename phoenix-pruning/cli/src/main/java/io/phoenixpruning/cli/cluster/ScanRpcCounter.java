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

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/**
 * Counts the Scan RPCs that reach the region servers of a cluster in this JVM. The servers have to
 * be configured with {@link CountingRpcSchedulerFactory}.
 *
 * <p>What is counted is every call of the method {@code Scan} that a server has read off a
 * connection and hands to its scheduler: the scheduler is given each call once, before it is
 * served, so an RPC counts also if it then fails or finds that the region has moved. Scans that a
 * server makes of its own regions do not pass through an RPC and are not counted.
 *
 * <p>The request that opens a scanner names the region. One that continues, renews or closes it
 * names only the scanner, whose table the server tells. That is sound: a client knows a scanner by
 * its answer, so the server has registered it before, and drops it only when a later call has
 * closed it, or at the end of its lease. A call that comes after that does no work; it is counted
 * as {@link #unknown()}. HBase's client makes none: it does not close a scanner that the server has
 * said is at its end.
 */
public final class ScanRpcCounter {

  private final Supplier<? extends Collection<RegionServerThread>> servers;

  /** Of all servers seen so far: a server that is gone keeps its counts. */
  private final Set<ScanRpcTally> tallies = ConcurrentHashMap.newKeySet();

  private ScanRpcCounter(Supplier<? extends Collection<RegionServerThread>> servers) {
    this.servers = servers;
  }

  /**
   * @param servers lists the region servers of the cluster, such as {@code
   *     MiniHBaseCluster::getRegionServerThreads}; asked for every count, so that new servers are
   *     seen
   */
  public static ScanRpcCounter on(Supplier<? extends Collection<RegionServerThread>> servers) {
    return new ScanRpcCounter(servers);
  }

  /**
   * What has arrived for {@code table} since the servers started.
   *
   * @throws IllegalStateException if a server is not configured to count
   */
  public ScanRpcCounts counts(TableName table) {
    return sum(tally -> tally.counts(table));
  }

  /**
   * What has arrived for scanners that were no longer open.
   *
   * @throws IllegalStateException if a server is not configured to count
   */
  public ScanRpcCounts unknown() {
    return sum(ScanRpcTally::unknown);
  }

  private ScanRpcCounts sum(Function<ScanRpcTally, ScanRpcCounts> counts) {
    for (RegionServerThread thread : servers.get()) {
      tallies.add(tally(thread.getRegionServer()));
    }
    return tallies.stream().map(counts).reduce(ScanRpcCounts.NONE, ScanRpcCounts::plus);
  }

  private static ScanRpcTally tally(HRegionServer server) {
    RpcScheduler scheduler =
        server.getRpcServer() instanceof RpcServer rpcServer ? rpcServer.getScheduler() : null;
    if (scheduler instanceof CountingRpcScheduler counting) {
      return counting.tally();
    }
    throw new IllegalStateException(
        server
            + " does not count scans: set "
            + CountingRpcSchedulerFactory.CONFIGURATION_KEY
            + " to "
            + CountingRpcSchedulerFactory.class.getName());
  }
}

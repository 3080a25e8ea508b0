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
 * <p>A counted RPC is a call of the method {@code Scan} that a server has read from a connection
 * and passed to its scheduler. The scheduler receives each call once, before the call is served. An
 * RPC therefore counts even if it fails or finds that the region has moved. Scans of a server on
 * its own regions use no RPC and are not counted.
 *
 * <p>A request that opens a scanner names the region. A request that continues, renews or closes a
 * scanner names only the scanner; the server provides its table. The server knows the table of
 * every open scanner: it registers a scanner before the client receives the scanner's id. The
 * server drops a scanner only if a later call has closed it, or at the end of its lease.
 *
 * <p>A call for a dropped scanner does no work; it is counted as {@link #unknown()}. HBase's client
 * makes no such call: it does not close a scanner whose end the server has reported.
 */
public final class ScanRpcCounter {

  private final Supplier<? extends Collection<RegionServerThread>> servers;

  /** Tallies of all servers seen so far. The counts of a stopped server are kept. */
  private final Set<ScanRpcTally> tallies = ConcurrentHashMap.newKeySet();

  private ScanRpcCounter(Supplier<? extends Collection<RegionServerThread>> servers) {
    this.servers = servers;
  }

  /**
   * Creates a counter.
   *
   * @param servers supplies the region servers of the cluster, such as {@code
   *     MiniHBaseCluster::getRegionServerThreads}; called for every count, so that new servers are
   *     included
   */
  public static ScanRpcCounter on(Supplier<? extends Collection<RegionServerThread>> servers) {
    return new ScanRpcCounter(servers);
  }

  /**
   * Returns the RPCs that have arrived for {@code table} since the servers started.
   *
   * @throws IllegalStateException if a server is not configured to count
   */
  public ScanRpcCounts counts(TableName table) {
    return sum(tally -> tally.counts(table));
  }

  /**
   * Returns the RPCs that have arrived for scanners that were no longer open.
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
            + " does not count scans. Set "
            + CountingRpcSchedulerFactory.CONFIGURATION_KEY
            + " to "
            + CountingRpcSchedulerFactory.class.getName());
  }
}

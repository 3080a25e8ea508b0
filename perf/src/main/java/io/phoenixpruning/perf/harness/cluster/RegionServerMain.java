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
package io.phoenixpruning.perf.harness.cluster;

import io.phoenixpruning.testing.ScanRpcCounter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.JVMClusterUtil;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/**
 * Runs a region server in this process. Arguments: the cluster's folder, the port of ZooKeeper, and
 * the server's own settings, such as {@code hfile.block.cache.size=0.2}. Reports its name when the
 * master knows the server.
 */
final class RegionServerMain {

  private RegionServerMain() {}

  public static void main(String[] arguments) throws Exception {
    Configuration configuration = ServerMain.configuration(arguments[0]);
    configuration.setInt(HConstants.REGIONSERVER_PORT, 0);
    configuration.set(HConstants.ZOOKEEPER_CLIENT_PORT, arguments[1]);
    for (String setting : List.of(arguments).subList(2, arguments.length)) {
      String[] nameAndValue = setting.split("=", 2);
      if (nameAndValue[0].equals(ClusterProcesses.DEFAULT_RESOURCE)) {
        Configuration.addDefaultResource(nameAndValue[1]);
      } else {
        configuration.set(nameAndValue[0], nameAndValue[1]);
      }
    }
    RegionServerThread server =
        JVMClusterUtil.createRegionServerThread(configuration, HRegionServer.class, 0);
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(new Management(server), RegionServerMXBean.NAME);
    server.start();
    server.waitForServerOnline();
    ServerMain.run(server, server.getRegionServer().getServerName().toString());
  }

  private static final class Management implements RegionServerMXBean {

    private final HRegionServer server;
    private final ScanRpcCounter scanRpcs;
    private final ThreadUsage usage = new ThreadUsage();

    Management(RegionServerThread thread) {
      server = thread.getRegionServer();
      scanRpcs = ScanRpcCounter.on(() -> List.of(thread));
    }

    @Override
    public long scanRpcs(String table) {
      return scanRpcs.counts(TableName.valueOf(table)).rpcs() + scanRpcs.unknown().rpcs();
    }

    @Override
    public long getDataBlockMisses() {
      BlockCache cache =
          server
              .getBlockCache()
              .orElseThrow(() -> new IllegalStateException("The region server has no block cache"));
      // The first level holds no data blocks, so each lookup of a data block misses there.
      BlockCache[] levels = cache.getBlockCaches();
      if (levels == null) {
        return cache.getStats().getDataMissCount();
      }
      // With two levels, HBase looks for a missing block twice, the second time while holding a
      // lock, and counts both misses.
      return levels[levels.length - 1].getStats().getDataMissCount() / 2;
    }

    @Override
    public long getGcMillis() {
      return ManagementFactory.getGarbageCollectorMXBeans().stream()
          .mapToLong(GarbageCollectorMXBean::getCollectionTime)
          .sum();
    }

    @Override
    public ProcessUsage getUsage() {
      return usage.total();
    }

    @Override
    public long collectGarbage() {
      System.gc();
      return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Override
    public void flush(String table) {
      for (HRegion region : server.getRegions(TableName.valueOf(table))) {
        try {
          region.flush(true);
        } catch (IOException e) {
          throw new UncheckedIOException("cannot flush " + region, e);
        }
      }
    }

    @Override
    public void compact(String table) {
      for (HRegion region : server.getRegions(TableName.valueOf(table))) {
        try {
          RegionCompaction.run(region);
        } catch (IOException e) {
          throw new UncheckedIOException("cannot compact " + region, e);
        }
      }
    }

    @Override
    public long storeFileBytes(String table, String family) {
      return server.getRegions(TableName.valueOf(table)).stream()
          .flatMap(region -> region.getStores().stream())
          .filter(store -> store.getColumnFamilyName().startsWith(family))
          .mapToLong(HStore::getStorefilesSize)
          .sum();
    }
  }
}

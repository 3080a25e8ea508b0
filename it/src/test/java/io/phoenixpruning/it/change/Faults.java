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
package io.phoenixpruning.it.change;

import io.phoenixpruning.it.RegionChanges;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.BalanceResponse;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.procedure.ServerCrashProcedure;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.awaitility.Awaitility;

/** Injects faults into the mini cluster, without notifying Phoenix's clients. */
final class Faults {

  /** Ends a fault after the statements have continued, for example by restarting a server. */
  interface Recovery {
    void recover() throws Exception;
  }

  /** Kills a server, so that the contents of its memstores are lost, or stops it. */
  private interface ServerEnd {
    void end(ServerName server) throws Exception;
  }

  private static final Recovery NOTHING = () -> {};

  private static final int MIN_REGIONS = 3;
  private static final int MAX_REGIONS = 8;
  private static final long WAIT_MILLIS = TimeUnit.MINUTES.toMillis(2);

  private final HBaseTestingUtility utility;
  private final RegionChanges regions;
  private final List<Connection> clients;
  private final Random random;

  /**
   * Creates an injector of random faults.
   *
   * @param clients a connection of each client; clients cache the locations of regions
   */
  Faults(HBaseTestingUtility utility, List<Connection> clients, Random random) {
    this.utility = utility;
    this.regions = new RegionChanges(utility);
    this.clients = clients;
    this.random = random;
  }

  /** Prepares the fault, before the statements are planned. */
  void prepare(FaultKind kind, ChangingTable table) throws Exception {
    int count = regions.regions(table.name()).size();
    switch (kind) {
      case SPLIT -> {
        if (count >= MAX_REGIONS) {
          merge(table);
        }
      }
      case MERGE -> {
        if (count <= MIN_REGIONS) {
          split(table);
        }
      }
      case STALE_LOCATIONS -> {
        for (Connection client : clients) {
          // Reads all regions.
          CheckedQuery.read(
              client,
              "SELECT " + table.hint() + "COUNT(*) FROM " + table.relation() + " WHERE V < 8");
        }
        changeRegions(table);
      }
      case KILLED_SERVER, STOPPED_SERVER -> {
        MiniHBaseCluster cluster = utility.getMiniHBaseCluster();
        if (cluster.getLiveRegionServerThreads().size() < MIN_REGIONS) {
          cluster.startRegionServerAndWait(WAIT_MILLIS);
        }
      }
      case MOVE,
          STATISTICS,
          RESTORED_SNAPSHOT,
          TABLE_PROPERTY,
          SCHEMA,
          BULK_LOAD,
          FLUSH_AND_COMPACTION,
          WRITES,
          BALANCER -> {}
    }
    if (kind.changesBoundaries()) {
      // A statement that is held while it reads keeps the files that a compaction would replace.
      regions.compact(TableName.valueOf(table.name()));
    }
  }

  /** Injects the fault while the statements are held. */
  Recovery inject(FaultKind kind, ChangingTable table) throws Exception {
    return switch (kind) {
      case SPLIT -> {
        split(table);
        yield NOTHING;
      }
      case MERGE -> {
        merge(table);
        yield NOTHING;
      }
      case MOVE -> move(table);
      case STALE_LOCATIONS -> {
        forgetSomeLocations(table);
        changeRegions(table);
        yield NOTHING;
      }
      case STATISTICS -> {
        updateStatistics(table);
        yield NOTHING;
      }
      case KILLED_SERVER -> end(table, utility.getMiniHBaseCluster()::killRegionServer);
      case STOPPED_SERVER -> end(table, this::stop);
      case BALANCER -> {
        balance();
        yield NOTHING;
      }
      case RESTORED_SNAPSHOT -> {
        restoreSnapshot(table);
        yield NOTHING;
      }
      case TABLE_PROPERTY -> {
        new SchemaChanges(clients.get(0), table, random).setProperty();
        yield NOTHING;
      }
      case SCHEMA -> {
        new SchemaChanges(clients.get(0), table, random).change();
        yield NOTHING;
      }
      case BULK_LOAD -> {
        new BulkLoad(utility, table).loadCopies(regions.regions(table.name()));
        yield NOTHING;
      }
      case FLUSH_AND_COMPACTION -> {
        flushAndCompact(table);
        yield NOTHING;
      }
      case WRITES -> {
        Writer writer = new Writer(table, random);
        for (int i = 0; i < 5; i++) {
          writer.write(clients.get(0));
        }
        yield NOTHING;
      }
    };
  }

  private void changeRegions(ChangingTable table) throws Exception {
    int count = regions.regions(table.name()).size();
    switch (random.nextInt(3)) {
      case 0 -> move(table).recover();
      case 1 -> {
        if (count < MAX_REGIONS) {
          split(table);
        } else {
          merge(table);
        }
      }
      default -> {
        if (count > MIN_REGIONS) {
          merge(table);
        } else {
          split(table);
        }
      }
    }
  }

  private void split(ChangingTable table) throws Exception {
    List<RegionInfo> all = new ArrayList<>(regions.regions(table.name()));
    while (!all.isEmpty()) {
      RegionInfo region = all.remove(random.nextInt(all.size()));
      byte[] point = table.splitPoint(region, random);
      if (point != null) {
        regions.split(region, point);
        return;
      }
    }
    throw new AssertionError("No region of " + table + " can be split");
  }

  private void merge(ChangingTable table) throws Exception {
    List<RegionInfo> all = regions.regions(table.name());
    int left = random.nextInt(all.size() - 1);
    regions.merge(all.get(left), all.get(left + 1));
  }

  /** Moves some regions to other servers, or closes them until the statements continue. */
  private Recovery move(ChangingTable table) throws Exception {
    List<RegionInfo> moved = new ArrayList<>();
    for (RegionInfo region : regions.regions(table.name())) {
      if (moved.isEmpty() || random.nextBoolean()) {
        moved.add(region);
      }
    }
    if (random.nextBoolean()) {
      for (RegionInfo region : moved) {
        List<ServerName> servers = liveServers();
        servers.remove(
            utility
                .getMiniHBaseCluster()
                .getServerHoldingRegion(region.getTable(), region.getRegionName()));
        utility
            .getAdmin()
            .move(region.getEncodedNameAsBytes(), servers.get(random.nextInt(servers.size())));
      }
      utility.waitUntilNoRegionsInTransition(WAIT_MILLIS);
      return NOTHING;
    }
    for (RegionInfo region : moved) {
      utility.getAdmin().unassign(region.getRegionName(), true);
    }
    return () -> {
      for (RegionInfo region : moved) {
        utility.getAdmin().assign(region.getRegionName());
      }
      utility.waitUntilNoRegionsInTransition(WAIT_MILLIS);
    };
  }

  private List<ServerName> liveServers() {
    List<ServerName> servers = new ArrayList<>();
    for (RegionServerThread thread : utility.getMiniHBaseCluster().getLiveRegionServerThreads()) {
      servers.add(thread.getRegionServer().getServerName());
    }
    return servers;
  }

  /** Gives one client a partly updated cache: some locations are current, others are stale. */
  private void forgetSomeLocations(ChangingTable table) throws SQLException {
    Connection client = clients.get(random.nextInt(clients.size()));
    ConnectionQueryServices services = client.unwrap(PhoenixConnection.class).getQueryServices();
    services.clearTableRegionCache(TableName.valueOf(table.name()));
    services.getTableRegionLocation(
        table.name().getBytes(StandardCharsets.UTF_8), new byte[] {0, 0, 0, 1});
  }

  private void updateStatistics(ChangingTable table) throws SQLException {
    try (Statement statement = clients.get(0).createStatement()) {
      statement.execute(
          "UPDATE STATISTICS "
              + table.name()
              + " SET \"phoenix.stats.guidepost.width\" = "
              + (300 + random.nextInt(1500)));
    }
  }

  /** Ends a server that has a region of the table. */
  private Recovery end(ChangingTable table, ServerEnd end) throws Exception {
    MiniHBaseCluster cluster = utility.getMiniHBaseCluster();
    List<ServerName> candidates = new ArrayList<>();
    for (RegionServerThread thread : cluster.getLiveRegionServerThreads()) {
      boolean holdsTable =
          !thread.getRegionServer().getRegions(TableName.valueOf(table.name())).isEmpty();
      boolean holdsMeta = !thread.getRegionServer().getRegions(TableName.META_TABLE_NAME).isEmpty();
      if (holdsTable && (!holdsMeta || random.nextInt(5) == 0)) {
        candidates.add(thread.getRegionServer().getServerName());
      }
    }
    if (candidates.isEmpty()) {
      candidates.addAll(liveServers());
    }
    ServerName server = candidates.get(random.nextInt(candidates.size()));
    end.end(server);
    cluster.waitForRegionServerToStop(server, WAIT_MILLIS);
    Recovery recovery =
        () -> {
          cluster.startRegionServerAndWait(WAIT_MILLIS);
          awaitRecovery(server);
        };
    if (random.nextBoolean()) {
      return recovery;
    }
    recovery.recover();
    return NOTHING;
  }

  /**
   * Stops a server. It closes its regions itself, or the master moves all of them to other servers
   * before. The master does not move hbase:meta: with the short pauses of the tests, it may give up
   * to read this table, and end.
   *
   * <p>Compactions on the server end before. Otherwise, the server could wait for two minutes: a
   * region closes after its compaction, and Phoenix's compaction reads SYSTEM.CATALOG. If a region
   * of this table is on the same server, the server already refuses to read it.
   */
  private void stop(ServerName server) throws Exception {
    ServerName holdsMeta =
        utility
            .getMiniHBaseCluster()
            .getServerHoldingRegion(
                TableName.META_TABLE_NAME, RegionInfoBuilder.FIRST_META_REGIONINFO.getRegionName());
    if (random.nextBoolean() && !server.equals(holdsMeta)) {
      utility.getAdmin().decommissionRegionServers(List.of(server), true);
      utility.waitUntilNoRegionsInTransition(WAIT_MILLIS);
    }
    utility.getAdmin().compactionSwitch(false, List.of(server.getServerName()));
    utility.getMiniHBaseCluster().stopRegionServer(server);
  }

  /** Runs the balancer, and waits until the regions have moved. */
  private void balance() throws Exception {
    Admin admin = utility.getAdmin();
    admin.balancerSwitch(true, true);
    BalanceResponse response =
        admin.balance(BalanceRequest.newBuilder().setIgnoreRegionsInTransition(true).build());
    admin.balancerSwitch(false, true);
    if (response.getMovesExecuted() == 0) {
      throw new AssertionError("The balancer moved no region: " + response);
    }
    utility.waitUntilNoRegionsInTransition(WAIT_MILLIS);
  }

  /** Waits until the regions of a dead server are open on other servers. */
  private void awaitRecovery(ServerName dead) {
    Awaitility.await()
        .atMost(Duration.ofMillis(WAIT_MILLIS))
        .until(
            () ->
                utility
                    .getMiniHBaseCluster()
                    .getMaster()
                    .getMasterProcedureExecutor()
                    .getProcedures()
                    .stream()
                    .anyMatch(
                        procedure ->
                            procedure instanceof ServerCrashProcedure crash
                                && crash.getServerName().equals(dead)
                                && crash.isFinished()));
  }

  /** Restores a snapshot that was taken before the regions changed. */
  private void restoreSnapshot(ChangingTable table) throws Exception {
    TableName name = TableName.valueOf(table.name());
    String snapshot = table.name() + "_" + random.nextInt(Integer.MAX_VALUE);
    Admin admin = utility.getAdmin();
    admin.snapshot(snapshot, name);
    changeRegions(table);
    admin.disableTable(name);
    admin.restoreSnapshot(snapshot);
    admin.enableTable(name);
    admin.deleteSnapshot(snapshot);
  }

  private void flushAndCompact(ChangingTable table) throws Exception {
    TableName name = TableName.valueOf(table.name());
    utility.getAdmin().flush(name);
    for (HRegion region : utility.getMiniHBaseCluster().getRegions(name)) {
      region.compact(true);
      for (HStore store : region.getStores()) {
        // Deletes the files that no scanner reads any more, as a chore would do later.
        store.closeAndArchiveCompactedFiles();
      }
    }
  }
}

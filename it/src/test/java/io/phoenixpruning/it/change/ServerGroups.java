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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.BalanceResponse;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.master.LoadBalancer;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.net.Address;
import org.apache.hadoop.hbase.rsgroup.RSGroupAdmin;
import org.apache.hadoop.hbase.rsgroup.RSGroupAdminClient;
import org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer;
import org.apache.hadoop.hbase.rsgroup.RSGroupInfo;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.awaitility.Awaitility;

/**
 * Region server groups of a mini cluster, and changes to them. System tables stay in the default
 * group. The server of hbase:meta, named <em>home</em>, never leaves this group.
 */
final class ServerGroups {

  private static final long WAIT_MILLIS = 120_000;

  private final HBaseTestingUtility utility;
  private final RSGroupAdmin groups;
  private final Address home;

  private int created;

  /** Waits until the groups of the cluster are available. All servers are in the default group. */
  ServerGroups(HBaseTestingUtility utility) throws IOException {
    this.utility = utility;
    this.groups = new RSGroupAdminClient(utility.getConnection());
    List<RegionServerThread> servers = utility.getMiniHBaseCluster().getLiveRegionServerThreads();
    LoadBalancer balancer = utility.getMiniHBaseCluster().getMaster().getLoadBalancer();
    Awaitility.await()
        .atMost(Duration.ofMillis(WAIT_MILLIS))
        .until(
            () ->
                ((RSGroupBasedLoadBalancer) balancer).isOnline()
                    && group(RSGroupInfo.DEFAULT_GROUP).getServers().size() == servers.size());
    this.home =
        servers.stream()
            .map(RegionServerThread::getRegionServer)
            .filter(server -> !server.getRegions(TableName.META_TABLE_NAME).isEmpty())
            .findAny()
            .orElseThrow()
            .getServerName()
            .getAddress();
  }

  /** Creates a group, and moves servers of the default group to it. */
  void create(String name, int servers) throws IOException {
    groups.addRSGroup(name);
    for (int i = 0; i < servers; i++) {
      groups.moveServers(Set.of(movable(group(RSGroupInfo.DEFAULT_GROUP)).get(0)), name);
    }
    awaitMoved();
  }

  void moveTable(ChangingTable table, String group) throws IOException {
    groups.moveTables(Set.of(TableName.valueOf(table.name())), group);
    awaitMoved();
  }

  private RSGroupInfo group(String name) throws IOException {
    return groups.getRSGroupInfo(name);
  }

  RSGroupInfo groupOf(ChangingTable table) throws IOException {
    return groups.getRSGroupInfoOfTable(TableName.valueOf(table.name()));
  }

  /** Returns the servers of a group that may leave it, in a fixed order. */
  private List<Address> movable(RSGroupInfo group) {
    List<Address> servers = new ArrayList<>(group.getServers());
    servers.remove(home);
    return servers;
  }

  /** Returns a random group other than {@code group}. */
  private String other(RSGroupInfo group, Random random) throws IOException {
    List<String> names = new ArrayList<>();
    for (RSGroupInfo info : groups.listRSGroups()) {
      if (!info.getName().equals(group.getName())) {
        names.add(info.getName());
      }
    }
    names.sort(Comparator.naturalOrder());
    return names.get(random.nextInt(names.size()));
  }

  /**
   * Makes sure that the group of the table has a second server, and that at least two servers have
   * regions of the table.
   */
  void prepare(ChangingTable table) throws IOException {
    RSGroupInfo group = groupOf(table);
    if (group.getServers().size() < 2) {
      RSGroupInfo largest =
          groups.listRSGroups().stream()
              .max(Comparator.comparingInt((RSGroupInfo info) -> info.getServers().size()))
              .orElseThrow();
      groups.moveServers(Set.of(movable(largest).get(0)), group.getName());
      awaitMoved();
    }
    for (int i = 0; Set.copyOf(locations(table).values()).size() < 2; i++) {
      assertThat(i).as("attempts to distribute the regions of %s", table).isLessThan(20);
      balance(groupOf(table));
    }
  }

  /**
   * Changes groups so that regions of the table move.
   *
   * @return the end of the change
   */
  Faults.Recovery change(GroupChange change, ChangingTable table, Random random) throws Exception {
    RSGroupInfo group = groupOf(table);
    SortedMap<String, Address> before = locations(table);
    Faults.Recovery recovery =
        switch (change) {
          case TABLE -> {
            moveTable(table, other(group, random));
            yield () -> {};
          }
          case SERVER -> {
            groups.moveServers(Set.of(serverOf(table, random)), other(group, random));
            yield () -> {};
          }
          case SERVER_AND_TABLE -> {
            moveServerAndTable(serverOf(table, random), table, other(group, random));
            yield () -> {};
          }
          case BALANCE -> {
            balance(group);
            yield () -> {};
          }
          case NEW_GROUP -> {
            Address server = serverOf(table, random);
            String name = "created_" + created++;
            groups.addRSGroup(name);
            moveServerAndTable(server, table, name);
            yield () -> {
              moveServerAndTable(server, table, group.getName());
              groups.removeRSGroup(name);
              assertThat(group(name)).as("removed group").isNull();
              awaitMoved();
              assertPlaced(table);
            };
          }
        };
    awaitMoved();
    assertThat(locations(table)).as("regions of %s after %s", table, change).isNotEqualTo(before);
    assertPlaced(table);
    return recovery;
  }

  /**
   * Starts the change, and returns as soon as a region moves.
   *
   * @return waits for the end of the change
   */
  Faults.Recovery start(
      GroupChange change, ChangingTable table, Random random, ExecutorService executor) {
    Future<Faults.Recovery> running = executor.submit(() -> change(change, table, random));
    AssignmentManager regions = utility.getMiniHBaseCluster().getMaster().getAssignmentManager();
    Awaitility.await()
        .atMost(Duration.ofMillis(WAIT_MILLIS))
        .pollInterval(Duration.ofMillis(1))
        .until(() -> running.isDone() || !regions.getRegionsInTransition().isEmpty());
    return () -> running.get(WAIT_MILLIS, TimeUnit.MILLISECONDS).recover();
  }

  /** Returns a random server that has regions of the table, and may leave its group. */
  private Address serverOf(ChangingTable table, Random random) throws IOException {
    List<Address> servers = movable(groupOf(table));
    servers.retainAll(locations(table).values());
    return servers.get(random.nextInt(servers.size()));
  }

  private void moveServerAndTable(Address server, ChangingTable table, String group)
      throws IOException {
    groups.moveServersAndTables(Set.of(server), Set.of(TableName.valueOf(table.name())), group);
  }

  private void balance(RSGroupInfo group) throws IOException {
    utility.getAdmin().balancerSwitch(true, true);
    BalanceResponse response =
        groups.balanceRSGroup(
            group.getName(),
            BalanceRequest.newBuilder().setIgnoreRegionsInTransition(true).build());
    utility.getAdmin().balancerSwitch(false, true);
    assertThat(response.getMovesExecuted()).as("moves of the balancer").isPositive();
    awaitMoved();
  }

  private void awaitMoved() throws IOException {
    utility.waitUntilNoRegionsInTransition(WAIT_MILLIS);
  }

  /** Returns the server of each region of the table. */
  private SortedMap<String, Address> locations(ChangingTable table) throws IOException {
    SortedMap<String, Address> locations = new TreeMap<>();
    try (RegionLocator locator =
        utility.getConnection().getRegionLocator(TableName.valueOf(table.name()))) {
      locator.clearRegionLocationCache();
      for (HRegionLocation location : locator.getAllRegionLocations()) {
        locations.put(location.getRegion().getEncodedName(), location.getServerName().getAddress());
      }
    }
    return locations;
  }

  /** Fails if a region is on a server of another group. */
  private void assertPlaced(ChangingTable table) throws IOException {
    assertThat(groupOf(table).getServers())
        .as("servers of the group of %s", table)
        .containsAll(locations(table).values());
  }

  /** Fails if a region of a system table, of HBase or Phoenix, is outside the default group. */
  void assertSystemTablesPlaced() throws IOException {
    Set<Address> servers = Set.copyOf(group(RSGroupInfo.DEFAULT_GROUP).getServers());
    for (RegionServerThread thread : utility.getMiniHBaseCluster().getLiveRegionServerThreads()) {
      Address server = thread.getRegionServer().getServerName().getAddress();
      if (!servers.contains(server)) {
        assertThat(thread.getRegionServer().getRegions())
            .as("regions of %s", server)
            .noneMatch(region -> isSystemTable(region.getRegionInfo().getTable()));
      }
    }
  }

  private static boolean isSystemTable(TableName table) {
    return table.getNamespaceAsString().equals(NamespaceDescriptor.SYSTEM_NAMESPACE_NAME_STR)
        || table.getNameAsString().startsWith("SYSTEM.");
  }

  @Override
  public String toString() {
    try {
      return groups.listRSGroups().toString();
    } catch (IOException e) {
      return "unknown groups: " + e;
    }
  }
}

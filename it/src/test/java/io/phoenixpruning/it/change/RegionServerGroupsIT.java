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

import io.phoenixpruning.it.ClusterTest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint;
import org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer;
import org.apache.hadoop.hbase.rsgroup.RSGroupableBalancer;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.metrics.ClientPruningMetrics;
import org.apache.phoenix.pruning.metrics.PruningMetric;
import org.apache.phoenix.query.QueryServices;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Checks that statements along local indexes return the right rows while region server groups
 * change. In each round, some statements are held as in {@link ChangeIT}, the groups change, and
 * the statements continue. At the same time, queries and writes run in a loop.
 *
 * <p>{@code -Drsgroups.rounds=N} runs N rounds, with each kind of {@link GroupChange} in turn.
 * {@code -Drsgroups.seed=N} changes the seed of the random statements and changes.
 */
public class RegionServerGroupsIT extends ClusterTest {

  private static final int ROUNDS = Integer.getInteger("rsgroups.rounds", 10);
  private static final long SEED = Long.getLong("rsgroups.seed", 1);

  private static final int SERVERS = 5;
  private static final int REGIONS = 12;

  /** Names of the groups besides the default group. */
  private static final List<String> GROUPS = List.of("blue", "green");

  private static final int SERVERS_OF_GROUP = 2;

  private static final List<ChangingTable> TABLES =
      List.of(
          new ChangingTable(
              "PLAIN", new ChangingTable.Layout(REGIONS, false, false, false, false, false)),
          new ChangingTable(
              "REARRANGED", new ChangingTable.Layout(REGIONS, true, false, true, true, false)),
          new ChangingTable(
              "SALTED", new ChangingTable.Layout(REGIONS, false, true, false, true, false)));

  /** Number of rounds in which a client with probes is used. */
  private static final int ROUNDS_OF_CLIENT = 5;

  /** Number of rounds between two reports of progress. */
  private static final int PROGRESS = 50;

  private static GatedTables gates;
  private static ExecutorService executor;
  private static ExpectedNoise noise;
  private static ServerGroups groups;

  private List<Client> clients;

  private final Map<GroupChange, Tally> tallies = new EnumMap<>(GroupChange.class);

  @BeforeClass
  public static void startCluster() throws Exception {
    if (clusterInitialized) {
      tearDownMiniCluster(0);
    }
    gates = GatedTables.install();
    startCluster(
        Map.of(
            REGION_SERVERS,
            Integer.toString(SERVERS),
            CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY,
            RSGroupAdminEndpoint.class.getName(),
            HConstants.HBASE_MASTER_LOADBALANCER_CLASS,
            RSGroupBasedLoadBalancer.class.getName(),
            RSGroupableBalancer.HBASE_RSGROUP_LOADBALANCER_CLASS,
            ShufflingBalancer.class.getName(),
            // The balancer does not wait between two moves.
            HConstants.HBASE_BALANCER_MAX_BALANCING,
            "0"),
        Map.of(
            // A scan that is held keeps its thread.
            QueryServices.THREAD_POOL_SIZE_ATTRIB, "512", QueryServices.QUEUE_SIZE_ATTRIB, "5000"));
    getUtility().getAdmin().balancerSwitch(false, true);
    noise = new ExpectedNoise();
    executor = Executors.newCachedThreadPool();
    groups = new ServerGroups(getUtility());
    for (String group : GROUPS) {
      groups.create(group, SERVERS_OF_GROUP);
    }
    try (Connection connection = exact().connect()) {
      Statements.createTables(connection);
      for (int i = 0; i < TABLES.size(); i++) {
        TABLES.get(i).create(connection);
        groups.moveTable(TABLES.get(i), GROUPS.get(i % GROUPS.size()));
      }
    }
  }

  private static Client exact() {
    return new Client("exact", getUrl(), Map.of(PruningOptions.PROBE, "false"));
  }

  /**
   * Returns a client for each mode. Those with probes share caches, and have a number, because a
   * client ceases to probe an index if its probes save too few scans.
   */
  private static List<Client> clients(int number) throws SQLException {
    String probing = getUrl().replaceFirst(";", ":/hbase:probing" + number + ";");
    DriverManager.getConnection(probing).close();
    Map<String, String> probes = Map.of(PruningOptions.PROBE_MIN_REGIONS, "2");
    return List.of(
        exact(),
        new Client("none", getUrl(), mode(PruningMode.NONE)),
        new Client("probes", probing, probes).with(PruningOptions.PROBE_ROWS_KB, "0"),
        new Client("probes for rows", probing, probes));
  }

  private static Map<String, String> mode(PruningMode mode) {
    return Map.of(PruningOptions.MODE, mode.name().toLowerCase(Locale.ROOT));
  }

  /** Stops the cluster, because its master differs from that of other classes. */
  @AfterClass
  public static void dropTables() {
    executor.shutdownNow();
    tearDownMiniCluster(0);
    GatedTables.uninstall();
    noise.close();
  }

  @Test
  public void statementsAreRight() throws Exception {
    for (GroupChange change : GroupChange.values()) {
      tallies.put(change, new Tally(change.name()));
    }
    // A change of groups moves regions, and does nothing else to statements.
    RegionMoves moves = new RegionMoves(FaultKind.MOVE);
    AcknowledgedWrites acknowledged = new AcknowledgedWrites();
    try (Connection connection = exact().connect()) {
      try (Loop loop = new Loop(TABLES, exact(), moves, acknowledged, SEED, executor)) {
        for (int round = 0; changes() < ROUNDS; round++) {
          if (round % ROUNDS_OF_CLIENT == 0) {
            clients = clients(round);
          }
          round(round, loop, moves, connection);
          if ((round + 1) % PROGRESS == 0) {
            print();
          }
        }
      }
      acknowledged.check(connection);
      for (ChangingTable table : TABLES) {
        table.assertIndexed(connection);
      }
    } finally {
      print();
    }
    assertThat(tallies.values())
        .as("statements held between planning and scanning")
        .allMatch(tally -> tally.faults() == 0 || tally.heldBeforeReading() > 0);
    assertThat(skippedByProbes()).as("scans that were not sent because of probes").isPositive();
  }

  private void round(int round, Loop loop, RegionMoves moves, Connection connection)
      throws Exception {
    Random random = new Random(SEED + 1_000_003L * (1 + round));
    GroupChange change = GroupChange.values()[changes() % GroupChange.values().length];
    ChangingTable table = TABLES.get(random.nextInt(TABLES.size()));
    Tally tally = tallies.get(change);
    loop.startRound(tally, clients);
    try {
      new Round(FaultKind.MOVE, gates, executor, moves, tally, connection)
          .run(fault(change, table, random), number -> statement(table, random, number));
      groups.assertSystemTablesPlaced();
      loop.checkTime(Round.TIMEOUT);
      loop.check();
    } catch (TimeoutException | ConditionTimeoutException e) {
      throw new AssertionError(context(round, change, table) + " hangs\n" + Round.threads(), e);
    } catch (AssertionError | Exception e) {
      throw new AssertionError(context(round, change, table), e);
    }
  }

  private static String context(int round, GroupChange change, ChangingTable table) {
    return "seed %d, %s in round %d, %s, groups %s".formatted(SEED, change, round, table, groups);
  }

  /**
   * Returns a change of groups. Half of the changes are complete before the statements continue.
   */
  private static Round.Fault fault(GroupChange change, ChangingTable table, Random random) {
    boolean completes = random.nextBoolean();
    return new Round.Fault() {
      @Override
      public void prepare() throws Exception {
        groups.prepare(table);
      }

      @Override
      public Faults.Recovery inject() throws Exception {
        return completes
            ? groups.change(change, table, random)
            : groups.start(change, table, random, executor);
      }

      @Override
      public boolean continues() {
        return !completes || change == GroupChange.NEW_GROUP;
      }
    };
  }

  private HeldStatement statement(ChangingTable table, Random random, int number) {
    CheckedStatement statement = new Statements(table, random).next();
    Gate gate = Round.gate(random, number);
    // A probe may answer all scans of a statement, so that none is held.
    Client client = clients.get(random.nextInt(number == 0 ? 2 : clients.size()));
    return new HeldStatement(statement, gate, client, "statement" + number);
  }

  /** Returns the number of changes during which a statement was held. */
  private int changes() {
    return tallies.values().stream().mapToInt(Tally::faults).sum();
  }

  private static long skippedByProbes() {
    return Stream.of(
            PruningMetric.REGIONS_SKIPPED_BY_PROBE, PruningMetric.REGIONS_ANSWERED_BY_PROBE)
        .mapToLong(ClientPruningMetrics.global()::value)
        .sum();
  }

  private void print() {
    tallies.values().forEach(System.out::println);
    System.out.printf(
        "%d probes, which made %d scans unnecessary%n",
        ClientPruningMetrics.global().value(PruningMetric.PROBES_SENT), skippedByProbes());
  }
}

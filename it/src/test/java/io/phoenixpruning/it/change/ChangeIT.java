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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.QueryServices;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Checks that statements along local indexes return the right rows while their table changes. In
 * each round, some statements are held between planning and scanning, or between two rows. Then a
 * fault is injected, and the statements continue. At the same time, queries and writes run in a
 * loop.
 *
 * <p>{@code -Dchange.faults=N} injects N faults of each kind. {@code -Dchange.seed=N} changes the
 * seed of the random faults.
 */
@RunWith(Parameterized.class)
public class ChangeIT extends ClusterTest {

  private static final int FAULTS = Integer.getInteger("change.faults", 3);
  private static final long SEED = Long.getLong("change.seed", 1);
  private static final int MAX_FAILURES = 5;
  private static final int SERVERS = 3;

  /** Number of regions of each table at first. */
  private static final int REGIONS = 4;

  /** Number of faults between two reports of progress. */
  private static final int PROGRESS = 20;

  private static final List<ChangingTable> TABLES = new ArrayList<>();

  private static GatedTables gates;
  private static ExecutorService executor;
  private static ExpectedNoise noise;

  /**
   * Clients with separate caches. The second client gets its rows in pages, and the third in
   * results of at most one kilobyte.
   */
  private static List<Client> clients;

  private final FaultKind kind;

  public ChangeIT(FaultKind kind) {
    this.kind = kind;
  }

  @Parameters(name = "{0}")
  public static List<Object[]> kinds() {
    String chosen = System.getProperty("change.kinds", "");
    return Arrays.stream(FaultKind.values())
        .filter(kind -> chosen.isEmpty() || List.of(chosen.split(",")).contains(kind.name()))
        .map(kind -> new Object[] {kind})
        .toList();
  }

  /**
   * Replaces the cluster of the other tests by one with several servers, whose scans can be held.
   */
  @BeforeClass
  public static void startCluster() throws Exception {
    if (clusterInitialized) {
      tearDownMiniCluster(0);
    }
    gates = GatedTables.install();
    startClusterOnHdfs(
        Map.of(
            REGION_SERVERS,
            Integer.toString(SERVERS),
            HConstants.HBASE_MASTER_LOADBALANCER_CLASS,
            ShufflingBalancer.class.getName(),
            // The balancer does not wait between two moves.
            HConstants.HBASE_BALANCER_MAX_BALANCING,
            "0"),
        Map.of(
            // A scan that is held keeps its thread.
            QueryServices.THREAD_POOL_SIZE_ATTRIB, "512", QueryServices.QUEUE_SIZE_ATTRIB, "5000"));
    ServerConnections.replace(getUtility().getConfiguration());
    // Only faults move regions.
    getUtility().getAdmin().balancerSwitch(false, true);
    noise = new ExpectedNoise();
    executor = Executors.newCachedThreadPool();
    clients =
        List.of(
            new Client("default", getUrl(), Map.of()),
            client("paged", QueryServices.PHOENIX_SERVER_PAGE_SIZE_MS, "0"),
            client("small", HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY, "1024"));
    try (Connection connection = DriverManager.getConnection(getUrl())) {
      Statements.createTables(connection);
      for (int i = 0; i < 8; i++) {
        ChangingTable table =
            new ChangingTable(
                "T" + i,
                new ChangingTable.Layout(
                    REGIONS,
                    (i & 1) != 0,
                    (i & 2) != 0,
                    (i & 4) != 0,
                    (i & 1) != (i >> 1 & 1),
                    i % 3 == 1));
        table.create(connection);
        TABLES.add(table);
      }
    }
  }

  /** Creates a client with an option of the whole client. */
  private static Client client(String name, String option, String value) throws SQLException {
    String url = getUrl().replaceFirst(";", ":/hbase:" + name + ";");
    Properties properties = new Properties();
    properties.setProperty(option, value);
    DriverManager.getConnection(url, properties).close();
    return new Client(name, url, Map.of());
  }

  /** Stops the cluster, because the next class starts its own. */
  @AfterClass
  public static void dropTables() {
    executor.shutdownNow();
    TABLES.clear();
    tearDownMiniCluster(0);
    GatedTables.uninstall();
    noise.close();
  }

  @Test
  public void statementsAreRight() throws Exception {
    Tally tally = new Tally(kind.name());
    RegionMoves moves = new RegionMoves(kind);
    List<AssertionError> failures = new ArrayList<>();
    AcknowledgedWrites acknowledged = new AcknowledgedWrites();
    try (Connection first = clients.get(0).connect();
        Connection second = clients.get(1).connect()) {
      try (Loop loop =
          new Loop(TABLES, clients.get(0), moves, acknowledged, SEED + kind.ordinal(), executor)) {
        Round rounds = new Round(kind, gates, executor, moves, tally, first);
        List<ChangingTable> tables = tables();
        for (int round = 0; tally.faults() < FAULTS && failures.size() < MAX_FAILURES; round++) {
          Random random = new Random(SEED + 1_000_003L * (1 + round) + 31 * kind.ordinal());
          ChangingTable table = tables.get((FAULTS * kind.ordinal() + round) % tables.size());
          Faults faults = new Faults(getUtility(), List.of(first, second), random);
          String context = "seed " + SEED + ", " + kind + " round " + round + ", " + table;
          loop.startRound(tally, clients.subList(0, 1));
          try {
            boolean held =
                rounds.run(fault(faults, table), number -> statement(table, random, number));
            if (held && tally.faults() % PROGRESS == 0) {
              System.out.println(tally);
            }
            loop.checkTime(Round.TIMEOUT);
          } catch (AssertionError | SQLException e) {
            failures.add(new AssertionError(context + state(table), e));
          } catch (TimeoutException | ConditionTimeoutException e) {
            throw new AssertionError(context + " hangs\n" + Round.threads(), e);
          }
          loop.check();
        }
      }
      if (kind.keepsWrites()) {
        acknowledged.check(first);
      }
      for (ChangingTable table : TABLES) {
        table.assertIndexed(first);
      }
    } finally {
      System.out.println(tally);
    }
    if (!failures.isEmpty()) {
      AssertionError failure = failures.remove(0);
      failures.forEach(failure::addSuppressed);
      throw failure;
    }
    assertThat(tally.faults()).isEqualTo(FAULTS);
  }

  /** Returns the tables in which the fault can be injected. */
  private List<ChangingTable> tables() {
    return TABLES.stream()
        .filter(table -> kind != FaultKind.STATISTICS || table.layout().statistics())
        .toList();
  }

  private Round.Fault fault(Faults faults, ChangingTable table) {
    return new Round.Fault() {
      @Override
      public void prepare() throws Exception {
        faults.prepare(kind, table);
      }

      @Override
      public Faults.Recovery inject() throws Exception {
        return faults.inject(kind, table);
      }
    };
  }

  private static HeldStatement statement(ChangingTable table, Random random, int number) {
    CheckedStatement statement = new Statements(table, random).next();
    Gate gate = Round.gate(random, number);
    boolean verify = random.nextBoolean();
    Client client = clients.get(random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0);
    return new HeldStatement(
        statement,
        gate,
        client.with(PruningOptions.VERIFY, Boolean.toString(verify)),
        "statement" + number);
  }

  /**
   * Describes the state of the table, which shows whether missing rows were not found or have been
   * lost from the index.
   */
  private static String state(ChangingTable table) throws Exception {
    try (Connection connection = connect(PruningMode.NONE)) {
      return "; without pruning, the index has "
          + CheckedQuery.read(
              connection,
              "SELECT " + table.hint() + "COUNT(*) FROM " + table.relation() + " WHERE V < 8")
          + " of "
          + ChangingTable.ROWS.size()
          + " rows, in the regions "
          + regions(table.name()).stream().map(RegionInfo::getRegionNameAsString).toList();
    }
  }
}

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
package io.phoenixpruning.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phoenixpruning.testing.CountingRpcSchedulerFactory;
import io.phoenixpruning.testing.ScanRpcCounter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.commons.lang3.reflect.MethodUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.quotas.OperationQuota;
import org.apache.hadoop.hbase.quotas.QuotaCache;
import org.apache.hadoop.hbase.quotas.QuotaLimiter;
import org.apache.hadoop.hbase.quotas.QuotaSettings;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.QuotaUtil;
import org.apache.hadoop.hbase.quotas.RpcThrottlingException;
import org.apache.hadoop.hbase.quotas.SpaceQuotaSnapshot;
import org.apache.hadoop.hbase.quotas.SpaceViolationPolicy;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.awaitility.Awaitility;
import org.junit.After;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/**
 * Tests queries along a local index of a table with quotas. HBase counts the requests of a user to
 * the table, and the bytes of the answers. If a quota is used up, a query finds all rows, or fails
 * with the error of HBase. It never finds a part of the rows.
 */
public class QuotasIT {

  private static final TableName TABLE = TableName.valueOf("LEDGER");
  private static final int REGIONS = 12;
  private static final int WIDTH = 5;
  private static final int PER_KEY = 12;

  /** Numbers of rows of an answer: a region needs several requests, or one. */
  private static final int FEW = 4;

  private static final int MANY = 1_000;

  /** Interval in which HBase measures tables and applies the limits of their space. */
  private static final String SPACE_CHORE_MS = "500";

  @ClassRule public static final SecureCluster CLUSTER = new SecureCluster(QuotasIT::configure);

  /** Needs three regions. */
  private static final String OF_THREE_KEYS =
      "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2 FROM %1$s WHERE V = 3 AND K1 IN (5, 25, 35)";

  /** Three rows of three regions. */
  private static final String RARE =
      "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2 FROM %1$s WHERE V = 50";

  private static final List<String> QUERIES =
      List.of(
          OF_THREE_KEYS,
          RARE,
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2, W FROM %1$s WHERE V = 3 AND K1 > 20",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ COUNT(*), SUM(W) FROM %1$s WHERE V < 4",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ V, K1, K2 FROM %1$s WHERE V < 3"
              + " ORDER BY V DESC, K1, K2 LIMIT 25",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ K1, K2 FROM %1$s WHERE V = 3",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ V, COUNT(*) FROM %1$s WHERE K1 < 30 GROUP BY V");

  private static final Map<String, String> EXACT = mode(PruningMode.EXACT);
  private static final Map<String, String> NONE = mode(PruningMode.NONE);
  private static final Map<String, String> STOCK = mode(PruningMode.STOCK);
  private static final Map<String, String> PROBES = Map.of(PruningOptions.PROBE_MIN_REGIONS, "2");

  private static final Map<String, String> PROBES_WITHOUT_ROWS =
      Map.of(PruningOptions.PROBE_MIN_REGIONS, "2", PruningOptions.PROBE_ROWS_KB, "0");

  private static User user;
  private static Map<String, List<List<Object>>> expected;

  private static Map<String, String> configure(HBaseTestingUtility utility) {
    Configuration configuration = utility.getConfiguration();
    configuration.set(
        CountingRpcSchedulerFactory.CONFIGURATION_KEY, CountingRpcSchedulerFactory.class.getName());
    configuration.setBoolean(QuotaUtil.QUOTA_CONF_KEY, true);
    // A user who sends no request for five of these periods is forgotten, and then not throttled.
    configuration.setInt(QuotaCache.REFRESH_CONF_KEY, 60_000);
    // Otherwise, the quota counts whole blocks, and none for rows in memory.
    configuration.setBoolean(OperationQuota.USE_RESULT_SIZE_BYTES, true);
    for (String chore :
        List.of(
            "hbase.master.quotas.observer.chore",
            "hbase.regionserver.quotas.fs.utilization.chore",
            "hbase.regionserver.quotas.region.size.reporting.chore",
            "hbase.regionserver.quotas.policy.refresher.chore")) {
      configuration.set(chore + ".period", SPACE_CHORE_MS);
      configuration.set(chore + ".delay", SPACE_CHORE_MS);
    }
    return Map.of();
  }

  private static Map<String, String> mode(PruningMode mode) {
    return Map.of(PruningOptions.MODE, mode.name().toLowerCase(Locale.ROOT));
  }

  private static Map<String, Map<String, String>> variants() {
    Map<String, Map<String, String>> variants = new LinkedHashMap<>();
    variants.put("exact", EXACT);
    variants.put("none", NONE);
    variants.put("stock", STOCK);
    variants.put("probes", PROBES);
    variants.put("probes without rows", PROBES_WITHOUT_ROWS);
    return variants;
  }

  @BeforeClass
  public static void createTable() throws Exception {
    CLUSTER.utility().waitTableAvailable(QuotaUtil.QUOTA_TABLE_NAME);
    // HBase would fetch a quota again only when a period has passed.
    FieldUtils.writeStaticField(QuotaCache.class, "TEST_FORCE_REFRESH", true, true);
    user = CLUSTER.user("clerk");
    try (Connection connection = CLUSTER.connect(PruningMode.EXACT)) {
      ClusterTest.execute(
          connection,
          """
          CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, W INTEGER,
            CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (%s)"""
              .formatted(TABLE, ClusterTest.splits(REGIONS, WIDTH)),
          "CREATE LOCAL INDEX %1$s_V ON %1$s (V)".formatted(TABLE),
          "CREATE LOCAL INDEX %1$s_K1 ON %1$s (K1, V)".formatted(TABLE));
      ClusterTest.upsertPairs(
          connection,
          TABLE.getNameAsString(),
          REGIONS * WIDTH,
          PER_KEY,
          (k1, k2) -> List.of(k1, k2, k1 % 25 == 5 && k2 == 3 ? 50 : (k1 + k2) % 7, k1 + k2));
      expected = new LinkedHashMap<>();
      for (String query : QUERIES) {
        expected.put(
            query,
            ClusterTest.rows(
                connection, query.formatted(TABLE).replaceFirst("INDEX\\([^)]*\\)", "NO_INDEX")));
      }
    }
    CLUSTER.grant(user, TABLE, null, Permission.Action.READ, Permission.Action.WRITE);
  }

  @After
  public void removeQuotas() throws Exception {
    unthrottle();
    setQuota(QuotaSettingsFactory.removeTableSpaceLimit(TABLE));
  }

  private static void setQuota(QuotaSettings settings) throws Exception {
    CLUSTER.utility().getAdmin().setQuota(settings);
  }

  private static HRegionServer server() {
    return CLUSTER.utility().getHBaseCluster().getRegionServer(0);
  }

  /**
   * Allows a user to send these many requests or to read these many bytes, and waits until the
   * server knows it.
   */
  private static void throttle(ThrottleType type, long limit, TimeUnit unit) throws Exception {
    unthrottle();
    setQuota(QuotaSettingsFactory.throttleUser(user.getShortName(), TABLE, type, limit, unit));
    awaitLimit(type, limit);
  }

  private static void unthrottle() throws Exception {
    setQuota(QuotaSettingsFactory.unthrottleUser(user.getShortName(), TABLE));
    awaitLimit(ThrottleType.REQUEST_NUMBER, Long.MAX_VALUE);
    awaitLimit(ThrottleType.READ_SIZE, Long.MAX_VALUE);
  }

  private static void awaitLimit(ThrottleType type, long limit) throws Exception {
    QuotaCache quotas =
        (QuotaCache)
            FieldUtils.readField(server().getRegionServerRpcQuotaManager(), "quotaCache", true);
    Awaitility.await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              MethodUtils.invokeMethod(quotas, true, "triggerCacheRefresh");
              QuotaLimiter limiter = quotas.getUserLimiter(user.getUGI(), TABLE);
              return limit
                  == (type == ThrottleType.READ_SIZE
                      ? limiter.getReadLimit()
                      : limiter.getRequestNumLimit());
            });
  }

  /**
   * Runs a query as the throttled user.
   *
   * @return true if the query found all rows, and false if HBase throttled it
   */
  private static boolean finds(Map<String, String> options, String query, int rowsOfAnAnswer)
      throws Exception {
    return SecureCluster.runAs(
        user,
        () -> {
          String sql = query.formatted(TABLE);
          Map<String, String> patient = new HashMap<>(options);
          // The requests to all regions wait at the same time, and one is allowed at a time.
          patient.put(HConstants.HBASE_CLIENT_RETRIES_NUMBER, "100");
          try (Connection connection = CLUSTER.connect(patient);
              PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setFetchSize(rowsOfAnAnswer);
            try (ResultSet result = statement.executeQuery()) {
              assertThat(ClusterTest.rows(result, query.contains("ORDER BY")))
                  .as("%s: %s", options, sql)
                  .isEqualTo(expected.get(query));
              return true;
            }
          } catch (SQLException e) {
            if (ExceptionUtils.indexOfType(e, RpcThrottlingException.class) < 0) {
              throw e;
            }
            return false;
          }
        });
  }

  /**
   * Runs a query for which these many requests are allowed in a day. The first of them is given
   * back after hours, so the client does not wait for it.
   */
  private static boolean findsWith(long requests, Map<String, String> options, String query)
      throws Exception {
    throttle(ThrottleType.REQUEST_NUMBER, requests, TimeUnit.DAYS);
    return finds(options, query, MANY);
  }

  /** A query sends one request for each region that it plans. */
  @Test
  public void needsARequestForEachPlannedRegion() throws Exception {
    assertThat(findsWith(2, EXACT, OF_THREE_KEYS)).isFalse();
    assertThat(findsWith(3, EXACT, OF_THREE_KEYS)).isTrue();
    assertThat(findsWith(REGIONS - 1, NONE, OF_THREE_KEYS)).isFalse();
    assertThat(findsWith(REGIONS, NONE, OF_THREE_KEYS)).isTrue();
  }

  /** If any region may have rows, one probe of the server replaces the requests to the regions. */
  @Test
  public void needsARequestForEachProbe() throws Exception {
    assertThat(findsWith(REGIONS - 1, EXACT, RARE)).isFalse();
    assertThat(findsWith(REGIONS, EXACT, RARE)).isTrue();
    assertThat(findsWith(1, PROBES, RARE)).isTrue();
  }

  @Test
  public void findsAllRowsOrFailsIfItMaySendTooFewRequests() throws Exception {
    findsAllRowsOrFails(ThrottleType.REQUEST_NUMBER, List.of(3L, 40L));
  }

  /** HBase reserves 1,000 bytes for an answer before it knows the size. */
  @Test
  public void findsAllRowsOrFailsIfItMayReadTooFewBytes() throws Exception {
    findsAllRowsOrFails(ThrottleType.READ_SIZE, List.of(1_000L, 12_000L));
  }

  /** Runs the queries, each with the next of the limits. */
  private static void findsAllRowsOrFails(ThrottleType type, List<Long> limits) throws Exception {
    for (Map.Entry<String, Map<String, String>> variant : variants().entrySet()) {
      int found = 0;
      for (int i = 0; i < QUERIES.size(); i++) {
        throttle(type, limits.get(i % limits.size()), TimeUnit.DAYS);
        if (finds(variant.getValue(), QUERIES.get(i), FEW)) {
          found++;
        }
      }
      assertThat(found).as("found in %s", variant.getKey()).isPositive();
      // The answer of one probe can have all rows.
      if (!variant.getValue().equals(PROBES)) {
        assertThat(found).as("found in %s", variant.getKey()).isLessThan(QUERIES.size());
      }
    }
    unthrottle();
    findAll();
  }

  /** Only a third of the requests to the regions is allowed in a second. */
  @Test
  public void waitsForAllRows() throws Exception {
    String query = QUERIES.get(2);
    for (Map<String, String> options : List.of(EXACT, STOCK, PROBES_WITHOUT_ROWS)) {
      unthrottle();
      long before = scanRpcs();
      assertThat(finds(options, query, FEW)).isTrue();
      long needed = scanRpcs() - before;
      throttle(ThrottleType.REQUEST_NUMBER, needed / 3, TimeUnit.SECONDS);
      before = scanRpcs();
      assertThat(finds(options, query, FEW)).as("%s", options).isTrue();
      assertThat(scanRpcs() - before).as("%s", options).isGreaterThan(needed);
    }
  }

  private static long scanRpcs() {
    return ScanRpcCounter.on(() -> CLUSTER.utility().getHBaseCluster().getRegionServerThreads())
        .counts(TABLE)
        .rpcs();
  }

  /** Makes the table exceed its limit. */
  private static void exceedSpace(SpaceViolationPolicy policy) throws Exception {
    CLUSTER.utility().getAdmin().flush(TABLE);
    setQuota(QuotaSettingsFactory.limitTableSpace(TABLE, 1, policy));
    awaitViolation(true);
  }

  private static void awaitViolation(boolean violated) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              SpaceQuotaSnapshot snapshot =
                  server().getRegionServerSpaceQuotaManager().copyQuotaSnapshots().get(TABLE);
              return violated == (snapshot != null && snapshot.getQuotaStatus().isInViolation());
            });
  }

  @Test
  public void findsAllRowsOfATableThatExceedsItsSpace() throws Exception {
    for (SpaceViolationPolicy policy :
        List.of(SpaceViolationPolicy.NO_INSERTS, SpaceViolationPolicy.NO_WRITES_COMPACTIONS)) {
      exceedSpace(policy);
      assertThatThrownBy(() -> upsert(3))
          .as("%s", policy)
          .hasStackTraceContaining("disallowed due to a space quota");
      findAll();
      setQuota(QuotaSettingsFactory.removeTableSpaceLimit(TABLE));
      awaitViolation(false);
      upsert(4);
      findAll();
    }
  }

  @Test
  public void findsNoRowOfATableThatIsDisabled() throws Exception {
    exceedSpace(SpaceViolationPolicy.DISABLE);
    CLUSTER.utility().waitTableDisabled(TABLE, 60_000);
    for (Map<String, String> options : List.of(EXACT, STOCK)) {
      for (String query : QUERIES) {
        assertThatThrownBy(() -> finds(options, query, MANY))
            .as("%s: %s", options, query)
            .hasStackTraceContaining(TableNotEnabledException.class.getName());
      }
    }
    setQuota(QuotaSettingsFactory.removeTableSpaceLimit(TABLE));
    awaitViolation(false);
    CLUSTER.utility().waitTableEnabled(TABLE, 60_000);
    findAll();
  }

  private static void findAll() throws Exception {
    for (Map<String, String> options : List.of(EXACT, STOCK, PROBES)) {
      for (String query : QUERIES) {
        assertThat(finds(options, query, MANY)).isTrue();
      }
    }
  }

  /** Writes a row that no query finds. */
  private static void upsert(int k2) throws Exception {
    try (Connection connection = CLUSTER.connect(PruningMode.EXACT)) {
      ClusterTest.execute(
          connection, "UPSERT INTO %s VALUES (1000, %s, 100, 0)".formatted(TABLE, k2));
      connection.commit();
    }
  }
}

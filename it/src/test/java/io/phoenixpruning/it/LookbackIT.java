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

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.jdbc.PhoenixTestDriver;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.EnvironmentEdgeManager;
import org.apache.phoenix.util.PhoenixRuntime;
import org.awaitility.Awaitility;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Tests a table that keeps past rows for some time ({@code phoenix.max.lookback.age.seconds}).
 * After a major compaction, a query at an SCN finds the rows of this time along a local index.
 */
public class LookbackIT extends TableTest {

  private static final int STEPS = ALL_COMBINATIONS ? 60 : 8;
  private static final int KEYS = 12;
  private static final int AGE_SECONDS = 3600;
  private static final String LOOKBACK =
      BaseScannerRegionObserverConstants.PHOENIX_MAX_LOOKBACK_AGE_CONF_KEY;

  /** Conditions along a natural and a rearranged index. */
  private static final List<String> QUERIES =
      List.of(
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2, V, W FROM %1$s WHERE V = 1",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2, V FROM %1$s WHERE V > 0 AND K1 IN (2, 5, 7)",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ V, COUNT(*) FROM %1$s WHERE V >= 0 GROUP BY V",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2, V FROM %1$s WHERE V >= 0"
              + " ORDER BY V DESC, K1, K2 LIMIT 5",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ K1, K2, W FROM %1$s WHERE K1 = 5 AND V < 2",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ K1, K2 FROM %1$s WHERE V = 2");

  private static PhoenixTestDriver driver;

  /** Creates a client that keeps past rows for as long as the table of the test does. */
  @BeforeClass
  public static void createDriver() {
    driver = driver(Map.of(LOOKBACK, Integer.toString(AGE_SECONDS)));
  }

  @AfterClass
  public static void closeDriver() throws SQLException {
    driver.close();
  }

  /** Returns a time after all that was written, and before all that will be written. */
  private static long now() {
    long written = EnvironmentEdgeManager.currentTimeMillis() + 2;
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> EnvironmentEdgeManager.currentTimeMillis() > written);
    return written;
  }

  private void createTable() throws Exception {
    execute(
        connection,
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, W INTEGER,
          CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (3, 6, 9)"""
            .formatted(table),
        "CREATE LOCAL INDEX %1$s_V ON %1$s (V)".formatted(table),
        "CREATE LOCAL INDEX %1$s_K1 ON %1$s (K1, V)".formatted(table));
    Admin admin = getUtility().getAdmin();
    TableDescriptor descriptor = admin.getDescriptor(TableName.valueOf(table));
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(descriptor)
            .setValue(LOOKBACK, Integer.toString(AGE_SECONDS))
            .build());
  }

  /** Writes and deletes random rows, and returns a time after each step. */
  private List<Long> writeVersions(Random random) throws SQLException {
    List<Long> times = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      for (int row = 0; row < 8; row++) {
        int k1 = random.nextInt(KEYS);
        int k2 = random.nextInt(2);
        execute(
            connection,
            switch (random.nextInt(5)) {
              case 0 -> "DELETE FROM " + table + " WHERE K1 = " + k1 + " AND K2 = " + k2;
              case 1 ->
                  "UPSERT INTO %s (K1, K2, W) VALUES (%d, %d, %d)".formatted(table, k1, k2, step);
              case 2 -> "UPSERT INTO %s (K1, K2, V) VALUES (%d, %d, NULL)".formatted(table, k1, k2);
              default ->
                  "UPSERT INTO %s VALUES (%d, %d, %d, %d)"
                      .formatted(table, k1, k2, random.nextInt(3), step);
            });
      }
      times.add(now());
    }
    return times;
  }

  private void flushAndCompact() throws Exception {
    TableName name = TableName.valueOf(table);
    getUtility().getAdmin().flush(name);
    for (HRegion region : getUtility().getHBaseCluster().getRegions(name)) {
      region.compact(true);
      for (HStore store : region.getStores()) {
        store.closeAndArchiveCompactedFiles();
      }
    }
  }

  /** Returns the options of connections. In mode {@code stock}, groups are wrong. */
  private static Map<String, Map<String, String>> variants() {
    return Map.of(
        "exact",
        Map.of(),
        "none",
        Map.of(PruningOptions.MODE, PruningMode.NONE.name().toLowerCase(Locale.ROOT)),
        "probes",
        Map.of(PruningOptions.PROBE_MIN_REGIONS, "2"));
  }

  private static Connection connectAt(long time, Map<String, String> options) throws SQLException {
    Map<String, String> properties = new HashMap<>(options);
    properties.put(PhoenixRuntime.CURRENT_SCN_ATTRIB, Long.toString(time));
    return connect(driver, properties);
  }

  /** Returns the rows of the data table at each time. */
  private Map<String, List<List<Object>>> stored(List<Long> times) throws SQLException {
    Map<String, List<List<Object>>> rows = new HashMap<>();
    for (long time : times) {
      try (Connection past = connectAt(time, Map.of())) {
        for (String query : QUERIES) {
          rows.put(time + query, rows(past, noIndex(query)));
        }
      }
    }
    return rows;
  }

  private String noIndex(String query) {
    return query.formatted(table).replaceFirst("INDEX\\([^)]*\\)", "NO_INDEX");
  }

  private void assertFinds(Map<String, List<List<Object>>> right, List<Long> times, String when)
      throws SQLException {
    for (Map.Entry<String, Map<String, String>> variant : variants().entrySet()) {
      for (long time : times) {
        try (Connection past = connectAt(time, variant.getValue())) {
          for (String query : QUERIES) {
            String sql = query.formatted(table);
            if (time == times.get(0)) {
              assertThat(explain(past, sql).toString()).as(sql).contains(table + "_");
            }
            assertThat(rows(past, sql))
                .as("%s, %s, at time %d of %s: %s", when, variant.getKey(), time, times, sql)
                .isEqualTo(right.get(time + query));
          }
        }
      }
    }
  }

  @Test
  public void findsPastRowsAlongAnIndex() throws Exception {
    createTable();
    Random random = new Random(1);
    List<Long> times = writeVersions(random);
    Map<String, List<List<Object>>> right = stored(times);
    assertThat(right.values().stream().distinct().count()).isGreaterThan(STEPS);
    assertFinds(right, times, "in memory");
    flushAndCompact();
    assertThat(stored(times)).as("data table after a compaction").isEqualTo(right);
    assertFinds(right, times, "after a compaction");
    times.addAll(writeVersions(random));
    right = stored(times);
    split(regions(table).get(1), PInteger.INSTANCE.toBytes(5));
    assertFinds(right, times, "after a split");
    flushAndCompact();
    assertThat(stored(times)).as("data table after a split and a compaction").isEqualTo(right);
    assertFinds(right, times, "after a split and a compaction");
  }
}

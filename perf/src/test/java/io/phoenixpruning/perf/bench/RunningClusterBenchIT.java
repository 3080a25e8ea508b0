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
package io.phoenixpruning.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeTrue;

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.perf.harness.Benchmark;
import io.phoenixpruning.perf.harness.RegionsTable;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.UrlBenchmark;
import io.phoenixpruning.perf.harness.cluster.RunningCluster;
import io.phoenixpruning.perf.storage.EncodingsBench;
import io.phoenixpruning.perf.storage.PackedBench;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;

/**
 * Runs small benchmarks on an existing cluster, and checks that the cluster is unchanged
 * afterwards.
 */
public class RunningClusterBenchIT extends BenchRuns {

  /** True to run also the long benchmarks that other tests run on a cluster of their own. */
  private static final boolean ALL = Boolean.getBoolean("bench.all");

  @ClassRule public static final SharedCluster CLUSTER = SharedCluster.rule();

  private Connection connection;
  private Admin admin;
  private List<TableDescriptor> before;

  @Before
  public void recordTables() throws Exception {
    connection = CLUSTER.connect(Map.of());
    admin = RegionsTable.admin(connection);
    admin.balancerSwitch(true, true);
    before = admin.listTableDescriptors();
  }

  @After
  public void assertUnchanged() throws Exception {
    assertThat(admin.listTableDescriptors()).isEqualTo(before);
    assertThat(admin.balancerSwitch(false, true)).as("balancer").isTrue();
    try (ResultSet tables = connection.getMetaData().getTables(null, null, "PRUNING%", null)) {
      assertThat(tables.next()).isFalse();
    }
    admin.close();
    connection.close();
  }

  private List<Result> run(Benchmark benchmark, String name) throws Exception {
    return run(benchmark, name, "--url", CLUSTER.url());
  }

  private static Stream<Result> of(String measure, List<Result> results) {
    return results.stream().filter(result -> result.measure().equals(measure));
  }

  @Test
  public void saysThatServersDoNotCompact() throws Exception {
    TableName table = TableName.valueOf("NOT_COMPACTED");
    try (Statement statement = connection.createStatement();
        RunningCluster running =
            new RunningCluster(
                CLUSTER.url(), temporary.newFolder().toPath(), AssertionError::new)) {
      statement.execute("CREATE TABLE NOT_COMPACTED (K INTEGER PRIMARY KEY, V INTEGER)");
      for (int key = 0; key < 2; key++) {
        statement.executeUpdate("UPSERT INTO NOT_COMPACTED VALUES (%d, 1)".formatted(key));
        connection.commit();
        admin.flush(table);
      }
      admin.compactionSwitch(false, List.of());
      assertThatThrownBy(() -> running.compact(table))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("1 of 1 regions of NOT_COMPACTED are not compacted")
          .hasMessageContaining("compaction_switch");
      assertThat(files(table)).isEqualTo(2);
      admin.compactionSwitch(true, List.of());
      running.compact(table);
      assertThat(files(table)).isEqualTo(1);
      statement.execute("DROP TABLE NOT_COMPACTED");
    } finally {
      admin.compactionSwitch(true, List.of());
    }
  }

  private int files(TableName table) throws IOException {
    int files = 0;
    for (ServerName server : admin.getRegionServers()) {
      files +=
          admin.getRegionMetrics(server, table).stream()
              .mapToInt(RegionMetrics::getStoreFileCount)
              .sum();
    }
    return files;
  }

  @Test
  public void countsLookupsOfFanOuts() throws Exception {
    List<Result> results = run(new FanOutBench(), "fanout");
    fansOutToServers(results);
    // Clients count only the RPCs that they send. RPCs that close a scanner are not counted.
    assertThat(figure(results, "lookups", of("natural", "all regions", "cold", "stock")))
        .isEqualTo(FanOutBench.QUICK_REGIONS);
  }

  private static Map<String, String> of(
      String layout, String condition, String locations, String way) {
    return Map.of("layout", layout, "condition", condition, "locations", locations, "way", way);
  }

  private static void fansOutToServers(List<Result> results) {
    for (String layout : new String[] {"natural", "rearranged"}) {
      for (String locations : new String[] {"warm", "cold"}) {
        String what = layout + ", " + locations;
        assertThat(rpcs(results, of(layout, "point", locations, "none")))
            .as(what)
            .isEqualTo(FanOutBench.QUICK_REGIONS);
        assertThat(rpcs(results, of(layout, "point", locations, "exact"))).as(what).isEqualTo(1);
        assertThat(rpcs(results, of(layout, "point", locations, "stock"))).as(what).isEqualTo(1);
        // The master also reads hbase:meta now and then.
        double lookups = figure(results, "lookups", of(layout, "all regions", locations, "stock"));
        assertThat(lookups >= FanOutBench.QUICK_REGIONS)
            .as("%s, %s lookups", what, lookups)
            .isEqualTo(locations.equals("cold"));
        assertThat(rpcs(results, of(layout, "all regions", locations, "none")))
            .as(what)
            .isEqualTo(FanOutBench.QUICK_REGIONS);
        assertThat(rpcs(results, of(layout, "all regions", locations, "exact")))
            .as(what)
            .isEqualTo(FanOutBench.QUICK_REGIONS);
        assertThat(rpcs(results, of(layout, "all regions", locations, "stock")))
            .as(what)
            .isEqualTo(FanOutBench.QUICK_REGIONS);
        // The servers' answers carry the rows, if they arrive in time.
        assertThat(rpcs(results, of(layout, "all regions", locations, "probe")))
            .as(what)
            .isBetween(
                (double) SharedCluster.SERVERS,
                (double) FanOutBench.QUICK_REGIONS + SharedCluster.SERVERS);
      }
    }
    assertThat(results).extracting(Result::measure).contains("creation", "lookups", "latency");
    assertThat(results).extracting(Result::measure).doesNotContain("failures", "wrong rows");
  }

  private static double rpcs(List<Result> results, Map<String, String> at) {
    return figure(results, "rpcs", at);
  }

  @Test
  public void reportsThroughputOnly() throws Exception {
    assumeTrue(ALL);
    List<Result> results = run(new WritesBench(), "writes");
    assertThat(of("throughput", results)).hasSize(5 * 2).hasSameSizeAs(results);
  }

  /**
   * Runs statements. Clients drop their own tables, and the benchmark drops the last two tables.
   */
  @Test
  public void reportsTheTimeOfEachStatement() throws Exception {
    List<Result> results = run(new StatementsBench(), "statements");
    assertThat(of("time", results)).hasSize(2 * (7 + 6));
  }

  /**
   * Checks that an existing table is kept. The benchmark has created another table before, so it
   * also has to drop a table.
   */
  @Test
  public void leavesTablesOfOthers() throws Exception {
    String table = UrlBenchmark.tableName("PACKED_PACKED_8");
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE %s (K INTEGER PRIMARY KEY)".formatted(table));
      statement.executeUpdate("UPSERT INTO %s VALUES (1)".formatted(table));
      connection.commit();
      refusesToWriteTo(table);
      try (ResultSet rows = statement.executeQuery("SELECT K FROM " + table)) {
        assertThat(rows.next()).isTrue();
      }
    } finally {
      try (Statement statement = connection.createStatement()) {
        statement.execute("DROP TABLE " + table);
      }
    }
  }

  private void refusesToWriteTo(String table) {
    assertThatThrownBy(() -> run(new PackedBench(), "packed"))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(table + " already exists");
  }

  @Test
  public void leavesTablesThatPhoenixDoesNotKnow() throws Exception {
    TableName table = TableName.valueOf(UrlBenchmark.tableName("PACKED_PACKED_8"));
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("0"))
            .build());
    try {
      refusesToWriteTo(table.getNameAsString());
    } finally {
      admin.disableTable(table);
      admin.deleteTable(table);
    }
  }

  @Test
  public void packs() throws Exception {
    assumeTrue(ALL);
    List<Result> results = run(new PackedBench(), "packed");
    assertThat(of("throughput", results)).hasSize(4);
    assertThat(of("latency", results)).hasSize(3 * 4);
    assertThat(results).hasSize(4 * 4);
  }

  @Test
  public void encodes() throws Exception {
    assumeTrue(ALL);
    List<Result> results = run(new EncodingsBench(), "encodings");
    assertThat(of("time", results)).hasSizeGreaterThanOrEqualTo((6 + 4 + 2) * 2 * 3);
    assertThat(of("lookup", results)).hasSize(3);
    assertThat(results).extracting(result -> result.at().get("compression")).contains("ZSTD");
    assertThat(of("size", results)).isEmpty();
  }
}

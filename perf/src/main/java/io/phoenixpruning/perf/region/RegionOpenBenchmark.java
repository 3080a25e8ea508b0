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
package io.phoenixpruning.perf.region;

import com.sun.management.OperatingSystemMXBean;
import io.phoenixpruning.cli.cluster.EmbeddedCluster;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Measures the cost of opening the regions of a Phoenix table, and of keeping them open. Four
 * tables are enabled and disabled in turn:
 *
 * <ul>
 *   <li>a table in mode exact
 *   <li>a table that is served as stock's server would serve it
 *   <li>a table whose only coprocessor does nothing, but has properties like a coprocessor of
 *       Phoenix
 *   <li>a table without coprocessors
 * </ul>
 *
 * <p>The last two show how much can be saved at all. For the table with the idle coprocessor, HBase
 * itself copies the configuration.
 */
public final class RegionOpenBenchmark {

  private static final String QUICK = "--quick";
  private static final int REGIONS = 2_000;
  private static final int ROUNDS = 2;
  private static final String NO_COPROCESSOR = "no coprocessor";
  private static final String IDLE_COPROCESSOR = "idle coprocessor with properties";

  private final EmbeddedCluster cluster;
  private final int regions;
  private final int rounds;

  /** A coprocessor that does nothing. */
  public static final class IdleCoprocessor implements RegionCoprocessor {}

  /** Measurements of one table, with one value for each round. */
  private static final class Costs {
    private final ListStatistics seconds = new ListStatistics();
    private final ListStatistics cpuMillis = new ListStatistics();
    private final ListStatistics heapKilobytes = new ListStatistics();
  }

  /**
   * Creates the benchmark on a cluster. If {@code quick}, the run is small and measures nothing.
   */
  public RegionOpenBenchmark(EmbeddedCluster cluster, boolean quick) {
    this.cluster = cluster;
    this.regions = quick ? 10 : REGIONS;
    this.rounds = quick ? 1 : ROUNDS;
  }

  public static void main(String[] arguments) throws Exception {
    boolean quick = List.of(arguments).contains(QUICK);
    Path folder = Files.createTempDirectory("region-open-");
    // Also deletes the folder at Ctrl-C.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> FileUtil.fullyDelete(folder.toFile())));
    EmbeddedCluster cluster = new EmbeddedCluster(folder);
    try {
      cluster.start();
      System.out.println(new RegionOpenBenchmark(cluster, quick).run());
    } finally {
      cluster.abort();
    }
    // Threads of Phoenix are still running.
    System.exit(0);
  }

  /** Runs the benchmark and returns a Markdown table. */
  public String run() throws SQLException, IOException {
    Map<String, Costs> costs = new LinkedHashMap<>();
    try (Connection connection = cluster.connect(Map.of());
        Admin admin = connection.unwrap(PhoenixConnection.class).getQueryServices().getAdmin()) {
      for (String mode : List.of("exact", "stock", IDLE_COPROCESSOR, NO_COPROCESSOR)) {
        create(connection, admin, mode);
        costs.put(mode, new Costs());
      }
      // The first round only warms up.
      for (int round = 0; round <= rounds; round++) {
        for (Map.Entry<String, Costs> ofMode : costs.entrySet()) {
          System.err.println("round " + round + ", " + ofMode.getKey());
          measure(admin, table(ofMode.getKey()), round == 0 ? new Costs() : ofMode.getValue());
        }
      }
    }
    return report(costs);
  }

  private static TableName table(String mode) {
    return TableName.valueOf("REGION_OPEN_" + mode.toUpperCase(Locale.ROOT).replace(' ', '_'));
  }

  /** Creates a disabled table without rows. */
  private void create(Connection connection, Admin admin, String mode)
      throws SQLException, IOException {
    TableName table = table(mode);
    String splits =
        IntStream.range(1, regions).mapToObj(Integer::toString).collect(Collectors.joining(","));
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE "
              + table
              + " (K INTEGER PRIMARY KEY, V INTEGER) SPLIT ON ("
              + splits
              + ")");
    }
    admin.disableTable(table);
    admin.modifyTable(as(mode, admin.getDescriptor(table)));
  }

  private static TableDescriptor as(String mode, TableDescriptor table) throws IOException {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
    if (!mode.equals(IDLE_COPROCESSOR) && !mode.equals(NO_COPROCESSOR)) {
      return builder.setValue(PruningOptions.MODE, mode).build();
    }
    Map<String, String> properties = new HashMap<>();
    for (CoprocessorDescriptor coprocessor : table.getCoprocessorDescriptors()) {
      builder.removeCoprocessor(coprocessor.getClassName());
      properties.putAll(coprocessor.getProperties());
    }
    if (mode.equals(IDLE_COPROCESSOR)) {
      builder.setCoprocessor(
          CoprocessorDescriptorBuilder.newBuilder(IdleCoprocessor.class.getName())
              .setProperties(properties)
              .build());
    }
    return builder.build();
  }

  private void measure(Admin admin, TableName table, Costs costs) throws IOException {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long heap = heap();
    long cpu = system.getProcessCpuTime();
    long start = System.nanoTime();
    admin.enableTable(table);
    long elapsed = System.nanoTime() - start;
    long spent = system.getProcessCpuTime() - cpu;
    if (cluster.openRegions(table) != regions) {
      throw new IllegalStateException("Not all regions of " + table + " are open");
    }
    costs.seconds.addValue(elapsed / 1e9);
    costs.cpuMillis.addValue(spent / 1e6 / regions);
    costs.heapKilobytes.addValue((heap() - heap) / 1024.0 / regions);
    admin.disableTable(table);
  }

  /** Returns the used bytes of the heap after a garbage collection. */
  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private String report(Map<String, Costs> costs) {
    StringBuilder report =
        new StringBuilder(
            "| table | regions a second | CPU ms a region | heap KiB a region |\n"
                + "|---|---:|---:|---:|\n");
    costs.forEach(
        (mode, ofMode) ->
            report.append(
                "| %s | %.0f (%.0f to %.0f) | %s | %s |%n"
                    .formatted(
                        mode,
                        regions / ofMode.seconds.getPercentile(50),
                        regions / ofMode.seconds.getMax(),
                        regions / ofMode.seconds.getMin(),
                        spread(ofMode.cpuMillis),
                        spread(ofMode.heapKilobytes))));
    return report.toString();
  }

  private static String spread(ListStatistics values) {
    return "%.1f (%.1f to %.1f)"
        .formatted(values.getPercentile(50), values.getMin(), values.getMax());
  }
}

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

import io.phoenixpruning.perf.harness.JarsBenchmark;
import io.phoenixpruning.perf.harness.RegionsTable;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.View;
import io.phoenixpruning.perf.harness.cluster.ProcessUsage;
import java.io.IOException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.openjdk.jmh.util.ListStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code pruning bench regionopen}. */
@Command(
    name = "regionopen",
    description = {
      "Measures the cost of opening the regions of a table, and of keeping them open: time, CPU and"
          + " heap of the server. Compares servers with stock Phoenix's jars and with ours, which"
          + " take turns. Two more tables show the largest possible saving. One has only an idle"
          + " coprocessor, with the properties of Phoenix's coprocessors. The other has none. An"
          + " interrupted run starts again from the beginning."
    },
    mixinStandardHelpOptions = true)
final class RegionOpenBench extends JarsBenchmark {

  private static final String TABLE = "table";
  private static final String JARS = "jars";
  private static final String CONNECTION = "";

  /** Estimated bytes of a region without rows on disk. */
  private static final long REGION_BYTES = 8 << 10;

  /** A coprocessor that does nothing. */
  public static final class IdleCoprocessor implements RegionCoprocessor {}

  /** A kind of table. */
  private enum Kind {
    PHOENIX("Phoenix table"),
    IDLE("idle coprocessor with properties"),
    NONE("no coprocessor");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    TableName table() {
      return TableName.valueOf("REGION_OPEN_" + name());
    }

    /**
     * Converts the descriptor of a table that Phoenix created to the descriptor of this kind of
     * table.
     */
    TableDescriptor of(TableDescriptor table) throws IOException {
      if (this == PHOENIX) {
        return table;
      }
      TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
      Map<String, String> properties = new HashMap<>();
      for (CoprocessorDescriptor coprocessor : table.getCoprocessorDescriptors()) {
        builder.removeCoprocessor(coprocessor.getClassName());
        properties.putAll(coprocessor.getProperties());
      }
      if (this == IDLE) {
        builder.setCoprocessor(
            CoprocessorDescriptorBuilder.newBuilder(IdleCoprocessor.class.getName())
                .setProperties(properties)
                .build());
      }
      return builder.build();
    }
  }

  /** Measures of a turn. Each is for one region. */
  private enum Cost {
    TIME("time", "ms"),
    CPU("CPU", "ms"),
    HEAP("heap", "KiB");

    private final String title;
    private final String unit;

    Cost(String title, String unit) {
      this.title = title;
      this.unit = unit;
    }
  }

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Number of regions of each table, 100 to 100,000. Default: ${DEFAULT-VALUE}.")
  private int regions;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Measured rounds after one of warm-up, 1 to 100. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Override
  public List<String> dimensions() {
    return List.of(TABLE, JARS);
  }

  @Override
  public List<View> views() {
    List<View> views = new ArrayList<>();
    for (Cost cost : Cost.values()) {
      views.add(
          View.of("Opening a region, " + cost.title, cost.title, JARS, TABLE)
              .comparedWith(Jars.PHOENIX.title()));
    }
    return views;
  }

  @Override
  protected void check() throws IOException {
    requireRange("--regions", regions, 100, 100_000);
    requireRange("--rounds", rounds, 1, 100);
    super.check();
  }

  @Override
  protected long diskBytes() {
    return 2L * Kind.values().length * regionsOfTable() * REGION_BYTES;
  }

  /** Returns three times the regions, because a region of Phoenix's jars needs more heap. */
  @Override
  protected long regions() {
    return 2L * 3 * regionsOfTable();
  }

  private int regionsOfTable() {
    return isQuick() ? 4 : regions;
  }

  /** Measures everything as one case, because both sides take turns. */
  @Override
  protected void measure(Run run) throws Exception {
    if (!run.results().all().isEmpty()) {
      return;
    }
    Map<Jars, Side> sides = startSides(run, "", List.of());
    run.progress()
        .perform(
            "Create the tables",
            -1,
            done -> {
              for (Side side : sides.values()) {
                create(side);
                prepare(side);
              }
            });
    List<Jars> order = new ArrayList<>(List.of(Jars.values()));
    Map<Kind, Map<String, Map<Cost, ListStatistics>>> costs = new EnumMap<>(Kind.class);
    int warmUps = isQuick() ? 0 : 1;
    int all = warmUps + (isQuick() ? 1 : rounds);
    run.progress()
        .perform(
            "Open the regions",
            all,
            done -> {
              for (int round = 0; round < all; round++) {
                for (Kind kind : Kind.values()) {
                  for (Jars jars : order) {
                    Map<Cost, Double> turn =
                        open(Objects.requireNonNull(sides.get(jars)), kind.table());
                    if (round >= warmUps) {
                      add(costs, kind, jars.title(), turn);
                    }
                  }
                }
                Collections.reverse(order);
                done.accept(round + 1L);
              }
            });
    run.results().add(results(costs));
  }

  private void create(Side side) throws IOException {
    side.client().connect(CONNECTION, Map.of());
    String splits =
        IntStream.range(1, regionsOfTable())
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "));
    for (Kind kind : Kind.values()) {
      side.client()
          .update(
              CONNECTION,
              "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER) SPLIT ON (%s)"
                  .formatted(kind.table(), splits));
    }
  }

  /** Turns off the balancer, and closes the regions of all tables. */
  private static void prepare(Side side) throws Exception {
    try (Connection connection = side.cluster().connect(Map.of());
        Admin admin = RegionsTable.admin(connection)) {
      admin.balancerSwitch(false, true);
      for (Kind kind : Kind.values()) {
        admin.disableTable(kind.table());
        admin.modifyTable(kind.of(admin.getDescriptor(kind.table())));
      }
    }
  }

  private Map<Cost, Double> open(Side side, TableName table) throws Exception {
    try (Connection connection = side.cluster().connect(Map.of());
        Admin admin = RegionsTable.admin(connection)) {
      long heap = side.cluster().collectGarbage();
      ProcessUsage before = side.cluster().usage();
      long start = System.nanoTime();
      admin.enableTable(table);
      double millis = (System.nanoTime() - start) / 1e6;
      double cpuNanos = side.cluster().usage().since(before).getCpuNanos();
      int open =
          admin.getRegions(side.cluster().server(0)).stream()
              .filter(region -> region.getTable().equals(table))
              .toList()
              .size();
      if (open != regionsOfTable()) {
        throw new IllegalStateException(
            "%d regions of %s are open. Expected %d".formatted(open, table, regionsOfTable()));
      }
      double heapBytes = side.cluster().collectGarbage() - heap;
      admin.disableTable(table);
      Map<Cost, Double> costs = new EnumMap<>(Cost.class);
      costs.put(Cost.TIME, millis / regionsOfTable());
      costs.put(Cost.CPU, cpuNanos / 1e6 / regionsOfTable());
      costs.put(Cost.HEAP, heapBytes / 1024 / regionsOfTable());
      return costs;
    }
  }

  private static void add(
      Map<Kind, Map<String, Map<Cost, ListStatistics>>> costs,
      Kind kind,
      String jars,
      Map<Cost, Double> turn) {
    Map<Cost, ListStatistics> ofJars =
        costs
            .computeIfAbsent(kind, added -> new LinkedHashMap<>())
            .computeIfAbsent(jars, added -> new EnumMap<>(Cost.class));
    turn.forEach(
        (cost, value) ->
            ofJars.computeIfAbsent(cost, added -> new ListStatistics()).addValue(value));
  }

  private static List<Result> results(Map<Kind, Map<String, Map<Cost, ListStatistics>>> costs) {
    List<Result> results = new ArrayList<>();
    costs.forEach(
        (kind, ofKind) ->
            ofKind.forEach(
                (jars, ofJars) ->
                    ofJars.forEach(
                        (cost, values) -> {
                          Map<String, String> at = new LinkedHashMap<>();
                          at.put(TABLE, kind.title);
                          at.put(JARS, jars);
                          results.add(new Result(at, cost.title, cost.unit, Summary.of(values)));
                        })));
    return results;
  }
}

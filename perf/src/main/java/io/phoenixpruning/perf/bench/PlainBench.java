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
import io.phoenixpruning.perf.harness.PairedRatio;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.View;
import io.phoenixpruning.perf.harness.cluster.ProcessUsage;
import io.phoenixpruning.perf.harness.cluster.Turn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.phoenix.util.PhoenixRuntime;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.util.ListStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code pruning bench plain}. */
@Command(
    name = "plain",
    description = {
      "Compares our jars with stock Phoenix's jars on tables without local indexes: time, CPU and"
          + " allocated bytes of client and server. Each side has its own servers and client. Both"
          + " sides have the same rows and take turns. An interrupted run starts again from the"
          + " beginning."
    },
    mixinStandardHelpOptions = true)
final class PlainBench extends JarsBenchmark {

  private static final String TABLE = "table";
  private static final String OPERATION = "operation";
  private static final String COST = "cost";
  private static final String JARS = "jars";

  private static final String RATIO = "ratio";
  private static final String LOWER = "ratio, lower bound";
  private static final String UPPER = "ratio, upper bound";

  private static final String MANUAL = "manual commit";
  private static final String AUTO = "auto commit";

  private static final int REGIONS = 4;
  private static final int LOAD_BATCH = 1_000;

  /**
   * Minimum number of executions in a turn of a quick run. With fewer executions, background work
   * of the servers would allocate more than the statement.
   */
  private static final int QUICK_EXECUTIONS = 10;

  /**
   * Estimated bytes of a row on disk, with its index and its write-ahead log, on both sides
   * together.
   */
  private static final long ROW_BYTES = 1_500;

  /** Number of regions of Phoenix's system tables, on both sides together. */
  private static final long SYSTEM_REGIONS = 40;

  /** Measures of a turn. */
  private enum Cost {
    TIME("ms"),
    CPU("ms"),
    CLIENT_CPU("ms"),
    SERVER_CPU("ms"),
    ALLOCATION("KiB"),
    CLIENT_ALLOCATION("KiB"),
    SERVER_ALLOCATION("KiB");

    private final String unit;

    Cost(String unit) {
      this.unit = unit;
    }

    String title() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ').replace("cpu", "CPU");
    }

    double of(Turn turn, ProcessUsage server) {
      switch (this) {
        case TIME:
          return turn.getMillis();
        case CLIENT_CPU:
          return turn.getUsage().getCpuNanos() / 1e6;
        case SERVER_CPU:
          return server.getCpuNanos() / 1e6;
        case CPU:
          return CLIENT_CPU.of(turn, server) + SERVER_CPU.of(turn, server);
        case CLIENT_ALLOCATION:
          return turn.getUsage().getAllocatedBytes() / 1024.0;
        case SERVER_ALLOCATION:
          return server.getAllocatedBytes() / 1024.0;
        default:
          return CLIENT_ALLOCATION.of(turn, server) + SERVER_ALLOCATION.of(turn, server);
      }
    }
  }

  /** A kind of table. */
  enum Table {
    PLAIN,
    SALTED,
    INDEXED;

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }

    String tableName() {
      return "PLAIN_" + name();
    }

    /** Returns the name of the table of the same kind that is written while costs are measured. */
    String writtenTableName() {
      return tableName() + "_WRITTEN";
    }

    private List<String> ddl(String name, int rows) {
      String create =
          "CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V1 INTEGER, V2 INTEGER, NAME VARCHAR CONSTRAINT PK PRIMARY KEY (K1, K2)) "
              .formatted(name);
      int values = rows / PlainOperation.K2_VALUES;
      String splits =
          IntStream.range(1, REGIONS)
              .mapToObj(i -> Integer.toString(values * i / REGIONS))
              .collect(Collectors.joining(", ", "SPLIT ON (", ")"));
      switch (this) {
        case SALTED:
          return List.of(create + "SALT_BUCKETS = " + REGIONS);
        case INDEXED:
          return List.of(
              create + splits, "CREATE INDEX %1$s_I ON %1$s (V1) INCLUDE (V2)".formatted(name));
        default:
          return List.of(create + splits);
      }
    }
  }

  /** An operation on a table. */
  private record Case(Table table, PlainOperation operation) {}

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "200000",
      description = "Rows of each table, 10,000 to 100,000,000. Default: ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "20",
      description = "Measured rounds in each fork, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--warmups",
      paramLabel = "N",
      defaultValue = "10",
      description = "Warm-up rounds in each fork, 0 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int warmups;

  @Option(
      names = "--forks",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "Number of forks, 1 to 100. Each fork restarts all processes. Default: ${DEFAULT-VALUE}.")
  private int forks;

  @Option(
      names = "--tables",
      paramLabel = "TABLE",
      split = ",",
      defaultValue = "PLAIN,SALTED,INDEXED",
      description = "Kinds of tables, any of ${COMPLETION-CANDIDATES}. Default: all.")
  private List<Table> tables;

  @Option(
      names = "--operations",
      paramLabel = "NAME",
      split = ",",
      description = "Operations, any of ${COMPLETION-CANDIDATES}. Default: all.")
  private @Nullable List<PlainOperation> operations;

  @Override
  public List<String> dimensions() {
    return List.of(TABLE, OPERATION, COST, JARS);
  }

  @Override
  public List<View> views() {
    List<View> views = new ArrayList<>();
    views.add(
        View.of("Ratio of our jars to Phoenix's, 95 % intervals", RATIO, COST, TABLE, OPERATION)
            .within(LOWER, UPPER));
    for (Cost cost : Cost.values()) {
      views.add(
          View.of("One execution, " + cost.title(), cost.title(), JARS, TABLE, OPERATION)
              .comparedWith(Jars.PHOENIX.title()));
    }
    return views;
  }

  @Override
  protected void check() throws IOException {
    requireRange("--rows", rows, 10_000, 100_000_000);
    requireRange("--rounds", rounds, 1, 1_000);
    requireRange("--warmups", warmups, 0, 1_000);
    requireRange("--forks", forks, 1, 100);
    super.check();
  }

  @Override
  protected long diskBytes() {
    return ROW_BYTES * rows() * tables().size();
  }

  @Override
  protected long regions() {
    return 2 * ((REGIONS + 1L) * 2 * tables().size() + SYSTEM_REGIONS);
  }

  private int rows() {
    return isQuick() ? 3_000 : rows;
  }

  private int executions(PlainOperation operation) {
    if (!isQuick()) {
      return operation.executions();
    }
    return Math.max(QUICK_EXECUTIONS, operation.executions() / 5);
  }

  /**
   * Returns the SQL text of {@code operation}. In a quick run, a statement reads all rows instead
   * of a tenth. Its allocation then outweighs the allocation of background work.
   */
  private String sql(Table table, PlainOperation operation) {
    int k1Values = rows() / PlainOperation.K2_VALUES;
    return operation.sql(table, isQuick() ? k1Values : k1Values / 10);
  }

  private List<Table> tables() {
    return isQuick() ? List.of(Table.PLAIN, Table.INDEXED) : tables;
  }

  private List<PlainOperation> operations(Table table) {
    if (isQuick()) {
      return quickOperations(table);
    }
    return PlainOperation.of(table).stream()
        .filter(operation -> operations == null || operations.contains(operation))
        .toList();
  }

  /**
   * Returns the operations of a quick run. Scans of all rows take most of the time of such a run.
   * The scans are the same for both kinds of tables, so one kind is enough.
   */
  static List<PlainOperation> quickOperations(Table table) {
    return PlainOperation.of(table).stream()
        .filter(operation -> table == Table.PLAIN || operation.executions() > 1)
        .toList();
  }

  @Override
  protected void measure(Run run) throws Exception {
    if (!run.results().all().isEmpty()) {
      return;
    }
    Map<Case, Map<Jars, Map<Cost, List<Double>>>> values = new LinkedHashMap<>();
    int all = isQuick() ? 1 : forks;
    for (int fork = 1; fork <= all; fork++) {
      measure(run, fork, values);
    }
    List<Result> results = new ArrayList<>();
    values.forEach(
        (measured, sides) -> {
          for (Cost cost : Cost.values()) {
            addResults(results, measured, cost, sides);
          }
        });
    run.results().add(results);
  }

  private void measure(Run run, int fork, Map<Case, Map<Jars, Map<Cost, List<Double>>>> values)
      throws Exception {
    // Without C2, the allocated bytes do not depend on when methods are compiled.
    List<String> options = isQuick() ? List.of("-XX:TieredStopAtLevel=1") : List.of();
    Map<Jars, Side> sides = startSides(run, "-" + fork, options);
    for (Side side : sides.values()) {
      side.client().connect(MANUAL, Map.of());
      side.client().connect(AUTO, Map.of(PhoenixRuntime.AUTO_COMMIT_ATTRIB, "true"));
    }
    try {
      run.progress()
          .perform(
              "Write the rows",
              -1,
              done -> {
                List<CompletableFuture<Void>> loads =
                    sides.values().stream()
                        .map(side -> CompletableFuture.runAsync(() -> load(side)))
                        .toList();
                for (CompletableFuture<Void> load : loads) {
                  load.get();
                }
              });
      int unmeasured = isQuick() ? 1 : warmups;
      int all = unmeasured + (isQuick() ? 3 : rounds);
      run.progress()
          .perform(
              "Measure, fork %d".formatted(fork),
              all,
              done -> {
                for (int round = 0; round < all; round++) {
                  round(sides, round, round < unmeasured ? new LinkedHashMap<>() : values);
                  done.accept(round + 1);
                }
              });
    } finally {
      sides.values().forEach(Side::close);
    }
  }

  private void load(Side side) {
    try {
      create(side);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private void create(Side side) throws IOException {
    side.client().update(AUTO, "CREATE TABLE PLAIN_GROUPS (ID INTEGER PRIMARY KEY, KIND INTEGER)");
    side.client()
        .write(
            MANUAL,
            "UPSERT INTO PLAIN_GROUPS VALUES (?, ?)",
            0,
            PlainOperation.V2_VALUES,
            100,
            2,
            1);
    for (Table table : tables()) {
      for (String name : List.of(table.tableName(), table.writtenTableName())) {
        for (String ddl : table.ddl(name, rows())) {
          side.client().update(AUTO, ddl);
        }
      }
      for (int k2 = 0; k2 < PlainOperation.K2_VALUES; k2++) {
        String upsert =
            "UPSERT INTO %s (K1, K2, V1, V2, NAME) VALUES (?, %d, ?, ? / %d, 'row %d')"
                .formatted(
                    table.tableName(), k2, PlainOperation.V1_VALUES / PlainOperation.V2_VALUES, k2);
        int values = rows() / PlainOperation.K2_VALUES;
        side.client()
            .write(MANUAL, upsert, 0, values, LOAD_BATCH, PlainOperation.V1_VALUES, seed() + k2);
      }
      List<String> names = new ArrayList<>(List.of(table.tableName()));
      if (table == Table.INDEXED) {
        names.add(table.tableName() + "_I");
      }
      for (String name : names) {
        side.cluster().flush(TableName.valueOf(name));
        side.cluster().compact(TableName.valueOf(name));
      }
    }
  }

  /** Executes each operation on both sides. The side that starts alternates from round to round. */
  private void round(
      Map<Jars, Side> sides, int round, Map<Case, Map<Jars, Map<Cost, List<Double>>>> values)
      throws IOException {
    for (Table table : tables()) {
      for (PlainOperation operation : operations(table)) {
        Map<Jars, Turn> turns = new EnumMap<>(Jars.class);
        List<Jars> order =
            round % 2 == 0 ? List.of(Jars.PHOENIX, Jars.OURS) : List.of(Jars.OURS, Jars.PHOENIX);
        for (Jars jars : order) {
          Side side = Objects.requireNonNull(sides.get(jars));
          ProcessUsage before = side.cluster().usage();
          Turn turn = turn(side, table, operation, round);
          ProcessUsage server = side.cluster().usage().since(before);
          Map<Cost, List<Double>> costs =
              values
                  .computeIfAbsent(new Case(table, operation), added -> new LinkedHashMap<>())
                  .computeIfAbsent(jars, added -> new EnumMap<>(Cost.class));
          for (Cost cost : Cost.values()) {
            costs
                .computeIfAbsent(cost, added -> new ArrayList<>())
                .add(cost.of(turn, server) / executions(operation));
          }
          turns.put(jars, turn);
        }
        checkSame(
            table,
            operation,
            Objects.requireNonNull(turns.get(Jars.PHOENIX)),
            Objects.requireNonNull(turns.get(Jars.OURS)));
      }
    }
  }

  private Turn turn(Side side, Table table, PlainOperation operation, int round)
      throws IOException {
    return side.client()
        .turn(
            operation.isAutoCommit() ? AUTO : MANUAL,
            operation.kind(),
            sql(table, operation),
            executions(operation),
            operation.bounds(rows()),
            // Two rounds never write the same rows.
            (round + 1) * PlainOperation.UPSERT_BATCHED.executions(),
            operation.executionsOfCommit(),
            seed() + round);
  }

  private void checkSame(Table table, PlainOperation operation, Turn phoenix, Turn ours) {
    if (phoenix.getRows() != ours.getRows() || phoenix.getSum() != ours.getSum()) {
      throw new IllegalStateException(
          "Results of %s differ. Phoenix's jars: count %,d, sum %d. Our jars: count %,d, sum %d"
              .formatted(
                  sql(table, operation),
                  phoenix.getRows(),
                  phoenix.getSum(),
                  ours.getRows(),
                  ours.getSum()));
    }
  }

  private static void addResults(
      List<Result> results, Case measured, Cost cost, Map<Jars, Map<Cost, List<Double>>> sides) {
    double[] phoenix = values(sides, Jars.PHOENIX, cost);
    double[] ours = values(sides, Jars.OURS, cost);
    Summary ofPhoenix = Summary.of(new ListStatistics(phoenix));
    Summary ofOurs = Summary.of(new ListStatistics(ours));
    results.add(result(measured, cost, Jars.PHOENIX.title(), cost.title(), cost.unit, ofPhoenix));
    results.add(result(measured, cost, Jars.OURS.title(), cost.title(), cost.unit, ofOurs));
    if (hasZero(phoenix)) {
      return;
    }
    PairedRatio ratio = PairedRatio.of(ours, phoenix);
    results.add(result(measured, cost, "", RATIO, "", Summary.of(ratio.median())));
    results.add(result(measured, cost, "", LOWER, "", Summary.of(ratio.lower())));
    results.add(result(measured, cost, "", UPPER, "", Summary.of(ratio.upper())));
  }

  private static double[] values(Map<Jars, Map<Cost, List<Double>>> sides, Jars jars, Cost cost) {
    return sides.getOrDefault(jars, Map.of()).getOrDefault(cost, List.of()).stream()
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  private static boolean hasZero(double[] values) {
    for (double value : values) {
      if (value <= 0) {
        return true;
      }
    }
    return false;
  }

  private static Result result(
      Case measured, Cost cost, String jars, String measure, String unit, Summary summary) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(TABLE, measured.table.title());
    at.put(OPERATION, measured.operation.title());
    at.put(COST, cost.title());
    at.put(JARS, jars);
    return new Result(at, measure, unit, summary);
  }
}

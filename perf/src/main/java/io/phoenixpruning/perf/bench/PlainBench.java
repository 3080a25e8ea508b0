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
import io.phoenixpruning.perf.harness.View;
import io.phoenixpruning.perf.harness.cluster.ProcessUsage;
import io.phoenixpruning.perf.harness.cluster.Turn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.phoenix.util.PhoenixRuntime;
import org.jspecify.annotations.Nullable;
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

  private static final String MANUAL = "manual commit";
  private static final String AUTO = "auto commit";

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
  private List<PlainTable> tables;

  @Option(
      names = "--operations",
      paramLabel = "NAME",
      split = ",",
      description = "Operations, any of ${COMPLETION-CANDIDATES}. Default: all.")
  private @Nullable List<PlainOperation> operations;

  @Override
  public List<String> dimensions() {
    return PlainMeasurements.DIMENSIONS;
  }

  @Override
  public List<View> views() {
    return PlainMeasurements.views();
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
    return 2 * ((PlainTable.REGIONS + 1L) * 2 * tables().size() + SYSTEM_REGIONS);
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
  private String sql(PlainTable table, PlainOperation operation) {
    int k1Values = rows() / PlainOperation.K2_VALUES;
    return operation.sql(table, isQuick() ? k1Values : k1Values / 10);
  }

  private List<PlainTable> tables() {
    return isQuick() ? List.of(PlainTable.PLAIN, PlainTable.INDEXED) : tables;
  }

  private List<PlainOperation> operations(PlainTable table) {
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
  static List<PlainOperation> quickOperations(PlainTable table) {
    return PlainOperation.of(table).stream()
        .filter(operation -> table == PlainTable.PLAIN || operation.executions() > 1)
        .toList();
  }

  @Override
  protected void measure(Run run) throws Exception {
    if (!run.results().all().isEmpty()) {
      return;
    }
    PlainMeasurements measurements = new PlainMeasurements();
    int all = isQuick() ? 1 : forks;
    for (int fork = 1; fork <= all; fork++) {
      measure(run, fork, measurements);
    }
    run.results().add(measurements.results());
  }

  private void measure(Run run, int fork, PlainMeasurements measurements) throws Exception {
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
                  round(sides, round, round < unmeasured ? new PlainMeasurements() : measurements);
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
    for (PlainTable table : tables()) {
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
      if (table == PlainTable.INDEXED) {
        names.add(table.tableName() + "_I");
      }
      for (String name : names) {
        side.cluster().flush(TableName.valueOf(name));
        side.cluster().compact(TableName.valueOf(name));
      }
    }
  }

  /** Executes each operation on both sides. The side that starts alternates from round to round. */
  private void round(Map<Jars, Side> sides, int round, PlainMeasurements measurements)
      throws IOException {
    for (PlainTable table : tables()) {
      for (PlainOperation operation : operations(table)) {
        Map<Jars, Turn> turns = new EnumMap<>(Jars.class);
        List<Jars> order =
            round % 2 == 0 ? List.of(Jars.PHOENIX, Jars.OURS) : List.of(Jars.OURS, Jars.PHOENIX);
        for (Jars jars : order) {
          Side side = Objects.requireNonNull(sides.get(jars));
          ProcessUsage before = side.cluster().usage();
          Turn turn = turn(side, table, operation, round);
          ProcessUsage server = side.cluster().usage().since(before);
          measurements.add(table, operation, jars, turn, server, executions(operation));
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

  private Turn turn(Side side, PlainTable table, PlainOperation operation, int round)
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

  private void checkSame(PlainTable table, PlainOperation operation, Turn phoenix, Turn ours) {
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
}

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

import io.phoenixpruning.perf.harness.RegionsTable;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.ServersBenchmark;
import io.phoenixpruning.perf.harness.StockJars;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.View;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import io.phoenixpruning.perf.harness.cluster.QueryClientMXBean;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.openjdk.jmh.util.ListStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code pruning bench writes}. */
@Command(
    name = "writes",
    description = {
      "Measures the cost of indexes when rows are written: rows per second and bytes on disk."
          + " Compares tables without an index, with local indexes and with a global index. One"
          + " client has our jars, and another has stock Phoenix's jars. Servers that the benchmark"
          + " starts have our jars. An interrupted run starts again from the beginning."
    },
    mixinStandardHelpOptions = true)
final class WritesBench extends ServersBenchmark {

  private static final String INDEXES = "indexes";
  private static final String JARS = "client";
  private static final String PART = "part";
  private static final List<String> CLIENTS = List.of("stock", "ours");

  /** Estimated bytes that writing a row takes on disk, with its index and its write-ahead log. */
  private static final long ROW_BYTES = 500;

  private static final int VALUES = 1_000_000;
  private static final int REGIONS = 16;

  /** Indexes of a table. */
  private enum Indexes {
    NONE,
    NATURAL("LOCAL INDEX %1$s_N ON %1$s (v2)"),
    REARRANGED("LOCAL INDEX %1$s_R ON %1$s (pk1, v2)"),
    TWO_LOCAL("LOCAL INDEX %1$s_N ON %1$s (v2)", "LOCAL INDEX %1$s_M ON %1$s (v1)"),
    GLOBAL("INDEX %1$s_G ON %1$s (v2) SPLIT ON (%2$s)");

    @SuppressWarnings("ImmutableEnumChecker") // List.of()
    private final List<String> ddl;

    Indexes(String... ddl) {
      this.ddl = List.of(ddl);
    }

    String title() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    String table() {
      return tableName("WRITES_" + name());
    }
  }

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "100000",
      description =
          "Rows that each client writes to each table in a round, 1,000 to 100,000,000. Default:"
              + " ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Rows of each commit, 1 to 100,000. Default: ${DEFAULT-VALUE}.")
  private int batch;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Number of rounds, 1 to 100. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Override
  public List<String> dimensions() {
    return List.of(INDEXES, PART, JARS);
  }

  @Override
  public List<View> views() {
    return List.of(
        View.of("Rows overwritten with other values", "throughput", INDEXES, JARS)
            .comparedWith(Indexes.NONE.title()),
        View.of("File size of a row", "bytes", INDEXES, PART));
  }

  @Override
  protected void check() throws IOException {
    requireRange("--rows", rows, 1_000, 100_000_000);
    requireRange("--batch", batch, 1, 100_000);
    requireRange("--rounds", rounds, 1, 100);
    super.check();
    StockJars.classPath();
  }

  @Override
  protected long regions() {
    return (long) regionsOfTable() * (Indexes.values().length + 1);
  }

  @Override
  protected int clients() {
    return CLIENTS.size();
  }

  @Override
  protected long diskBytes() {
    return ROW_BYTES * rows() * CLIENTS.size() * (rounds + 1) * Indexes.values().length;
  }

  private int regionsOfTable() {
    return isQuick() ? 2 : REGIONS;
  }

  private int rows() {
    return isQuick() ? 500 : rows;
  }

  private static Result result(
      Indexes indexes, String part, String jars, String measure, String unit, Summary summary) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(INDEXES, indexes.title());
    at.put(PART, part);
    at.put(JARS, jars);
    return new Result(at, measure, unit, summary);
  }

  /** Measures everything as one case, because all tables take turns. */
  @Override
  protected void measure(Run run) throws Exception {
    if (!run.results().all().isEmpty()) {
      return;
    }
    MeasuredCluster cluster = cluster(run);
    Map<String, QueryClientMXBean> clients = new LinkedHashMap<>();
    clients.put("stock", startStockClient(cluster));
    clients.put("ours", startOurClient(cluster, "ours"));
    for (QueryClientMXBean client : clients.values()) {
      client.connect("", Map.of());
    }
    run.progress().perform("Create the tables", -1, done -> create(run, cluster));
    List<Result> results = new ArrayList<>();
    throughput(run, clients)
        .forEach(
            (indexes, ofClients) ->
                ofClients.forEach(
                    (jars, rates) ->
                        results.add(
                            result(indexes, "", jars, "throughput", "rows/s", Summary.of(rates)))));
    if (!cluster.isExternal()) {
      run.progress()
          .perform("Flush and compact the tables", -1, done -> results.addAll(bytes(cluster)));
    }
    run.results().add(results);
  }

  private void create(Run run, MeasuredCluster cluster) throws Exception {
    String splits = splits(rows() * (long) CLIENTS.size(), "%d");
    // In an index, an INTEGER that can be null is stored as a DECIMAL.
    String splitsOfGlobal = splits(VALUES, "%d.0");
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement()) {
      for (Indexes indexes : Indexes.values()) {
        table(run, cluster, indexes.table())
            .create(() -> create(statement, indexes, splits, splitsOfGlobal));
      }
    }
  }

  /** Returns literals that split the numbers below {@code end} evenly into regions. */
  private String splits(long end, String format) {
    int regions = regionsOfTable();
    return LongStream.range(1, regions)
        .mapToObj(i -> format.formatted(i * end / regions))
        .collect(Collectors.joining(", "));
  }

  private static void create(
      Statement statement, Indexes indexes, String splits, String splitsOfGlobal)
      throws SQLException {
    statement.execute(
        "CREATE TABLE %s (pk1 INTEGER NOT NULL, pk2 INTEGER NOT NULL, v1 INTEGER, v2 INTEGER"
                .formatted(indexes.table())
            + " CONSTRAINT pk PRIMARY KEY (pk1, pk2)) SPLIT ON (%s)".formatted(splits));
    for (String index : indexes.ddl) {
      statement.execute("CREATE " + index.formatted(indexes.table(), splitsOfGlobal));
    }
  }

  /**
   * Writes the rows and returns the rows per second. The order of tables and clients changes from
   * round to round, and so does the half of the rows that a client writes. The first round only
   * warms up: it writes the rows that later rounds overwrite.
   */
  private Map<Indexes, Map<String, ListStatistics>> throughput(
      Run run, Map<String, QueryClientMXBean> clients) throws Exception {
    Map<Indexes, Map<String, ListStatistics>> rates = new EnumMap<>(Indexes.class);
    for (Indexes indexes : Indexes.values()) {
      Map<String, ListStatistics> ofClients = new LinkedHashMap<>();
      CLIENTS.forEach(jars -> ofClients.put(jars, new ListStatistics()));
      rates.put(indexes, ofClients);
    }
    int all = isQuick() ? 1 : rounds;
    List<Map.Entry<Indexes, Map<String, ListStatistics>>> order = new ArrayList<>(rates.entrySet());
    for (int round = 0; round <= all; round++) {
      int number = round;
      run.progress()
          .perform(
              "Write, round %d of %d".formatted(round, all),
              order.size(),
              done -> {
                int written = 0;
                for (Map.Entry<Indexes, Map<String, ListStatistics>> indexes : order) {
                  for (int half = 0; half < CLIENTS.size(); half++) {
                    String jars = CLIENTS.get((half + number) % CLIENTS.size());
                    QueryClientMXBean client = Objects.requireNonNull(clients.get(jars));
                    double rate = write(client, indexes.getKey(), half, number);
                    if (number > 0) {
                      Objects.requireNonNull(indexes.getValue().get(jars)).addValue(rate);
                    }
                  }
                  done.accept(++written);
                }
              });
      Collections.rotate(order, 1);
    }
    return rates;
  }

  /** Writes rows and returns the rows per second. */
  private double write(QueryClientMXBean client, Indexes indexes, int part, int round)
      throws IOException {
    String upsert =
        "UPSERT INTO %s (pk1, pk2, v1, v2) VALUES (?, 0, ?, ?)".formatted(indexes.table());
    double millis = client.write("", upsert, part * rows(), rows(), batch, VALUES, seed() + round);
    return rows() / millis * 1e3;
  }

  private List<Result> bytes(MeasuredCluster cluster) throws Exception {
    List<Result> results = new ArrayList<>();
    try (Connection connection = cluster.connect(Map.of());
        Admin admin = RegionsTable.admin(connection)) {
      for (Indexes indexes : Indexes.values()) {
        TableName table = TableName.valueOf(indexes.table());
        TableName global = TableName.valueOf(indexes.table() + "_G");
        List<TableName> tables =
            indexes == Indexes.GLOBAL ? List.of(table, global) : List.of(table);
        for (TableName one : tables) {
          admin.flush(one);
          cluster.compact(one);
        }
        OptionalLong index =
            indexes == Indexes.GLOBAL
                ? cluster.storeFileBytes(global, "")
                : cluster.storeFileBytes(table, "L#");
        long data = cluster.storeFileBytes(table, "0").orElseThrow();
        results.add(ofRow(indexes, "data", data));
        results.add(ofRow(indexes, "indexes", index.orElseThrow()));
      }
    }
    return results;
  }

  private Result ofRow(Indexes indexes, String part, double bytes) {
    double rows = (double) rows() * CLIENTS.size();
    return result(indexes, part, "", "bytes", "bytes", Summary.of(bytes / rows));
  }
}

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

import io.phoenixpruning.perf.cluster.MeasuredCluster;
import io.phoenixpruning.perf.cluster.QueryClientMXBean;
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
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.openjdk.jmh.util.ListStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code pruning bench writes}. */
@Command(
    name = "writes",
    description = {
      "What indexes cost when rows are written: rows a second, of a client with our jars and of one"
          + " with stock's, and bytes on disk, without an index, with local ones, and with a global"
          + " one. Servers that are started here have our jars. Measured as a whole: an interrupted run begins again."
    },
    mixinStandardHelpOptions = true)
final class WritesBench extends ServersBenchmark {

  private static final String INDEXES = "indexes";
  private static final String JARS = "client";
  private static final String PART = "part";
  private static final List<String> CLIENTS = List.of("stock", "ours");

  /** About what writing a row takes on disk, with its index and its log. */
  private static final long ROW_BYTES = 500;

  private static final int VALUES = 1_000_000;
  private static final int REGIONS = 16;

  /** Which indexes a table has. */
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
          "Of a table, of each client in a round, from 1,000 to 100,000,000; by default ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Rows of a commit, from 1 to 100,000; by default ${DEFAULT-VALUE}.")
  private int batch;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "From 1 to 100; by default ${DEFAULT-VALUE}.")
  private int rounds;

  @Override
  List<String> dimensions() {
    return List.of(INDEXES, PART, JARS);
  }

  @Override
  List<View> views() {
    return List.of(
        View.of("Rows written again, with other values", "throughput", INDEXES, JARS)
            .comparedWith(Indexes.NONE.title()),
        View.of("Files of a row", "bytes", INDEXES, PART));
  }

  @Override
  void check() throws IOException {
    inRange("--rows", rows, 1_000, 100_000_000);
    inRange("--batch", batch, 1, 100_000);
    inRange("--rounds", rounds, 1, 100);
    super.check();
    StockJars.classPath();
  }

  @Override
  long regions() {
    return (long) regionsOfTable() * (Indexes.values().length + 1);
  }

  @Override
  int clients() {
    return CLIENTS.size();
  }

  @Override
  long diskBytes() {
    return ROW_BYTES * rows() * CLIENTS.size() * (rounds + 1) * Indexes.values().length;
  }

  private int regionsOfTable() {
    return isQuick() ? 4 : REGIONS;
  }

  private int rows() {
    return isQuick() ? 2_000 : rows;
  }

  private static Result result(
      Indexes indexes, String part, String jars, String measure, String unit, Summary summary) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(INDEXES, indexes.title());
    at.put(PART, part);
    at.put(JARS, jars);
    return new Result(at, measure, unit, summary);
  }

  /** All tables take turns, so they are one case. */
  @Override
  void measure(Run run) throws Exception {
    if (!run.results().all().isEmpty()) {
      return;
    }
    MeasuredCluster cluster = cluster(run);
    Map<String, QueryClientMXBean> clients = new LinkedHashMap<>();
    clients.put("stock", stock(cluster));
    clients.put("ours", ours(cluster, "ours"));
    for (QueryClientMXBean client : clients.values()) {
      client.connect("", Map.of());
    }
    run.progress()
        .run(
            "Create the tables",
            -1,
            done -> {
              create(run, cluster);
              return null;
            });
    List<Result> results = new ArrayList<>();
    throughput(run, clients)
        .forEach(
            (indexes, ofClients) ->
                ofClients.forEach(
                    (jars, rates) ->
                        results.add(
                            result(indexes, "", jars, "throughput", "rows/s", Summary.of(rates)))));
    if (!cluster.isOfOthers()) {
      run.progress()
          .run(
              "Flush and compact the tables",
              -1,
              done -> {
                results.addAll(bytes(cluster));
                return null;
              });
    }
    run.results().add(results);
  }

  private void create(Run run, MeasuredCluster cluster) throws Exception {
    String splits = splits(rows() * (long) CLIENTS.size(), "%d");
    // An index has decimals for integers that can be null.
    String splitsOfGlobal = splits(VALUES, "%d.0");
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement()) {
      for (Indexes indexes : Indexes.values()) {
        table(run, cluster, indexes.table())
            .create(() -> create(statement, indexes, splits, splitsOfGlobal));
      }
    }
  }

  /** Literals that split the numbers below {@code end} evenly into regions. */
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
   * Tables and clients take turns, and in which client is first, and which half of the rows it
   * writes. The first round writes the rows that all others write again, and is to warm up.
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
    List<Indexes> order = new ArrayList<>(List.of(Indexes.values()));
    for (int round = 0; round <= all; round++) {
      int number = round;
      run.progress()
          .run(
              "Write, round %d of %d".formatted(round, all),
              order.size(),
              done -> {
                int written = 0;
                for (Indexes indexes : order) {
                  for (int half = 0; half < CLIENTS.size(); half++) {
                    String jars = CLIENTS.get((half + number) % CLIENTS.size());
                    double rate = write(clients.get(jars), indexes, half, number);
                    if (number > 0) {
                      rates.get(indexes).get(jars).addValue(rate);
                    }
                  }
                  done.accept(++written);
                }
                return null;
              });
      Collections.rotate(order, 1);
    }
    return rates;
  }

  /** Rows a second. */
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

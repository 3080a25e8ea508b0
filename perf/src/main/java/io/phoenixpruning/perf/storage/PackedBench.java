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
package io.phoenixpruning.perf.storage;

import io.phoenixpruning.perf.harness.RegionsTable;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.UrlBenchmark;
import io.phoenixpruning.perf.harness.View;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.DoubleHistogram;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.phoenix.query.QueryConstants;
import org.openjdk.jmh.util.ListStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code pruning bench packed}. */
@Command(
    name = "packed",
    description = {
      "Compares tables with one cell for each column and tables with all columns in one cell:"
          + " Phoenix's own format, Avro and JSON. Measures bytes on disk, rows written per second,"
          + " and lookups of rows and of single fields, by key and along a local index. Checks that"
          + " the values read are the values written."
    },
    mixinStandardHelpOptions = true)
public final class PackedBench extends UrlBenchmark {

  private static final String FIELDS = "fields";
  private static final String FORMAT = "format";
  private static final String PART = "part";

  private static final int ROWS_OF_COMMIT = 100;

  /** Number of turns of each table. */
  private static final int SLICES = 10;

  private static final int REGIONS = 8;
  private static final int QUICK_REGIONS = 2;

  /** Kind of read. */
  private enum Read {
    ALL("all fields, by key"),
    ONE("one field, by key"),
    INDEX("one field, by index");

    private final String title;

    Read(String title) {
      this.title = title;
    }
  }

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Rows of each table, 1,000 to 100,000,000. Default: ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--fields",
      paramLabel = "N",
      split = ",",
      defaultValue = "8,64",
      description = "Numbers of fields of a row, each 1 to 1,000. Default: ${DEFAULT-VALUE}.")
  private List<Integer> fields;

  @Option(
      names = "--reads",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Reads of each kind, 10 to 10,000,000. Default: ${DEFAULT-VALUE}.")
  private int reads;

  @Override
  public List<String> dimensions() {
    return List.of(FIELDS, FORMAT, PART);
  }

  @Override
  public List<View> views() {
    return List.of(
        View.of("Rows written", "throughput", FORMAT, FIELDS).comparedWith("columns"),
        View.of("File size of a row", "bytes", FORMAT, FIELDS, PART).comparedWith("columns"),
        View.of("Latency of a read", "latency", FORMAT, FIELDS, PART).comparedWith("columns"),
        View.of("Latency of a read", "latency", FORMAT, FIELDS, PART)
            .comparedWith("columns")
            .with(View.Figure.P99));
  }

  @Override
  protected void check() throws IOException {
    requireRange("--rows", rows, 1_000, 100_000_000);
    requireRange("--reads", reads, 10, 10_000_000);
    for (int number : fields) {
      requireRange("--fields", number, 1, 1_000);
    }
    super.check();
  }

  @Override
  protected int servers() {
    return 1;
  }

  @Override
  protected long regions() {
    return 4L * regionsOfTable() * fields().size();
  }

  /** Returns 0, because this process writes and reads the values. */
  @Override
  protected int clients() {
    return 0;
  }

  @Override
  protected long diskBytes() {
    return fields().stream().mapToLong(number -> 4L * rows() * (500 + 200L * number)).sum();
  }

  private int regionsOfTable() {
    return isQuick() ? QUICK_REGIONS : REGIONS;
  }

  private List<Integer> fields() {
    return isQuick() ? List.of(8) : fields.stream().distinct().toList();
  }

  private int rows() {
    return isQuick() ? 1_000 : rows;
  }

  private int reads() {
    return isQuick() ? 10 : reads;
  }

  private static Map<String, String> at(int fields, String format, String part) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(FIELDS, Integer.toString(fields));
    at.put(FORMAT, format);
    at.put(PART, part);
    return at;
  }

  @Override
  protected void measure(Run run) throws Exception {
    List<Integer> missing =
        fields().stream()
            .filter(number -> !run.results().has(at(number, "columns", Read.ALL.title)))
            .toList();
    if (missing.isEmpty()) {
      return;
    }
    MeasuredCluster cluster = cluster(run);
    try (Connection connection = cluster.connect(Map.of());
        Admin admin = RegionsTable.admin(connection)) {
      for (int number : missing) {
        List<Packed> tables = new ArrayList<>();
        for (RowFormat format : RowFormat.all(number)) {
          tables.add(new Packed(connection, format, rows(), regionsOfTable()));
        }
        List<Result> results = new ArrayList<>();
        results.addAll(write(run, cluster, tables));
        for (Packed table : tables) {
          admin.flush(table.hbaseName());
          cluster.compact(table.hbaseName());
          results.addAll(bytes(cluster, table));
        }
        results.addAll(read(run, tables));
        run.results().add(results);
      }
    }
  }

  /** Writes the rows. Tables take turns, and each turn has another order. */
  private List<Result> write(Run run, MeasuredCluster cluster, List<Packed> tables)
      throws Exception {
    Map<Packed, ListStatistics> rates = new LinkedHashMap<>();
    for (Packed table : tables) {
      table(run, cluster, table.name).create(table::create);
      rates.put(table, new ListStatistics());
    }
    int ofSlice = rows() / SLICES;
    run.progress()
        .perform(
            "Write rows of %d fields".formatted(tables.get(0).format.fields()),
            SLICES,
            done -> {
              List<Map.Entry<Packed, ListStatistics>> order = new ArrayList<>(rates.entrySet());
              for (int slice = 0; slice < SLICES; slice++) {
                Collections.rotate(order, 1);
                for (Map.Entry<Packed, ListStatistics> table : order) {
                  double rate = table.getKey().write(slice * ofSlice, ofSlice);
                  // The first slice only warms up.
                  if (slice > 0) {
                    table.getValue().addValue(rate);
                  }
                }
                done.accept(slice + 1L);
              }
            });
    List<Result> results = new ArrayList<>();
    rates.forEach(
        (table, ofTable) ->
            results.add(new Result(table.at(""), "throughput", "rows/s", Summary.of(ofTable))));
    return results;
  }

  private static List<Result> bytes(MeasuredCluster cluster, Packed table) {
    Map<String, String> families = new LinkedHashMap<>();
    families.put("data", QueryConstants.DEFAULT_COLUMN_FAMILY);
    families.put("index", QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX);
    List<Result> results = new ArrayList<>();
    families.forEach(
        (part, family) ->
            cluster
                .storeFileBytes(table.hbaseName(), family)
                .ifPresent(
                    bytes ->
                        results.add(
                            new Result(
                                table.at(part),
                                "bytes",
                                "bytes",
                                Summary.of((double) bytes / table.rows)))));
    return results;
  }

  private List<Result> read(Run run, List<Packed> tables) throws Exception {
    List<Result> results = new ArrayList<>();
    for (Read read : Read.values()) {
      Map<Packed, DoubleHistogram> millis = new LinkedHashMap<>();
      tables.forEach(table -> millis.put(table, Summary.histogram()));
      run.progress()
          .perform(
              "Read %s of %d".formatted(read.title, tables.get(0).format.fields()),
              SLICES,
              done -> {
                Random random = new Random(seed());
                List<Map.Entry<Packed, DoubleHistogram>> order = new ArrayList<>(millis.entrySet());
                // The first slice only warms up.
                for (int slice = 0; slice <= SLICES; slice++) {
                  Collections.rotate(order, 1);
                  int[] keys =
                      random
                          .ints(Math.max(1, reads() / SLICES), 0, rows() / SLICES * SLICES)
                          .toArray();
                  for (Map.Entry<Packed, DoubleHistogram> table : order) {
                    double[] ofSlice = table.getKey().read(read, keys);
                    if (slice > 0) {
                      Arrays.stream(ofSlice).forEach(table.getValue()::recordValue);
                    }
                  }
                  done.accept(slice);
                }
              });
      millis.forEach(
          (table, ofTable) ->
              results.add(new Result(table.at(read.title), "latency", "ms", Summary.of(ofTable))));
    }
    return results;
  }

  /** A table in one format. Its column v holds the row keys in another order. */
  private static final class Packed {

    private final Connection connection;
    private final RowFormat format;
    private final int rows;
    private final int regions;
    private final String name;

    Packed(Connection connection, RowFormat format, int rows, int regions) {
      this.connection = connection;
      this.format = format;
      this.rows = rows;
      this.regions = regions;
      this.name =
          tableName(
              "PACKED_%s_%d".formatted(format.title().toUpperCase(Locale.ROOT), format.fields()));
    }

    TableName hbaseName() {
      return TableName.valueOf(name);
    }

    Map<String, String> at(String part) {
      return PackedBench.at(format.fields(), format.title(), part);
    }

    void create() throws SQLException {
      StringBuilder splits = new StringBuilder();
      for (int i = 1; i < regions; i++) {
        splits.append(i == 1 ? "" : ", ").append((long) i * rows / regions);
      }
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE IMMUTABLE TABLE %s (pk INTEGER PRIMARY KEY, v INTEGER, %s) %s, COMPRESSION = 'SNAPPY', UPDATE_CACHE_FREQUENCY = NEVER SPLIT ON (%s)"
                .formatted(name, format.columns(), format.options(), splits));
        statement.execute("CREATE LOCAL INDEX %s_V ON %s (v)".formatted(name, name));
      }
    }

    /** Writes rows and returns the rows per second. */
    double write(int first, int count) throws SQLException, IOException {
      long start = System.nanoTime();
      try (PreparedStatement upsert =
          connection.prepareStatement(
              "UPSERT INTO %s VALUES (?, ?%s)".formatted(name, ", ?".repeat(format.count())))) {
        for (int row = first; row < first + count; row++) {
          upsert.setInt(1, row);
          upsert.setInt(2, Integer.reverse(row));
          format.bind(upsert, 3, row);
          upsert.executeUpdate();
          if ((row + 1) % ROWS_OF_COMMIT == 0 || row == first + count - 1) {
            connection.commit();
          }
        }
      }
      return count / ((System.nanoTime() - start) / 1e9);
    }

    /** Reads rows, checks their values, and returns the milliseconds of each read. */
    double[] read(Read read, int[] keys) throws SQLException, IOException {
      double[] millis = new double[keys.length];
      int field = format.fields() / 2;
      String selected = read == Read.ALL ? format.selectAll() : format.selectOne(field);
      String query =
          read == Read.INDEX
              ? "SELECT /*+ INDEX(%s %s_V) */ %s FROM %s WHERE v = ?"
                  .formatted(name, name, selected, name)
              : "SELECT %s FROM %s WHERE pk = ?".formatted(selected, name);
      try (PreparedStatement statement = connection.prepareStatement(query)) {
        for (int i = 0; i < keys.length; i++) {
          long start = System.nanoTime();
          statement.setInt(1, read == Read.INDEX ? Integer.reverse(keys[i]) : keys[i]);
          try (ResultSet result = statement.executeQuery()) {
            if (!result.next()) {
              throw new IOException("%s has no row %d".formatted(name, keys[i]));
            }
            Object[] values =
                read == Read.ALL
                    ? format.readAll(result)
                    : new Object[] {format.readOne(result, field)};
            millis[i] = (System.nanoTime() - start) / 1e6;
            check(keys[i], read == Read.ALL ? 0 : field, values);
          }
        }
      }
      return millis;
    }

    private void check(int row, int first, Object[] values) throws IOException {
      for (int i = 0; i < values.length; i++) {
        Object written = format.value(row, first + i);
        if (!written.equals(values[i])) {
          throw new IOException(
              "row %d of %s has %s in field %d. Expected %s"
                  .formatted(row, name, values[i], first + i, written));
        }
      }
    }
  }
}

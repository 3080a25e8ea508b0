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

import io.phoenixpruning.perf.cluster.ClusterProcesses;
import io.phoenixpruning.perf.cluster.QueryClientMXBean;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.QueryConstants;
import org.openjdk.jmh.util.ListStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code pruning bench encodings}. */
@Command(
    name = "encodings",
    description = {
      "Block encodings and compressions of a table's family, and of that of its local index: bytes"
          + " on disk, scans, lookups of rows, and queries along the index, covered and not."
    },
    mixinStandardHelpOptions = true)
final class EncodingsBench extends ClusterBenchmark {

  private static final String SALTED = "salted";
  private static final String FAMILY = "family";
  private static final String ENCODING = "encoding";
  private static final String COMPRESSION = "compression";
  private static final String QUERY = "query";
  private static final String CONNECTION = "";

  /** What the published study has. */
  private static final int ORIGINAL_ROWS = 1 << 22;

  private static final int ROWS_OF_COMMIT = 1_000;
  private static final int VALUES = 1_000_000;
  private static final int GETS = 1_000;
  private static final int BUCKETS = 8;

  /** Bytes of a row without encoding, in its family and its index, before and after compaction. */
  private static final long ROW_BYTES = 1_000;

  /** What the servers of {@link ClusterProcesses} compress with. */
  private enum Codec {
    NONE("none"),
    SNAPPY("xerial"),
    LZ4("lz4-java"),
    GZ("Java"),
    ZSTD("zstd-jni");

    private final String implementation;

    Codec(String implementation) {
      this.implementation = implementation;
    }

    String title() {
      return this == NONE ? name() : name() + " (" + implementation + ")";
    }
  }

  /** Which family has the settings of a case. The other one has Phoenix's defaults. */
  private enum Family {
    DATA,
    INDEX;

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What blocks a query finds. */
  private enum Cache {
    /** In the servers' block caches. */
    BLOCKS,
    /** In files, which the system may have in memory. */
    FILES;

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "262144",
      description =
          "Of the table, from 1,000 to 100,000,000; by default ${DEFAULT-VALUE}. The published"
              + " study has 4,194,304.")
  private int rows;

  @Option(
      names = "--original",
      description = "As many rows as in the published study, instead of --rows.")
  private boolean original;

  @Option(
      names = "--encodings",
      paramLabel = "ENCODING",
      split = ",",
      defaultValue = "NONE,PREFIX,DIFF,FAST_DIFF,ROW_INDEX_V1",
      description = "Of ${COMPLETION-CANDIDATES}; by default ${DEFAULT-VALUE}.")
  private List<DataBlockEncoding> encodings;

  @Option(
      names = "--compressions",
      paramLabel = "COMPRESSION",
      split = ",",
      defaultValue = "NONE,SNAPPY,LZ4,GZ,ZSTD",
      description = "Of ${COMPLETION-CANDIDATES}; by default ${DEFAULT-VALUE}.")
  private List<Codec> compressions;

  @Option(
      names = "--salted",
      paramLabel = "BOOLEAN",
      split = ",",
      defaultValue = "false,true",
      description =
          "Whether the table has 8 salt buckets; by default ${DEFAULT-VALUE}, one after the other.")
  private List<Boolean> salted;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Of each query, from 1 to 1,000; by default ${DEFAULT-VALUE}.")
  private int rounds;

  @Override
  List<String> dimensions() {
    return List.of(SALTED, FAMILY, ENCODING, COMPRESSION, QUERY);
  }

  @Override
  List<View> views() {
    String[] ofFamily = {FAMILY, SALTED, COMPRESSION};
    return List.of(
        View.of("Files of the family", "size", ENCODING, ofFamily).comparedWith("NONE"),
        View.of("Time of a query", "time", ENCODING, FAMILY, SALTED, QUERY, COMPRESSION)
            .comparedWith("NONE"),
        View.of("Time of a lookup", "lookup", ENCODING, ofFamily).comparedWith("NONE"),
        View.of("Time of a lookup", "lookup", ENCODING, ofFamily).comparedWith("NONE").p99());
  }

  @Override
  void check() throws IOException {
    inRange("--rows", rows, 1_000, 100_000_000);
    inRange("--rounds", rounds, 1, 1_000);
    super.check();
  }

  @Override
  long regions() {
    return (long) salted.size() * BUCKETS;
  }

  @Override
  int clients() {
    return 1;
  }

  @Override
  long diskBytes() {
    return ROW_BYTES * rows() * salted.size();
  }

  private int rows() {
    if (isQuick()) {
      return 2_000;
    }
    return original ? ORIGINAL_ROWS : rows;
  }

  private List<DataBlockEncoding> encodings() {
    return isQuick() ? List.of(DataBlockEncoding.NONE, DataBlockEncoding.ROW_INDEX_V1) : encodings;
  }

  private List<Codec> compressions() {
    return isQuick() ? List.of(Codec.NONE, Codec.ZSTD) : compressions;
  }

  private List<Boolean> salted() {
    return isQuick() ? List.of(false) : salted;
  }

  @Override
  void measure(Run run) throws Exception {
    List<Map<String, String>> cases = new ArrayList<>();
    for (boolean isSalted : salted()) {
      cases.addAll(cases(isSalted));
    }
    if (cases.stream().allMatch(run.results()::has)) {
      return;
    }
    ClusterProcesses cluster = start(run);
    QueryClientMXBean client = ours(cluster, "client");
    client.connect(CONNECTION, Map.of());
    for (boolean isSalted : salted()) {
      if (!cases(isSalted).stream().allMatch(run.results()::has)) {
        measure(run, new Table(cluster, client, isSalted));
      }
    }
  }

  /** What is measured of a table, without the query. */
  private List<Map<String, String>> cases(boolean isSalted) {
    List<Map<String, String>> cases = new ArrayList<>();
    for (Family family : Family.values()) {
      for (DataBlockEncoding encoding : encodings()) {
        for (Codec codec : compressions()) {
          cases.add(at(isSalted, family, encoding, codec));
        }
      }
    }
    return cases;
  }

  private static Map<String, String> at(
      boolean isSalted, Family family, DataBlockEncoding encoding, Codec codec) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(SALTED, Boolean.toString(isSalted));
    at.put(FAMILY, family.title());
    at.put(ENCODING, encoding.name());
    at.put(COMPRESSION, codec.title());
    return at;
  }

  private void measure(Run run, Table table) throws Exception {
    run.progress()
        .run(
            "Load " + table.name,
            -1,
            done -> {
              table.create();
              table.load(rows(), seed());
              return null;
            });
    for (Family family : Family.values()) {
      for (DataBlockEncoding encoding : encodings()) {
        for (Codec codec : compressions()) {
          Map<String, String> at = at(table.isSalted, family, encoding, codec);
          if (!run.results().has(at)) {
            run.progress()
                .run(
                    "%s %s, %s".formatted(family.title(), encoding, codec.title()),
                    -1,
                    done -> {
                      table.set(family, encoding, codec);
                      run.results().add(measure(table, family, at));
                      return null;
                    });
          }
        }
      }
    }
  }

  private List<Result> measure(Table table, Family family, Map<String, String> of)
      throws Exception {
    List<Result> results = new ArrayList<>();
    results.add(result(of, "", "size", "MiB", Summary.of(table.bytes(family) / (1 << 20))));
    for (Map.Entry<String, String> query : queries(table, family).entrySet()) {
      for (Cache cache : Cache.values()) {
        results.add(
            result(
                of,
                query.getKey() + ", from " + cache.title(),
                "time",
                "ms",
                Summary.of(table.times(query.getValue(), cache, isQuick() ? 1 : rounds))));
      }
    }
    if (family == Family.DATA) {
      results.add(result(of, "", "lookup", "ms", Summary.of(table.lookups(rows(), seed()))));
    }
    return results;
  }

  private static Result result(
      Map<String, String> of, String query, String measure, String unit, Summary summary) {
    Map<String, String> at = new LinkedHashMap<>(of);
    at.put(QUERY, query);
    return new Result(at, measure, unit, summary);
  }

  /** By what they are. Those along the index are of interest for both families. */
  private static Map<String, String> queries(Table table, Family family) {
    Map<String, String> queries = new LinkedHashMap<>();
    String from = " FROM " + table.name;
    if (family == Family.DATA) {
      queries.put("scan", "SELECT /*+ NO_INDEX */ COUNT(v1)" + from);
      queries.put("serial scan", "SELECT /*+ NO_INDEX SERIAL */ COUNT(v1)" + from);
      queries.put("last 100", "SELECT /*+ NO_INDEX */ pk" + from + " ORDER BY pk DESC LIMIT 100");
    }
    String hint = " /*+ INDEX(%s %s_V2) */ ".formatted(table.name, table.name);
    for (String part : new String[] {"0.0001", "0.001", "0.01", "0.1", "1"}) {
      String where = from + " WHERE v2 < " + part;
      queries.put("index, " + part + " of the rows", "SELECT" + hint + "COUNT(*)" + where);
      if (!part.equals("1")) {
        queries.put("rows by index, " + part, "SELECT" + hint + "COUNT(v1)" + where);
      }
    }
    return queries;
  }

  /** The table of the study. */
  private static final class Table {

    private final ClusterProcesses cluster;
    private final QueryClientMXBean client;
    private final boolean isSalted;
    private final String name;

    Table(ClusterProcesses cluster, QueryClientMXBean client, boolean isSalted) {
      this.cluster = cluster;
      this.client = client;
      this.isSalted = isSalted;
      this.name = isSalted ? "ENCODED_SALTED" : "ENCODED";
    }

    private TableName hbaseName() {
      return TableName.valueOf(name);
    }

    void create() throws SQLException, IOException {
      try (Connection connection = cluster.connect(Map.of());
          Statement statement = connection.createStatement();
          Admin admin = RegionsTable.admin(connection)) {
        admin.balancerSwitch(false, true);
        statement.execute(
            "CREATE TABLE %s (pk INTEGER PRIMARY KEY, v1 FLOAT, v2 FLOAT, v3 INTEGER)%s"
                .formatted(name, isSalted ? " SALT_BUCKETS = " + BUCKETS : ""));
        statement.execute("CREATE LOCAL INDEX %s_V2 ON %s (v2)".formatted(name, name));
      }
    }

    void load(int rows, long seed) throws IOException {
      String upsert =
          "UPSERT INTO %s VALUES (?, ? / %d.0, ? / %d.0, ?)".formatted(name, VALUES, VALUES);
      client.write(CONNECTION, upsert, 0, rows, ROWS_OF_COMMIT, VALUES, seed);
    }

    /** Gives a family settings, and the other one Phoenix's defaults, and writes all anew. */
    void set(Family family, DataBlockEncoding encoding, Codec codec)
        throws SQLException, IOException {
      try (Connection connection = cluster.connect(Map.of());
          Admin admin = RegionsTable.admin(connection)) {
        TableDescriptor descriptor = admin.getDescriptor(hbaseName());
        TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(descriptor);
        for (ColumnFamilyDescriptor column : descriptor.getColumnFamilies()) {
          boolean isWanted = isIndex(column) == (family == Family.INDEX);
          builder.modifyColumnFamily(
              ColumnFamilyDescriptorBuilder.newBuilder(column)
                  .setDataBlockEncoding(isWanted ? encoding : DataBlockEncoding.FAST_DIFF)
                  .setCompressionType(
                      isWanted
                          ? Compression.Algorithm.valueOf(codec.name())
                          : Compression.Algorithm.NONE)
                  .build());
        }
        admin.modifyTable(builder.build());
        admin.flush(hbaseName());
        cluster.compact(hbaseName());
      }
    }

    private static boolean isIndex(ColumnFamilyDescriptor column) {
      return Bytes.toString(column.getName())
          .startsWith(QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX);
    }

    double bytes(Family family) {
      return cluster.storeFileBytes(
          hbaseName(),
          family == Family.INDEX
              ? QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX
              : QueryConstants.DEFAULT_COLUMN_FAMILY);
    }

    /** Milliseconds; the first run is to warm up. */
    ListStatistics times(String query, Cache cache, int rounds) throws SQLException, IOException {
      ListStatistics millis = new ListStatistics();
      try (Connection connection = cluster.connect(Map.of());
          Admin admin = RegionsTable.admin(connection)) {
        for (int round = 0; round <= rounds; round++) {
          if (cache == Cache.FILES && admin.clearBlockCache(hbaseName()).getExceptionCount() > 0) {
            throw new IOException("The block cache of " + name + " is not cleared");
          }
          double elapsed = client.query(CONNECTION, query).getMillis();
          if (round > 0) {
            millis.addValue(elapsed);
          }
        }
      }
      return millis;
    }

    /** Milliseconds of gets of random rows, from block caches; the first round is to warm up. */
    ListStatistics lookups(int rows, long seed) throws IOException {
      SplittableRandom random = new SplittableRandom(seed);
      int[] keys = random.ints(GETS, 0, rows).toArray();
      String get = "SELECT v1, v2, v3 FROM " + name + " WHERE pk = ?";
      client.queries(CONNECTION, get, keys);
      return new ListStatistics(client.queries(CONNECTION, get, keys));
    }
  }
}

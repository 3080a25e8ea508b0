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

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.ServersBenchmark;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.View;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import io.phoenixpruning.perf.harness.cluster.QueryClientMXBean;
import io.phoenixpruning.perf.storage.EncodedTable.BlockSource;
import io.phoenixpruning.perf.storage.EncodedTable.IndexFamily;
import io.phoenixpruning.report.format.ByteUnit;
import io.phoenixpruning.report.format.Figures;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.query.QueryServices;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code pruning bench encodings}. */
@Command(
    name = "encodings",
    description = {
      "Compares block encodings and compressions of a table's family and of its local index's"
          + " family. Measures bytes on disk, scans, row lookups, and covered and uncovered queries"
          + " along the index. Runs with all rows, and with 999 of 1,000 rows deleted but not yet"
          + " compacted away."
    },
    mixinStandardHelpOptions = true)
public final class EncodingsBench extends ServersBenchmark {

  private static final String SALTED = "salted";
  private static final String KEPT = "rows kept";
  private static final String FAMILY = "family";
  private static final String ENCODING = "encoding";
  private static final String COMPRESSION = "compression";
  private static final String QUERY = "query";

  /** Number of rows in the published study. */
  private static final int ORIGINAL_ROWS = 1 << 22;

  private static final int BUCKETS = 8;

  private static final int GETS = 1_000;

  /**
   * Minimum warm-up time for each server with rows. Servers and clients get faster during this
   * time.
   */
  private static final Duration WARM_UP = Duration.ofSeconds(60);

  /** Shares of the rows that match the queries along the index. */
  private static final List<String> PARTS = List.of("0.0001", "0.001", "0.01", "0.1", "1");

  private static final List<String> QUICK_PARTS = List.of("0.01", "1");

  private static final String CLASSES = "--classes";
  private static final String DELETED = "--deleted";

  private static final String ALL = "all";
  private static final String FEW = "0.1 %";

  /**
   * Estimated bytes of a row without encoding, in its family and its index, before and after
   * compaction.
   */
  private static final long ROW_BYTES = 1_000;

  /**
   * Bytes of a row in the block cache, without encoding. A deleted row takes {@link
   * #CACHED_BYTES_OF_DELETION} more.
   */
  private static final long CACHED_BYTES = 190;

  private static final long CACHED_BYTES_OF_DELETION = 60;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "262144",
      description =
          "Rows of the table, 1,000 to 100,000,000. The published study has 4,194,304. Default:"
              + " ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--original",
      description = "Uses the number of rows of the published study, instead of --rows.")
  private boolean original;

  @Option(
      names = "--encodings",
      paramLabel = "ENCODING",
      split = ",",
      defaultValue = "NONE,PREFIX,DIFF,FAST_DIFF,ROW_INDEX_V1",
      description = "Any of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private List<DataBlockEncoding> encodings;

  @Option(
      names = "--compressions",
      paramLabel = "COMPRESSION",
      split = ",",
      defaultValue = "NONE,SNAPPY,LZ4,GZ,ZSTD,LZMA",
      description = "Any of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private List<Codec> compressions;

  @Option(
      names = CLASSES,
      paramLabel = "CLASSES",
      split = ",",
      defaultValue = "NATIVE,AIRCOMPRESSOR",
      description =
          "Codec implementations, any of ${COMPLETION-CANDIDATES}. AIRCOMPRESSOR supports SNAPPY,"
              + " LZ4 and ZSTD. Default: ${DEFAULT-VALUE}.")
  private List<Codec.Classes> classes;

  @Option(
      names = "--salted",
      arity = "1",
      paramLabel = "BOOLEAN",
      split = ",",
      defaultValue = "false,true",
      description =
          "Whether the table has 8 salt buckets. Default: ${DEFAULT-VALUE}, one after the other.")
  private List<Boolean> salted;

  @Option(
      names = DELETED,
      arity = "1",
      paramLabel = "BOOLEAN",
      split = ",",
      defaultValue = "false,true",
      description =
          "Whether 999 of 1,000 rows are deleted. Default: ${DEFAULT-VALUE}, one after the other.")
  private List<Boolean> deleted;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Runs of each query, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Override
  public List<String> dimensions() {
    return List.of(SALTED, KEPT, FAMILY, ENCODING, COMPRESSION, QUERY);
  }

  @Override
  public List<View> views() {
    String[] ofFamily = {FAMILY, SALTED, KEPT, COMPRESSION};
    return List.of(
        View.of("File size of the family", "size", ENCODING, ofFamily).comparedWith("NONE"),
        View.of("Time of a query", "time", ENCODING, FAMILY, SALTED, KEPT, QUERY, COMPRESSION)
            .comparedWith("NONE"),
        View.of("Rows at which lookups take as long as a scan", "crossing", ENCODING, ofFamily),
        View.of("Latency of a lookup", "lookup", ENCODING, ofFamily).comparedWith("NONE"),
        View.of("Latency of a lookup", "lookup", ENCODING, ofFamily)
            .comparedWith("NONE")
            .with(View.Figure.P99));
  }

  /**
   * Returns the options that need servers started for the run. A running cluster has its own
   * codecs, and it may compact deleted rows away.
   */
  @Override
  protected Set<String> serverOptions() {
    return Set.of(HEAP, SERVERS, CLASSES, DELETED);
  }

  @Override
  protected void check() throws IOException {
    requireRange("--rows", rows, 1_000, 100_000_000);
    requireRange("--rounds", rounds, 1, 1_000);
    if (original && isGiven("--rows")) {
      throw new RefusedException("--original and --rows both set the number of rows. Omit one");
    }
    if (classes().stream().allMatch(of -> Codec.of(of, compressions()).isEmpty())) {
      throw new RefusedException(
          "%s supports none of %s. Add SNAPPY, LZ4 or ZSTD to --compressions, or NATIVE to %s"
              .formatted(classes(), compressions(), CLASSES));
    }
    if (!isOnRunningCluster()) {
      checkBlockCache();
    }
    super.check();
  }

  /**
   * Refuses a heap whose block cache cannot hold all rows. A table without salt has all rows on one
   * server, and queries are meant to find them in its cache.
   */
  private void checkBlockCache() {
    long needed =
        rows() * (CACHED_BYTES + (deleted().contains(true) ? CACHED_BYTES_OF_DELETION : 0));
    double available = (double) HConstants.HFILE_BLOCK_CACHE_SIZE_DEFAULT * heapBytes();
    if (needed > available) {
      throw new RefusedException(
          ("%,d rows take %s in the block cache, but a server with a heap of %s has only %s for it."
                  + " Choose a larger --heap or fewer rows")
              .formatted(
                  rows(),
                  Figures.bytes(needed),
                  Figures.bytes(heapBytes()),
                  Figures.bytes((long) available)));
    }
  }

  @Override
  protected long regions() {
    return (long) salted.size() * BUCKETS;
  }

  @Override
  protected int clients() {
    return 1;
  }

  @Override
  protected long diskBytes() {
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
    if (!isQuick()) {
      return compressions;
    }
    return isOnRunningCluster()
        ? List.of(Codec.NONE, Codec.ZSTD)
        : List.of(Codec.NONE, Codec.ZSTD, Codec.LZMA);
  }

  private List<Boolean> salted() {
    return isQuick() ? List.of(false) : salted;
  }

  private List<Codec.Classes> classes() {
    return isQuick() || isOnRunningCluster() ? List.of(Codec.Classes.NATIVE) : classes;
  }

  private List<Boolean> deleted() {
    return isOnRunningCluster() ? List.of(false) : deleted;
  }

  /** Returns the name of a compression. On a running cluster, its implementation is unknown. */
  private String title(Codec codec, Codec.Classes of) {
    return isOnRunningCluster() ? codec.name() : codec.title(of);
  }

  /**
   * Returns the settings of each region server. Compactions keep deleted rows, because each case
   * rewrites all files. Compactions run HBase's own code, which takes a tenth of the time of
   * Phoenix's compaction for TTL.
   */
  private static Map<String, String> settings(Codec.Classes of) {
    Map<String, String> settings = new LinkedHashMap<>(of.settings());
    settings.put(BaseScannerRegionObserverConstants.PHOENIX_MAX_LOOKBACK_AGE_CONF_KEY, "86400");
    settings.put(QueryServices.PHOENIX_TABLE_TTL_ENABLED, "false");
    return settings;
  }

  /** Returns the settings of each region server of a quick run. */
  public static Map<String, String> quickSettings() {
    return settings(Codec.Classes.NATIVE);
  }

  /** Measures with a new cluster for each kind of compression classes. */
  @Override
  protected void measure(Run run) throws Exception {
    for (Codec.Classes of : classes()) {
      if (salted().stream().anyMatch(isSalted -> isMissing(run, isSalted, of))) {
        try (MeasuredCluster cluster =
            cluster(run, of.title(), Collections.nCopies(servers(), settings(of)))) {
          QueryClientMXBean client = startOurClient(cluster, "client");
          client.connect(EncodedTable.CONNECTION, Map.of());
          for (boolean isSalted : salted()) {
            if (isMissing(run, isSalted, of)) {
              EncodedTable table =
                  new EncodedTable(
                      cluster, client, tableName(isSalted ? "ENCODED_SALTED" : "ENCODED"));
              measure(run, cluster, table, isSalted, of);
            }
          }
        }
      }
    }
  }

  private boolean isMissing(Run run, boolean isSalted, Codec.Classes of) {
    return deleted().stream()
        .flatMap(isDeleted -> cases(isSalted, isDeleted, of).stream())
        .anyMatch(one -> !run.results().has(one.at()));
  }

  /** A combination of settings that is measured. */
  private record Case(
      boolean isSalted,
      boolean isDeleted,
      IndexFamily family,
      DataBlockEncoding encoding,
      Codec codec,
      String compression) {

    /** Returns the dimensions of the case, without the query. */
    Map<String, String> at() {
      Map<String, String> at = new LinkedHashMap<>();
      at.put(SALTED, Boolean.toString(isSalted));
      at.put(KEPT, isDeleted ? FEW : ALL);
      at.put(FAMILY, family.title());
      at.put(ENCODING, encoding.name());
      at.put(COMPRESSION, compression);
      return at;
    }

    @Override
    public String toString() {
      return "%s%s %s, %s"
          .formatted(isDeleted ? "deleted rows, " : "", family.title(), encoding, compression);
    }
  }

  private List<Case> cases(boolean isSalted, boolean isDeleted, Codec.Classes of) {
    List<Case> cases = new ArrayList<>();
    for (IndexFamily family : IndexFamily.values()) {
      for (DataBlockEncoding encoding : encodings()) {
        for (Codec codec : Codec.of(of, compressions())) {
          boolean isEncoded = encoding != DataBlockEncoding.NONE;
          boolean isCompressed = codec != Codec.NONE;
          // Each case rewrites the table, so a quick run leaves out combinations.
          if (isQuick()
              && (isEncoded && isCompressed || isDeleted && (isEncoded || isCompressed))) {
            continue;
          }
          cases.add(new Case(isSalted, isDeleted, family, encoding, codec, title(codec, of)));
        }
      }
    }
    return cases;
  }

  private void measure(
      Run run, MeasuredCluster cluster, EncodedTable table, boolean isSalted, Codec.Classes of)
      throws Exception {
    run.progress()
        .perform(
            "Load " + table.name(),
            -1,
            done -> {
              String rest = isSalted ? ", SALT_BUCKETS = " + BUCKETS : "";
              table(run, cluster, table.name()).create(() -> table.create(rest));
              // Fails now, and not after an hour, if a running cluster lacks a codec.
              for (Codec codec : cluster.isExternal() ? compressions() : List.<Codec>of()) {
                table.set(IndexFamily.DATA, DataBlockEncoding.NONE, codec);
              }
              table.load(rows(), seed());
            });
    if (!isQuick()) {
      run.progress()
          .perform(
              "Warm up",
              -1,
              done -> {
                Duration warmUp = WARM_UP.multipliedBy(isSalted ? servers() : 1);
                long start = System.nanoTime();
                do {
                  measure(table, IndexFamily.DATA, Map.of());
                } while (System.nanoTime() - start < warmUp.toNanos());
              });
    }
    // Deleted rows do not come back, so the cases with all rows are first.
    List<Boolean> order = deleted().stream().distinct().sorted().toList();
    for (boolean isDeleted : order) {
      if (isDeleted) {
        run.progress().perform("Delete rows of " + table.name(), -1, done -> table.delete());
      }
      // Cases run in random order. Otherwise a change of the machine during the run could look like
      // the effect of a setting.
      List<Case> cases = cases(isSalted, isDeleted, of);
      Collections.shuffle(cases, new Random(seed()));
      for (Case one : cases) {
        if (!run.results().has(one.at())) {
          run.progress()
              .perform(
                  one.toString(),
                  -1,
                  done -> {
                    table.set(one.family(), one.encoding(), one.codec());
                    run.results().add(measure(table, one.family(), one.at()));
                  });
        }
      }
    }
  }

  private List<String> parts() {
    return isQuick() ? QUICK_PARTS : PARTS;
  }

  private List<Result> measure(EncodedTable table, IndexFamily family, Map<String, String> of)
      throws Exception {
    List<Result> results = new ArrayList<>();
    table
        .bytes(family)
        .ifPresent(
            bytes ->
                results.add(result(of, "", "size", "MiB", Summary.of(ByteUnit.MIB.from(bytes)))));
    for (Map.Entry<String, String> query : queries(table, family).entrySet()) {
      time(table, of, query.getKey(), query.getValue(), results);
    }
    time(table, of, "scan", "SELECT /*+ NO_INDEX */ COUNT(v1) FROM " + table.name(), results);
    // A scan that is compared with lookups evaluates their condition, too.
    double scan =
        time(
            table,
            of,
            "scan for 0.1 of the rows",
            "SELECT /*+ NO_INDEX */ COUNT(v1) FROM %s WHERE v2 < 0.1".formatted(table.name()),
            results);
    NavigableMap<Double, Double> lookups = new TreeMap<>();
    for (String part : parts()) {
      double lookup =
          time(table, of, "rows by index, " + part, byIndex(table, "COUNT(v1)", part), results);
      lookups.put(Double.valueOf(part), lookup);
      if (lookup > scan) {
        // More rows would take even longer.
        break;
      }
    }
    Crossing.of(lookups, scan)
        .ifPresent(
            part ->
                results.add(result(of, "", "crossing", "% of the rows", Summary.of(100 * part))));
    if (family == IndexFamily.DATA) {
      int gets = isQuick() ? 20 : GETS;
      results.add(result(of, "", "lookup", "ms", Summary.of(table.lookups(gets, rows(), seed()))));
    }
    return results;
  }

  /**
   * Adds the times for each source of blocks. Returns the median time with blocks from block
   * caches.
   */
  private double time(
      EncodedTable table, Map<String, String> of, String title, String query, List<Result> results)
      throws SQLException, IOException {
    double fromBlocks = 0;
    for (BlockSource source : BlockSource.values()) {
      Summary summary = Summary.of(table.times(query, source, isQuick() ? 1 : rounds));
      results.add(result(of, title + ", from " + source.title(), "time", "ms", summary));
      if (source == BlockSource.BLOCKS) {
        fromBlocks = summary.median();
      }
    }
    return fromBlocks;
  }

  private static Result result(
      Map<String, String> of, String query, String measure, String unit, Summary summary) {
    Map<String, String> at = new LinkedHashMap<>(of);
    at.put(QUERY, query);
    return new Result(at, measure, unit, summary);
  }

  /** Returns the queries that are measured for a family, by their titles. */
  private Map<String, String> queries(EncodedTable table, IndexFamily family) {
    Map<String, String> queries = new LinkedHashMap<>();
    if (family == IndexFamily.DATA) {
      String from = " FROM " + table.name();
      queries.put("serial scan", "SELECT /*+ NO_INDEX SERIAL */ COUNT(v1)" + from);
      queries.put("last 100", "SELECT /*+ NO_INDEX */ pk" + from + " ORDER BY pk DESC LIMIT 100");
    }
    for (String part : parts()) {
      queries.put("index, " + part + " of the rows", byIndex(table, "COUNT(*)", part));
    }
    return queries;
  }

  private static String byIndex(EncodedTable table, String selected, String part) {
    return "SELECT /*+ INDEX(%s %s_V2) */ %s FROM %s WHERE v2 < %s"
        .formatted(table.name(), table.name(), selected, table.name(), part);
  }
}

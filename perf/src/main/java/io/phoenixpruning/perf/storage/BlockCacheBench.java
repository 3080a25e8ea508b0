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
import io.phoenixpruning.perf.harness.ClusterBenchmark;
import io.phoenixpruning.perf.harness.RegionsTable;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.View;
import io.phoenixpruning.perf.harness.cluster.ClusterProcesses;
import io.phoenixpruning.perf.harness.cluster.QueryClientMXBean;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.DoubleHistogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.EvaluationRuns;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PerformanceEvaluation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code pruning bench blockcache}. */
@Command(
    name = "blockcache",
    description = {
      "Measures random reads, and lookups along a local index, with several kinds of block cache."
          + " The data fits into the cache or is larger. Each kind has its own region server, and"
          + " the same regions move from server to server. The operating system may hold blocks in"
          + " memory that a cache lacks."
    },
    mixinStandardHelpOptions = true)
public final class BlockCacheBench extends ClusterBenchmark {

  private static final String CACHE = "cache";
  private static final String RATIO = "data to cache";
  private static final String READS = "reads";

  /**
   * Size of a value that {@link PerformanceEvaluation} writes, and of a value in the indexed table.
   */
  private static final int VALUE_BYTES = PerformanceEvaluation.DEFAULT_VALUE_LENGTH;

  /** Number of clients, as in the published study. */
  private static final int CLIENTS = 5;

  private static final int ROWS_OF_COMMIT = 1_000;

  /**
   * Share of the heap for blocks of indexes and Bloom filters, which are never in the bucket cache.
   */
  private static final String INDEX_SHARE = "0.05";

  private static final List<Cache> QUICK_CACHES = List.of(Cache.LRU, Cache.OFF_HEAP);
  private static final int QUICK_CACHE_MEGABYTES = 64;

  /** Block cache of a region server. */
  private enum Cache {
    LRU("LRU"),
    TINY_LFU("TinyLFU"),
    OFF_HEAP("BucketCache offheap"),
    FILE("BucketCache file"),
    MMAP("BucketCache mmap");

    private final String title;

    Cache(String title) {
      this.title = title;
    }

    /**
     * Returns the settings of a server with this cache.
     *
     * @param share share of the heap, for a cache on the heap
     * @param megabytes size of any other cache
     * @param folder folder for cache files
     */
    Map<String, String> settings(double share, int megabytes, Path folder) {
      Map<String, String> settings = new LinkedHashMap<>();
      // A region that moves away leaves no blocks in the cache.
      settings.put("hbase.rs.evictblocksonclose", "true");
      switch (this) {
        case LRU, TINY_LFU -> {
          settings.put("hfile.block.cache.policy", title);
          settings.put(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, Double.toString(share));
        }
        case OFF_HEAP, FILE, MMAP -> {
          settings.put(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, INDEX_SHARE);
          settings.put(HConstants.BUCKET_CACHE_SIZE_KEY, Integer.toString(megabytes));
          settings.put(HConstants.BUCKET_CACHE_IOENGINE_KEY, engine(folder));
        }
      }
      return settings;
    }

    private String engine(Path folder) {
      return switch (this) {
        case OFF_HEAP -> "offheap";
        case FILE -> "file:" + folder.resolve("buckets-file");
        case MMAP -> "mmap:" + folder.resolve("buckets-mmap");
        case LRU, TINY_LFU -> throw new IllegalStateException(title + " has no buckets");
      };
    }
  }

  @Option(
      names = "--cache-mb",
      paramLabel = "MB",
      defaultValue = "128",
      description = "Size of each cache in MB, 64 to 100,000. Default: ${DEFAULT-VALUE}.")
  private int cacheMegabytes;

  @Option(
      names = "--ratios",
      paramLabel = "RATIO",
      split = ",",
      defaultValue = "0.5,1.5,4.5",
      description =
          "Ratios of the data size to the cache size, each 0.1 to 100. Default: ${DEFAULT-VALUE}.")
  private List<Double> ratios;

  @Option(
      names = "--gets",
      paramLabel = "N",
      defaultValue = "20000",
      description =
          "Gets of each of 5 clients, 100 to 500,000. The number of lookups along the index is a"
              + " tenth. Default: ${DEFAULT-VALUE}.")
  private int gets;

  /** A cluster with a region server for each cache, and a client. */
  private record Servers(ClusterProcesses cluster, QueryClientMXBean client) {}

  /** Servers that {@link #useSharedServers} has set, or null. */
  private @Nullable Servers shared;

  @Override
  public List<String> dimensions() {
    return List.of(CACHE, RATIO, READS);
  }

  @Override
  public List<View> views() {
    return List.of(
        View.of("Latency of a read", "latency", CACHE, READS, RATIO)
            .with(View.Figure.P99)
            .comparedWith(Cache.LRU.title),
        View.of("Latency of a read", "latency", CACHE, READS, RATIO)
            .with(View.Figure.P95)
            .comparedWith(Cache.LRU.title),
        View.of("Latency of a read", "latency", CACHE, READS, RATIO)
            .with(View.Figure.P999)
            .comparedWith(Cache.LRU.title),
        View.of("Latency of a read", "latency", CACHE, READS, RATIO).comparedWith(Cache.LRU.title),
        View.of("Cache misses per 1,000 reads", "misses", CACHE, READS, RATIO),
        View.of("Garbage collection per 1,000 reads", "gc", CACHE, READS, RATIO));
  }

  @Override
  protected void check() throws IOException {
    requireRange("--cache-mb", cacheMegabytes, 64, 100_000);
    requireRange("--gets", gets, 100, 500_000);
    for (double ratio : ratios) {
      requireRange("--ratios times 10", (long) (ratio * 10), 1, 1_000);
    }
    super.check();
    double share = share();
    if (share > 0.4) {
      throw new RefusedException(
          "--cache-mb is %d, which is more than 0.4 of the heap. Choose a larger --heap"
              .formatted(cacheMegabytes()));
    }
  }

  @Override
  protected int servers() {
    return caches().size();
  }

  @Override
  protected long regions() {
    return 2L * ratios().size();
  }

  @Override
  protected int clients() {
    return 1;
  }

  /**
   * Estimates the bytes of two tables of each size, before and after compaction, and of the
   * write-ahead log of one of them.
   */
  @Override
  protected long diskBytes() {
    double all = ratios().stream().mapToDouble(Double::doubleValue).sum();
    return (long) (all * cacheMegabytes() * 5 * (1 << 20)) + 2L * cacheMegabytes() * (1 << 20);
  }

  private List<Cache> caches() {
    return isQuick() ? QUICK_CACHES : List.of(Cache.values());
  }

  private int cacheMegabytes() {
    return isQuick() ? QUICK_CACHE_MEGABYTES : cacheMegabytes;
  }

  private List<Double> ratios() {
    return isQuick() ? List.of(0.02) : ratios;
  }

  private int gets() {
    return isQuick() ? 40 : gets;
  }

  /**
   * Returns the number of index lookups. A quick run looks up often enough to read all blocks once.
   */
  private int lookups() {
    return isQuick() ? gets() : gets() / 10;
  }

  private double share() {
    return share(cacheMegabytes(), heapBytes());
  }

  private static double share(int cacheMegabytes, long heapBytes) {
    return cacheMegabytes * (double) (1 << 20) / heapBytes;
  }

  private List<Map<String, String>> settings(Path folder) {
    return caches().stream()
        .map(cache -> cache.settings(share(), cacheMegabytes(), folder))
        .toList();
  }

  private static Map<String, String> at(Cache cache, double ratio, String reads) {
    Map<String, String> at = new LinkedHashMap<>();
    at.put(CACHE, cache.title);
    at.put(RATIO, Double.toString(ratio));
    at.put(READS, reads);
    return at;
  }

  /**
   * Returns the settings of each region server of a quick run.
   *
   * @param heapBytes heap of a server
   */
  public static List<Map<String, String>> quickSettings(long heapBytes) {
    double share = share(QUICK_CACHE_MEGABYTES, heapBytes);
    return QUICK_CACHES.stream()
        .map(cache -> cache.settings(share, QUICK_CACHE_MEGABYTES, Path.of("")))
        .toList();
  }

  /**
   * Makes runs use servers that are already there. Tests share them between benchmarks. The servers
   * must have the settings that {@link #quickSettings} returns.
   */
  public void useSharedServers(ClusterProcesses cluster, QueryClientMXBean client) {
    shared = new Servers(cluster, client);
  }

  private Servers serversAndClient(Run run) throws Exception {
    if (shared != null) {
      return shared;
    }
    ClusterProcesses cluster = start(run, "cluster", settings(run.folder()));
    return new Servers(cluster, startOurClient(cluster, "client"));
  }

  @Override
  protected void measure(Run run) throws Exception {
    if (ratios().stream().allMatch(ratio -> isMeasured(run, ratio))) {
      return;
    }
    Servers servers = serversAndClient(run);
    ClusterProcesses cluster = servers.cluster();
    QueryClientMXBean client = servers.client();
    for (int i = 0; i < CLIENTS; i++) {
      client.connect(Integer.toString(i), Map.of());
    }
    boolean isWarm = isQuick();
    for (double ratio : ratios()) {
      if (!isMeasured(run, ratio)) {
        measure(run, cluster, client, ratio, !isWarm);
        isWarm = true;
      }
    }
  }

  private boolean isMeasured(Run run, double ratio) {
    return caches().stream().allMatch(cache -> run.results().has(at(cache, ratio, "get")));
  }

  /**
   * Measures one size of data on all servers, in random order. If {@code warmUp}, each server first
   * has an additional turn that is not measured.
   */
  private void measure(
      Run run, ClusterProcesses cluster, QueryClientMXBean client, double ratio, boolean warmUp)
      throws Exception {
    int rows = (int) (ratio * cacheMegabytes() * (1 << 20) / VALUE_BYTES);
    String suffix = Double.toString(ratio).replace('.', '_');
    TableName plain = TableName.valueOf("CACHED_" + suffix);
    TableName indexed = TableName.valueOf("INDEXED_" + suffix);
    run.progress()
        .perform(
            "Load %,d rows twice".formatted(rows), -1, done -> load(cluster, plain, indexed, rows));
    List<Integer> order = new ArrayList<>(IntStream.range(0, caches().size()).boxed().toList());
    Collections.shuffle(order, new Random(seed()));
    Map<Cache, List<Result>> results = new EnumMap<>(Cache.class);
    for (boolean counts : warmUp ? new boolean[] {false, true} : new boolean[] {true}) {
      for (int server : order) {
        Cache cache = caches().get(server);
        Measuring measuring = new Measuring(cluster, server);
        move(cluster, server, plain, indexed);
        Callable<double[]> gets = () -> gets(cluster, plain, rows, gets());
        SplittableRandom random = new SplittableRandom(seed() + server);
        Callable<double[]> lookups = () -> lookups(client, indexed, rows, lookups(), random);
        run.progress()
            .perform(
                "%s, data to cache %s%s".formatted(cache.title, ratio, counts ? "" : ", warm up"),
                -1,
                done -> {
                  if (counts) {
                    List<Result> ofCache = new ArrayList<>();
                    ofCache.addAll(measuring.results(at(cache, ratio, "get"), gets));
                    ofCache.addAll(measuring.results(at(cache, ratio, "lookup"), lookups));
                    results.put(cache, ofCache);
                  } else {
                    gets.call();
                    lookups.call();
                  }
                });
      }
    }
    run.results().add(results.values().stream().flatMap(List::stream).toList());
  }

  private void load(ClusterProcesses cluster, TableName plain, TableName indexed, int rows)
      throws SQLException, IOException, InterruptedException {
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement();
        Admin admin = RegionsTable.admin(connection)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(plain)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(PerformanceEvaluation.FAMILY_ZERO))
              .build());
      EvaluationRuns.sequentialWrite(configuration(connection), plain, rows);
      statement.execute(
          "CREATE TABLE %s (pk INTEGER PRIMARY KEY, v INTEGER, x VARCHAR) DATA_BLOCK_ENCODING = 'NONE', UPDATE_CACHE_FREQUENCY = NEVER"
              .formatted(indexed));
      statement.execute("CREATE LOCAL INDEX %s_V ON %s (v)".formatted(indexed, indexed));
      upsert(connection, indexed, rows);
      for (TableName table : List.of(plain, indexed)) {
        admin.flush(table);
        cluster.compact(table);
      }
    }
  }

  /** Writes the rows of the indexed table. Each row has its own value of v. */
  private static void upsert(Connection connection, TableName table, int rows) throws SQLException {
    try (PreparedStatement upsert =
        connection.prepareStatement(
            "UPSERT INTO %s VALUES (?, ?, '%s')".formatted(table, "x".repeat(VALUE_BYTES)))) {
      for (int row = 0; row < rows; row++) {
        upsert.setInt(1, row);
        upsert.setInt(2, indexed(row));
        upsert.executeUpdate();
        if ((row + 1) % ROWS_OF_COMMIT == 0) {
          connection.commit();
        }
      }
      connection.commit();
    }
  }

  /** Returns the indexed value of a row. Values are in another order than rows. */
  private static int indexed(int row) {
    return Integer.reverse(row);
  }

  private static Configuration configuration(Connection connection) throws SQLException {
    return connection.unwrap(PhoenixConnection.class).getQueryServices().getConfiguration();
  }

  private static void move(ClusterProcesses cluster, int server, TableName... tables)
      throws SQLException, IOException {
    try (Connection connection = cluster.connect(Map.of());
        Admin admin = RegionsTable.admin(connection)) {
      for (TableName table : tables) {
        for (RegionInfo region : admin.getRegions(table)) {
          admin.move(region.getEncodedNameAsBytes(), cluster.server(server));
        }
      }
    }
  }

  /** Returns the milliseconds of each get by HBase's own client. */
  private static double[] gets(ClusterProcesses cluster, TableName table, int rows, int gets)
      throws SQLException, IOException, InterruptedException {
    try (Connection connection = cluster.connect(Map.of())) {
      return Arrays.stream(
              EvaluationRuns.randomRead(configuration(connection), table, rows, CLIENTS, gets))
          .mapToDouble(micros -> micros / 1e3)
          .toArray();
    }
  }

  /**
   * Returns the milliseconds of each query along the index. The index does not cover the query, so
   * the data row is read as well.
   */
  private static double[] lookups(
      QueryClientMXBean client, TableName table, int rows, int lookups, SplittableRandom random)
      throws Exception {
    String query =
        "SELECT /*+ INDEX(%s %s_V) */ x FROM %s WHERE v = ?".formatted(table, table, table);
    List<Callable<double[]>> ofClients =
        IntStream.range(0, CLIENTS)
            .mapToObj(
                i -> {
                  int[] values =
                      random.ints(lookups, 0, rows).map(BlockCacheBench::indexed).toArray();
                  return (Callable<double[]>)
                      () -> client.queryLatencies(Integer.toString(i), query, values, lookups);
                })
            .toList();
    ExecutorService pool = Executors.newFixedThreadPool(CLIENTS);
    try {
      double[] all = new double[0];
      for (Future<double[]> ofClient : pool.invokeAll(ofClients)) {
        all = DoubleStream.concat(Arrays.stream(all), Arrays.stream(ofClient.get())).toArray();
      }
      return all;
    } finally {
      pool.shutdownNow();
    }
  }

  /** The measurement of reads from one server. */
  private record Measuring(ClusterProcesses cluster, int server) {

    /** Performs the reads twice: first to fill the cache and warm up, then to measure. */
    List<Result> results(Map<String, String> of, Callable<double[]> reads) throws Exception {
      reads.call();
      long gc = cluster.gcMillis(server);
      long misses = cluster.dataBlockMisses();
      double[] millis = reads.call();
      DoubleHistogram latencies = Summary.histogram();
      Arrays.stream(millis).forEach(latencies::recordValue);
      double thousands = millis.length / 1e3;
      return List.of(
          new Result(of, "latency", "ms", Summary.of(latencies)),
          new Result(
              of, "misses", "blocks", Summary.of((cluster.dataBlockMisses() - misses) / thousands)),
          new Result(of, "gc", "ms", Summary.of((cluster.gcMillis(server) - gc) / thousands)));
    }
  }
}

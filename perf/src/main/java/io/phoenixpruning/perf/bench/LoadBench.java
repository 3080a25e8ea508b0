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

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.perf.harness.RegionsTable;
import io.phoenixpruning.perf.harness.Result;
import io.phoenixpruning.perf.harness.ServersBenchmark;
import io.phoenixpruning.perf.harness.StockJars;
import io.phoenixpruning.perf.harness.Summary;
import io.phoenixpruning.perf.harness.View;
import io.phoenixpruning.perf.harness.Way;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import io.phoenixpruning.perf.harness.cluster.QueryClientMXBean;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.HdrHistogram.DoubleHistogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Implements {@code pruning bench load}. */
@Command(
    name = "load",
    description = {
      "Sends queries of one region at a fixed rate, without waiting for answers. The queries run"
          + " alone, and together with queries for which any region may have a row. The latency of"
          + " a query counts from the time at which it was due. Compares three ways: a client with"
          + " stock Phoenix's jars, exact pruning, and exact pruning with server probes. Each way"
          + " has its own client process, and the ways take turns. An interrupted run starts again"
          + " from the beginning."
    },
    mixinStandardHelpOptions = true)
final class LoadBench extends ServersBenchmark {

  private static final String LOAD = "load";
  private static final String QUERY = "query";
  private static final String WAY = "way";

  private static final Way[] WAYS = {Way.STOCK, Way.EXACT, Way.PROBE};

  /** Estimated bytes of a region of the table on disk, with its write-ahead log. */
  private static final long REGION_BYTES = 32 << 10;

  private static final int ROWS_OF_REGION = 4;

  /**
   * Maximum number of queries in a turn. The time of each is kept in memory until the turn ends.
   */
  private static final long QUERIES_OF_TURN = 10_000_000;

  private static final int POINT_THREADS = 28;

  /** Queries that are offered at the same time. */
  private enum Load {
    ALONE("points alone"),
    WITH_FAN_OUTS("points together with fan-outs");

    private final String title;

    Load(String title) {
      this.title = title;
    }
  }

  /** A kind of query. */
  private enum Query {
    POINT("SELECT /*+ INDEX(%s %s) */ pk2 FROM %s WHERE v2 = 5 AND pk1 = ?"),
    FAN_OUT("SELECT /*+ INDEX(%s %s) */ pk2 FROM %s WHERE v2 = ?");

    private final String sql;

    Query(String sql) {
      this.sql = sql;
    }

    String title() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String sql(RegionsTable table) {
      return sql.formatted(table.name(), index(table), table.name());
    }
  }

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Number of regions of the table, 100 to 100,000. Default: ${DEFAULT-VALUE}.")
  private int regions;

  @Option(
      names = "--points",
      paramLabel = "RATE",
      defaultValue = "100",
      description = "Queries of one region per second, 1 to 100,000. Default: ${DEFAULT-VALUE}.")
  private int points;

  @Option(
      names = "--fan-outs",
      paramLabel = "RATE",
      defaultValue = "1",
      description =
          "Queries per second for which any region may have a row, 0.1 to 1,000. Default:"
              + " ${DEFAULT-VALUE}.")
  private double fanOuts;

  @Option(
      names = "--fan-out-threads",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Client threads that send the queries of --fan-outs, 1 to 256. Default:"
              + " ${DEFAULT-VALUE}.")
  private int fanOutThreads;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "15",
      description = "Seconds of a turn, 1 to 3,600. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Number of rounds, 1 to 1,000. Each way has a turn in each round. Default:"
              + " ${DEFAULT-VALUE}.")
  private int rounds;

  @Override
  public List<String> dimensions() {
    return List.of(LOAD, QUERY, WAY);
  }

  @Override
  public List<View> views() {
    View latency = View.of("Latency from the due time", "latency", WAY, LOAD, QUERY);
    View compared = latency.comparedWith(Way.STOCK.title());
    return List.of(
        compared,
        compared.with(View.Figure.P95),
        compared.with(View.Figure.P99),
        compared.with(View.Figure.P999),
        View.of("Failed queries", "failures", WAY, LOAD, QUERY));
  }

  @Override
  protected void check() throws IOException {
    requireRange("--regions", regions, 100, 100_000);
    requireRange("--points", points, 1, 100_000);
    requireRange("--fan-outs times 10", (long) (fanOuts * 10), 1, 10_000);
    requireRange("--fan-out-threads", fanOutThreads, 1, 256);
    requireRange("--seconds", seconds, 1, 3_600);
    requireRange("--rounds", rounds, 1, 1_000);
    long queries = (long) (Math.max(points, fanOuts) * seconds);
    if (queries > QUERIES_OF_TURN) {
      throw new RefusedException(
          ("a turn of %,d s has %,d queries of one kind. Expected at most %,d. Choose a lower rate"
                  + " or fewer --seconds")
              .formatted(seconds, queries, QUERIES_OF_TURN));
    }
    super.check();
    StockJars.classPath();
  }

  @Override
  protected long regions() {
    return isQuick() ? 10 : regions;
  }

  @Override
  protected int clients() {
    return WAYS.length;
  }

  @Override
  protected long diskBytes() {
    return regions() * REGION_BYTES;
  }

  private static String index(RegionsTable table) {
    return table.name() + "_V2";
  }

  private int seconds() {
    return isQuick() ? 1 : seconds;
  }

  private int rounds() {
    return isQuick() ? 1 : rounds;
  }

  private double rate(Query query) {
    if (isQuick()) {
      return query == Query.POINT ? 20 : 5;
    }
    return query == Query.POINT ? points : fanOuts;
  }

  /** Returns the names of the connections, one for each thread that sends the query. */
  private String[] connections(Query query, Way way) {
    return IntStream.range(0, query == Query.POINT ? POINT_THREADS : fanOutThreads)
        .mapToObj(i -> way + " " + query + " " + i)
        .toArray(String[]::new);
  }

  /** Measures everything as one case, because all ways and loads take turns. */
  @Override
  protected void measure(Run run) throws Exception {
    if (!run.results().all().isEmpty()) {
      return;
    }
    MeasuredCluster cluster = cluster(run);
    Map<Way, QueryClientMXBean> clients = startClients(cluster, WAYS);
    RegionsTable table = table(run, cluster, "LOAD", (int) regions());
    run.progress()
        .perform(
            "Create %,d regions".formatted(regions()),
            -1,
            done -> {
              table.create(
                  List.of(
                      "CREATE LOCAL INDEX %s ON %s (v2)".formatted(index(table), table.name())));
              table.load(ROWS_OF_REGION, seed());
            });
    for (Way way : WAYS) {
      for (Query query : Query.values()) {
        for (String connection : connections(query, way)) {
          client(clients, way).connect(connection, way.properties());
        }
      }
    }
    Map<Way, Map<Load, Map<Query, Answers>>> all = new EnumMap<>(Way.class);
    List<Way> order = new ArrayList<>(List.of(WAYS));
    Random random = new Random(seed());
    for (int round = 0; round <= rounds(); round++) {
      Collections.shuffle(order, random);
      boolean counts = round > 0;
      int seed = random.nextInt();
      for (Way way : order) {
        for (Load load : Load.values()) {
          Turn turn = new Turn(client(clients, way), way, table, load, seed + load.ordinal());
          Map<Query, double[]> millis =
              run.progress()
                  .run(
                      "%s, %s, round %d of %d".formatted(way.title(), load.title, round, rounds()),
                      -1,
                      done -> answers(turn));
          if (counts) {
            millis.forEach(
                (query, ofQuery) ->
                    all.computeIfAbsent(way, key -> new EnumMap<>(Load.class))
                        .computeIfAbsent(load, key -> new EnumMap<>(Query.class))
                        .computeIfAbsent(query, key -> new Answers())
                        .add(ofQuery));
          }
        }
      }
    }
    run.results().add(results(all));
  }

  private static QueryClientMXBean client(Map<Way, QueryClientMXBean> clients, Way way) {
    return Objects.requireNonNull(clients.get(way));
  }

  private static List<Result> results(Map<Way, Map<Load, Map<Query, Answers>>> all) {
    List<Result> results = new ArrayList<>();
    all.forEach(
        (way, ofWay) ->
            ofWay.forEach(
                (load, ofLoad) ->
                    ofLoad.forEach(
                        (query, answers) -> {
                          Map<String, String> at = new LinkedHashMap<>();
                          at.put(LOAD, load.title);
                          at.put(QUERY, query.title());
                          at.put(WAY, way.title());
                          if (answers.millis.getTotalCount() > 0) {
                            results.add(
                                new Result(at, "latency", "ms", Summary.of(answers.millis)));
                          }
                          results.add(
                              new Result(at, "failures", "queries", Summary.of(answers.failures)));
                        })));
    return results;
  }

  /** The load that one client offers in a turn. */
  private record Turn(QueryClientMXBean client, Way way, RegionsTable table, Load load, int seed) {}

  private static final class Answers {

    private final DoubleHistogram millis = Summary.histogram();
    private int failures;

    /** Adds milliseconds of queries. NaN means that a query failed. */
    void add(double[] more) {
      for (double one : more) {
        if (Double.isNaN(one)) {
          failures++;
        } else {
          millis.recordValue(one);
        }
      }
    }
  }

  /** Runs a turn, and returns milliseconds as {@link QueryClientMXBean#offerLoad} does. */
  private Map<Query, double[]> answers(Turn turn) throws IOException {
    Map<Query, CompletableFuture<double[]>> offered = new EnumMap<>(Query.class);
    for (Query query : Query.values()) {
      if (query == Query.POINT || turn.load == Load.WITH_FAN_OUTS) {
        offered.put(query, CompletableFuture.supplyAsync(() -> offer(turn, query)));
      }
    }
    try {
      Map<Query, double[]> millis = new EnumMap<>(Query.class);
      offered.forEach((query, future) -> millis.put(query, future.join()));
      return millis;
    } catch (CompletionException e) {
      throw new IOException(turn.way.title() + " failed", e.getCause());
    }
  }

  private double[] offer(Turn turn, Query query) {
    Random random = new Random(turn.seed + query.ordinal());
    int bound = query == Query.POINT ? (int) regions() : RegionsTable.VALUES;
    int[] binds = random.ints(Math.max(1, (int) (rate(query) * seconds())), 0, bound).toArray();
    try {
      return turn.client.offerLoad(
          connections(query, turn.way), query.sql(turn.table), binds, rate(query));
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }
}

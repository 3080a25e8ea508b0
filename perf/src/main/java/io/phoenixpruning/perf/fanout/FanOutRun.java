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
package io.phoenixpruning.perf.fanout;

import io.phoenixpruning.cli.console.Figures;
import io.phoenixpruning.perf.cluster.ClusterProcesses;
import io.phoenixpruning.perf.fanout.FanOutOptions.Measure;
import io.phoenixpruning.perf.fanout.MixedLoad.Answers;
import io.phoenixpruning.perf.fanout.MixedLoad.Offered;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.openjdk.jmh.util.ListStatistics;

/** Creates the table on a running cluster and runs the measurements that the options select. */
final class FanOutRun {

  private static final int CLIENTS = 32;
  private static final int FAN_OUT_CLIENTS = 4;

  /** Number of queries that are run to estimate how many a client can run. */
  private static final int CALIBRATION = 3;

  /**
   * Rate of full fan-out queries in the mixed load. The unit is the rate that the first way reaches
   * with one query at a time.
   */
  private static final double SHARE = 0.5;

  /** Title of the load that has only queries of one region. */
  private static final String ALONE = "alone";

  private final ClusterProcesses cluster;
  private final FanOutOptions options;
  private final FanOutTable table;
  private final PrintStream out;
  private final Consumer<String> progress;

  FanOutRun(
      ClusterProcesses cluster, FanOutOptions options, PrintStream out, Consumer<String> progress) {
    this.cluster = cluster;
    this.options = options;
    this.table = new FanOutTable(cluster, options.regions, options.rows, options.files);
    this.out = out;
    this.progress = progress;
  }

  void run() throws Exception {
    out.printf(
        "%s on %s.%n",
        Figures.plural(options.regions, "region"), Figures.plural(options.servers, "server"));
    timed("Creating Phoenix's system tables", () -> cluster.connect(Map.of()).close());
    timed("Creating the regions", table::create);
    timed("Loading and flushing the table", table::load);
    if (options.compact) {
      timed("Compacting the table", table::compact);
    }
    if (options.measures.contains(Measure.WARM) || options.measures.contains(Measure.COLD)) {
      queries();
    }
    if (options.measures.contains(Measure.MIXED)) {
      load();
    }
  }

  /** A step that may fail. */
  private interface Step {
    void run() throws Exception;
  }

  private void timed(String title, Step step) throws Exception {
    progress.accept(title);
    long start = System.nanoTime();
    step.run();
    out.printf("%s took %.0f s.%n", title, (System.nanoTime() - start) / 1e9);
  }

  private void queries() throws SQLException, IOException {
    try (FanOutQueries queries = new FanOutQueries(cluster, table, options.ways, options.chunk)) {
      queries.warmUp(Duration.ofSeconds(options.warmUp), progress);
      if (options.measures.contains(Measure.WARM)) {
        Map<Matching, Map<Way, Runs>> warm =
            queries.measure(BlockCache.WARM, options.rounds, progress);
        print(FanOutReport.rpcs(warm, options.regions, options.servers, options.chunk));
        print(
            FanOutReport.times(
                "Milliseconds, warm block cache, by number of matching regions",
                warm,
                options.regions));
      }
      if (options.measures.contains(Measure.COLD)) {
        Map<Matching, Map<Way, Runs>> cold =
            queries.measure(BlockCache.COLD, options.rounds, progress);
        print(
            FanOutReport.times(
                "Milliseconds, cold block cache, by number of matching regions",
                cold,
                options.regions));
        print(FanOutReport.blockMisses(cold, options.regions));
      }
    }
  }

  private void load() throws SQLException, InterruptedException, ExecutionException {
    Offered offered =
        new Offered(
            CLIENTS,
            FAN_OUT_CLIENTS,
            options.points,
            SHARE / seconds(options.ways.first()),
            Duration.ofSeconds(options.slice));
    MixedLoad alone = new MixedLoad(cluster, table, offered.withoutFanOuts());
    MixedLoad mixed = new MixedLoad(cluster, table, offered);
    Map<String, Answers> answers = new LinkedHashMap<>();
    answers.put(ALONE, new Answers());
    options.ways.forEach(way -> answers.put(way.title(), new Answers()));
    for (int i = 1; i <= options.slices; i++) {
      run(i, alone, ALONE, Way.EXACT, answers);
      for (Way way : options.ways) {
        run(i, mixed, way.title(), way, answers);
      }
    }
    out.printf(
        "%nMixed load, %d clients: `V = ? AND K1 = ?` %d times a second, `V = ?` %.2f times."
            + " Milliseconds from when a query was due.%n",
        offered.clients(), options.points, offered.fanOuts());
    print(FanOutReport.load(answers));
  }

  /** Runs one slice of the load. The first slice only warms up. */
  private void run(int slice, MixedLoad load, String title, Way way, Map<String, Answers> answers)
      throws SQLException, InterruptedException, ExecutionException {
    progress.accept("mixed load, slice %d of %d, %s".formatted(slice, options.slices, title));
    load.run(way.properties(options.chunk), slice == 1 ? new Answers() : answers.get(title));
  }

  /** Returns the median time in seconds of a query of all regions while nothing else runs. */
  private double seconds(Way way) throws SQLException {
    ListStatistics seconds = new ListStatistics();
    try (Connection connection = cluster.connect(way.properties(options.chunk))) {
      for (int i = 0; i < CALIBRATION; i++) {
        long start = System.nanoTime();
        FanOutQueries.rows(connection, Matching.TEN);
        seconds.addValue((System.nanoTime() - start) / 1e9);
      }
    }
    return seconds.getPercentile(50);
  }

  private void print(String markdown) {
    out.printf("%n%s", markdown);
  }
}

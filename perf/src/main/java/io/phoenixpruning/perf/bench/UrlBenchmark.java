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

import io.phoenixpruning.cli.Figures;
import io.phoenixpruning.cli.Reachability;
import io.phoenixpruning.cli.RefusedException;
import io.phoenixpruning.perf.cluster.MeasuredCluster;
import io.phoenixpruning.perf.cluster.RunningCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A benchmark that can run on a cluster that is there, instead of one that it starts. */
abstract class UrlBenchmark extends ClusterBenchmark {

  @Option(
      names = URL,
      paramLabel = "URL",
      description = {
        "The JDBC URL of a running cluster with Phoenix, to be measured instead of servers that are"
            + " started here: tables PRUNING_BENCH_... are made on it, and dropped at the end. RPCs"
            + " are counted by the clients; what only servers know is left out."
      })
  private String url;

  @Spec private CommandSpec spec;

  /** The options of servers that are started, by their names. */
  Set<String> ofServers() {
    return Set.of(HEAP);
  }

  /** Whether the user gave an option, instead of taking its default. */
  final boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** Whether it runs on a cluster that the user gave. */
  final boolean isOnRunningCluster() {
    return url != null;
  }

  @Override
  final Set<String> unused() {
    return url == null ? Set.of(URL) : ofServers();
  }

  @Override
  void check() throws IOException {
    if (url == null) {
      super.check();
      return;
    }
    for (String option : ofServers()) {
      if (isGiven(option)) {
        throw new RefusedException(
            "%s is of servers that are started here, but %s is of a running cluster: leave one out"
                .formatted(option, URL));
      }
    }
    long clients = clientBytes();
    long available = Machine.availableMemory();
    if (clients > available) {
      throw new RefusedException(
          "%s need %s, but %s are available: end other programs"
              .formatted(
                  Figures.plural(clients(), "client"),
                  Figures.bytes(clients),
                  Figures.bytes(available)));
    }
  }

  /** The cluster that the user gave, or one that is started for the run. */
  final MeasuredCluster cluster(Run run) throws Exception {
    return url == null ? start(run) : runningCluster(run);
  }

  /** The cluster that the user gave, or one of {@link #start(Run, String, List)}. */
  final MeasuredCluster cluster(Run run, String name, List<Map<String, String>> settings)
      throws Exception {
    return url == null ? start(run, name, settings) : runningCluster(run);
  }

  private MeasuredCluster runningCluster(Run run) throws Exception {
    Path folder = Files.createDirectory(run.folder().resolve("clients"));
    Reachability.open(url, run.folder(), run.cleanup());
    RunningCluster cluster = new RunningCluster(url, folder, ClusterBenchmark::died);
    run.cleanup().add(cluster::close);
    return cluster;
  }

  /** What a table is called that nobody else has. */
  static String tableName(String name) {
    return "PRUNING_BENCH_" + name;
  }

  /** A table that is not there yet, and on a cluster of others is not there after the run. */
  static OwnTable table(Run run, MeasuredCluster cluster, String name) {
    OwnTable table = new OwnTable(cluster, name);
    if (cluster.isOfOthers()) {
      run.cleanup().add(table::drop);
    }
    return table;
  }

  /** The same, with so many regions. */
  static RegionsTable table(Run run, MeasuredCluster cluster, String name, int regions) {
    RegionsTable table = new RegionsTable(cluster, tableName(name), regions);
    if (cluster.isOfOthers()) {
      run.cleanup().add(table::drop);
    }
    return table;
  }
}

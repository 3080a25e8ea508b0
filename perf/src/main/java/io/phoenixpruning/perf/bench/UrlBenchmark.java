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
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A benchmark that can run on a cluster that is there, instead of one that it starts. */
abstract class UrlBenchmark extends ServersBenchmark {

  /** Of servers that are started. */
  private static final Set<String> OF_SERVERS = Set.of("--servers", "--heap");

  @Option(
      names = URL,
      paramLabel = "URL",
      description = {
        "The JDBC URL of a running cluster with Phoenix, to be measured instead of servers that are"
            + " started here: tables PRUNING_BENCH_... are made on it, and dropped at the end. RPCs"
            + " are counted by the clients."
      })
  private String url;

  @Spec private CommandSpec spec;

  @Override
  final Set<String> unused() {
    return url == null ? Set.of(URL) : OF_SERVERS;
  }

  @Override
  void check() throws IOException {
    if (url == null) {
      super.check();
      return;
    }
    for (String option : OF_SERVERS) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
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
    if (url == null) {
      return start(run);
    }
    Path folder = Files.createDirectory(run.folder().resolve("clients"));
    Reachability.open(url, run.folder(), run.cleanup());
    RunningCluster cluster = new RunningCluster(url, folder, ClusterBenchmark::died);
    run.cleanup().add(cluster::close);
    return cluster;
  }

  /** A table that is not there yet, and is not there when the run has ended. */
  final RegionsTable table(Run run, MeasuredCluster cluster, String name, int regions) {
    RegionsTable table = new RegionsTable(cluster, "PRUNING_BENCH_" + name, regions);
    if (cluster.isOfOthers()) {
      run.cleanup().add(table::drop);
    }
    return table;
  }
}

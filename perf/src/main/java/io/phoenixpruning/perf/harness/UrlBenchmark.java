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
package io.phoenixpruning.perf.harness;

import io.phoenixpruning.cli.Reachability;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import io.phoenixpruning.perf.harness.cluster.RunningCluster;
import io.phoenixpruning.report.format.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A benchmark that can also run on an existing cluster, instead of a cluster that it starts. */
public abstract class UrlBenchmark extends ClusterBenchmark {

  @Option(
      names = URL,
      paramLabel = "URL",
      description = {
        "JDBC URL of a running cluster with Phoenix. The benchmark measures this cluster instead of"
            + " starting servers. It creates tables PRUNING_BENCH_... and drops them at the end."
            + " Clients count the RPCs. Figures that only servers know are omitted."
      })
  private @Nullable String url;

  @Spec private CommandSpec spec;

  /** Returns the names of the options that apply only to servers started for the run. */
  protected Set<String> serverOptions() {
    return Set.of(HEAP);
  }

  /** Returns whether the user gave an option. */
  protected final boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** Returns whether the benchmark runs on an existing cluster that the user named. */
  protected final boolean isOnRunningCluster() {
    return url != null;
  }

  @Override
  protected final Set<String> unusedOptions() {
    return url == null ? Set.of(URL) : serverOptions();
  }

  @Override
  protected void check() throws IOException {
    if (url == null) {
      super.check();
      return;
    }
    for (String option : serverOptions()) {
      if (isGiven(option)) {
        throw new RefusedException(
            "%s is for servers that the benchmark starts. %s names a running cluster. Omit one"
                .formatted(option, URL));
      }
    }
    long clients = clientBytes();
    long available = Machine.availableMemory();
    if (clients > available) {
      throw new RefusedException(
          "not enough memory for %s. Required: %s. Available: %s. Close other programs"
              .formatted(
                  Figures.plural(clients(), "client"),
                  Figures.bytes(clients),
                  Figures.bytes(available)));
    }
  }

  /** Returns the cluster that the user named, or starts a cluster for the run. */
  protected final MeasuredCluster cluster(Run run) throws Exception {
    return url == null ? start(run) : runningCluster(url, run);
  }

  /**
   * Returns the cluster that the user named, or starts a cluster as {@link #start(Run, String,
   * List)} does. If {@link #useSharedCluster} has set a cluster, this method returns it instead of
   * a new one.
   */
  protected final MeasuredCluster cluster(Run run, String name, List<Map<String, String>> settings)
      throws Exception {
    return url == null ? startOrShare(run, name, settings) : runningCluster(url, run);
  }

  private static MeasuredCluster runningCluster(String url, Run run) throws Exception {
    Path folder = Files.createDirectory(run.folder().resolve("clients"));
    Reachability.open(url, run.folder(), run.cleanup());
    RunningCluster cluster = new RunningCluster(url, folder, ClusterBenchmark::exitOnDeath);
    run.cleanup().add(cluster::close);
    return cluster;
  }

  /** Returns a table name with the prefix of tables of benchmarks. */
  public static String tableName(String name) {
    return "PRUNING_BENCH_" + name;
  }

  /**
   * Returns a table that does not exist yet. On an existing cluster, the table is dropped at the
   * end of the run.
   */
  protected static OwnTable table(Run run, MeasuredCluster cluster, String name) {
    OwnTable table = new OwnTable(cluster, name);
    if (cluster.isExternal()) {
      run.cleanup().add(table::drop);
    }
    return table;
  }

  /**
   * Returns a table with {@code regions} regions that does not exist yet. On an existing cluster,
   * the table is dropped at the end of the run.
   */
  protected static RegionsTable table(Run run, MeasuredCluster cluster, String name, int regions) {
    RegionsTable table = new RegionsTable(cluster, tableName(name), regions);
    if (cluster.isExternal()) {
      run.cleanup().add(table::drop);
    }
    return table;
  }
}

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
import io.phoenixpruning.perf.bench.FanOutModel.Cluster;
import io.phoenixpruning.perf.bench.FanOutModel.Line;
import io.phoenixpruning.perf.harness.Benchmark;
import io.phoenixpruning.perf.harness.Results;
import io.phoenixpruning.perf.harness.RunDescription;
import io.phoenixpruning.perf.harness.Way;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Implements {@code pruning bench model}. */
@Command(
    name = "model",
    description = {
      "Fits lines to a run of 'bench fanout', and predicts RPCs and times for a larger cluster."
          + " This is a model with three terms, not a measurement. docs/benchmarks.md lists what"
          + " the model omits."
    },
    mixinStandardHelpOptions = true)
final class ModelCommand implements Callable<Integer> {

  @Parameters(paramLabel = "DIR", description = "Folder of a run of 'bench fanout'.")
  private Path folder;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "100",
      description = "Number of region servers, 1 to 100,000. Default: ${DEFAULT-VALUE}.")
  private int servers;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Number of regions of the table, 1 to 100,000,000. Default: ${DEFAULT-VALUE}.")
  private int regions;

  @Option(
      names = "--round-trip-ms",
      paramLabel = "MS",
      defaultValue = "0.5",
      description =
          "Round trip of a request in milliseconds, 0 to 1,000. Default: ${DEFAULT-VALUE}.")
  private double roundTripMillis;

  @Option(
      names = "--server-cores",
      paramLabel = "N",
      defaultValue = "16",
      description = "Cores of each server, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int serverCores;

  @Option(
      names = "--client-cores",
      paramLabel = "N",
      defaultValue = "8",
      description = "Cores of the client, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int clientCores;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "500",
      description =
          "Maximum number of regions in one probe request, 2 to 100,000. Default:"
              + " ${DEFAULT-VALUE}.")
  private int batchRegions;

  /** Value of the former name of {@code --batch}, or null if that name is not used. */
  @Option(names = "--chunk", paramLabel = "N", hidden = true)
  private @Nullable Integer formerBatchRegions;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (formerBatchRegions != null) {
      batchRegions = formerBatchRegions;
    }
    Benchmark.requireRange("--servers", servers, 1, 100_000);
    Benchmark.requireRange("--regions", regions, 1, 100_000_000);
    Benchmark.requireRange("--server-cores", serverCores, 1, 1_000);
    Benchmark.requireRange("--client-cores", clientCores, 1, 1_000);
    Benchmark.requireRange("--batch", batchRegions, 2, 100_000);
    if (!(roundTripMillis >= 0 && roundTripMillis <= 1_000)) {
      throw new RefusedException("--round-trip-ms is " + roundTripMillis + ". Expected 0 to 1000");
    }
    RunDescription run = RunDescription.read(folder.resolve(Benchmark.RUN));
    if (!run.benchmark().equals("fanout")) {
      throw new RefusedException(
          "'%s' is a run of the benchmark '%s'. Expected 'fanout'. Name the folder of another run"
              .formatted(folder, run.benchmark()));
    }
    Path file = folder.resolve(Benchmark.RESULTS);
    if (!Files.exists(file)) {
      throw new RefusedException(
          "'" + file + "' is missing, so there are no results. Name the folder of another run");
    }
    FanOutModel model =
        new FanOutModel(
            Results.open(file, new FanOutBench().dimensions()).all(),
            Integer.parseInt(run.machine().get("cores")));
    print(model, new Cluster(servers, regions, roundTripMillis, serverCores, clientCores));
    return ExitCode.OK;
  }

  private void print(FanOutModel model, Cluster cluster) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("**Fitted: queries for which any region may have a row, warm client**");
    out.println();
    out.println("| way | fixed, ms | each region, µs | standard error, µs | R² |");
    out.println("|---|---:|---:|---:|---:|");
    for (Way way : Way.values()) {
      Line line = model.warmFanOutLine(way);
      out.printf(
          Locale.ROOT,
          "| %s | %.1f | %.1f | %.1f | %.3f |%n",
          way.title(),
          line.fixedMillis(),
          line.microsOfRegion(),
          line.errorMicros(),
          line.determination());
    }
    out.println();
    out.printf(
        Locale.ROOT,
        "**Predicted: %,d regions on %,d servers, round trip %s ms**%n%n",
        regions,
        servers,
        roundTripMillis);
    out.println("| way | any region, RPCs | any region, ms | point query, cold client, ms |");
    out.println("|---|---:|---:|---:|");
    for (Way way : Way.values()) {
      out.printf(
          Locale.ROOT,
          "| %s | %,d | %,.0f | %,.0f |%n",
          way.title(),
          FanOutModel.rpcs(way, cluster, batchRegions),
          model.millis(way, cluster, batchRegions),
          model.coldPointMillis(way, cluster, batchRegions));
    }
    out.flush();
  }
}

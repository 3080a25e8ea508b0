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
import io.phoenixpruning.perf.harness.Benchmark;
import io.phoenixpruning.perf.harness.Report;
import io.phoenixpruning.perf.harness.Results;
import io.phoenixpruning.perf.harness.RunDescription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Implements {@code pruning bench report}. */
@Command(
    name = "report",
    description = "Writes the reports of a run again, from its run.json and results.csv.",
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {

  @Parameters(paramLabel = "DIR", description = "Folder of the run.")
  private Path folder;

  @Option(
      names = "--charts",
      paramLabel = "DIR",
      description = "Also writes each chart as an SVG file to this folder.")
  private @Nullable Path charts;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    RunDescription run = RunDescription.read(folder.resolve(Benchmark.RUN));
    Benchmark benchmark =
        spec.parent().subcommands().values().stream()
            .map(CommandLine::getCommand)
            .filter(Benchmark.class::isInstance)
            .map(Benchmark.class::cast)
            .filter(known -> known.name().equals(run.benchmark()))
            .findFirst()
            .orElseThrow(() -> unknown(run));
    Path file = folder.resolve(Benchmark.RESULTS);
    if (!Files.exists(file)) {
      throw new RefusedException(
          "'"
              + file
              + "' is missing, so there are no results to report. Name the folder of another run");
    }
    Results results = Results.open(file, benchmark.dimensions());
    benchmark.report(folder, run, results);
    if (charts != null) {
      new Report(run, benchmark.views(), results.all()).writeCharts(charts);
    }
    return ExitCode.OK;
  }

  private RefusedException unknown(RunDescription run) {
    return new RefusedException(
        "'%s' is a run of the benchmark '%s'. Expected one of: %s. Name the folder of another run"
            .formatted(
                folder,
                run.benchmark(),
                spec.parent().subcommands().values().stream()
                    .map(CommandLine::getCommand)
                    .filter(Benchmark.class::isInstance)
                    .map(known -> ((Benchmark) known).name())
                    .collect(Collectors.joining(", "))));
  }
}

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

import io.phoenixpruning.cli.AddedCommand;
import io.phoenixpruning.perf.storage.BandwidthBench;
import io.phoenixpruning.perf.storage.BlockCacheBench;
import io.phoenixpruning.perf.storage.EncodingsBench;
import io.phoenixpruning.perf.storage.PackedBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** Implements {@code pruning bench}. */
@Command(
    name = "bench",
    description = {
      "Compares Phoenix Pruning with stock Phoenix, and measures storage settings for local"
          + " indexes. A run writes run.json, results.csv, results.json, report.md and report.html"
          + " to a folder. The same command continues an interrupted run."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "BENCHMARK",
    subcommands = {
      PlanningBench.class,
      CompilingBench.class,
      FanOutBench.class,
      LoadBench.class,
      WritesBench.class,
      PlainBench.class,
      StatementsBench.class,
      ChoiceBench.class,
      LooseScanBench.class,
      RegionOpenBench.class,
      EncodingsBench.class,
      BandwidthBench.class,
      BlockCacheBench.class,
      PackedBench.class,
      ReportCommand.class,
      ModelCommand.class
    })
public final class BenchCommand implements AddedCommand, Runnable {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Expected the name of a benchmark");
  }
}

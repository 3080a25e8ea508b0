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

import io.phoenixpruning.perf.cluster.ClusterProcesses;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileUtil;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Measures the cost of a condition on the indexed column alone, which can match in any region, for
 * each {@link Way}: scan RPCs, time, and the effect on other queries.
 *
 * <p>The master and the region servers run in separate processes. Clients run in this process, with
 * Phoenix's default settings. Prints Markdown tables.
 */
@Command(name = "FanOutBenchmark", mixinStandardHelpOptions = true, sortOptions = false)
public final class FanOutBenchmark implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private FanOutOptions options;

  private final PrintStream out;
  private final Consumer<String> progress;
  private final Consumer<String> onDeath;

  private FanOutBenchmark(PrintStream out, Consumer<String> progress, Consumer<String> onDeath) {
    this.out = out;
    this.progress = progress;
    this.onDeath = onDeath;
  }

  public static void main(String[] arguments) {
    Consumer<String> onDeath =
        death -> {
          System.err.println(death);
          System.exit(1);
        };
    // Threads of Phoenix are still running.
    System.exit(run(System.out, System.err::println, onDeath, arguments));
  }

  /**
   * Runs the benchmark with the arguments of a command line.
   *
   * @param out receives the tables
   * @param progress receives the name of each step
   * @param onDeath receives a message with the end of the log if a server process ends
   * @return the exit code
   */
  public static int run(
      PrintStream out, Consumer<String> progress, Consumer<String> onDeath, String... arguments) {
    return new CommandLine(new FanOutBenchmark(out, progress, onDeath))
        .setOverwrittenOptionsAllowed(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .execute(FanOutOptions.expand(arguments));
  }

  @Override
  public Integer call() throws Exception {
    options.check(spec.commandLine());
    Path folder = Files.createTempDirectory("fan-out-");
    ClusterProcesses cluster =
        new ClusterProcesses(
            folder, Collections.nCopies(options.servers, Map.of()), options.heap, onDeath);

    // Also stops the cluster and deletes the folder at Ctrl-C.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(cluster, folder)));
    try {
      progress.accept("logs are in " + folder);
      cluster.start();
      new FanOutRun(cluster, options, out, progress).run();
    } finally {
      delete(cluster, folder);
    }
    return CommandLine.ExitCode.OK;
  }

  private static synchronized void delete(ClusterProcesses cluster, Path folder) {
    cluster.close();
    FileUtil.fullyDelete(folder.toFile());
  }
}

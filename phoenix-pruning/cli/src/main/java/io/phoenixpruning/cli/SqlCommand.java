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
package io.phoenixpruning.cli;

import io.phoenixpruning.cli.console.LoggedException;
import io.phoenixpruning.cli.console.Progress;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.console.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code pruning sql}. */
@Command(
    name = "sql",
    description = {
      "Opens sqlline on a running cluster (--url), or on an embedded cluster that keeps its data in"
          + " a folder (--dir).",
      "Without a terminal, runs the statements of standard input and stops at the first failure."
    },
    mixinStandardHelpOptions = true)
final class SqlCommand implements Callable<Integer> {

  private static final Path DEFAULT_DIR = Path.of("pruning-data");

  /** Disk space in bytes of a cluster without rows. */
  private static final long DISK = 128L << 20;

  /** Options that select the cluster. */
  static final class Target {

    @Option(
        names = ClusterOption.NAME,
        paramLabel = ClusterOption.LABEL,
        description = ClusterOption.DESCRIPTION)
    private @Nullable String url;

    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description = "The folder for the data of the embedded cluster. Default: ./pruning-data.")
    private @Nullable Path dir;
  }

  @ArgGroup private Target target = new Target();

  @Mixin private ColorOption color;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    try (Cleanup cleanup =
        new Cleanup(spec.qualifiedName(), () -> "everything was stopped", Terminal.ERR)) {
      TemporaryFolder temporary = new TemporaryFolder("pruning-sql-");
      cleanup.add(temporary::delete);
      Path folder = temporary.create();
      if (target.url != null) {
        // The shell's connection reuses the HBase connection of this one.
        Reachability.open(target.url, folder, cleanup);
        return shell(target.url, folder);
      }
      PersistentCluster cluster =
          new PersistentCluster(target.dir == null ? DEFAULT_DIR : target.dir);
      cleanup.add(cluster::stop);
      cluster.open();
      DiskSpace disk = new DiskSpace(cluster.folder(), "choose a --dir on a larger disk");
      disk.require(DISK);
      return LoggedException.callAndNameLog(
          cluster::log,
          () ->
              watching(
                  disk,
                  Terminal.isInteractive(),
                  () -> {
                    start(cluster);
                    return null;
                  },
                  () -> shell(cluster, folder)));
    }
  }

  /**
   * Runs {@code start} and then {@code shell}. If the disk becomes full, this method interrupts
   * {@code start}, or a {@code shell} that is not interactive. An interactive shell could no longer
   * read from the terminal after an interrupt.
   */
  static <T> T watching(DiskSpace disk, boolean isInteractive, Callable<?> start, Callable<T> shell)
      throws Exception {
    if (isInteractive) {
      disk.interruptIfFull(start);
      return disk.explainFailure(shell);
    }
    return disk.interruptIfFull(
        () -> {
          start.call();
          return shell.call();
        });
  }

  private void start(PersistentCluster cluster) throws Exception {
    new Progress(Terminal.ERR, Terminal.isInteractive())
        .perform(
            "Start HBase and Phoenix in " + (target.dir == null ? DEFAULT_DIR : target.dir),
            -1,
            done -> cluster.start());
  }

  private int shell(PersistentCluster cluster, Path temporary) throws IOException {
    try {
      return shell(cluster.url(), temporary);
    } catch (RefusedException refused) {
      throw OneLineErrors.referToLog(spec.commandLine(), refused, Libraries.log(cluster.folder()));
    }
  }

  private int shell(String url, Path temporary) throws IOException {
    SqlShell shell =
        new SqlShell(
            url, Terminal.OUT, Terminal.ERR, spec.commandLine().getColorScheme().ansi().enabled());
    if (Terminal.isInteractive()) {
      return shell.runInteractive() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
    Path script = temporary.resolve("script.sql");
    Files.write(script, System.in.readAllBytes());
    shell.run(script);
    return ExitCode.OK;
  }
}

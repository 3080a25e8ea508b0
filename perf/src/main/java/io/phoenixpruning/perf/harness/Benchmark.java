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

import io.phoenixpruning.cli.Cleanup;
import io.phoenixpruning.cli.Libraries;
import io.phoenixpruning.cli.TemporaryFolder;
import io.phoenixpruning.cli.console.LoggedException;
import io.phoenixpruning.cli.console.Progress;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.console.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that measures something case by case and writes the results to a folder. */
public abstract class Benchmark implements Callable<Integer> {

  /** Name of the file with a run's description. */
  public static final String RUN = "run.json";

  /** Name of the file with a run's results. */
  public static final String RESULTS = "results.csv";

  private static final String OUT = "--out";
  private static final String SEED = "--seed";
  private static final String QUICK = "--quick";

  /** Option for the URL of a running cluster. */
  static final String URL = "--url";

  /** Options that are not part of a run's settings. */
  private static final Set<String> NOT_SETTINGS = Set.of(OUT, SEED);

  /** Options that are allowed together with {@link #QUICK}. */
  private static final Set<String> WITH_QUICK = Set.of(OUT, SEED, URL, QUICK);

  @Option(
      names = OUT,
      paramLabel = "DIR",
      description =
          "Folder for the results. Default: bench-NAME, with the name of the benchmark. If the"
              + " folder holds an interrupted run with the same options, the benchmark continues"
              + " this run.")
  private @Nullable Path out;

  @Option(
      names = QUICK,
      description =
          "Makes a small run of less than two minutes, which shows that the benchmark works.")
  private boolean quick;

  @Option(
      names = SEED,
      paramLabel = "N",
      defaultValue = "20260",
      description = "Seed for random values and random orders. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Spec private CommandSpec spec;

  /** Returns the name of the command. */
  public final String name() {
    return spec.name();
  }

  protected final boolean isQuick() {
    return quick;
  }

  protected final long seed() {
    return seed;
  }

  /** Returns the names of the options that this run does not use. */
  protected Set<String> unusedOptions() {
    return Set.of();
  }

  /** Returns the dimensions in which cases differ. */
  public abstract List<String> dimensions();

  /** Returns the tables of the report. */
  public abstract List<View> views();

  /**
   * Checks the options and the machine, before anything is written or started.
   *
   * @throws RefusedException if a run cannot succeed
   */
  protected abstract void check() throws IOException;

  /** Measures the cases that {@code run} has no results for. */
  protected abstract void measure(Run run) throws Exception;

  /** A run that is being measured. */
  public static final class Run {

    private final Results results;
    private final Path folder;
    private final Cleanup cleanup;
    private final Progress progress;

    Run(Results results, Path folder, Cleanup cleanup, Progress progress) {
      this.results = results;
      this.folder = folder;
      this.cleanup = cleanup;
      this.progress = progress;
    }

    /** Returns the results so far. */
    public Results results() {
      return results;
    }

    /** Returns a temporary folder, which is deleted at the end. */
    public Path folder() {
      return folder;
    }

    /** Returns the actions that undo the run's setup. */
    public Cleanup cleanup() {
      return cleanup;
    }

    /** Returns the receiver of progress messages for steps that take long. */
    public Progress progress() {
      return progress;
    }
  }

  @Override
  public final Integer call() throws Exception {
    checkQuick();
    check();
    Path target = out == null ? Path.of("bench-" + name()) : out;
    RunDescription description = open(target);
    TemporaryFolder temporary = new TemporaryFolder("pruning-bench-");
    try (FileChannel file = FileChannel.open(target.resolve(RUN), StandardOpenOption.WRITE);
        FileLock lock = lock(file, target);
        Cleanup cleanup =
            new Cleanup(
                spec.qualifiedName(),
                () ->
                    "the results so far are in " + target + ". The same command continues the run",
                Terminal.ERR)) {
      cleanup.add(temporary::delete);
      Path folder = temporary.create();
      return LoggedException.callAndNameLog(
          () -> LoggedException.copyLog(Libraries.log(folder), "pruning-bench-"),
          () -> {
            Libraries.write(folder);
            Results results = Results.open(target.resolve(RESULTS), dimensions());
            Progress progress = new Progress(Terminal.ERR, Terminal.isInteractive());
            measure(new Run(results, folder, cleanup, progress));
            report(target, description, results);
            return ExitCode.OK;
          });
    }
  }

  /** Locks the folder, because two runs that write to it at the same time would lose results. */
  private static FileLock lock(FileChannel file, Path folder) throws IOException {
    FileLock lock = file.tryLock();
    if (lock == null) {
      throw new RefusedException(
          "another run writes to '%s'. Wait for it, or choose another folder with %s"
              .formatted(folder, OUT));
    }
    return lock;
  }

  private void checkQuick() {
    if (quick) {
      for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
        if (!WITH_QUICK.contains(option.longestName())) {
          throw new RefusedException(
              "%s sets its own sizes. Omit %s".formatted(QUICK, option.longestName()));
        }
      }
    }
  }

  /** Writes the reports and prints the tables. */
  public final void report(Path folder, RunDescription run, Results results) throws IOException {
    Report report = new Report(run, views(), results.all());
    report.write(folder);
    PrintWriter printed = spec.commandLine().getOut();
    printed.println(report.markdown());
    printed.println("The results and a report with charts are in " + folder);
    printed.flush();
  }

  /** Returns the description of the run in {@code folder}, or of a new run. */
  private RunDescription open(Path folder) throws IOException {
    Map<String, String> settings = settings();
    RunDescription started =
        RunDescription.of(name(), settings, seed, String.join(", ", spec.root().version()));
    Path file = folder.resolve(RUN);
    if (!Files.exists(file)) {
      makeEmpty(folder);
      started.write(file);
      return started;
    }
    RunDescription run = RunDescription.read(file);
    if (!run.hasSameEnvironment(started)) {
      throw new RefusedException(
          ("'%s' holds a run with other versions or on another machine: %s on %s. This run: %s on"
                  + " %s. Choose another folder with %s")
              .formatted(
                  folder,
                  run.versions(),
                  run.machine(),
                  started.versions(),
                  started.machine(),
                  OUT));
    }
    if (!run.benchmark().equals(name()) || run.seed() != seed || !run.settings().equals(settings)) {
      throw new RefusedException(
          "'%s' holds a run of %s with seed %d and %s. This run is of %s with seed %d and %s."
                  .formatted(
                      folder, run.benchmark(), run.seed(), run.settings(), name(), seed, settings)
              + " Choose another folder with "
              + OUT
              + ", or use the same options");
    }
    return run;
  }

  private static void makeEmpty(Path folder) {
    try {
      Files.createDirectories(folder);
      try (Stream<Path> files = Files.list(folder)) {
        if (files.findAny().isPresent()) {
          throw new RefusedException(
              "'%s' is not empty and holds no run. Choose another folder with %s"
                  .formatted(folder, OUT));
        }
      }
    } catch (IOException e) {
      throw new RefusedException(
          "cannot create the folder '%s' for the results (%s). Choose another folder with %s"
              .formatted(folder, e, OUT),
          e);
    }
  }

  /** Returns the values of all options that are settings of this run. */
  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    for (OptionSpec option : spec.options()) {
      String name = option.longestName();
      // A quick run has its own sizes.
      if (!option.usageHelp()
          && !option.versionHelp()
          && !NOT_SETTINGS.contains(name)
          && !unusedOptions().contains(name)
          && (!quick || WITH_QUICK.contains(name))) {
        settings.put(name.substring(2), String.valueOf(option.<Object>getValue()));
      }
    }
    return settings;
  }

  /**
   * Refuses a number that is too small or too large.
   *
   * @param min smallest allowed value, inclusive
   * @param max largest allowed value, inclusive
   */
  public static void requireRange(String option, long value, long min, long max) {
    if (value < min || value > max) {
      throw new RefusedException("%s is %d. Expected %d to %d".formatted(option, value, min, max));
    }
  }
}

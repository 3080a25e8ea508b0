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

import io.phoenixpruning.cli.Cleanup;
import io.phoenixpruning.cli.Libraries;
import io.phoenixpruning.cli.LoggedException;
import io.phoenixpruning.cli.Progress;
import io.phoenixpruning.cli.RefusedException;
import io.phoenixpruning.cli.TemporaryFolder;
import io.phoenixpruning.cli.Terminal;
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
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that measures something, case by case, and writes what it has measured to a folder. */
abstract class Benchmark implements Callable<Integer> {

  /** The file of a run's description. */
  static final String RUN = "run.json";

  /** The file of its results. */
  static final String RESULTS = "results.csv";

  private static final String OUT = "--out";
  private static final String SEED = "--seed";
  private static final String QUICK = "--quick";

  /** The option with a cluster that is there. */
  static final String URL = "--url";

  /** Options that are no settings. */
  private static final Set<String> ELSEWHERE = Set.of(OUT, SEED);

  /** Options that a small run may have. */
  private static final Set<String> WITH_QUICK = Set.of(OUT, SEED, URL, QUICK);

  @Option(
      names = OUT,
      paramLabel = "DIR",
      description =
          "Where the results go; by default bench-NAME, with the benchmark's name. If it holds an"
              + " interrupted run with the same options, that is gone on with.")
  private Path out;

  @Option(
      names = QUICK,
      description = "A small run of less than two minutes, which shows that it runs.")
  private boolean quick;

  @Option(
      names = SEED,
      paramLabel = "N",
      defaultValue = "20260",
      description = "Of what is random; by default ${DEFAULT-VALUE}.")
  private long seed;

  @Spec private CommandSpec spec;

  /** The name of the command. */
  final String name() {
    return spec.name();
  }

  final boolean isQuick() {
    return quick;
  }

  final long seed() {
    return seed;
  }

  /** Options that this run does not use, by their names. */
  Set<String> unused() {
    return Set.of();
  }

  /** What cases differ in. */
  abstract List<String> dimensions();

  /** The tables of its report. */
  abstract List<View> views();

  /**
   * Checks options and the machine, before anything is written or started.
   *
   * @throws RefusedException if a run cannot end well
   */
  abstract void check() throws IOException;

  /** Measures the cases that {@code run} does not have. */
  abstract void measure(Run run) throws Exception;

  /** A run, while it is measured. */
  static final class Run {

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

    /** What has been measured. */
    Results results() {
      return results;
    }

    /** For files that are deleted at the end. */
    Path folder() {
      return folder;
    }

    /** Undoes what the run sets up. */
    Cleanup cleanup() {
      return cleanup;
    }

    /** Is told of what takes long. */
    Progress progress() {
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
                    "what was measured is in " + target + ", and the same command goes on with it",
                Terminal.ERR)) {
      cleanup.add(temporary::delete);
      Path folder = temporary.create();
      return LoggedException.naming(
          () -> LoggedException.copy(Libraries.log(folder), "pruning-bench-"),
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

  /** What others write at the same time would be lost. */
  private static FileLock lock(FileChannel file, Path folder) throws IOException {
    FileLock lock = file.tryLock();
    if (lock == null) {
      throw new RefusedException(
          "another run writes to '%s': wait for it, or choose another folder with %s"
              .formatted(folder, OUT));
    }
    return lock;
  }

  private void checkQuick() {
    if (quick) {
      for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
        if (!WITH_QUICK.contains(option.longestName())) {
          throw new RefusedException(
              "%s has sizes of its own: leave out %s".formatted(QUICK, option.longestName()));
        }
      }
    }
  }

  /** Writes reports, and prints the tables. */
  final void report(Path folder, RunDescription run, Results results) throws IOException {
    Report report = new Report(run, views(), results.all());
    report.write(folder);
    PrintWriter printed = spec.commandLine().getOut();
    printed.println(report.markdown());
    printed.println("The results, and a report with charts, are in " + folder);
    printed.flush();
  }

  /** The description of the run in {@code folder}, or of a new one. */
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
    if (!run.isLike(started)) {
      throw new RefusedException(
          "'%s' holds a run of %s on %s, but this one would be of %s on %s: choose another folder with %s"
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
          "'%s' holds a run of %s with seed %d and %s, but this one is of %s with seed %d and %s:"
                  .formatted(
                      folder, run.benchmark(), run.seed(), run.settings(), name(), seed, settings)
              + " choose another folder with "
              + OUT
              + ", or the same options");
    }
    return run;
  }

  private static void makeEmpty(Path folder) {
    try {
      Files.createDirectories(folder);
      try (Stream<Path> files = Files.list(folder)) {
        if (files.findAny().isPresent()) {
          throw new RefusedException(
              "'%s' is not empty, and holds no run: choose another folder with %s"
                  .formatted(folder, OUT));
        }
      }
    } catch (IOException e) {
      throw new RefusedException(
          "'%s' cannot be made (%s), but results are written to it: choose another folder with %s"
              .formatted(folder, e, OUT),
          e);
    }
  }

  /** The values of all options but those that say where results go, and the seed. */
  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    for (OptionSpec option : spec.options()) {
      String name = option.longestName();
      // A small run has sizes of its own.
      if (!option.usageHelp()
          && !option.versionHelp()
          && !ELSEWHERE.contains(name)
          && !unused().contains(name)
          && (!quick || WITH_QUICK.contains(name))) {
        settings.put(name.substring(2), String.valueOf(option.<Object>getValue()));
      }
    }
    return settings;
  }

  /** Refuses a number that is too small or too great. */
  static void inRange(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new RefusedException(
          "%s is %d, but has to be from %d to %d".formatted(option, value, least, most));
    }
  }
}

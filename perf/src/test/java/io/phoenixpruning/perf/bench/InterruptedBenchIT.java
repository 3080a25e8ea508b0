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

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.phoenixpruning.perf.harness.Benchmark;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/**
 * Interrupts a run on a cluster, and then runs the same command again. Runs in profile {@code
 * nightly}, since it starts two clusters.
 */
public class InterruptedBenchIT {

  private static final String MAIN = "io.phoenixpruning.cli.Pruning";

  /** The exit code of a JVM that SIGTERM ends. */
  private static final int TERMINATED = 128 + 15;

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  @Rule public final Timeout limit = new Timeout(10, TimeUnit.MINUTES);

  private Path results() {
    return temporary.getRoot().toPath().resolve("run").resolve(Benchmark.RESULTS);
  }

  private Path temporaryFiles() {
    return temporary.getRoot().toPath().resolve("tmp");
  }

  private Process start() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-") || option.startsWith("-Dorg.apache.hbase."))
        .forEach(command::add);
    command.add("-Djava.io.tmpdir=" + Files.createDirectories(temporaryFiles()));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN, "bench"));
    command.addAll(List.of("packed", "--rows", "1000", "--reads", "10", "--fields", "2,3"));
    command.addAll(List.of("--heap", "512m", "--out", results().getParent().toString()));
    return new ProcessBuilder(command)
        .redirectOutput(temporary.getRoot().toPath().resolve("out").toFile())
        .start();
  }

  private List<String> temporaryFilesLeft() throws IOException {
    try (Stream<Path> files = Files.list(temporaryFiles())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.startsWith("hsperf"))
          .toList();
    }
  }

  @Test
  public void keepsItsResultsAndContinues() throws Exception {
    assumeTrue(Boolean.getBoolean("bench.all"));
    Process run = start();
    List<String> printed = new ArrayList<>();
    List<ProcessHandle> processes;
    List<String> measured;
    try (BufferedReader err = run.errorReader()) {
      String line;
      do {
        line = err.readLine();
        assertThat(line).as("after %s", printed).isNotNull();
        printed.add(line);
      } while (!line.startsWith("Write rows of 3 fields"));
      processes = run.descendants().toList();
      measured = Files.readAllLines(results());
      // Unlike Process.destroy(), this leaves the stream open that the run prints to.
      run.toHandle().destroy();
      err.lines().forEach(printed::add);
    } finally {
      run.destroy();
    }
    assertThat(run.waitFor()).as("%s", printed).isEqualTo(TERMINATED);
    assertThat(printed.get(printed.size() - 1))
        .isEqualTo(
            "pruning bench packed: interrupted; the results so far are in "
                + results().getParent()
                + ". The same command continues the run");
    // ZooKeeper and the master, and a region server.
    assertThat(processes).hasSizeGreaterThan(1).noneMatch(ProcessHandle::isAlive);
    assertThat(temporaryFilesLeft()).isEmpty();
    assertThat(Files.readAllLines(results())).isEqualTo(measured);
    assertThat(measured).filteredOn(line -> line.startsWith("2,")).isNotEmpty();
    assertThat(measured).noneMatch(line -> line.startsWith("3,"));

    Process again = start();
    try (BufferedReader err = again.errorReader()) {
      List<String> lines = err.lines().toList();
      assertThat(again.waitFor()).as("%s", lines).isZero();
      assertThat(lines).noneMatch(line -> line.contains("of 2 fields"));
    } finally {
      again.destroy();
    }
    List<String> all = Files.readAllLines(results());
    assertThat(all.subList(0, measured.size())).isEqualTo(measured);
    assertThat(all)
        .filteredOn(line -> line.startsWith("3,"))
        .hasSameSizeAs(measured.stream().filter(line -> line.startsWith("2,")).toList());
  }
}

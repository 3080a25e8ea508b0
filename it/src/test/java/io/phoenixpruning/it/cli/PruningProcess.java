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
package io.phoenixpruning.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A run of the command {@code pruning} in a separate process, with the class path of this process.
 * Its temporary files go to a folder that is initially empty.
 */
final class PruningProcess implements AutoCloseable {

  private static final String MAIN = "io.phoenixpruning.cli.Pruning";

  private final Process process;
  private final Path folder;
  private final Path temporaryFiles;

  private PruningProcess(Process process, Path folder, Path temporaryFiles) {
    this.process = process;
    this.folder = folder;
    this.temporaryFiles = temporaryFiles;
  }

  /**
   * Starts the command.
   *
   * @param folder folder for the output and the temporary files of the process; is created
   * @param input standard input of the process
   */
  static PruningProcess start(Path folder, String input, String... args) throws IOException {
    Path temporaryFiles = Files.createDirectories(folder.resolve("tmp"));
    return start(folder, temporaryFiles, input, args);
  }

  /**
   * Starts the command.
   *
   * @param folder folder for the output of the process
   * @param temporaryFiles folder for the temporary files of the process
   * @param input standard input of the process
   */
  static PruningProcess start(Path folder, Path temporaryFiles, String input, String... args)
      throws IOException {
    Path in = Files.writeString(folder.resolve("in"), input);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx1g",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:ReservedCodeCacheSize=240m"));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-") || option.startsWith("-Dorg.apache.hbase."))
        .forEach(command::add);
    command.add("-Djava.io.tmpdir=" + temporaryFiles);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();
    return new PruningProcess(process, folder, temporaryFiles);
  }

  /** Waits for the end of the process and returns the exit code. */
  int await(Duration limit) throws InterruptedException {
    assertThat(process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS))
        .as("ended within %s", limit)
        .isTrue();
    return process.exitValue();
  }

  /** Sends a signal, such as {@code INT} for Ctrl-C. */
  void signal(String name) throws IOException, InterruptedException {
    signal(process, name);
  }

  /** Sends a signal to {@code process}. */
  static void signal(Process process, String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-s", name, Long.toString(process.pid())).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }

  /**
   * Returns the signal with which tests interrupt a process: INT, as Ctrl-C sends. A process that
   * was started in the background ignores INT, and so do its child processes. The signal is then
   * TERM.
   */
  static String interruptSignal() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return "INT";
    }
    long ignored =
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
            .sum();
    boolean interruptIgnored = (ignored & 1 << 1) != 0;
    return interruptIgnored ? "TERM" : "INT";
  }

  String out() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  String err() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  /** Returns the temporary files that currently exist. */
  List<Path> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(temporaryFiles)) {
      return files.filter(file -> !file.getFileName().toString().startsWith("hsperf")).toList();
    }
  }

  /** Kills the process if it is still running. */
  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}

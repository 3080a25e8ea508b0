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
package io.phoenixpruning.it.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program with its own libraries that has the drop-in client jar first on its class path. An
 * application server or the Phoenix Query Server may have such a class path.
 */
final class Neighbour {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final HBaseProcesses processes;
  private final String libraries;

  /**
   * Describes a program that has not started.
   *
   * @param libraries folder below {@code dropin.neighbours} with the jars of the program
   */
  Neighbour(HBaseProcesses processes, String libraries) {
    this.processes = processes;
    this.libraries = libraries;
  }

  /** Runs a class of the tests to its end, and returns its output. */
  String run(Class<?> program) throws Exception {
    Process process = start(processes.classesOf(program), program.getName());
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(libraries + " runs for more than " + LIMIT);
    }
    String printed = processes.log(libraries);
    assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }

  /**
   * Starts the program. On its class path, {@code folder}, with classes or settings, comes after
   * the client jar.
   */
  Process start(Path folder, String mainClass) throws Exception {
    List<String> classPath = new ArrayList<>();
    classPath.add(HBaseProcesses.jar("dropin.client.jar").toString());
    classPath.add(folder.toString());
    try (Stream<Path> jars =
        Files.list(Path.of(System.getProperty("dropin.neighbours"), libraries))) {
      jars.map(Path::toString).sorted().forEach(classPath::add);
    }
    classPath.addAll(Application.logging());
    return processes.java(
        libraries, String.join(File.pathSeparator, classPath), List.of(mainClass));
  }
}

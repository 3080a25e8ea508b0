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

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A separate checkout with a copy of the script {@code pruning}. There, a script replaces Maven and
 * uses the classes of this build.
 */
public final class ScriptCheckout {

  /** The line that the script prints before the first build. */
  public static final String BUILDING = "Building, which takes a minute or more the first time";

  private final Path folder;

  /** Creates the checkout in an existing folder. */
  public ScriptCheckout(Path folder) throws IOException {
    this.folder = folder.toRealPath();
    Files.copy(Path.of("..", "pruning"), script(), StandardCopyOption.COPY_ATTRIBUTES);
    Files.createDirectories(this.folder.resolve("phoenix-pruning/planner/target/classes"));
    maven("printf %s '" + classPath("") + "' >perf/target/classpath");
  }

  /** Returns the path of a file of the checkout. */
  Path resolve(String file) {
    return folder.resolve(file);
  }

  Path script() {
    return resolve("pruning");
  }

  /** Returns the class path of this test, without entries whose path contains {@code left}. */
  String classPath(String left) {
    return Pattern.compile(File.pathSeparator)
        .splitAsStream(
            resolve("phoenix-pruning/planner/target/classes")
                + File.pathSeparator
                + System.getProperty("java.class.path"))
        .filter(entry -> left.isEmpty() || !entry.contains(left))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Sets the commands that Maven's replacement runs. */
  void maven(String commands) throws IOException {
    write(resolve("mvnw"), "mkdir -p perf/target/classes\necho $$ >maven.pid\n" + commands);
  }

  /** Writes an executable script. */
  static void write(Path file, String commands) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + commands + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /**
   * Starts the script of this checkout.
   *
   * @param variables environment variables of the process
   */
  public Process start(Map<String, String> variables, String... args) throws IOException {
    return start(script(), Path.of(System.getProperty("java.home")), variables, args);
  }

  static Process start(Path script, Path javaHome, Map<String, String> variables, String... args)
      throws IOException {
    ProcessBuilder command = new ProcessBuilder(script.toString());
    command.command().addAll(List.of(args));
    command
        .environment()
        .keySet()
        .removeAll(List.of("PRUNING_OPTS", "HBASE_CONF_DIR", "HADOOP_CONF_DIR"));
    command.environment().put("JAVA_HOME", javaHome.toString());
    command.environment().putAll(variables);
    return command.redirectErrorStream(true).start();
  }

  /** Waits for the end of {@code process} and returns the lines that it printed. */
  public static List<String> lines(Process process) throws IOException, InterruptedException {
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return printed.lines().toList();
  }
}

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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The script {@code pruning} looks for a JDK before anything else. */
public class LauncherIT {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private static void assertRefused(Path javaHome, String expected)
      throws IOException, InterruptedException {
    Path script = Path.of("..", "pruning").toRealPath();
    ProcessBuilder command = new ProcessBuilder(script.toString(), "demo");
    command.environment().put("JAVA_HOME", javaHome.toString());
    Process process = command.redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isNotZero();
    assertThat(printed).isEqualTo(expected + System.lineSeparator());
  }

  /** A java that says that it is of {@code version}. */
  private Path java(String version) throws IOException {
    Path java = temporary.newFolder("bin").toPath().resolve("java");
    Files.writeString(
        java, "#!/bin/sh\necho 'openjdk version \"" + version + "\" 2020-01-01' >&2\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return java;
  }

  @Test
  public void anOldJdkIsRefused() throws Exception {
    Path java = java("11.0.27");
    assertRefused(
        temporary.getRoot().toPath(),
        "pruning: '" + java + "' is Java 11, but 17 or later is needed: set JAVA_HOME to a JDK 17");
  }

  @Test
  public void aVeryOldJdkIsRefused() throws Exception {
    Path java = java("1.8.0_452");
    assertRefused(
        temporary.getRoot().toPath(),
        "pruning: '" + java + "' is Java 1, but 17 or later is needed: set JAVA_HOME to a JDK 17");
  }

  @Test
  public void aMissingJdkIsRefused() throws Exception {
    Path home = temporary.getRoot().toPath();
    assertRefused(
        home,
        "pruning: no java at '"
            + home.resolve("bin/java")
            + "', but JDK 17 or later is needed: install it, or set JAVA_HOME to where it is");
  }
}

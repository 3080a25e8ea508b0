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

import static io.phoenixpruning.it.cli.ScriptCheckout.BUILDING;
import static io.phoenixpruning.it.cli.ScriptCheckout.lines;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Tests the script {@code pruning}: the JDK and the build that it needs, and the program that it
 * runs.
 */
public class LauncherIT {

  private static final String REFUSED = "pruning demo: --regions is 0\\. Expected 1 to \\d+.*";

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private ScriptCheckout checkout;

  @Before
  public void checkOut() throws IOException {
    checkout = new ScriptCheckout(temporary.newFolder("checkout").toPath());
  }

  private static Process start(Path script, Path javaHome, String... args) throws IOException {
    return ScriptCheckout.start(script, javaHome, Map.of(), args);
  }

  private static Process start(Path script, String... args) throws IOException {
    return start(script, Path.of(System.getProperty("java.home")), args);
  }

  private static void assertRefused(Process process, String line) throws Exception {
    assertThat(lines(process)).containsExactly(line);
    assertThat(process.exitValue()).isNotZero();
  }

  /** Creates a java command that reports {@code version}. */
  private Path java(String version) throws IOException {
    Path java = temporary.newFolder("jdk", "bin").toPath().resolve("java");
    ScriptCheckout.write(java, "echo 'openjdk version \"" + version + "\" 2020-01-01' >&2");
    return java;
  }

  private void assertJavaRefused(String version, String name) throws Exception {
    Path java = java(version);
    assertRefused(
        start(checkout.script(), java.getParent().getParent(), "demo"),
        "pruning: '" + java + "' is Java " + name + ". Expected 17. Set JAVA_HOME to a JDK 17");
    assertThat(checkout.resolve("maven.pid")).doesNotExist();
  }

  @Test
  public void anOldJdkIsRefused() throws Exception {
    assertJavaRefused("11.0.27", "11");
  }

  @Test
  public void aVeryOldJdkIsRefused() throws Exception {
    assertJavaRefused("1.8.0_452", "8");
  }

  @Test
  public void aNewerJdkIsRefused() throws Exception {
    assertJavaRefused("21.0.7", "21");
  }

  @Test
  public void anUnfinishedJdkIsRefused() throws Exception {
    assertJavaRefused("26-ea", "26");
  }

  @Test
  public void aMissingJdkIsRefused() throws Exception {
    Path home = temporary.getRoot().toPath();
    assertRefused(
        start(checkout.script(), home, "demo"),
        "pruning: no java at '"
            + home.resolve("bin/java")
            + "'. Expected a JDK 17. Install one, or set JAVA_HOME to its folder");
  }

  @Test
  public void whatIsBuiltIsNotBuiltAgain() throws Exception {
    assertBuildsAndRefuses(checkout.script());

    Process again = start(checkout.script(), "demo", "--regions", "0");
    assertThat(lines(again)).singleElement().asString().matches(REFUSED);
    assertThat(again.exitValue()).isNotZero();
  }

  private void assertBuildsAndRefuses(Path script) throws Exception {
    Process process = start(script, "demo", "--regions", "0");
    List<String> lines = lines(process);
    assertThat(lines).hasSize(2).startsWith(BUILDING);
    assertThat(lines.get(1)).matches(REFUSED);
    assertThat(process.exitValue()).isNotZero();
  }

  @Test
  public void aMissingPartOfTheClassPathIsBuiltAgain() throws Exception {
    assertBuildsAndRefuses(checkout.script());
    Path file = checkout.resolve("perf/target/classpath");
    Files.writeString(file, Files.readString(file) + File.pathSeparator + checkout.resolve("gone"));

    assertBuildsAndRefuses(checkout.script());
  }

  @Test
  public void aCopiedCheckoutIsBuiltAgain() throws Exception {
    assertBuildsAndRefuses(checkout.script());
    Path file = checkout.resolve("perf/target/classpath");
    Files.writeString(file, checkout.classPath(checkout.resolve("").toString()));

    assertBuildsAndRefuses(checkout.script());
  }

  @Test
  public void aLinkFindsTheCheckout() throws Exception {
    Path bin = temporary.newFolder("bin").toPath();
    Path first = Files.createSymbolicLink(bin.resolve("first"), checkout.script());
    Path second = Files.createSymbolicLink(bin.resolve("second"), Path.of("../bin/first"));

    assertBuildsAndRefuses(second);
    assertThat(bin).isDirectoryContaining(first::equals);
    assertThat(bin.toFile().list()).hasSize(2);
  }

  @Test
  public void aCopyOfTheScriptIsRefused() throws Exception {
    Path bin = temporary.newFolder("bin").toPath().toRealPath();
    Path copy = Files.copy(checkout.script(), bin.resolve("pruning"));

    assertRefused(
        start(copy, "demo"),
        "pruning: '"
            + bin
            + "' has no mvnw. This script works only in its checkout. Link to it instead of copying"
            + " it");
    assertThat(bin.toFile().list()).hasSize(1);
  }

  @Test
  public void aFailedBuildIsRefused() throws Exception {
    checkout.maven(": >perf/target/classpath\necho because\nexit 1");
    Path target = checkout.resolve("perf/target");

    assertThat(lines(start(checkout.script(), "demo")))
        .containsExactly(
            BUILDING, "pruning: the build failed, see '" + target.resolve("build.log") + "'");
    assertThat(target.resolve("build.log")).hasContent("because");
    assertThat(target.resolve("classpath")).doesNotExist();
  }

  /** Creates a folder in place of the log file. Not even root can write to it. */
  @Test
  public void aCheckoutThatCannotBeWrittenIsRefused() throws Exception {
    Path target = checkout.resolve("perf/target");
    Files.createDirectories(target.resolve("build.log"));

    assertRefused(
        start(checkout.script(), "demo"),
        "pruning: cannot write to '" + target + "', the folder of the build. Make it writable");
  }

  @Test
  public void ctrlCEndsMavenAndLeavesNoClassPath() throws Exception {
    checkout.maven(": >perf/target/classpath\n: >started\nexec sleep 300");
    Process process = start(checkout.script(), "demo");
    awaitFile("started");
    String signal = PruningProcess.interruptSignal();

    PruningProcess.signal(process, signal);

    assertThat(lines(process)).containsExactly(BUILDING, "pruning: interrupted while building");
    assertThat(process.exitValue()).isEqualTo(signal.equals("INT") ? 130 : 143);
    long maven = Long.parseLong(Files.readString(checkout.resolve("maven.pid")).strip());
    assertThat(ProcessHandle.of(maven).filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(checkout.resolve("perf/target/classpath")).doesNotExist();
  }

  @Test
  public void aSecondCallWaitsForTheBuildOfTheFirst() throws Exception {
    checkout.maven(
        "echo built >>builds\n: >started\nwhile [ ! -e go ]; do sleep 0.1; done\n"
            + "printf %s '"
            + checkout.classPath("")
            + "' >perf/target/classpath");
    Process first = start(checkout.script(), "demo", "--regions", "0");
    awaitFile("started");
    Process second = start(checkout.script(), "demo", "--regions", "0");
    BufferedReader printed = second.inputReader();

    assertThat(printed.readLine())
        .isEqualTo("Waiting for process " + first.pid() + ", which builds");
    Files.createFile(checkout.resolve("go"));

    assertThat(lines(first)).hasSize(2).startsWith(BUILDING);
    assertThat(printed.readLine()).matches(REFUSED);
    assertThat(printed.readLine()).isNull();
    assertThat(checkout.resolve("builds")).hasContent("built");
    assertThat(Files.isSymbolicLink(checkout.resolve("perf/target/building"))).isFalse();
  }

  @Test
  public void theLockOfAKilledBuildIsRemoved() throws Exception {
    Process killed = start(Path.of("/bin/sh"), "-c", "exit 0");
    killed.waitFor();
    Path lock = Files.createDirectories(checkout.resolve("perf/target")).resolve("building");
    Files.createSymbolicLink(lock, Path.of(Long.toString(killed.pid())));

    assertBuildsAndRefuses(checkout.script());
    assertThat(Files.isSymbolicLink(lock)).isFalse();
  }

  private void awaitFile(String name) {
    Awaitility.await()
        .atMost(30, TimeUnit.SECONDS)
        .until(() -> Files.exists(checkout.resolve(name)));
  }

  /** Checks that errors are reported like exceptions, for example if a class cannot be loaded. */
  @Test
  public void anErrorIsALineAndAnExitCode() throws Exception {
    checkout.maven("printf %s '" + checkout.classPath("tpch") + "' >perf/target/classpath");
    Process process = start(checkout.script(), "demo", "--regions", "1");
    List<String> lines = lines(process);

    assertThat(lines).hasSize(2).startsWith(BUILDING);
    assertThat(lines.get(1)).startsWith("pruning: NoClassDefFoundError: io/trino/tpch/");
    assertThat(process.exitValue()).isNotZero();
  }

  private void assertConfigurationRefused(String variable, Path folder, String why)
      throws Exception {
    assertRefused(
        checkout.start(
            Map.of(variable, folder.toString()), "check", "--url", "jdbc:phoenix:h", "T"),
        "pruning: " + variable + " is '" + folder + "', which " + why);
    assertThat(checkout.resolve("maven.pid")).doesNotExist();
  }

  @Test
  public void aMissingFolderOfTheConfigurationIsRefused() throws Exception {
    Path file = temporary.newFile().toPath();
    for (Path folder : List.of(file, file.resolveSibling("gone"))) {
      assertConfigurationRefused(
          "HBASE_CONF_DIR",
          folder,
          "is not a folder. Expected the folder with the cluster's hbase-site.xml");
      assertConfigurationRefused(
          "HADOOP_CONF_DIR",
          folder,
          "is not a folder. Expected the folder with the cluster's core-site.xml");
    }
  }

  @Test
  public void aFolderWithoutTheConfigurationIsRefused() throws Exception {
    Path folder = temporary.newFolder("empty").toPath();
    assertConfigurationRefused(
        "HBASE_CONF_DIR",
        folder,
        "has no readable hbase-site.xml. Set HBASE_CONF_DIR to the folder that has it, or unset"
            + " it");
    assertConfigurationRefused(
        "HADOOP_CONF_DIR",
        folder,
        "has no readable core-site.xml or hdfs-site.xml. Set HADOOP_CONF_DIR to the folder that"
            + " has it, or unset it");
  }

  @Test
  public void theConfigurationIsFirstOnTheClassPath() throws Exception {
    Path hbase = temporary.newFolder("hbase conf").toPath();
    Files.createFile(hbase.resolve("hbase-site.xml"));
    Path hadoop = temporary.newFolder("hadoop").toPath();
    Files.createFile(hadoop.resolve("hdfs-site.xml"));
    Path java = java("17.0.1");
    Files.writeString(java, "printf '%s\\n' \"$@\"\n", StandardOpenOption.APPEND);
    Map<String, String> variables =
        Map.of("HBASE_CONF_DIR", hbase.toString(), "HADOOP_CONF_DIR", hadoop.toString());
    Path home = java.getParent().getParent();
    String classes = checkout.resolve("perf/target/classes").toString();
    String first = hbase + File.pathSeparator + hadoop + File.pathSeparator + classes;

    for (String option : List.of("--url", "--url=jdbc:phoenix:h")) {
      assertThat(lines(ScriptCheckout.start(checkout.script(), home, variables, "check", option)))
          .as(option)
          .anyMatch(line -> line.startsWith(first + File.pathSeparator));
    }
    // The embedded cluster of a demo has its own settings.
    assertThat(lines(ScriptCheckout.start(checkout.script(), home, variables, "demo")))
        .anyMatch(line -> line.startsWith(classes))
        .noneMatch(line -> line.contains(hbase.toString()));
  }
}

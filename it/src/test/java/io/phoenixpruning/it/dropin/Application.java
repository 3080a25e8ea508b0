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
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** Runs {@link Smoke} in a separate process, with one of the clients. */
final class Application {

  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final HBaseProcesses hbase;
  private final String table;
  private final String classPath;
  private final List<String> modes;

  private Application(HBaseProcesses hbase, String table, String client, String... modes)
      throws Exception {
    List<String> entries = new ArrayList<>();
    entries.add(hbase.clientSite("none").toString());
    entries.add(client);
    entries.add(hbase.classesOf(Smoke.class).toString());
    entries.addAll(logging());
    this.hbase = hbase;
    this.table = table;
    this.classPath = String.join(File.pathSeparator, entries);
    this.modes = List.of(modes);
  }

  /**
   * Returns an application whose only jar of Phoenix, HBase and Hadoop is the drop-in client jar.
   */
  static Application withClientJar(HBaseProcesses hbase, String table) throws Exception {
    return new Application(
        hbase,
        table,
        HBaseProcesses.jar("dropin.client.jar").toString(),
        "exact",
        "stock",
        Smoke.MODE_OF_SITE);
  }

  /** Returns an application with stock's client, which does not know modes. */
  static Application withStock(HBaseProcesses hbase, String table) throws Exception {
    return new Application(hbase, table, HBaseProcesses.stockClassPath(), "stock");
  }

  /**
   * Returns the jars of a log backend. Hadoop needs the API of log4j 1, which our client jar, like
   * stock's, leaves to the application.
   */
  static List<String> logging() throws Exception {
    List<String> jars = new ArrayList<>();
    for (Class<?> log :
        List.of(
            org.apache.logging.log4j.LogManager.class,
            org.apache.logging.log4j.core.LoggerContext.class,
            org.apache.logging.slf4j.Log4jLogger.class,
            org.apache.log4j.AppenderSkeleton.class)) {
      jars.add(Path.of(log.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
    }
    return jars;
  }

  /** Creates the table and checks its rows. */
  void load() throws Exception {
    run("load", "load");
  }

  /**
   * Runs the queries of {@link Smoke}, and checks their rows.
   *
   * @param name name of the log
   */
  void query(String name) throws Exception {
    run(name, "query");
  }

  /**
   * Checks the rows repeatedly until the watch is ended.
   *
   * @param name name of the log
   */
  Watch watch(String name) throws Exception {
    return new Watch(name);
  }

  private void run(String name, String what) throws Exception {
    assertEndsRight(name, start(name, what));
  }

  private Process start(String name, String what) throws Exception {
    List<String> command = new ArrayList<>(List.of(Smoke.class.getName(), what));
    command.addAll(List.of(hbase.url(), table));
    command.addAll(modes);
    return hbase.java(name, classPath, command);
  }

  private void assertEndsRight(String name, Process process) throws Exception {
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(name + " runs for more than " + LIMIT);
    }
    assertThat(process.exitValue()).as(hbase.log(name)).isZero();
    assertThat(hbase.log(name)).endsWith("All rows are right." + System.lineSeparator());
  }

  /** A running {@link #watch}. */
  final class Watch {

    private final String name;
    private final Process process;

    private Watch(String name) throws Exception {
      this.name = name;
      this.process = start(name, "watch");
    }

    /** Returns how often the watch has checked all rows successfully. */
    long rounds() throws Exception {
      assertThat(process.isAlive()).as(hbase.log(name)).isTrue();
      return hbase.log(name).lines().filter(Smoke.ROUND::equals).count();
    }

    /** Waits for {@code additionalRounds} rounds. */
    void await(int additionalRounds) throws Exception {
      long before = rounds();
      Awaitility.await().atMost(LIMIT).until(() -> rounds() >= before + additionalRounds);
    }

    /** Ends the watch. Fails if a row was wrong. */
    void end() throws Exception {
      try (OutputStream in = process.getOutputStream()) {
        in.write('\n');
      }
      assertEndsRight(name, process);
    }
  }
}

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** {@link Smoke} in a process of its own, with one of the clients. */
final class Application {

  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final HBaseProcesses hbase;
  private final String classPath;
  private final String[] modes;

  private Application(HBaseProcesses hbase, String client, String... modes) throws Exception {
    List<String> entries = new ArrayList<>();
    entries.add(client);
    entries.add(hbase.classesOf(Smoke.class).toString());
    entries.addAll(logging());
    this.hbase = hbase;
    this.classPath = String.join(File.pathSeparator, entries);
    this.modes = modes;
  }

  /** Has nothing of Phoenix, HBase and Hadoop but the drop-in client jar. */
  static Application withClientJar(HBaseProcesses hbase) throws Exception {
    return new Application(
        hbase, HBaseProcesses.jar("dropin.client.jar").toString(), "exact", "stock", "none");
  }

  /** Has stock's client, which knows nothing of modes. */
  static Application withStock(HBaseProcesses hbase) throws Exception {
    return new Application(hbase, HBaseProcesses.stockClassPath(), "stock");
  }

  /**
   * A log backend: Hadoop needs the API of log4j 1, which the client jar, as stock's, leaves to the
   * application.
   */
  private static List<String> logging() throws Exception {
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

  /** Makes the table, and checks its rows. */
  void load() throws Exception {
    run("load", "load");
  }

  /**
   * Checks the rows.
   *
   * @param name of its log
   */
  void query(String name) throws Exception {
    run(name, "query");
  }

  private void run(String name, String what) throws Exception {
    List<String> command = new ArrayList<>(List.of(Smoke.class.getName(), what, hbase.url()));
    Collections.addAll(command, modes);
    int exitCode = hbase.run(name, classPath, LIMIT, command);
    assertThat(exitCode).as(hbase.log(name)).isZero();
    assertThat(hbase.log(name)).endsWith("All rows are right." + System.lineSeparator());
  }
}

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
package io.phoenixpruning.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Keeps what HBase, Phoenix and the others write in one folder, and off the terminal. Has an effect
 * only before the first of them is used in this JVM.
 */
public final class Libraries {

  /** log4j's own setting; what the user has set stays. */
  private static final String LOG_CONFIGURATION = "log4j2.configurationFile";

  private Libraries() {}

  /** Makes {@code folder} the place for temporary files, and its file {@code log} the log. */
  public static void write(Path folder) {
    // Phoenix's client reads it from here only: its configuration refers to the property.
    System.setProperty("hbase.tmp.dir", folder.resolve("tmp").toString());
    if (System.getProperty(LOG_CONFIGURATION) == null) {
      System.setProperty("pruning.log", log(folder).toString());
      System.setProperty(LOG_CONFIGURATION, "classpath:io/phoenixpruning/cli/log4j2.xml");
    }
  }

  /** The log in {@code folder}; it is there once something was logged. */
  public static Path log(Path folder) {
    return folder.resolve("log");
  }

  /**
   * Drops what they print: HBase prints stack traces when calls are interrupted, and lists threads
   * when a server is slow to stop. Commands print to {@link Terminal}.
   */
  static void mute() {
    System.setOut(nowhere());
    System.setErr(nowhere());
  }

  private static PrintStream nowhere() {
    return new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
  }
}

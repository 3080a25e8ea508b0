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
 * Redirects the files and logs of HBase, Phoenix and other libraries to one folder, and keeps their
 * output off the terminal. Call these methods before this JVM uses the first of these libraries;
 * later calls have no effect.
 */
public final class Libraries {

  /** Log4j's own property. A value that the user has set is kept. */
  private static final String LOG_CONFIGURATION = "log4j2.configurationFile";

  private Libraries() {}

  /** Sets {@code folder} as the place for temporary files, and its file {@code log} as the log. */
  public static void write(Path folder) {
    // The configuration of Phoenix's client takes the folder from this system property.
    System.setProperty("hbase.tmp.dir", folder.resolve("tmp").toString());
    if (System.getProperty(LOG_CONFIGURATION) == null) {
      System.setProperty("pruning.log", log(folder).toString());
      System.setProperty(LOG_CONFIGURATION, "classpath:io/phoenixpruning/cli/log4j2.xml");
    }
  }

  /**
   * Returns the path of the log in {@code folder}. The file exists once something has been logged.
   */
  public static Path log(Path folder) {
    return folder.resolve("log");
  }

  /**
   * Discards what libraries print to the standard streams. HBase prints stack traces when calls are
   * interrupted, and lists threads when a server is slow to stop. Commands print to {@link
   * Terminal}.
   */
  static void mute() {
    System.setOut(discardingStream());
    System.setErr(discardingStream());
  }

  private static PrintStream discardingStream() {
    return new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
  }
}

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

import java.nio.file.Path;

/**
 * Where HBase, Phoenix and the others log to, which is not the terminal. Has an effect only before
 * the first of them is used in this JVM.
 */
final class LogFile {

  /** log4j's own setting; what the user has set stays. */
  private static final String CONFIGURATION = "log4j2.configurationFile";

  private static final String FILE = "pruning.log.file";
  private static final String LEVEL = "pruning.log.level";

  private LogFile() {}

  /** Warnings and errors go to {@code file}. */
  static void set(Path file) {
    configure(file.toString(), "warn");
  }

  /** Nothing is logged; the file is not made. */
  static void none() {
    configure(System.getProperty("java.io.tmpdir") + "/pruning.log", "off");
  }

  private static void configure(String file, String level) {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(FILE, file);
      System.setProperty(LEVEL, level);
      System.setProperty(CONFIGURATION, "classpath:io/phoenixpruning/cli/log4j2.xml");
    }
  }
}

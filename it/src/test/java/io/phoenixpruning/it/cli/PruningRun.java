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

import io.phoenixpruning.cli.Pruning;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

/**
 * Output and exit code of a {@code pruning} command that ran in this JVM. This takes less time than
 * a {@link PruningProcess}, which can also be interrupted, and reads a standard input.
 */
record PruningRun(int exitCode, String out, String err) {

  /** System property with a folder inside the folder for the temporary files of a command. */
  private static final String TEMPORARY_FILES = "hbase.tmp.dir";

  /** Runs a command, and fails if it leaves temporary files. */
  static PruningRun of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String before = System.clearProperty(TEMPORARY_FILES);
    try {
      int exitCode = Pruning.execute(new PrintWriter(out), new PrintWriter(err), args);
      String temporaryFiles = System.getProperty(TEMPORARY_FILES);
      if (temporaryFiles != null) {
        assertThat(Path.of(temporaryFiles).getParent()).doesNotExist();
      }
      return new PruningRun(exitCode, out.toString(), err.toString());
    } finally {
      if (before == null) {
        System.clearProperty(TEMPORARY_FILES);
      } else {
        System.setProperty(TEMPORARY_FILES, before);
      }
    }
  }

  /** Returns the output, if the command succeeded. */
  String output() {
    assertThat(exitCode).as(err).isZero();
    assertThat(err).isEmpty();
    return out;
  }

  /** Fails unless the command refused its arguments, and printed this one line. */
  void assertRefused(String line) {
    assertThat(exitCode).as(err).isEqualTo(2);
    assertThat(err.lines()).singleElement().isEqualTo(line);
    assertThat(out).isEmpty();
  }
}

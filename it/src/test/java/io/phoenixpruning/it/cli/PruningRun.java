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

/**
 * Output and exit code of a {@code pruning} command that ran in this JVM. This takes less time than
 * a {@link PruningProcess}, which tests also signals, temporary files and standard input.
 */
record PruningRun(int exitCode, String out, String err) {

  /** Names the folder for temporary files; commands set it. */
  private static final String TEMPORARY_FILES = "hbase.tmp.dir";

  static PruningRun of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String temporaryFiles = System.getProperty(TEMPORARY_FILES);
    try {
      int exitCode = Pruning.execute(new PrintWriter(out), new PrintWriter(err), args);
      return new PruningRun(exitCode, out.toString(), err.toString());
    } finally {
      if (temporaryFiles == null) {
        System.clearProperty(TEMPORARY_FILES);
      } else {
        System.setProperty(TEMPORARY_FILES, temporaryFiles);
      }
    }
  }

  /** Returns the output, if the command succeeded. */
  String output() {
    assertThat(exitCode).as(err).isZero();
    assertThat(err).isEmpty();
    return out;
  }

  /**
   * Fails unless the command printed this one line on standard error, and refused its arguments.
   */
  void assertRefused(String line) {
    assertThat(exitCode).as(err).isEqualTo(2);
    assertThat(err.lines()).singleElement().isEqualTo(line);
    assertThat(out).isEmpty();
  }
}

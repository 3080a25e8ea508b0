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

import io.phoenixpruning.cli.console.RefusedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.phoenix.jdbc.PhoenixDriver;
import sqlline.DispatchCallback;
import sqlline.SqlLine;

/** Runs sqlline on one JDBC URL. */
final class SqlShell {

  private static final String COMMAND = "!";

  /** Line width that no line of a result exceeds. */
  private static final int MAX_WIDTH = 1_000_000;

  /**
   * Text with which sqlline begins a line about the script, after the error of a failed statement.
   */
  private static final String ABORTING = "Aborting command set";

  private final String url;
  private final OutputStream out;
  private final PrintStream err;
  private final List<String> options;

  /**
   * @param out receives the results
   * @param err receives sqlline's other output in an interactive session
   * @param color whether to use colors
   */
  SqlShell(String url, OutputStream out, PrintStream err, boolean color) {
    this.url = url;
    this.out = out;
    this.err = err;
    this.options =
        List.of("--color=" + color, "--fastConnect=true", "--isolation=TRANSACTION_READ_COMMITTED");
  }

  /**
   * Runs an interactive session on the terminal until the end of input.
   *
   * @return whether sqlline ended without an error
   */
  boolean runInteractive() throws IOException {
    String[] arguments =
        Stream.concat(
                Stream.of("-d", PhoenixDriver.class.getName(), "-u", url, "-n", "", "-p", ""),
                options.stream())
            .toArray(String[]::new);
    SqlLine sqlLine = new SqlLine();
    sqlLine.setOutputStream(out);
    sqlLine.setErrorStream(err);
    return sqlLine.begin(arguments, null, true) == SqlLine.Status.OK;
  }

  /**
   * Runs the statements of {@code script} up to the first that fails, and prints their results.
   *
   * @throws RefusedException if the connection or a statement fails
   */
  void run(Path script) throws IOException {
    SqlLine sqlLine = new SqlLine();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    sqlLine.setErrorStream(new PrintStream(errors, true, StandardCharsets.UTF_8));
    // First runs a session without input, because later failures are then reported without a stack
    // trace. The terminal of this session writes only control sequences, which are discarded.
    sqlLine.setOutputStream(OutputStream.nullOutputStream());
    sqlLine.begin(
        // Without a terminal, lines of EXPLAIN must not be cut to a terminal's width.
        Stream.concat(
                options.stream(),
                Stream.of("--silent=true", "--maxWidth=" + MAX_WIDTH, "--maxColumnWidth=-1"))
            .toArray(String[]::new),
        InputStream.nullInputStream(),
        false);

    sqlLine.setOutputStream(out);
    List<String> commands =
        List.of(
            COMMAND
                + "connect -p driver "
                + PhoenixDriver.class.getName()
                + " -p user \"\" -p password \"\" \""
                + url
                + "\"",
            COMMAND + "run \"" + script + "\"");
    int succeeded = sqlLine.runCommands(commands, new DispatchCallback());
    sqlLine.runCommands(List.of(COMMAND + "closeall"), new DispatchCallback());
    out.flush();
    if (succeeded < commands.size()) {
      throw new RefusedException(errors.toString(StandardCharsets.UTF_8).split(ABORTING, 2)[0]);
    }
  }
}

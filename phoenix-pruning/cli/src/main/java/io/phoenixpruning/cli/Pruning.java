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

import io.phoenixpruning.cli.console.Terminal;
import java.io.PrintWriter;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The command {@code pruning}. */
@Command(
    name = "pruning",
    description = "Reads only the regions of a local index that can hold a matching row.",
    mixinStandardHelpOptions = true,
    version = "Phoenix Pruning for Apache Phoenix 5.2.1 on HBase 2.6",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      SqlCommand.class,
      LayoutCommand.class,
      CheckCommand.class,
      ExplainCommand.class,
      AdviseCommand.class,
      TuneCommand.class
    },
    footer = {
      "",
      "PRUNING_OPTS holds options for the JVM, such as -Xmx4g. JAVA_HOME is the folder of the JDK"
          + " 17. TMPDIR is the folder for temporary files. HBASE_CONF_DIR and HADOOP_CONF_DIR are"
          + " the folders with the hbase-site.xml and the core-site.xml of the cluster that --url"
          + " names; a cluster with Kerberos needs them."
    })
public final class Pruning implements Runnable {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  private Pruning() {}

  /**
   * Runs a command and exits with its exit code, 0 for success. A failure prints one line on
   * standard error that says how to fix the problem.
   */
  public static void main(String[] args) {
    if (!Boolean.getBoolean(OneLineErrors.TRACE)) {
      Libraries.mute();
    }
    int exitCode =
        execute(new PrintWriter(Terminal.OUT, true), new PrintWriter(Terminal.ERR, true), args);
    // A command may have started servers, whose threads would keep the JVM running.
    System.exit(exitCode);
  }

  /**
   * Runs a command in this JVM and returns its exit code.
   *
   * @param out receives the output
   * @param err receives errors; progress is printed to the standard error of the process
   */
  public static int execute(PrintWriter out, PrintWriter err, String... args) {
    return execute(commandLine().setOut(out).setErr(err), args);
  }

  /**
   * Runs a command and returns its exit code, even after an {@link Error}. Picocli handles only
   * exceptions, but an error must neither be silent nor leave servers running.
   */
  static int execute(CommandLine command, String... args) {
    try {
      return command.execute(args);
    } catch (Throwable failure) {
      return OneLineErrors.report(command, failure);
    }
  }

  static CommandLine commandLine() {
    OneLineErrors errors = new OneLineErrors();
    CommandLine command = new CommandLine(new Pruning());
    ServiceLoader.load(AddedCommand.class).forEach(command::addSubcommand);
    return command.setParameterExceptionHandler(errors).setExecutionExceptionHandler(errors);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "A command is missing");
  }
}

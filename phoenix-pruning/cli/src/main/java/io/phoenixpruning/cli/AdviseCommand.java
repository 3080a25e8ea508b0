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

import io.phoenixpruning.cli.advise.Advice;
import io.phoenixpruning.cli.advise.AdviceHtml;
import io.phoenixpruning.cli.advise.AdviceJson;
import io.phoenixpruning.cli.advise.AdviceText;
import io.phoenixpruning.cli.advise.Advisor;
import io.phoenixpruning.cli.advise.Workload;
import io.phoenixpruning.cli.console.Progress;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.console.Terminal;
import io.phoenixpruning.cli.explain.Database;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code pruning advise}. */
@Command(
    name = "advise",
    description = {
      "Proposes local indexes for the statements in files or in Phoenix's log, and indexes to drop."
          + " Shows what each statement would read before and after, and prints the DDL. Runs none"
          + " of the statements, and changes none of your tables.",
      "In a file, a comment before a statement can say how often it runs, compared with others:",
      "  -- weight: 10",
      "Another comment can hold the values of its parameters:",
      "  -- bind: 25, 'x'"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:The advice is complete; it may be to change nothing.",
      "2:A file, a statement or an option is invalid."
    })
final class AdviseCommand implements Callable<Integer> {

  @ArgGroup(multiplicity = "1")
  private TablesOption tables;

  @Mixin private WorkloadOptions statements;

  @Option(
      names = "--writes",
      split = ",",
      paramLabel = "TABLE=ROWS",
      description =
          "Number of rows written to the table while each statement runs as often as its weight."
              + " Default: one row for each run of a statement that reads the table.")
  private Map<String, Double> writes = Map.of();

  @ArgGroup(exclusive = false)
  private @Nullable MeasureOption measure;

  @Option(names = "--html", paramLabel = "FILE", description = "Also writes a page with charts.")
  private @Nullable Path html;

  @Option(names = "--json", description = "Prints one JSON object.")
  private boolean json;

  @Mixin private ColorOption color;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    statements.check(tables.areOnCluster());
    requirePositive();
    if (measure != null) {
      measure.check(tables.areOnCluster());
    }
    try (Cleanup cleanup =
        new Cleanup(spec.qualifiedName(), () -> "nothing was changed", Terminal.ERR)) {
      TemporaryFolder temporary = new TemporaryFolder("pruning-advise-");
      cleanup.add(temporary::delete);
      Path folder = temporary.create();
      Database database = tables.open(folder, cleanup);
      Workload workload = statements.read(database, tables.areOnCluster());
      workload.problems().forEach(problem -> OneLineErrors.print(spec.commandLine(), problem));
      if (workload.queries().isEmpty() && workload.refused().isEmpty()) {
        return ExitCode.USAGE;
      }
      AdviceHtml page = html == null ? null : new AdviceHtml(html);
      Progress progress = new Progress(Terminal.ERR, Terminal.isInteractive());
      Advice advice =
          new Advisor(database, names -> tables.copy(database, names, cleanup), writes, progress)
              .advise(workload);
      if (measure != null) {
        advice = measure.measure(advice, database.connection(), cleanup, progress);
      }
      if (page != null) {
        page.write(advice);
      }
      print(advice);
      return workload.problems().isEmpty() ? ExitCode.OK : ExitCode.USAGE;
    }
  }

  private void requirePositive() {
    writes.forEach(
        (table, rows) -> {
          if (!(rows >= 0 && rows < Double.POSITIVE_INFINITY)) {
            throw new RefusedException(
                "--writes has " + table + "=" + rows + ". Expected 0 or more rows");
          }
        });
  }

  private void print(Advice advice) throws IOException {
    if (json) {
      new AdviceJson(spec.commandLine().getOut()).print(advice);
    } else {
      new AdviceText(spec.commandLine().getOut(), spec.commandLine().getColorScheme().ansi())
          .print(advice);
    }
  }
}

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
import io.phoenixpruning.cli.console.Terminal;
import io.phoenixpruning.cli.explain.ExplainFiles;
import io.phoenixpruning.cli.explain.ExplainReport;
import io.phoenixpruning.cli.explain.Explainer;
import io.phoenixpruning.cli.explain.JsonReport;
import io.phoenixpruning.cli.explain.TextReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code pruning explain}. */
@Command(
    name = "explain",
    description = {
      "Plans the statements in files without running them. Shows the regions and the index that"
          + " each statement would read, and warns of avoidable cost.",
      "A comment before a statement can say what its plan must be:",
      "  -- expect: regions <= 3, index = I2, scan = range",
      "Another comment can hold the values of its parameters:",
      "  -- bind: 25, 'x'"
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:All plans are as expected.",
      "1:A plan is not as expected.",
      "2:A file, a statement or an option is invalid."
    })
final class ExplainCommand implements Callable<Integer> {

  @ArgGroup(multiplicity = "1")
  private TablesOption tables;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "SQL files in UTF-8.")
  private List<Path> files;

  @Option(
      names = "--max-regions",
      paramLabel = "N",
      description = "Warns of each statement that would read more than N regions.")
  private @Nullable Integer maxRegions;

  @Option(
      names = "--update",
      description =
          "Writes the current plans into the files as expectations, and lists the changes. An"
              + " inequality for the number of regions stays an inequality.")
  private boolean update;

  @Option(
      names = "--dry-run",
      description = "With --update: lists the changes, but does not write them.")
  private boolean dryRun;

  @Option(names = "--json", description = "Prints one JSON object.")
  private boolean json;

  @Mixin private ColorOption color;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (maxRegions != null && maxRegions < 0) {
      throw new RefusedException("--max-regions is " + maxRegions + ". Expected 0 or more");
    }
    if (dryRun && !update) {
      throw new RefusedException(
          "--dry-run is given without --update. Expected both: add --update, or leave --dry-run"
              + " out");
    }
    try (Cleanup cleanup =
        new Cleanup(spec.qualifiedName(), () -> "no file is left half written", Terminal.ERR)) {
      TemporaryFolder temporary = new TemporaryFolder("pruning-explain-");
      cleanup.add(temporary::delete);
      Explainer explainer =
          new Explainer(
              tables.open(temporary.create(), cleanup),
              maxRegions == null ? OptionalInt.empty() : OptionalInt.of(maxRegions));
      ExplainFiles explained = new ExplainFiles(explainer);
      return report(explain(explained));
    }
  }

  private ExplainReport explain(ExplainFiles explained) {
    if (dryRun) {
      return explained.preview(files);
    }
    return update ? explained.update(files) : explained.check(files);
  }

  private int report(ExplainReport report) throws IOException {
    if (json) {
      new JsonReport(spec.commandLine().getOut()).print(report);
    } else {
      new TextReport(spec.commandLine().getOut(), spec.commandLine().getColorScheme().ansi())
          .print(report);
    }
    report.refusals().forEach(refusal -> OneLineErrors.print(spec.commandLine(), refusal));
    if (report.isRefused()) {
      return ExitCode.USAGE;
    }
    return report.isBroken() ? ExitCode.SOFTWARE : ExitCode.OK;
  }
}

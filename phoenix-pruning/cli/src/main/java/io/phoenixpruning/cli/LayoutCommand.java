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

import io.phoenixpruning.cli.console.Progress;
import io.phoenixpruning.cli.console.Terminal;
import io.phoenixpruning.cli.layout.IndexReport;
import io.phoenixpruning.cli.layout.IndexedTable;
import io.phoenixpruning.cli.layout.LayoutReport;
import io.phoenixpruning.cli.layout.TableArgument;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.apache.phoenix.pruning.layout.IndexLayout;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code pruning layout}. */
@Command(
    name = "layout",
    description = {
      "Shows how the local indexes of a table store their rows, and what lookups along them cost.",
      "Reads statistics and up to 100 rows of each index. Changes nothing."
    },
    mixinStandardHelpOptions = true)
final class LayoutCommand implements Callable<Integer> {

  @Mixin private ClusterOption cluster;

  @Option(
      names = "--count",
      description = "Counts the rows of each index. The servers read the whole index.")
  private boolean isCounting;

  @Mixin private TableParameter table;

  @Mixin private ColorOption color;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    TableArgument named = table.parse();
    try (Cleanup cleanup =
        new Cleanup(spec.qualifiedName(), () -> "nothing was changed", Terminal.ERR)) {
      print(IndexedTable.find(cluster.open(cleanup), named));
      return ExitCode.OK;
    }
  }

  private void print(IndexedTable indexed) throws Exception {
    List<IndexReport> reports = new ArrayList<>();
    for (IndexLayout layout : indexed.layouts()) {
      reports.add(
          IndexReport.of(
              indexed,
              layout,
              isCounting ? OptionalLong.of(count(indexed, layout)) : OptionalLong.empty()));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(new LayoutReport(indexed, reports).text(spec.commandLine().getColorScheme()));
    out.flush();
  }

  private static long count(IndexedTable indexed, IndexLayout layout) throws Exception {
    return new Progress(Terminal.ERR, Terminal.isInteractive())
        .run("Count the rows of " + layout.index(), -1, done -> indexed.count(layout));
  }
}

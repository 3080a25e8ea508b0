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

import static io.phoenixpruning.report.format.Figures.plural;

import io.phoenixpruning.cli.check.CheckJson;
import io.phoenixpruning.cli.check.CheckResult;
import io.phoenixpruning.cli.check.CheckText;
import io.phoenixpruning.cli.check.CheckedTable;
import io.phoenixpruning.cli.check.IndexRepair;
import io.phoenixpruning.cli.check.RepairResult;
import io.phoenixpruning.cli.check.TableCheck;
import io.phoenixpruning.cli.console.Progress;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.console.Terminal;
import io.phoenixpruning.cli.layout.TableArgument;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.protocol.IndexDifference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code pruning check}. */
@Command(
    name = "check",
    description = {
      "Compares the local indexes of a table with the table, and lists the entries that are missing,"
          + " extra or stale.",
      "The servers compare. Only entries that differ cross the network. If the servers do not"
          + " support this, the command reads all rows and compares them itself.",
      "With --repair, writes missing entries, deletes extra ones and replaces stale ones, and then"
          + " compares again. Applications may write in the meantime."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:All indexes agree with the table.",
      "1:The check failed.",
      "2:An option or the table is invalid.",
      "3:An index differs from the table. With --repair: it still differs."
    })
final class CheckCommand implements Callable<Integer> {

  /** Capabilities of a cluster that hide rows or cells from a user without an error. */
  private static final Set<SecurityCapability> HIDING =
      EnumSet.of(
          SecurityCapability.AUTHORIZATION,
          SecurityCapability.CELL_AUTHORIZATION,
          SecurityCapability.CELL_VISIBILITY);

  /** Exit code for an index that differs from its table. */
  static final int DIFFERS = 3;

  @Mixin private ClusterOption cluster;

  @Option(names = "--json", description = "Prints one JSON object, with all differences.")
  private boolean json;

  @Option(
      names = "--repair",
      description = "Repairs the entries that differ. Asks before each kind of difference.")
  private boolean repair;

  @Option(names = "--yes", description = "With --repair: repairs all differences without asking.")
  private boolean yes;

  @Parameters(
      paramLabel = "TABLE",
      description =
          "A table or a view with local indexes, named as in SQL: T, SCHEMA.T, or '\"t\"' in lower"
              + " case.")
  private String table;

  @Mixin private ColorOption color;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    TableArgument named = TableArgument.parse(table);
    if (yes && !repair) {
      throw new RefusedException(
          "--yes is given without --repair. Expected both: add --repair, or leave --yes out");
    }
    try (Cleanup cleanup = new Cleanup(spec.qualifiedName(), this::outcome, Terminal.ERR)) {
      PhoenixConnection connection = cluster.open(cleanup);
      CheckedTable checked = CheckedTable.find(connection, named);
      TableCheck check = new TableCheck(checked);
      CheckResult result =
          new Progress(Terminal.ERR, Terminal.isInteractive())
              .run("Compare the indexes of " + checked.name(), -1, check::check);
      if (!repair) {
        print(result, null);
        return result.differences().isEmpty() ? ExitCode.OK : DIFFERS;
      }
      if (!json) {
        print(result, null);
      }
      requireAllRows(result, connection);
      RepairResult repaired = IndexRepair.repair(checked, check, result, kindsToRepair(result));
      print(result, repaired);
      return repaired.left().isEmpty() && result.isComplete() ? ExitCode.OK : DIFFERS;
    }
  }

  /**
   * Checks that the client can see all rows. A server with our jar refuses a comparison if the user
   * may not read all rows. If the client compares, HBase hides such rows, and their entries would
   * look like extra entries.
   */
  private static void requireAllRows(CheckResult result, PhoenixConnection connection)
      throws SQLException, IOException {
    long byClient = result.regionsComparedByClient();
    if (byClient == 0 || result.differences().isEmpty()) {
      return;
    }
    try (Admin admin = connection.getQueryServices().getAdmin()) {
      List<SecurityCapability> hiding =
          admin.getSecurityCapabilities().stream()
              .filter(capability -> HIDING.contains(capability))
              .toList();
      if (!hiding.isEmpty()) {
        throw new RefusedException(
            "--repair is refused: this client compared "
                + plural(byClient, "region")
                + ", and the cluster has "
                + hiding
                + ", so rows may be hidden from it. "
                + CheckText.EXPECTED_SERVERS);
      }
    }
  }

  private String outcome() {
    return repair ? "entries that were repaired stay repaired" : "nothing was changed";
  }

  /**
   * Asks for each kind of difference whether to repair it. With {@code --yes}, all kinds are
   * repaired, even kinds that the first comparison did not find.
   */
  private Set<IndexDifference.Kind> kindsToRepair(CheckResult result) throws IOException {
    if (yes) {
      return EnumSet.allOf(IndexDifference.Kind.class);
    }
    Set<IndexDifference.Kind> kinds = EnumSet.noneOf(IndexDifference.Kind.class);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
    for (IndexDifference.Kind kind : IndexDifference.Kind.values()) {
      long count = result.count(kind);
      if (count > 0 && confirm(question(kind, count), in)) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  private static String question(IndexDifference.Kind kind, long count) {
    String entries = CheckText.name(kind) + (count == 1 ? " entry" : " entries");
    return switch (kind) {
      case MISSING -> "Write " + count + " " + entries;
      case EXTRA -> "Delete " + count + " " + entries;
      case STALE -> "Replace " + count + " " + entries;
    };
  }

  private boolean confirm(String question, BufferedReader in) throws IOException {
    spec.commandLine().getErr().print(question + "? [y/N] ");
    spec.commandLine().getErr().flush();
    String answer = in.readLine();
    return answer != null && answer.strip().equalsIgnoreCase("y");
  }

  private void print(CheckResult result, @Nullable RepairResult repaired) throws IOException {
    if (json) {
      new CheckJson(spec.commandLine().getOut()).print(result, repaired);
    } else if (repaired == null) {
      new CheckText(spec.commandLine().getOut()).print(result);
    } else {
      new CheckText(spec.commandLine().getOut()).print(repaired, result.isComplete());
    }
  }
}

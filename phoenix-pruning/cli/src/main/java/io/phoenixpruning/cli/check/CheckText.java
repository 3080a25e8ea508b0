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
package io.phoenixpruning.cli.check;

import static io.phoenixpruning.report.format.Figures.plural;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.protocol.IndexDifference;

/** Prints the result of a check as text. */
public final class CheckText {

  /** Maximum number of differences that are printed for each index. */
  static final int SHOWN = 20;

  /** Says which servers compare regions. All modes except {@code stock} are allowed. */
  public static final String EXPECTED_SERVERS =
      "Expected servers with the jar of this project and phoenix.pruning.check.concurrency above 0,"
          + " and phoenix.pruning.mode not set to stock for the server or the table";

  private final PrintWriter out;

  public CheckText(PrintWriter out) {
    this.out = out;
  }

  /** Prints a block for each index, and a line about the regions. */
  public void print(CheckResult result) {
    for (int i = 0; i < result.checked().layouts().size(); i++) {
      print(result, i);
    }
    long byClient = result.regionsComparedByClient();
    long regions = result.regions().size();
    out.println(
        plural(regions, "region")
            + " with "
            + plural(result.rows(), "row")
            + (byClient == 0 ? " compared by the servers; " : " compared; ")
            + crossed(result.transferred()));
    if (byClient > 0) {
      out.println(
          "This client compared "
              + byClient
              + " of them, which is slower: the servers of these regions do not support the check. "
              + EXPECTED_SERVERS);
    }
    if (!result.isComplete()) {
      out.println("The check ended early because of too many differences. Rebuild the index");
    }
    out.flush();
  }

  /**
   * Prints how many entries were repaired, and which entries still differ.
   *
   * @param isComplete whether all regions were compared
   */
  public void print(RepairResult repaired, boolean isComplete) {
    out.println(
        "Wrote "
            + repaired.repaired(IndexDifference.Kind.MISSING)
            + " missing, deleted "
            + repaired.repaired(IndexDifference.Kind.EXTRA)
            + " extra, replaced "
            + repaired.repaired(IndexDifference.Kind.STALE)
            + " stale entries; "
            + (repaired.left().isEmpty()
                ? "no entry differs now" + (isComplete ? "" : " in the regions that were compared")
                : plural(repaired.left().size(), "entry differs", "entries differ") + " now"));
    repaired.left().stream().limit(SHOWN).forEach(this::print);
    out.flush();
  }

  private void print(Difference difference) {
    out.println(
        String.format(Locale.ROOT, "  %-8s %s", name(difference.kind()), difference.text()));
  }

  private static String crossed(long transferred) {
    return transferred == 0
        ? "no row crossed the network"
        : plural(transferred, "row") + " crossed the network";
  }

  private void print(CheckResult result, int position) {
    IndexLayout layout = result.checked().layouts().get(position);
    List<Difference> differences = result.differences(layout);
    out.println(
        layout.index()
            + " on "
            + layout.dataTable()
            + ": "
            + plural(result.entries(position), "entry", "entries")
            + ", "
            + (differences.isEmpty() ? "consistent" : counts(differences)));
    differences.stream().limit(SHOWN).forEach(this::print);
    if (differences.size() > SHOWN) {
      out.println("  and " + (differences.size() - SHOWN) + " more, which --json prints");
    }
  }

  private static String counts(List<Difference> differences) {
    StringBuilder text = new StringBuilder();
    for (IndexDifference.Kind kind : IndexDifference.Kind.values()) {
      long count = differences.stream().filter(each -> each.kind() == kind).count();
      text.append(text.isEmpty() ? "" : ", ").append(count).append(' ').append(name(kind));
    }
    return text.toString();
  }

  /** Returns the printed name of a kind of difference. */
  public static String name(IndexDifference.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}

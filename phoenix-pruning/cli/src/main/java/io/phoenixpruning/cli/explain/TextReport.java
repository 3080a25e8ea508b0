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
package io.phoenixpruning.cli.explain;

import static io.phoenixpruning.report.format.Figures.plural;

import io.phoenixpruning.cli.console.Styled;
import java.io.PrintWriter;
import org.apache.phoenix.pruning.explain.ScanSummary;
import picocli.CommandLine.Help.Ansi;

/** Prints a report as text for people. */
public final class TextReport {

  private static final String INDENT = "  ";

  private final PrintWriter out;
  private final Ansi ansi;

  public TextReport(PrintWriter out, Ansi ansi) {
    this.out = out;
    this.ansi = ansi;
  }

  /** Prints each statement, followed by a summary line. */
  public void print(ExplainReport report) {
    for (Explained statement : report.statements()) {
      print(statement);
    }
    report.changes().forEach(change -> print(change, report.isPreview()));
    out.println(
        plural(report.statements().size(), "statement")
            + ": "
            + report.broken()
            + " not as expected, "
            + report.refused()
            + " refused, "
            + plural(report.warnings(), "warning"));
    out.flush();
  }

  private void print(Explained explained) {
    SqlStatement statement = explained.statement();
    out.println(
        styled("bold", explained.file() + ":" + statement.position() + ": ") + statement.title());
    if (!explained.problems().isEmpty()) {
      out.println(INDENT + styled("red", "refused: see standard error"));
    }
    if (explained.plan().isPresent()) {
      if (explained.plan().get().scans().isEmpty()) {
        out.println(INDENT + "reads no table");
      }
      for (ScanSummary scan : explained.plan().get().scans()) {
        out.println(INDENT + scan);
      }
    }
    for (Warning warning : explained.warnings()) {
      out.println(
          INDENT + styled("yellow", "warning " + warning.kind() + ": ") + warning.message());
    }
    explained.verdicts().forEach(this::print);
    out.println();
  }

  private void print(ExpectationChange change, boolean isPreview) {
    out.println(
        styled("bold", change.file() + ":" + change.statement() + ": ")
            + (isPreview ? "would change" : "changed"));
    change.before().forEach(before -> out.println(INDENT + styled("red", "- expect: " + before)));
    change.after().forEach(after -> out.println(INDENT + styled("green", "+ expect: " + after)));
    out.println();
  }

  private void print(Explained.Verdict verdict) {
    if (verdict.isMet()) {
      out.println(INDENT + styled("green", "as expected: ") + verdict.expectation());
      return;
    }
    out.println(INDENT + styled("red", "not as expected: ") + verdict.expectation());
    for (Expectation.Difference difference : verdict.differences()) {
      out.println(INDENT + styled("red", "- " + difference.expected()));
      out.println(INDENT + styled("green", "+ " + difference.actual()));
    }
  }

  private String styled(String style, String text) {
    return Styled.text(ansi, style, text);
  }
}

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
package io.phoenixpruning.cli.advise;

import io.phoenixpruning.cli.console.Styled;
import io.phoenixpruning.report.format.Figures;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Help.Ansi;

/**
 * Prints advice as text for people. The last section has the statements to run. All explanations in
 * this section are SQL comments, so the section can be pasted into a SQL shell unchanged.
 */
public final class AdviceText {

  private static final String INDENT = "  ";

  private final PrintWriter out;
  private final Ansi ansi;

  public AdviceText(PrintWriter out, Ansi ansi) {
    this.out = out;
    this.ansi = ansi;
  }

  /**
   * Prints the totals, the advice for each table, the cost of each query, the assumptions, the
   * refused statements and the statements to run.
   */
  public void print(Advice advice) {
    printTotals(advice);
    advice.tables().forEach(this::print);
    printQueries(advice.queries());
    if (!advice.assumptions().isEmpty()) {
      out.println(styled("bold", "Assumptions"));
      advice.assumptions().forEach(assumption -> out.println(INDENT + "- " + assumption));
      out.println();
    }
    if (!advice.refused().isEmpty()) {
      out.println(styled("bold", "Refused, and left out of all figures"));
      advice.refused().forEach(refused -> out.println(INDENT + "- " + refused));
      out.println();
    }
    printStatements(advice);
    out.flush();
  }

  private void printTotals(Advice advice) {
    out.println(styled("bold", String.format("%-15s%13s%13s", "Workload", "before", "after")));
    for (Total total : Total.of(advice)) {
      out.printf(
          "  %-13s%13s%13s   %s%n",
          total.name(), total.shownBefore(), total.shownAfter(), total.change());
    }
    out.println(INDENT + Wording.WEIGHTED);
    out.println();
  }

  private void print(TableAdvice table) {
    out.println(styled("bold", table.table()) + ": " + Wording.size(table));
    if (table.indexes().isEmpty()) {
      out.println(INDENT + "no local index, and none is proposed");
    }
    table.indexes().forEach(this::print);
    for (StorageAdvice setting : table.settings()) {
      out.println(INDENT + styled("yellow", "set") + " " + Wording.of(setting));
      printDetail("reason", setting.reason());
    }
    out.println();
  }

  private void print(IndexAdvice advice) {
    IndexDefinition index = advice.index();
    out.println(
        INDENT + styled(color(advice.action()), Wording.of(advice.action())) + " " + index.name());
    printDetail("layout", Wording.layout(index));
    printDetail("key", Wording.key(index));
    printDetail("covered", Wording.covered(index));
    printDetail("queries", Wording.queries(advice));
    printDetail("write cost", Wording.of(advice.write()));
    printDetail("reason", advice.reason());
  }

  private static String color(IndexAdvice.Action action) {
    return switch (action) {
      case CREATE -> "green";
      case KEEP -> "bold";
      case DROP -> "red";
    };
  }

  private void printDetail(String label, String text) {
    out.printf("    %-12s%s%n", label, text);
  }

  private void printQueries(List<QueryAdvice> queries) {
    out.println(
        styled(
            "bold",
            String.format(
                "%-15s%13s%13s%13s   %s", "Queries", "regions", "RPCs", "bytes", "reads")));
    for (QueryAdvice query : queries) {
      out.println(
          INDENT + styled("bold", query.number() + ". " + query.place() + ": ") + query.title());
      out.println(INDENT + INDENT + "weight " + Figures.number(query.weight()));
      print("before", query.before());
      print("after", query.after());
    }
    out.println();
  }

  private void print(String when, QueryCost cost) {
    out.printf(
        "    %-11s%13s%13s%13s   %s%n",
        when,
        Figures.number(cost.regions()),
        Figures.number(cost.rpcs()),
        Figures.bytes(cost.bytes()),
        Wording.reads(cost.reads()));
  }

  private void printStatements(Advice advice) {
    if (advice.ddl().isEmpty()) {
      out.println("-- " + Wording.NO_CHANGE);
    } else {
      out.println("-- " + Wording.NOTHING_CHANGED + " To make the changes, run:");
      advice.ddl().forEach(statement -> out.println(statement + ";"));
    }
    if (!advice.drops().isEmpty()) {
      out.println("-- " + Wording.UNREAD);
      advice.drops().forEach(statement -> out.println("-- " + statement + ";"));
    }
  }

  private String styled(String style, String text) {
    return Styled.text(ansi, style, text);
  }
}

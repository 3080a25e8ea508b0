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
package io.phoenixpruning.cli.demo;

import static io.phoenixpruning.report.format.Figures.plural;

import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.config.PruningMode;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

/** Results of the demo as text. */
public final class DemoReport {

  /** Modes in the order of the report: from most to least work. */
  private static final List<PruningMode> MODES =
      List.of(PruningMode.NONE, PruningMode.STOCK, PruningMode.EXACT);

  private static final int LINE_WIDTH = 100;

  /** Number of characters for a message about wrong rows or a failure. */
  private static final int VERDICT_WIDTH = LINE_WIDTH - 53;

  private final List<QueryReport> queries;

  DemoReport(List<QueryReport> queries) {
    this.queries = List.copyOf(queries);
  }

  /**
   * Returns a table of the queries, with one line for each mode. Wrong rows and failures are marked
   * in red.
   */
  public String table(ColorScheme colors) {
    TextTable table =
        TextTable.forColumns(
            colors,
            new Column(10, 2, Overflow.SPAN),
            new Column(9, 0, Overflow.SPAN),
            new Column(9, 0, Overflow.SPAN),
            new Column(9, 0, Overflow.SPAN),
            new Column(12, 0, Overflow.SPAN),
            new Column(LINE_WIDTH - 49, 3, Overflow.SPAN));
    table.addRowValues(
        Stream.of(
                "Mode",
                alignRight(8, "Rows"),
                alignRight(8, "Regions"),
                alignRight(8, "RPCs"),
                alignRight(11, "Median"))
            .map(text -> colors.text("@|bold " + text + "|@"))
            .toArray(Text[]::new));
    StringBuilder text = new StringBuilder(table.toString());
    for (QueryReport report : queries) {
      TextTable lines = TextTable.forColumns(colors, table.columns());
      for (PruningMode mode : MODES) {
        addLine(lines, colors, report, mode);
      }
      text.append(title(colors, report.query())).append(lines);
    }
    return text.toString();
  }

  private static String title(ColorScheme colors, DemoQuery query) {
    TextTable line = TextTable.forColumns(colors, new Column(LINE_WIDTH, 4, Overflow.WRAP));
    line.addRowValues(colors.text("@|bold " + query.title() + ":|@ " + query.conditions()));
    // The column indents all its lines, but the first line has to start at the left margin.
    return line.toString().substring(4);
  }

  private static void addLine(
      TextTable lines, ColorScheme colors, QueryReport report, PruningMode mode) {
    Measurement measured = report.measurement(mode);
    lines.addRowValues(
        colors.text(name(mode)),
        colors.text(alignRight(8, Integer.toString(measured.rows()))),
        colors.text(alignRight(8, Long.toString(measured.regions()))),
        colors.text(alignRight(8, Long.toString(measured.rpcs()))),
        colors.text(alignRight(11, String.format(Locale.ROOT, "%.1f ms", measured.millis()))),
        verdict(colors, report, measured));
  }

  private static Text verdict(ColorScheme colors, QueryReport report, Measurement measured) {
    if (measured.isCorrect()) {
      return colors.text("");
    }
    return colors.text(
        "@|bold,red "
            + measured
                .failure()
                .map(DemoReport::shorten)
                .orElseGet(() -> describeWrongRows(report, measured))
            + "|@");
  }

  private static String describeWrongRows(QueryReport report, Measurement measured) {
    return "WRONG: the table has "
        + (measured.rows() == report.expectedRows()
            ? "other rows"
            : plural(report.expectedRows(), "row"));
  }

  private static String shorten(String failure) {
    String line = "FAILED: " + failure.replaceAll("\\s+", " ");
    return line.length() <= VERDICT_WIDTH ? line : line.substring(0, VERDICT_WIDTH - 3) + "...";
  }

  private static String alignRight(int width, String text) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }

  /** Returns the name of {@code mode} as users write it. */
  static String name(PruningMode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  /** Returns a summary in one sentence. */
  public String summary() {
    long exact = total(PruningMode.EXACT);
    return String.format(
        Locale.ROOT,
        "Exact pruning answered the %s with %s and %s. Mode stock sent %s and %s. Without"
            + " pruning, Phoenix sent %s.",
        plural(queries.size(), "query", "queries"),
        plural(exact, "scan RPC"),
        correctness(PruningMode.EXACT),
        describeRatio(total(PruningMode.STOCK), exact),
        correctness(PruningMode.STOCK),
        describeRatio(total(PruningMode.NONE), exact));
  }

  private String correctness(PruningMode mode) {
    long wrong = sum(report -> report.measurement(mode).returnedWrongRows() ? 1 : 0);
    long failed = sum(report -> report.measurement(mode).failure().isPresent() ? 1 : 0);
    if (wrong + failed == 0) {
      return "was always right";
    }
    return Stream.of(
            wrong == 0 ? "" : "returned wrong rows for " + wrong,
            failed == 0 ? "" : "failed for " + failed)
        .filter(fault -> !fault.isEmpty())
        .collect(Collectors.joining(" and "));
  }

  private static String describeRatio(long rpcs, long exact) {
    return String.format(
        Locale.ROOT, "%,d (%.1f times as many)", rpcs, (double) rpcs / Math.max(1, exact));
  }

  private long total(PruningMode mode) {
    return sum(report -> report.measurement(mode).rpcs());
  }

  private long sum(ToLongFunction<QueryReport> figure) {
    return queries.stream().mapToLong(figure).sum();
  }

  /** Returns true if every query returned the rows of the data table when it was pruned exactly. */
  public boolean isExactCorrect() {
    return queries.stream().allMatch(report -> report.measurement(PruningMode.EXACT).isCorrect());
  }
}

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
package io.phoenixpruning.perf.harness;

import io.phoenixpruning.report.format.Figures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results that a {@link View} shows, arranged in rows and columns. */
final class Pivot {

  private final View view;
  private final Set<String> columns = new LinkedHashSet<>();
  private final Map<List<String>, Map<String, Summary>> rows = new LinkedHashMap<>();
  private final Map<List<String>, Map<String, List<Summary>>> bounds = new LinkedHashMap<>();
  private String unit = "";

  Pivot(View view, List<Result> results) {
    this.view = view;
    for (Result result : results) {
      if (result.measure().equals(view.measure())) {
        String column = result.at().get(view.columns());
        columns.add(column);
        rows.computeIfAbsent(row(result), added -> new LinkedHashMap<>())
            .put(column, result.summary());
        unit = result.unit();
      } else if (view.bounds().contains(result.measure())) {
        bounds
            .computeIfAbsent(row(result), added -> new LinkedHashMap<>())
            .computeIfAbsent(result.at().get(view.columns()), added -> new ArrayList<>())
            .add(result.summary());
      }
    }
  }

  private List<String> row(Result result) {
    return view.rows().stream().map(result.at()::get).toList();
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Returns the title, the figure that is shown, and its unit. */
  String title() {
    return view.title()
        + (view.figure().title().isEmpty() ? "" : ", " + view.figure().title())
        + (unit.isEmpty() ? "" : ", " + unit);
  }

  /** Returns the dimensions of the rows, followed by the values of the column dimension. */
  List<String> header() {
    return Stream.concat(view.rows().stream(), columns.stream()).toList();
  }

  /** Returns the number of cells of a row that are names rather than figures. */
  int names() {
    return view.rows().size();
  }

  /** Returns the formatted cells of all rows. */
  List<List<String>> cells() {
    List<List<String>> cells = new ArrayList<>();
    rows.forEach(
        (names, figures) ->
            cells.add(
                Stream.concat(
                        names.stream(),
                        columns.stream().map(column -> cell(names, figures, column)))
                    .toList()));
    return cells;
  }

  private String cell(List<String> row, Map<String, Summary> figures, String column) {
    Summary summary = figures.get(column);
    if (summary == null) {
      return "";
    }
    String shown = Figures.number(view.figure().of(summary));
    if (view.figure() == View.Figure.MEDIAN && summary.min() != summary.max()) {
      shown += " (%s to %s)".formatted(Figures.number(summary.p5()), Figures.number(summary.p95()));
    }
    List<Summary> interval = bounds.getOrDefault(row, Map.of()).getOrDefault(column, List.of());
    if (!interval.isEmpty()) {
      shown +=
          interval.stream()
              .map(bound -> Figures.number(bound.median()))
              .collect(Collectors.joining(" to ", " (", ")"));
    }
    Summary base = figures.get(view.base());
    return base == null || base == summary || view.figure().of(base) == 0
        ? shown
        : shown + ", × " + Figures.number(view.figure().of(summary) / view.figure().of(base));
  }

  /** Returns a Markdown table; empty if there is nothing to show. */
  String markdown() {
    if (isEmpty()) {
      return "";
    }
    List<String> header = header();
    StringBuilder table = new StringBuilder("**").append(title()).append("**\n\n");
    line(table, header);
    table.append('|');
    for (int i = 0; i < header.size(); i++) {
      table.append(i < names() ? "---|" : "---:|");
    }
    table.append('\n');
    cells().forEach(row -> line(table, row));
    return table.append('\n').toString();
  }

  private static void line(StringBuilder table, List<String> cells) {
    table.append(cells.stream().collect(Collectors.joining(" | ", "| ", " |\n")));
  }

  /** Returns the values of the column dimension. */
  Set<String> columns() {
    return columns;
  }

  /**
   * Groups the rows by all their dimensions except {@code dimension}.
   *
   * @return for each group and each column, the figures by the value of {@code dimension}
   */
  Map<List<String>, Map<String, Map<String, Double>>> by(String dimension) {
    int place = view.rows().indexOf(dimension);
    Map<List<String>, Map<String, Map<String, Double>>> groups = new LinkedHashMap<>();
    rows.forEach(
        (names, figures) -> {
          List<String> others = new ArrayList<>(names);
          String name = others.remove(place);
          figures.forEach(
              (column, summary) ->
                  groups
                      .computeIfAbsent(others, added -> new LinkedHashMap<>())
                      .computeIfAbsent(column, added -> new LinkedHashMap<>())
                      .put(name, view.figure().of(summary)));
        });
    return groups;
  }
}

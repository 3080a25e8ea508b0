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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.phoenixpruning.cli.console.HtmlFile;
import io.phoenixpruning.cli.console.WholeFile;
import io.phoenixpruning.report.html.BarChart;
import io.phoenixpruning.report.html.Chart;
import io.phoenixpruning.report.html.Figure;
import io.phoenixpruning.report.html.LineChart;
import io.phoenixpruning.report.html.Markup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** Reports the results of a run in Markdown, in HTML with charts, and in JSON. */
public final class Report {

  private static final String LOGARITHMIC = " The scale is logarithmic. Zeros are omitted.";

  private final RunDescription run;
  private final List<Result> results;
  private final List<Pivot> tables = new ArrayList<>();
  private final List<View> views = new ArrayList<>();

  public Report(RunDescription run, List<View> views, List<Result> results) {
    this.run = run;
    this.results = results;
    for (View view : views) {
      Pivot table = new Pivot(view, results);
      if (!table.isEmpty()) {
        this.views.add(view);
        this.tables.add(table);
      }
    }
  }

  /** Writes {@code report.md}, {@code report.html} and {@code results.json}. */
  public void write(Path folder) throws IOException {
    WholeFile.write(folder.resolve("report.md"), markdown());
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("run", run);
    json.put("results", results);
    WholeFile.write(
        folder.resolve("results.json"),
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(json)
            + "\n");
    new HtmlFile(folder.resolve("report.html")).write(this::html);
  }

  /** Returns the tables, followed by a description of the run. */
  public String markdown() {
    StringBuilder text = new StringBuilder();
    tables.forEach(table -> text.append(table.markdown()));
    return text.append(describeRun()).append('\n').toString();
  }

  private String describeRun() {
    return "`%s`, seed %d, %s. %s. %s, on %s. %s"
        .formatted(
            run.benchmark(),
            run.seed(),
            run.started(),
            join(run.settings()),
            join(run.versions()),
            join(run.machine()),
            "Figures are medians (5th to 95th percentile), unless the heading names a percentile. ×"
                + " is the ratio to the reference column, which has no ×.");
  }

  private static String join(Map<String, String> values) {
    List<String> all = new ArrayList<>();
    values.forEach((name, value) -> all.add(name + " " + value));
    return String.join(", ", all);
  }

  private String html() throws IOException {
    Markup body = Markup.page("Benchmark " + run.benchmark());
    body.add("p", describeRun());
    for (int i = 0; i < tables.size(); i++) {
      Pivot table = tables.get(i);
      body.add("h2", table.title());
      for (Drawn drawn : charts(i)) {
        Figure.add(body, drawn.id, drawn.title, drawn.caption, drawn.chart);
      }
      Markup rows = body.table(table.header());
      for (List<String> cells : table.cells()) {
        Markup row = rows.child("tr");
        for (int cell = 0; cell < cells.size(); cell++) {
          if (cell < table.names()) {
            row.add("td", cells.get(cell));
          } else {
            row.number(cells.get(cell));
          }
        }
      }
    }
    return body.written();
  }

  /** A chart of a table, with its title. */
  private record Drawn(String id, String title, String caption, Chart chart) {}

  private List<Drawn> charts(int table) {
    View view = views.get(table);
    String dimension =
        view.lines().isEmpty() ? view.rows().get(view.rows().size() - 1) : view.lines();
    List<Drawn> charts = new ArrayList<>();
    tables
        .get(table)
        .by(dimension)
        .forEach(
            (group, figures) -> {
              String place = group.isEmpty() ? "" : ": " + String.join(", ", group);
              String title = tables.get(table).title() + place;
              String id = "chart" + table + "-" + charts.size();
              if (view.lines().isEmpty()) {
                BarChart chart = bars(figures);
                charts.add(new Drawn(id, title, caption(dimension, chart.isLogarithmic()), chart));
              } else {
                LineChart chart = lines(figures);
                if (!chart.isEmpty()) {
                  charts.add(
                      new Drawn(id, title, caption(dimension, chart.isLogarithmic()), chart));
                }
              }
            });
    return charts;
  }

  private static LineChart lines(Map<String, Map<String, Double>> figures) {
    LineChart chart = new LineChart();
    figures.forEach(
        (column, points) -> {
          Map<Double, Double> line = new LinkedHashMap<>();
          points.forEach((x, y) -> line.put(Double.valueOf(x), y));
          chart.add(column, line);
        });
    return chart;
  }

  private static BarChart bars(Map<String, Map<String, Double>> figures) {
    List<String> labels =
        figures.values().stream().flatMap(bars -> bars.keySet().stream()).distinct().toList();
    BarChart chart = new BarChart(labels);
    figures.forEach(
        (column, bars) ->
            chart.add(
                column,
                labels.stream()
                    .map(
                        label ->
                            bars.containsKey(label)
                                ? OptionalDouble.of(bars.get(label))
                                : OptionalDouble.empty())
                    .toList()));
    return chart;
  }

  /** Writes each chart as an SVG file. The title of the chart is the file's name. */
  public void writeCharts(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (int i = 0; i < tables.size(); i++) {
      for (Drawn drawn : charts(i)) {
        String name = drawn.title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-");
        // In a page, the style sheet sets the font. A separate SVG file has to set it itself.
        String svg =
            new String(drawn.chart.svg(), StandardCharsets.UTF_8)
                .replaceFirst("<svg ", "<svg style=\"font: 12px sans-serif\" ");
        WholeFile.write(folder.resolve(name + ".svg"), svg);
      }
    }
  }

  private static String caption(String dimension, boolean logarithmic) {
    return "By " + dimension + "." + (logarithmic ? LOGARITHMIC : "");
  }
}

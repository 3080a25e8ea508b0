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
package io.phoenixpruning.report.html;

import java.io.IOException;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.CategoryStyler;

/** Bar chart as SVG, with groups of bars. The scale is logarithmic if bars differ much. */
public final class BarChart implements Chart {

  private static final int MIN_GROUP = 36;

  private final List<String> labels;
  private final Map<String, List<OptionalDouble>> bars = new LinkedHashMap<>();

  /**
   * Creates a chart without bars.
   *
   * @param labels labels of the groups of bars: at least one, all different
   */
  public BarChart(List<String> labels) {
    this.labels = List.copyOf(labels);
  }

  /**
   * Adds a bar to each group.
   *
   * @param values value of each group, not negative; empty for no bar
   */
  public void add(String name, List<OptionalDouble> values) {
    bars.put(name, List.copyOf(values));
  }

  public boolean isLogarithmic() {
    return Drawing.isLogarithmic(positive().summaryStatistics());
  }

  private DoubleStream positive() {
    return bars.values().stream()
        .flatMap(List::stream)
        .flatMapToDouble(OptionalDouble::stream)
        .filter(value -> value > 0);
  }

  private boolean isOneBarAGroup() {
    return IntStream.range(0, labels.size())
        .allMatch(
            group -> bars.values().stream().filter(bar -> bar.get(group).isPresent()).count() <= 1);
  }

  @Override
  public byte[] svg() throws IOException {
    CategoryChart chart = new CategoryChartBuilder().width(width()).height(Drawing.HEIGHT).build();
    Drawing drawing = new Drawing();
    Drawing.style(chart.getStyler());
    // If each group has at most one bar, the bar is centered.
    chart.getStyler().setOverlapped(isOneBarAGroup());
    scale(chart.getStyler(), drawing);
    for (Map.Entry<String, List<OptionalDouble>> series : bars.entrySet()) {
      List<Double> drawn = drawn(series.getValue());
      // XChart cannot scale a series without bars.
      if (drawn.stream().anyMatch(Objects::nonNull)) {
        chart.addSeries(series.getKey(), labels, drawn);
      }
    }
    labels.forEach(drawing::expect);
    bars.keySet().forEach(drawing::expect);
    return drawing.svg(chart);
  }

  private int width() {
    int longest = labels.stream().mapToInt(String::length).max().orElse(0);
    return Math.max(
        Drawing.MIN_WIDTH, labels.size() * Math.max(MIN_GROUP, (longest + 2) * Drawing.LETTER));
  }

  /**
   * Returns the height of each bar, or null for no bar. A logarithmic scale has no bar for zero.
   */
  private List<@Nullable Double> drawn(List<OptionalDouble> values) {
    List<@Nullable Double> drawn = new ArrayList<>();
    for (OptionalDouble value : values) {
      boolean isBar = value.isPresent() && (value.getAsDouble() > 0 || !isLogarithmic());
      drawn.add(isBar ? (Double) value.getAsDouble() : null);
    }
    return drawn;
  }

  private void scale(CategoryStyler styler, Drawing drawing) {
    if (!isLogarithmic()) {
      styler.setYAxisMin(0.0);
      styler.setyAxisTickLabelsFormattingFunction(drawing.labels());
      return;
    }
    DoubleSummaryStatistics figures = positive().summaryStatistics();
    // Makes the smallest bar visible.
    double least = figures.getMin() / 2;
    styler.setYAxisMin(least);
    styler
        .setYAxisLogarithmic(true)
        .setYAxisLogarithmicDecadeOnly(true)
        .setYAxisDecimalPattern(Drawing.DECADES);
    drawing.expectDecades(least, figures.getMax());
  }
}

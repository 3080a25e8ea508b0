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

import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import io.phoenixpruning.cli.Figures;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.AxesChartStyler.TextAlignment;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Bars side by side, as SVG. The scale is logarithmic where bars differ much. */
final class BarChart {

  /** Larger than that, the smallest bar would not be seen. */
  private static final double LINEAR = 100;

  /** The size of text without one, for which SVG says none: the style sheet has to say it. */
  private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);

  private static final int LETTER = 8;
  private static final int HEIGHT = 320;
  private static final int MIN_WIDTH = 640;
  private static final int MIN_GROUP = 36;

  /** Is read on white and on black. */
  private static final Color INK = new Color(118, 118, 118);

  private static final Color FAINT = new Color(118, 118, 118, 80);

  /** Not dashed: each dash would be a shape. */
  private static final BasicStroke GRID = new BasicStroke(0.5f);

  private static final Color NONE = new Color(0, 0, 0, 0);

  /** Are told from each other without seeing colors, too. */
  private static final Color[] COLORS = {
    new Color(213, 94, 0), new Color(0, 114, 178), new Color(86, 180, 233)
  };

  private static final String DECADES = "#,##0.############";

  private final List<String> labels;
  private final Map<String, List<OptionalDouble>> bars = new LinkedHashMap<>();

  /**
   * A chart without bars.
   *
   * @param labels of the groups of bars, all different; one at least
   */
  BarChart(List<String> labels) {
    this.labels = List.copyOf(labels);
  }

  /**
   * Adds a bar to each group.
   *
   * @param values none negative; empty for no bar
   */
  void add(String name, List<OptionalDouble> values) {
    bars.put(name, List.copyOf(values));
  }

  boolean isLogarithmic() {
    return positive().max().orElse(1) / positive().min().orElse(1) > LINEAR;
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

  /** The text of an SVG document. */
  byte[] svg() throws IOException {
    CategoryChart chart = new CategoryChartBuilder().width(width()).height(HEIGHT).build();
    SearchableGraphics graphics = new SearchableGraphics(FONT);
    style(chart.getStyler());
    // A bar that is alone in its group belongs into its middle.
    chart.getStyler().setOverlapped(isOneBarAGroup());
    scale(chart.getStyler(), graphics);
    for (Map.Entry<String, List<OptionalDouble>> series : bars.entrySet()) {
      List<Double> drawn = drawn(series.getValue());
      // A chart has no extent of a series without bars.
      if (drawn.stream().anyMatch(Objects::nonNull)) {
        chart.addSeries(series.getKey(), labels, drawn);
      }
    }
    labels.forEach(graphics::expect);
    bars.keySet().forEach(graphics::expect);
    chart.paint(graphics, chart.getWidth(), chart.getHeight());
    ByteArrayOutputStream svg = new ByteArrayOutputStream();
    new SVGProcessor()
        .getDocument(
            graphics.getCommands(), new PageSize(0, 0, chart.getWidth(), chart.getHeight()))
        .writeTo(svg);
    return svg.toByteArray();
  }

  private int width() {
    int longest = labels.stream().mapToInt(String::length).max().orElse(0);
    return Math.max(MIN_WIDTH, labels.size() * Math.max(MIN_GROUP, (longest + 2) * LETTER));
  }

  /** A logarithmic scale has no zero. */
  private List<Double> drawn(List<OptionalDouble> values) {
    List<Double> drawn = new ArrayList<>();
    for (OptionalDouble value : values) {
      boolean isBar = value.isPresent() && (value.getAsDouble() > 0 || !isLogarithmic());
      drawn.add(isBar ? (Double) value.getAsDouble() : null);
    }
    return drawn;
  }

  private void style(CategoryStyler styler) {
    styler
        .setAxisTickLabelsFont(FONT)
        .setAxisTickLabelsColor(INK)
        .setAxisTickMarksColor(INK)
        .setAxisTitlesVisible(false)
        .setPlotGridLinesColor(FAINT)
        .setPlotGridLinesStroke(GRID)
        .setPlotGridVerticalLinesVisible(false)
        .setYAxisLabelAlignment(TextAlignment.Right)
        .setLocale(Locale.ROOT);
    styler
        .setChartBackgroundColor(NONE)
        .setPlotBackgroundColor(NONE)
        .setPlotBorderVisible(false)
        .setChartFontColor(INK)
        .setChartTitleVisible(false)
        .setLegendFont(FONT)
        .setLegendBackgroundColor(NONE)
        .setLegendBorderColor(NONE)
        .setLegendPosition(LegendPosition.OutsideS)
        .setLegendLayout(LegendLayout.Horizontal)
        .setSeriesColors(COLORS);
  }

  private void scale(CategoryStyler styler, SearchableGraphics graphics) {
    if (!isLogarithmic()) {
      styler.setYAxisMin(0.0);
      styler.setyAxisTickLabelsFormattingFunction(
          value -> {
            String label = Figures.number(value);
            graphics.expect(label);
            return label;
          });
      return;
    }
    double least = positive().min().getAsDouble();
    double most = positive().max().getAsDouble();
    // So that the smallest bar is seen.
    styler.setYAxisMin(least / 2);
    styler
        .setYAxisLogarithmic(true)
        .setYAxisLogarithmicDecadeOnly(true)
        .setYAxisDecimalPattern(DECADES);
    DecimalFormat format =
        new DecimalFormat(DECADES, DecimalFormatSymbols.getInstance(Locale.ROOT));
    for (int i = (int) Math.floor(Math.log10(least / 2)); i <= Math.ceil(Math.log10(most)); i++) {
      graphics.expect(format.format(Math.pow(10, i)));
    }
  }
}

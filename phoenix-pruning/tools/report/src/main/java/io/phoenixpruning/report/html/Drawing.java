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

import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import io.phoenixpruning.report.format.Figures;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import java.util.function.Function;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.AxesChartStyler.TextAlignment;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws the charts of a page in a common style, with searchable text. */
final class Drawing {

  static final int HEIGHT = 320;
  static final int MIN_WIDTH = 640;

  /** Average width of a letter in pixels. */
  static final int LETTER = 8;

  /** Number format for powers of ten. */
  static final String DECADES = "#,##0.############";

  /** Maximum ratio of the largest to the smallest figure on a linear scale. */
  private static final double LINEAR = 100;

  /**
   * Font of all text. At this size, the SVG states no font size, so the style sheet has to set the
   * size.
   */
  private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);

  /** Color that is readable on white and on black. */
  private static final Color INK = new Color(118, 118, 118);

  private static final Color FAINT = new Color(118, 118, 118, 80);

  /** Solid stroke, because each dash would be a separate shape. */
  private static final BasicStroke GRID = new BasicStroke(0.5f);

  private static final Color NONE = new Color(0, 0, 0, 0);

  /** Colors that readers can distinguish without color vision, too. */
  private static final Color[] COLORS = {
    new Color(213, 94, 0),
    new Color(0, 114, 178),
    new Color(86, 180, 233),
    new Color(0, 158, 115),
    new Color(204, 121, 167),
    new Color(230, 159, 0)
  };

  private final SearchableGraphics graphics = new SearchableGraphics(FONT);

  /**
   * Returns true if the smallest figure would be invisible on a linear scale. All figures must be
   * positive.
   */
  static boolean isLogarithmic(DoubleSummaryStatistics figures) {
    return figures.getCount() > 0 && figures.getMax() / figures.getMin() > LINEAR;
  }

  /** Draws later occurrences of {@code text} as SVG text instead of outlines. */
  void expect(String text) {
    graphics.expect(text);
  }

  /** Draws the powers of ten around the range from {@code least} to {@code most} as text. */
  void expectDecades(double least, double most) {
    DecimalFormat format =
        new DecimalFormat(DECADES, DecimalFormatSymbols.getInstance(Locale.ROOT));
    for (int i = (int) Math.floor(Math.log10(least)); i <= Math.ceil(Math.log10(most)); i++) {
      expect(format.format(Math.pow(10, i)));
    }
  }

  /** Returns the formatter for labels of a linear axis, which are drawn as text. */
  Function<Double, String> labels() {
    return value -> {
      String label = Figures.number(value);
      expect(label);
      return label;
    };
  }

  static void style(AxesChartStyler styler) {
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

  byte[] svg(Chart<?, ?> chart) throws IOException {
    chart.paint(graphics, chart.getWidth(), chart.getHeight());
    ByteArrayOutputStream svg = new ByteArrayOutputStream();
    new SVGProcessor()
        .getDocument(
            graphics.getCommands(), new PageSize(0, 0, chart.getWidth(), chart.getHeight()))
        .writeTo(svg);
    return svg.toByteArray();
  }
}

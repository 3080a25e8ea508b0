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
import java.util.SortedMap;
import java.util.TreeMap;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Line chart as SVG. A scale is logarithmic if its figures differ much. */
public final class LineChart implements Chart {

  private static final int MARKER = 7;

  /** Maximum ratio of the largest to the smallest x on a linear scale. */
  private static final double WIDE = 10;

  private final Map<String, SortedMap<Double, Double>> lines = new LinkedHashMap<>();
  private final DoubleSummaryStatistics xs = new DoubleSummaryStatistics();
  private final DoubleSummaryStatistics ys = new DoubleSummaryStatistics();

  /**
   * Adds a line.
   *
   * @param points y values (not negative) by x values (positive); a logarithmic vertical scale
   *     omits zeros
   */
  public void add(String name, Map<Double, Double> points) {
    lines.put(name, new TreeMap<>(points));
    points.forEach(
        (x, y) -> {
          xs.accept(x);
          if (y > 0) {
            ys.accept(y);
          }
        });
  }

  /** Returns true if there is nothing to draw, because no y value is above zero. */
  public boolean isEmpty() {
    return ys.getCount() == 0;
  }

  /** Returns true if the vertical scale is logarithmic. */
  public boolean isLogarithmic() {
    return Drawing.isLogarithmic(ys);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if there is nothing to draw
   */
  @Override
  public byte[] svg() throws IOException {
    if (isEmpty()) {
      throw new IllegalStateException("A chart without a point");
    }
    XYChart chart = new XYChartBuilder().width(Drawing.MIN_WIDTH).height(Drawing.HEIGHT).build();
    Drawing drawing = new Drawing();
    XYStyler styler = chart.getStyler();
    Drawing.style(styler);
    styler.setMarkerSize(MARKER);
    if (xs.getMax() / xs.getMin() > WIDE) {
      styler
          .setXAxisLogarithmic(true)
          .setXAxisLogarithmicDecadeOnly(true)
          .setXAxisDecimalPattern(Drawing.DECADES);
      drawing.expectDecades(xs.getMin(), xs.getMax());
    } else {
      styler.setxAxisTickLabelsFormattingFunction(drawing.labels());
    }
    if (isLogarithmic()) {
      styler
          .setYAxisLogarithmic(true)
          .setYAxisLogarithmicDecadeOnly(true)
          .setYAxisDecimalPattern(Drawing.DECADES);
      drawing.expectDecades(ys.getMin(), ys.getMax());
    } else {
      styler.setYAxisMin(0.0);
      styler.setyAxisTickLabelsFormattingFunction(drawing.labels());
    }
    lines.forEach(
        (name, points) -> {
          SortedMap<Double, Double> line = new TreeMap<>(points);
          if (isLogarithmic()) {
            line.values().removeIf(y -> y == 0);
          }
          if (!line.isEmpty()) {
            drawing.expect(name);
            XYSeries series =
                chart.addSeries(name, new ArrayList<>(line.keySet()), List.copyOf(line.values()));
            series.setMarker(SeriesMarkers.CIRCLE);
          }
        });
    return drawing.svg(chart);
  }
}

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
package io.phoenixpruning.cli.html;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import java.awt.Font;
import java.awt.Shape;
import java.awt.font.TextLayout;
import java.awt.geom.PathIterator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws text as text, which can be searched and is small. XChart fills the outlines of letters, so
 * it has to be told first which texts there are; others stay outlines.
 */
final class SearchableGraphics extends VectorGraphics2D {

  private final Font font;
  private final Map<List<Double>, String> texts = new HashMap<>();

  /**
   * Draws text in one font.
   *
   * @param font that of the chart, too: else the outlines differ
   */
  SearchableGraphics(Font font) {
    this.font = font;
  }

  /** Draws {@code text} as such from now on. */
  void expect(String text) {
    if (!text.isBlank()) {
      texts.put(points(new TextLayout(text, font, getFontRenderContext()).getOutline(null)), text);
    }
  }

  @Override
  public void fill(Shape shape) {
    String text = texts.get(points(shape));
    if (text == null) {
      super.fill(shape);
    } else {
      setFont(font);
      drawString(text, 0f, 0f);
    }
  }

  /** All that makes two outlines the same: the type of each segment, and its coordinates. */
  private static List<Double> points(Shape shape) {
    List<Double> points = new ArrayList<>();
    double[] coordinates = new double[6];
    for (PathIterator path = shape.getPathIterator(null); !path.isDone(); path.next()) {
      int type = path.currentSegment(coordinates);
      points.add((double) type);
      for (int i = 0; i < 2 * pointsOf(type); i++) {
        // Not -0.0, which is another key.
        points.add(coordinates[i] + 0.0);
      }
    }
    return points;
  }

  private static int pointsOf(int segment) {
    return switch (segment) {
      case PathIterator.SEG_CLOSE -> 0;
      case PathIterator.SEG_QUADTO -> 2;
      case PathIterator.SEG_CUBICTO -> 3;
      default -> 1;
    };
  }
}

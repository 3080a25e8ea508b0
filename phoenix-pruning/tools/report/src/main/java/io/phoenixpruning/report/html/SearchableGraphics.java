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
 * Draws text as SVG text, which is searchable and small, instead of outlines. XChart fills the
 * outlines of letters, so {@link #expect} has to announce each text first. Other texts stay
 * outlines.
 */
final class SearchableGraphics extends VectorGraphics2D {

  private final Font font;
  private final Map<List<Double>, String> texts = new HashMap<>();

  /**
   * Creates graphics that draw text in one font.
   *
   * @param font font of the texts; the chart has to use the same font, or the outlines differ
   */
  SearchableGraphics(Font font) {
    this.font = font;
  }

  /** Draws later occurrences of {@code text} as SVG text instead of outlines. */
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

  /**
   * Returns the type and the coordinates of each segment. Outlines with the same list are the same.
   */
  private static List<Double> points(Shape shape) {
    List<Double> points = new ArrayList<>();
    double[] coordinates = new double[6];
    for (PathIterator path = shape.getPathIterator(null); !path.isDone(); path.next()) {
      int type = path.currentSegment(coordinates);
      points.add((double) type);
      for (int i = 0; i < 2 * pointsOf(type); i++) {
        // Adding 0.0 turns -0.0 into 0.0, because they are different keys.
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

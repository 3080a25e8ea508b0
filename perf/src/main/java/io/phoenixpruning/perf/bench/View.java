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
package io.phoenixpruning.perf.bench;

import java.util.List;

/**
 * A table of a report, and the charts of what it says.
 *
 * @param title what it shows
 * @param measure whose figures it has
 * @param rows the dimensions that make a row; all others are of no matter
 * @param columns the dimension whose values are side by side
 * @param base the value of {@code columns} that the others are compared with; empty for none
 * @param figure that is shown
 * @param lines the dimension, of {@code rows}, with numbers that charts are drawn by; empty for
 *     bars
 * @param bounds the measures of the lower and the upper bound of each figure; empty for none
 */
record View(
    String title,
    String measure,
    List<String> rows,
    String columns,
    String base,
    Figure figure,
    String lines,
    List<String> bounds) {

  /** Which of the figures of a summary is shown. */
  enum Figure {
    /** With its spread, from the fifth to the ninety-fifth percentile. */
    MEDIAN("") {
      @Override
      double of(Summary summary) {
        return summary.median();
      }
    },
    P95("95th percentile") {
      @Override
      double of(Summary summary) {
        return summary.p95();
      }
    },
    P99("99th percentile") {
      @Override
      double of(Summary summary) {
        return summary.p99();
      }
    },
    P999("99.9th percentile") {
      @Override
      double of(Summary summary) {
        return summary.p999();
      }
    };

    private final String title;

    Figure(String title) {
      this.title = title;
    }

    /** Empty for what needs no word. */
    String title() {
      return title;
    }

    abstract double of(Summary summary);
  }

  /** A table of medians, in bars, without comparison. */
  static View of(String title, String measure, String columns, String... rows) {
    return new View(title, measure, List.of(rows), columns, "", Figure.MEDIAN, "", List.of());
  }

  View comparedWith(String value) {
    return new View(title, measure, rows, columns, value, figure, lines, bounds);
  }

  View linesBy(String dimension) {
    return new View(title, measure, rows, columns, base, figure, dimension, bounds);
  }

  View with(Figure other) {
    return new View(title, measure, rows, columns, base, other, lines, bounds);
  }

  /** Shows the interval between two other measures next to each figure. */
  View within(String lower, String upper) {
    return new View(title, measure, rows, columns, base, figure, lines, List.of(lower, upper));
  }
}

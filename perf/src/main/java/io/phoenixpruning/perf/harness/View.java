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

import java.util.List;

/**
 * A table of a report, and the charts of its figures.
 *
 * @param title title of the table
 * @param measure measure whose figures are shown
 * @param rows dimensions whose values identify a row; all other dimensions are ignored
 * @param columns dimension whose values are the columns
 * @param base value of {@code columns} that other columns are compared with; empty for none
 * @param figure figure of each summary that is shown
 * @param lines dimension, among {@code rows}, whose numbers are the x axis of line charts; empty
 *     for bar charts
 * @param bounds measures of the lower and the upper bound of each figure; empty for none
 */
public record View(
    String title,
    String measure,
    List<String> rows,
    String columns,
    String base,
    Figure figure,
    String lines,
    List<String> bounds) {

  /** Statistic of a summary. */
  public enum Figure {
    /** The median, with its spread from the 5th to the 95th percentile. */
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

    /** Returns the title, which is empty for the median. */
    String title() {
      return title;
    }

    abstract double of(Summary summary);
  }

  /** Returns a table of medians, with bar charts and without comparison. */
  public static View of(String title, String measure, String columns, String... rows) {
    return new View(title, measure, List.of(rows), columns, "", Figure.MEDIAN, "", List.of());
  }

  public View comparedWith(String value) {
    return new View(title, measure, rows, columns, value, figure, lines, bounds);
  }

  public View linesBy(String dimension) {
    return new View(title, measure, rows, columns, base, figure, dimension, bounds);
  }

  public View with(Figure other) {
    return new View(title, measure, rows, columns, base, other, lines, bounds);
  }

  /**
   * Returns this table with an interval next to each figure, whose bounds are two other measures.
   */
  public View within(String lower, String upper) {
    return new View(title, measure, rows, columns, base, figure, lines, List.of(lower, upper));
  }
}

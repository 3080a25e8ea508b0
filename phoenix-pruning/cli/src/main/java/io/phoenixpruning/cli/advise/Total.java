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

import io.phoenixpruning.report.format.Figures;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * Total of one cost figure over all queries, each multiplied by its weight.
 *
 * @param name name of the figure, for people
 * @param format formats a value for people
 */
record Total(String name, double before, double after, DoubleFunction<String> format) {

  /** Returns the totals to report, the most important first. */
  static List<Total> of(Advice advice) {
    return List.of(
        of(advice, "scan RPCs", QueryCost::rpcs, Figures::number),
        of(advice, "regions", QueryCost::regions, Figures::number),
        of(advice, "rows", QueryCost::rows, Figures::number),
        of(advice, "bytes", QueryCost::bytes, Figures::bytes));
  }

  static Total of(
      Advice advice,
      String name,
      ToDoubleFunction<QueryCost> figure,
      DoubleFunction<String> format) {
    return new Total(
        name,
        advice.queries().stream()
            .mapToDouble(query -> query.weight() * figure.applyAsDouble(query.before()))
            .sum(),
        advice.queries().stream()
            .mapToDouble(query -> query.weight() * figure.applyAsDouble(query.after()))
            .sum(),
        format);
  }

  String shownBefore() {
    return format.apply(before);
  }

  String shownAfter() {
    return format.apply(after);
  }

  /** Returns the change from before to after, as text. */
  String change() {
    if (before == after) {
      return "the same";
    }
    if (before == 0) {
      return "more";
    }
    double percent = 100 * (after - before) / before;
    // A saving is not shown as 100 % unless nothing is left.
    double shown = after > 0 ? Math.max(percent, -99.9) : percent;
    return String.format(Locale.ROOT, "%+,.1f %%", shown);
  }
}

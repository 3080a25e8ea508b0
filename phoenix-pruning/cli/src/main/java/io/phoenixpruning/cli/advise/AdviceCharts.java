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

import io.phoenixpruning.report.format.ByteUnit;
import io.phoenixpruning.report.html.BarChart;
import io.phoenixpruning.report.html.Figure;
import io.phoenixpruning.report.html.Markup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * Adds charts of the costs of queries and indexes to a page. If there are too many queries or
 * indexes for a chart, it shows only the most expensive.
 */
final class AdviceCharts {

  /** Maximum number of groups of bars in a chart; a reader cannot tell more groups apart. */
  private static final int MAX_SHOWN = 40;

  private static final String LOGARITHMIC = " The scale is logarithmic; a value of 0 has no bar.";

  private record Index(String label, IndexAdvice advice) {}

  private final Advice advice;

  AdviceCharts(Advice advice) {
    this.advice = advice;
  }

  void addRpcs(Markup page) throws IOException {
    addQueries(page, "rpcs", "Scan RPCs of a query", "RPCs of one run, by query", QueryCost::rpcs);
  }

  void addBytes(Markup page) throws IOException {
    ByteUnit unit =
        unit(
            advice.queries().stream()
                .flatMapToDouble(q -> DoubleStream.of(q.before().bytes(), q.after().bytes())));
    addQueries(
        page,
        "bytes",
        "Bytes that a query reads",
        unit + " of one run, by query",
        cost -> unit.from(cost.bytes()));
  }

  private void addQueries(
      Markup page, String id, String title, String caption, ToDoubleFunction<QueryCost> figure)
      throws IOException {
    if (advice.queries().isEmpty()) {
      return;
    }
    List<QueryAdvice> shown =
        top(
            advice.queries(),
            query ->
                Math.max(
                    figure.applyAsDouble(query.before()), figure.applyAsDouble(query.after())));
    BarChart chart =
        new BarChart(shown.stream().map(query -> Integer.toString(query.number())).toList());
    chart.add("before", values(shown, query -> figure.applyAsDouble(query.before())));
    chart.add("after", values(shown, query -> figure.applyAsDouble(query.after())));
    Figure.add(page, id, title, caption(caption, shown, advice.queries(), chart), chart);
  }

  void addWrites(Markup page) throws IOException {
    List<Index> all = indexes();
    if (all.isEmpty()) {
      return;
    }
    List<Index> shown = top(all, index -> index.advice.write().bytes());
    ByteUnit unit = unit(shown.stream().mapToDouble(index -> index.advice.write().bytes()));
    BarChart chart = new BarChart(shown.stream().map(Index::label).toList());
    for (IndexAdvice.Action action : IndexAdvice.Action.values()) {
      List<OptionalDouble> values = new ArrayList<>();
      for (Index index : shown) {
        values.add(
            index.advice.action() == action
                ? OptionalDouble.of(unit.from(index.advice.write().bytes()))
                : OptionalDouble.empty());
      }
      chart.add(Wording.of(action), values);
    }
    Figure.add(
        page,
        "writes",
        "Bytes that an index adds to each written row",
        caption(unit + " before encoding and compression, estimated, by index", shown, all, chart),
        chart);
  }

  /**
   * Returns all indexes, each labeled with its name. If two indexes have the same name, a label
   * also has the table name.
   */
  private List<Index> indexes() {
    List<Index> indexes = new ArrayList<>();
    Set<String> labels = new HashSet<>();
    for (TableAdvice table : advice.tables()) {
      for (IndexAdvice index : table.indexes()) {
        String name = index.index().name();
        String label = labels.add(name) ? name : name + " of " + table.table();
        labels.add(label);
        indexes.add(new Index(label, index));
      }
    }
    return indexes;
  }

  /**
   * Returns the unit for the geometric mean of the smallest and the largest positive size. With
   * this unit, neither end of a logarithmic scale has many digits.
   */
  private static ByteUnit unit(DoubleStream bytes) {
    DoubleSummaryStatistics positive = bytes.filter(size -> size > 0).summaryStatistics();
    return positive.getCount() == 0
        ? ByteUnit.BYTES
        : ByteUnit.of(Math.sqrt(positive.getMin() * positive.getMax()));
  }

  private static <T> List<OptionalDouble> values(List<T> shown, ToDoubleFunction<T> figure) {
    return shown.stream().map(one -> OptionalDouble.of(figure.applyAsDouble(one))).toList();
  }

  /** Returns the elements with the highest figures, in the order of {@code all}. */
  private static <T> List<T> top(List<T> all, ToDoubleFunction<T> figure) {
    Set<T> most =
        new HashSet<>(
            all.stream()
                .sorted(Comparator.comparingDouble(figure).reversed())
                .limit(MAX_SHOWN)
                .toList());
    return all.stream().filter(most::contains).toList();
  }

  private static String caption(String caption, List<?> shown, List<?> all, BarChart chart) {
    return caption
        + "."
        + (shown.size() < all.size()
            ? " The " + shown.size() + " highest of " + all.size() + "."
            : "")
        + (chart.isLogarithmic() ? LOGARITHMIC : "");
  }
}

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

/**
 * Ratio of two UPSERT times: the time with an index divided by the time without the index.
 *
 * @param median median of all rounds
 * @param least lowest ratio of all rounds
 * @param most highest ratio of all rounds
 * @param rows number of rows written to each table in a round
 */
public record UpsertRatio(double median, double least, double most, int rounds, long rows) {

  /**
   * Summarizes the ratios of all rounds.
   *
   * @param ratios one ratio for each round; an odd number of ratios
   */
  static UpsertRatio of(List<Double> ratios, long rows) {
    List<Double> sorted = ratios.stream().sorted().toList();
    return new UpsertRatio(
        sorted.get(sorted.size() / 2),
        sorted.get(0),
        sorted.get(sorted.size() - 1),
        sorted.size(),
        rows);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.2f times as long (%.2f to %.2f in %d rounds of %s)",
        median,
        least,
        most,
        rounds,
        Figures.plural(rows, "row"));
  }
}

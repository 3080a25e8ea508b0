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
package io.phoenixpruning.it.differential;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.phoenix.pruning.patch.Patch;

/** Collects the counts of a run, and the differences that are not allowed. */
final class DifferentialReport {

  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<Patch, Integer> fixCounts = new EnumMap<>(Patch.class);
  private final List<AnswerDifference> stock = new ArrayList<>();
  private final List<AnswerDifference> exact = new ArrayList<>();
  private final List<AnswerDifference> corrected = new ArrayList<>();
  private final List<AnswerDifference> wrong = new ArrayList<>();
  private final LeftOutReport leftOut = new LeftOutReport();

  /**
   * Counts a correction.
   *
   * @param fixes description of what makes the correction
   * @param patches the patches in the description; may be empty
   */
  void countFix(String fixes, List<Patch> patches) {
    count("by " + fixes);
    patches.forEach(patch -> fixCounts.merge(patch, 1, Integer::sum));
  }

  /** Returns the number of corrections that each patch makes. */
  Map<Patch, Integer> fixCounts() {
    return fixCounts;
  }

  /** Returns the patches that make the most corrections. */
  List<Patch> mostFrequent(int limit) {
    return fixCounts.keySet().stream()
        .sorted(Comparator.comparing(fixCounts::get, Comparator.reverseOrder()))
        .limit(limit)
        .toList();
  }

  void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  int countOf(String what) {
    return counts.getOrDefault(what, 0);
  }

  void addStock(AnswerDifference difference) {
    stock.add(difference);
    count("mode stock: " + difference.kind());
  }

  void addExact(AnswerDifference difference) {
    exact.add(difference);
    count("mode exact: " + difference.kind());
  }

  void addCorrected(AnswerDifference difference) {
    corrected.add(difference);
    count("mode exact: " + difference.kind());
  }

  /** Keeps a wrong answer of mode exact. Phoenix may give the same answer. */
  void addWrong(AnswerDifference answer) {
    wrong.add(answer);
  }

  List<AnswerDifference> stock() {
    return stock;
  }

  List<AnswerDifference> exact() {
    return exact;
  }

  List<AnswerDifference> corrected() {
    return corrected;
  }

  List<AnswerDifference> wrong() {
    return wrong;
  }

  /** Returns the report on answers without one patch. */
  LeftOutReport leftOut() {
    return leftOut;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    counts.forEach((what, count) -> text.append(String.format("%7d %s%n", count, what)));
    text.append(String.format("%nCorrections by patch%n"));
    for (Patch patch : DifferentialRun.PATCHES) {
      text.append(String.format("%7d %s%n", fixCounts.getOrDefault(patch, 0), patch.id()));
    }
    text.append(String.format("%nMode exact without one patch%n%s", leftOut));
    return text.toString();
  }
}

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
package io.phoenixpruning.it.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts the steps of a run. Several threads can use it. */
final class WritesReport {

  private final long start = System.nanoTime();
  private final Map<String, Long> steps = new TreeMap<>();
  private final Map<String, Long> queries = new TreeMap<>();
  private final List<String> failures = new ArrayList<>();
  private long tables;
  private long comparisons;
  private long checkedIndexes;

  synchronized void countTable() {
    tables++;
  }

  synchronized void countStep(Step step) {
    step.kinds().forEach(kind -> steps.merge(kind, 1L, Long::sum));
  }

  synchronized void countQuery(String kind) {
    queries.merge(kind, 1L, Long::sum);
  }

  synchronized void countComparison() {
    comparisons++;
  }

  synchronized void countCheckedIndexes(int indexes) {
    checkedIndexes += indexes;
  }

  synchronized void addFailure(String failure) {
    failures.add(failure);
  }

  synchronized long comparisons() {
    return comparisons;
  }

  synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%d tables, %d comparisons, %d indexes compared byte by byte, %d s%n",
            tables, comparisons, checkedIndexes, (System.nanoTime() - start) / 1_000_000_000L));
    text.append(String.format("queries: %s%n", queries));
    steps.forEach((kind, count) -> text.append(String.format("  %6d  %s%n", count, kind)));
    return text.toString();
  }
}

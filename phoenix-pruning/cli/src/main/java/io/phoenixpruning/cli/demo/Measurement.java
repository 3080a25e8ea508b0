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
package io.phoenixpruning.cli.demo;

import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The runs of one query in one mode.
 *
 * @param runs at least one run
 */
record Measurement(List<Run> runs) {

  Measurement {
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("No runs");
    }
    runs = List.copyOf(runs);
  }

  /** Returns true if every run returned the rows of the data table. */
  boolean isCorrect() {
    return runs.stream().allMatch(Run::isCorrect);
  }

  /** Returns true if a run did not fail but its rows differ from the data table's. */
  boolean returnedWrongRows() {
    return runs.stream().anyMatch(run -> !run.isCorrect() && run.failure().isEmpty());
  }

  /** Returns the number of rows of the first wrong run or, if all runs are right, of any run. */
  int rows() {
    return runs.stream().filter(run -> !run.isCorrect()).findFirst().orElse(runs.get(0)).rows();
  }

  /** Returns the message of the first failure, or empty if no run failed. */
  Optional<String> failure() {
    return runs.stream().map(Run::failure).flatMap(Optional::stream).findFirst();
  }

  long regions() {
    return median(Run::regions);
  }

  long rpcs() {
    return median(Run::rpcs);
  }

  double millis() {
    return median(Run::nanos) / 1e6;
  }

  /** Returns the median, or the upper of the two middle values if the number of runs is even. */
  private long median(ToLongFunction<Run> figure) {
    return runs.stream().mapToLong(figure).sorted().skip(runs.size() / 2).findFirst().getAsLong();
  }
}

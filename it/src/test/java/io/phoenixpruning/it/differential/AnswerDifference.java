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

import java.util.List;
import java.util.stream.Collectors;

/**
 * A statement that two workers answer differently. Its text can be pasted into a SQL shell.
 *
 * @param fixes the patches that correct Phoenix's answer; empty if mode exact corrects nothing
 */
record AnswerDifference(
    String worker,
    String kind,
    Case testCase,
    List<String> phoenix,
    List<String> ours,
    String fixes) {

  private static final int MAX_LINES = 60;

  /** A statement of a run: the seed of its table, and its number among the statements on it. */
  record Case(long seed, int number, KeyTable table, Trial trial) {}

  @Override
  public String toString() {
    return String.format(
        "%s, -Ddifferential.seed=%d, statement %d: %s%n%s%n%s;%nPhoenix: %s%n%s: %s%n",
        worker,
        testCase.seed(),
        testCase.number(),
        fixes.isEmpty() ? kind : kind + " by " + fixes,
        testCase.table(),
        testCase.trial(),
        shown(phoenix),
        worker,
        shown(ours));
  }

  static String shown(List<String> answer) {
    int left = answer.size() - MAX_LINES;
    return answer.stream().limit(MAX_LINES).collect(Collectors.joining(", "))
        + (left > 0 ? " and " + left + " more" : "");
  }
}

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

import io.phoenixpruning.it.differential.Trial.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Verdict on the answer that mode exact gives if one patch is left out. */
enum LeftOutVerdict {
  AS_BOTH("as both"),
  AS_EXACT("as exact only"),
  AS_PHOENIX("as Phoenix only"),
  /**
   * A right answer, or one that Phoenix's order of nulls allows. It is neither Phoenix's answer nor
   * that of mode exact.
   */
  RIGHT("right in another way"),
  /**
   * A part of Phoenix's wrong answer: each row and each column is as in Phoenix's answer or in that
   * of mode exact. If a statement shows several defects, the other defects are still corrected.
   */
  PARTLY_AS_PHOENIX("partly as Phoenix"),
  /** A wrong answer that Phoenix gives with another hint, which makes it use another plan. */
  AS_PHOENIX_WITH_HINT("as Phoenix with another hint"),
  /**
   * A wrong answer that becomes Phoenix's wrong answer if one more patch is left out. The statement
   * shows two defects, and one defect hides the other one on Phoenix.
   */
  AS_PHOENIX_WITHOUT_ONE_MORE("as Phoenix without one more patch"),
  RANDOM("random on Phoenix"),
  FAULT("faults");

  private final String label;

  LeftOutVerdict(String label) {
    this.label = label;
  }

  /** Returns a heading for the number of such answers. */
  String label() {
    return label;
  }

  /**
   * Compares the answer without one patch with the two other answers. Returns {@link #FAULT} if
   * neither these answers nor the oracle allow the answer.
   *
   * @param phoenix the answer of Phoenix's own jars
   * @param exact the answer of mode exact with all patches
   * @param without the answer of mode exact without one patch
   */
  static LeftOutVerdict of(Trial trial, Answered phoenix, Answered exact, Answered without) {
    boolean isAsExact = isSame(trial, exact, without);
    boolean isAsPhoenix = isSame(trial, phoenix, without);
    if (isAsExact) {
      return isAsPhoenix ? AS_BOTH : AS_EXACT;
    } else if (isAsPhoenix) {
      return AS_PHOENIX;
    } else if (without.answer().failure() != null || !hasEither(phoenix, exact, without)) {
      return FAULT;
    } else if (isSame(trial, phoenix, exact)) {
      return trial.limited() && without.verdict() == Verdict.RIGHT ? RIGHT : FAULT;
    } else if (without.verdict() != Verdict.WRONG) {
      return RIGHT;
    }
    boolean isBetween =
        phoenix.verdict() == Verdict.WRONG
            && phoenix.answer().failure() == null
            && exact.answer().failure() == null
            && isBetween(phoenix.rows(), exact.rows(), without.rows());
    return isBetween ? PARTLY_AS_PHOENIX : FAULT;
  }

  /**
   * Judges the answer without a second patch, after {@link #of} has found a fault without the first
   * patch. Returns {@link #FAULT} if the answer is not Phoenix's, or if Phoenix is not wrong.
   *
   * @param withoutBoth the answer of mode exact without both patches
   */
  static LeftOutVerdict ofTwoDefects(Trial trial, Answered phoenix, Answered withoutBoth) {
    return phoenix.verdict() == Verdict.WRONG && isSame(trial, phoenix, withoutBoth)
        ? AS_PHOENIX_WITHOUT_ONE_MORE
        : FAULT;
  }

  private static boolean isSame(Trial trial, Answered one, Answered other) {
    return trial.isQuery()
        ? Answers.isSame(trial, one.answer(), other.answer())
            && Answers.labels(one.answer()).equals(Answers.labels(other.answer()))
        : one.answer().equals(other.answer())
            && Answers.multiset(one.rows()).equals(Answers.multiset(other.rows()));
  }

  /**
   * Returns whether each column, with its type, and each written cell is in one of the other
   * answers. The update count must be between the other update counts. An error has no columns and
   * no update count.
   */
  private static boolean hasEither(Answered phoenix, Answered exact, Answered without) {
    List<List<String>> columns = new ArrayList<>();
    Set<String> cells = new HashSet<>();
    int least = Integer.MAX_VALUE;
    int most = Integer.MIN_VALUE;
    for (Answered other : List.of(phoenix, exact)) {
      cells.addAll(other.answer().cells());
      if (other.answer().failure() == null) {
        columns.add(Answers.labels(other.answer()));
        least = Math.min(least, other.answer().updateCount());
        most = Math.max(most, other.answer().updateCount());
      }
    }
    List<String> ours = Answers.labels(without.answer());
    for (int i = 0; i < ours.size(); i++) {
      int position = i;
      String column = ours.get(i);
      if (columns.stream().noneMatch(other -> other.get(position).equals(column))) {
        return false;
      }
    }
    int count = without.answer().updateCount();
    return cells.containsAll(without.answer().cells()) && least <= count && count <= most;
  }

  /**
   * Returns whether each row occurs as often as in one of the two answers, or a number of times
   * between them.
   */
  private static boolean isBetween(
      List<List<Object>> phoenix, List<List<Object>> exact, List<List<Object>> without) {
    Map<List<Object>, Integer> ofPhoenix = counts(phoenix);
    Map<List<Object>, Integer> ofExact = counts(exact);
    Map<List<Object>, Integer> ours = counts(without);
    Set<List<Object>> all = new HashSet<>(ofPhoenix.keySet());
    all.addAll(ofExact.keySet());
    all.addAll(ours.keySet());
    return all.stream()
        .allMatch(
            row -> {
              int one = ofPhoenix.getOrDefault(row, 0);
              int other = ofExact.getOrDefault(row, 0);
              int count = ours.getOrDefault(row, 0);
              return Math.min(one, other) <= count && count <= Math.max(one, other);
            });
  }

  private static Map<List<Object>, Integer> counts(List<List<Object>> rows) {
    Map<List<Object>, Integer> counts = new HashMap<>();
    rows.forEach(row -> counts.merge(row, 1, Integer::sum));
    return counts;
  }
}

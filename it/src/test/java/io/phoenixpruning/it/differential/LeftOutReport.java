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
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.patch.Patch;

/** Counts the answers that mode exact gives without one patch, and keeps the answers to review. */
final class LeftOutReport {

  private final Map<Patch, Map<LeftOutVerdict, Integer>> counts = new EnumMap<>(Patch.class);
  private final List<LeftOutFault> faults = new ArrayList<>();
  private final List<LeftOutFault> excused = new ArrayList<>();

  void count(Patch patch, LeftOutVerdict verdict) {
    counts
        .computeIfAbsent(patch, any -> new EnumMap<>(LeftOutVerdict.class))
        .merge(verdict, 1, Integer::sum);
  }

  /**
   * Keeps an answer that is neither Phoenix's answer nor the answer of mode exact with all patches.
   */
  void keep(LeftOutFault fault) {
    (fault.verdict() == LeftOutVerdict.FAULT ? faults : excused).add(fault);
  }

  List<LeftOutFault> faults() {
    return faults;
  }

  List<LeftOutFault> excused() {
    return excused;
  }

  /** Returns the number of runs. A statement has one run for each patch that is left out. */
  int runs() {
    return Arrays.stream(LeftOutVerdict.values()).mapToInt(this::countOf).sum();
  }

  int countOf(LeftOutVerdict verdict) {
    return counts.keySet().stream().mapToInt(patch -> countOf(patch, verdict)).sum();
  }

  private int countOf(Patch patch, LeftOutVerdict verdict) {
    return counts.get(patch).getOrDefault(verdict, 0);
  }

  @Override
  public String toString() {
    LeftOutVerdict[] verdicts = LeftOutVerdict.values();
    StringBuilder text = new StringBuilder("| patch left out | statements |");
    text.append(
            Arrays.stream(verdicts)
                .map(verdict -> " " + verdict.label() + " |")
                .collect(Collectors.joining()))
        .append("\n")
        .append("|---".repeat(verdicts.length + 2))
        .append("|\n");
    for (Patch patch : counts.keySet()) {
      List<Integer> ofPatch =
          Arrays.stream(verdicts).map(verdict -> countOf(patch, verdict)).toList();
      text.append(
          String.format("| `%s` | %d |", patch.id(), ofPatch.stream().mapToInt(i -> i).sum()));
      ofPatch.forEach(count -> text.append(" ").append(count).append(" |"));
      text.append("\n");
    }
    return text.toString();
  }
}

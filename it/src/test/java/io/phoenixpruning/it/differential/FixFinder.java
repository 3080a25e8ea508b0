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

import io.phoenixpruning.it.differential.AnswerDifference.Case;
import io.phoenixpruning.it.differential.Trial.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.patch.Patch;

/** Finds the fixes that make a correction, by leaving patches out. */
final class FixFinder {

  private static final String PRUNING = "pruning";
  private static final String CHOICE = "the choice of a plan";

  /**
   * Patches that the choice of a plan by cost needs. If any of them is left out, Phoenix's rules
   * choose the plan.
   */
  private static final List<Patch> OF_CHOICE =
      DifferentialRun.PATCHES.stream().filter(Patch::isForLocalIndexes).toList();

  private final WorkerProcess exact;
  private final DifferentialReport report;

  /** Verdict on an answer, with the types of its columns. */
  record Outcome(Verdict verdict, List<String> types) {}

  /**
   * Creates a finder that runs statements with {@code exact} and counts the corrections of each fix
   * in {@code report}.
   */
  FixFinder(WorkerProcess exact, DifferentialReport report) {
    this.exact = exact;
    this.report = report;
  }

  /**
   * Names the fixes that make a correction, which are the patches without which the answer changes.
   * If there is no such patch, pruning itself corrects the answer, or any one of several patches is
   * enough. If the fixes include all patches that the choice of a plan needs, the choice of the
   * plan corrects the answer.
   */
  String fixes(Case testCase) {
    Outcome ours = rerun(testCase);
    List<Patch> fixes = new ArrayList<>();
    String named;
    if (ours.equals(outcomeWithout(DifferentialRun.PATCHES, testCase))) {
      named = PRUNING;
    } else {
      Patch single = frequentFix(testCase, ours);
      if (single == null) {
        addNeeded(DifferentialRun.PATCHES, testCase, ours, fixes);
      } else {
        fixes.add(single);
      }
      named = ids(fixes, " and ");
      if (fixes.containsAll(OF_CHOICE)) {
        fixes.clear();
        named = CHOICE;
      } else if (fixes.isEmpty()) {
        DifferentialRun.PATCHES.stream()
            .filter(patch -> ours.equals(outcomeWithout(allBut(patch), testCase)))
            .forEach(fixes::add);
        named = fixes.isEmpty() ? "several patches" : ids(fixes, " or ");
      }
    }
    exact.require(new WorkerCommand.LeaveOut(List.of()));
    report.countFix(named, fixes);
    return named;
  }

  /**
   * Returns the only fix if it is one of the most frequent ones, and otherwise null. This saves
   * time.
   */
  private Patch frequentFix(Case testCase, Outcome ours) {
    for (Patch patch : report.mostFrequent(3)) {
      if (ours.equals(outcomeWithout(allBut(patch), testCase))) {
        return ours.equals(outcomeWithout(List.of(patch), testCase)) ? null : patch;
      }
    }
    return null;
  }

  private static List<Patch> allBut(Patch patch) {
    return DifferentialRun.PATCHES.stream().filter(other -> other != patch).toList();
  }

  /**
   * Adds the patches that the answer needs. Call this only if the answer changes without all of
   * {@code patches}.
   */
  private void addNeeded(List<Patch> patches, Case testCase, Outcome ours, List<Patch> needed) {
    if (patches.size() == 1) {
      needed.add(patches.get(0));
      return;
    }
    int half = patches.size() / 2;
    for (List<Patch> part :
        List.of(patches.subList(0, half), patches.subList(half, patches.size()))) {
      if (!ours.equals(outcomeWithout(part, testCase))) {
        addNeeded(part, testCase, ours, needed);
      }
    }
  }

  private Outcome outcomeWithout(List<Patch> patches, Case testCase) {
    exact.require(new WorkerCommand.LeaveOut(patches.stream().map(Patch::name).toList()));
    return rerun(testCase);
  }

  private Outcome rerun(Case testCase) {
    Answered answered = Reruns.run(exact, testCase, testCase.trial().sql());
    return new Outcome(answered.verdict(), Answers.types(answered.answer()));
  }

  private static String ids(List<Patch> patches, String separator) {
    return patches.stream().map(Patch::id).collect(Collectors.joining(separator));
  }
}

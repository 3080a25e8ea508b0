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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Runs statements again in mode exact, with one patch left out. The answer must be the answer with
 * all patches, or Phoenix's own. So the run brings back the defect of this patch and breaks nothing
 * else.
 */
final class LeftOutRun {

  /** A statement with the answers of Phoenix and of mode exact. */
  private record Statement(Case testCase, Answered phoenix, Answered exact) {}

  private final WorkerProcess phoenix;
  private final WorkerProcess exact;
  private final LeftOutPatches patches;
  private final LeftOutReport report;
  private final BiPredicate<Case, WorkerAnswer> isRandom;
  private final Map<Patch, List<Statement>> statements = new EnumMap<>(Patch.class);
  private long nanos;

  /**
   * Creates a run.
   *
   * @param isRandom tests whether Phoenix gives an answer only in some runs of a query
   */
  LeftOutRun(
      WorkerProcess phoenix,
      WorkerProcess exact,
      LeftOutPatches patches,
      LeftOutReport report,
      BiPredicate<Case, WorkerAnswer> isRandom) {
    this.phoenix = phoenix;
    this.exact = exact;
    this.patches = patches;
    this.report = report;
    this.isRandom = isRandom;
  }

  /** Adds a statement for the next {@link #run}. */
  void add(Case testCase, Answered ofPhoenix, Answered ofExact) {
    for (Patch patch : patches.of(testCase)) {
      statements
          .computeIfAbsent(patch, any -> new ArrayList<>())
          .add(new Statement(testCase, ofPhoenix, ofExact));
    }
  }

  /** Runs the statements that have been added. Their table must still exist. */
  void run() {
    if (statements.isEmpty()) {
      return;
    }
    long start = System.nanoTime();
    statements.forEach(
        (patch, all) -> {
          leaveOut(List.of(patch));
          all.forEach(statement -> run(patch, statement));
        });
    leaveOut(List.of());
    statements.clear();
    nanos += System.nanoTime() - start;
    System.out.printf(
        "%d runs with one patch left out took %d s: %d faults%n",
        report.runs(), TimeUnit.NANOSECONDS.toSeconds(nanos), report.faults().size());
  }

  private void leaveOut(List<Patch> left) {
    exact.require(new WorkerCommand.LeaveOut(left.stream().map(Patch::name).toList()));
  }

  private void run(Patch patch, Statement statement) {
    Case testCase = statement.testCase();
    Answered without = Reruns.run(exact, testCase, testCase.trial().sql());
    LeftOutVerdict verdict = verdict(statement, without);
    List<Patch> companions = List.of();
    if (verdict == LeftOutVerdict.FAULT) {
      verdict = explained(statement, without);
    }
    if (verdict == LeftOutVerdict.FAULT) {
      Map<Patch, Answered> withoutBoth = withoutOneMore(patch, statement);
      companions =
          withoutBoth.keySet().stream()
              .filter(other -> isAsOneOfBoth(statement, withoutBoth.get(other)))
              .toList();
      verdict =
          withoutBoth.values().stream()
              .map(both -> LeftOutVerdict.ofTwoDefects(testCase.trial(), statement.phoenix(), both))
              .min(Comparator.naturalOrder())
              .orElse(LeftOutVerdict.FAULT);
    }
    report.count(patch, verdict);
    if (verdict.compareTo(LeftOutVerdict.AS_PHOENIX) > 0) {
      report.keep(
          new LeftOutFault(
              patch,
              verdict,
              testCase,
              statement.phoenix(),
              statement.exact(),
              without,
              companions));
      if (!testCase.trial().isQuery()) {
        // After a statement that writes, the index may differ from the table.
        leaveOut(List.of());
        Reruns.rewrite(exact, testCase.table());
        leaveOut(List.of(patch));
      }
    }
  }

  private static LeftOutVerdict verdict(Statement statement, Answered without) {
    return LeftOutVerdict.of(
        statement.testCase().trial(), statement.phoenix(), statement.exact(), without);
  }

  private static boolean isAsOneOfBoth(Statement statement, Answered without) {
    return verdict(statement, without).compareTo(LeftOutVerdict.AS_PHOENIX) <= 0;
  }

  /**
   * Runs a statement without {@code patch} and one other patch, for each other patch. Afterwards,
   * only {@code patch} is left out again.
   */
  private Map<Patch, Answered> withoutOneMore(Patch patch, Statement statement) {
    Map<Patch, Answered> withoutBoth = new EnumMap<>(Patch.class);
    for (Patch other : DifferentialRun.PATCHES) {
      if (other != patch) {
        leaveOut(List.of(patch, other));
        withoutBoth.put(
            other, Reruns.run(exact, statement.testCase(), statement.testCase().trial().sql()));
      }
    }
    leaveOut(List.of(patch));
    return withoutBoth;
  }

  /**
   * Returns another verdict for a fault in two cases. Phoenix answers at random, or mode exact has
   * chosen another plan with which Phoenix is wrong in the same way.
   */
  private LeftOutVerdict explained(Statement statement, Answered without) {
    Case testCase = statement.testCase();
    for (String sql : withOtherHints(testCase)) {
      Answered hinted = Reruns.run(phoenix, testCase, sql);
      LeftOutVerdict verdict =
          LeftOutVerdict.of(testCase.trial(), hinted, statement.exact(), without);
      if (verdict != LeftOutVerdict.FAULT) {
        return LeftOutVerdict.AS_PHOENIX_WITH_HINT;
      }
    }
    return testCase.trial().isQuery() && isRandom.test(testCase, statement.phoenix().answer())
        ? LeftOutVerdict.RANDOM
        : LeftOutVerdict.FAULT;
  }

  /** Returns variants of the statement with hints that make Phoenix choose other plans. */
  private static Set<String> withOtherHints(Case testCase) {
    String sql = testCase.trial().sql();
    String join = sql.contains("USE_SORT_MERGE_JOIN") ? " USE_SORT_MERGE_JOIN" : "";
    String[] parts = sql.replaceFirst("/\\*\\+.*?\\*/ ", "").split(" ", 2);
    KeyTable table = testCase.table();
    Set<String> others = new LinkedHashSet<>();
    for (String hint :
        List.of(
            "",
            "NO_INDEX",
            "INDEX(" + table.name() + " " + table.indexName() + ")",
            "INDEX(" + table.view() + " " + table.view() + "#" + table.indexName() + ")",
            "SKIP_SCAN",
            "RANGE_SCAN")) {
      others.add(parts[0] + " /*+ " + hint + join + " */ " + parts[1]);
    }
    others.remove(sql);
    return others;
  }
}

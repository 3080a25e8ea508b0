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
import io.phoenixpruning.it.differential.WorkerAnswer.Failure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Runs the same statements on the same tables with Phoenix's own jars and with ours, in modes stock
 * and exact, and compares the answers.
 */
final class DifferentialRun implements AutoCloseable {

  private static final int STATEMENTS_OF_TABLE =
      Integer.getInteger("differential.statements.of.table", 50);

  /** The patches that mode exact has. */
  static final List<Patch> PATCHES =
      Arrays.stream(Patch.values()).filter(patch -> !patch.isOptIn()).toList();

  private final List<WorkerProcess> workers = new ArrayList<>();
  private final DifferentialReport report = new DifferentialReport();
  private final WorkerProcess phoenix;
  private final WorkerProcess stock;
  private final WorkerProcess exact;
  private final boolean namesPatches;
  private final FixFinder fixFinder;
  private final LeftOutRun leftOut;

  /**
   * Starts the workers. Statements in mode exact also run with one of {@code patches} left out.
   *
   * @param namesPatches whether to find the patch of each correction, by running its statement
   *     again with each of several patches
   */
  DifferentialRun(LeftOutPatches patches, boolean namesPatches) throws Exception {
    this.namesPatches = namesPatches;
    try {
      phoenix = register(WorkerProcess.phoenix());
      stock = register(WorkerProcess.ours("stock"));
      exact = register(WorkerProcess.ours("exact"));
      for (WorkerProcess worker : workers) {
        worker.awaitStart();
      }
    } catch (Throwable e) {
      close();
      throw e;
    }
    fixFinder = new FixFinder(exact, report);
    leftOut = new LeftOutRun(phoenix, exact, patches, report.leftOut(), this::isRandom);
  }

  private WorkerProcess register(WorkerProcess worker) {
    workers.add(worker);
    return worker;
  }

  DifferentialReport report() {
    return report;
  }

  /**
   * Runs {@code statements} statements. The first table has the seed {@code seed}, and each further
   * table the next seed.
   */
  void run(long seed, int statements) {
    int remaining = statements;
    for (long tableSeed = seed; remaining > 0; tableSeed++) {
      int statementsOfTable = Math.min(remaining, STATEMENTS_OF_TABLE);
      runTable(tableSeed, statementsOfTable);
      remaining -= statementsOfTable;
    }
  }

  private void runTable(long seed, int statements) {
    Random random = new Random(seed);
    StatementGenerator generator = new StatementGenerator("T" + seed, random);
    KeyTable table = generator.table();
    report.count("tables");
    requireOnAll(new WorkerCommand.Execute(table.ddl()));
    write(table, table.rows());
    split(table, random);
    requireOnAll(
        new WorkerCommand.Write(
            "UPSERT INTO " + table.partner() + " VALUES (?, ?, ?)", table.jdbcOfPartners()));
    if (table.statistics()) {
      requireOnAll(
          new WorkerCommand.Execute(
              List.of(
                  "UPDATE STATISTICS "
                      + table.name()
                      + " ALL SET \"phoenix.stats.guidepost.width\" = 300")));
    }
    for (int i = 0; i < statements; i++) {
      Case testCase = new Case(seed, i, table, generator.trial());
      report.count("statements");
      if (random.nextInt(4) == 0) {
        explain(testCase);
      }
      if (testCase.trial().isQuery()) {
        runQuery(testCase);
      } else {
        runChange(testCase);
      }
    }
    leftOut.run();
    for (WorkerAnswer dropped : runOnAll(new WorkerCommand.Execute(table.drop()))) {
      if (dropped.failure() != null) {
        report.count("tables that could not be dropped");
      }
    }
  }

  /** Splits the table into regions that start with the keys of some rows. */
  private void split(KeyTable table, Random random) {
    if (table.boundaries() == 0) {
      return;
    }
    List<WorkerAnswer> keys = requireOnAll(new WorkerCommand.RowKeys(table.name()));
    for (WorkerAnswer others : keys) {
      if (!others.equals(keys.get(0))) {
        throw new AssertionError("Different row keys in " + table);
      }
    }
    List<String> boundaries = new ArrayList<>();
    List<String> all =
        keys.get(0).rows().stream().map(row -> (String) row.get(0)).collect(Collectors.toList());
    Collections.shuffle(all, random);
    for (String key : all.subList(0, Math.min(all.size(), table.boundaries()))) {
      boundaries.add(key);
    }
    Collections.sort(boundaries);
    if (table.index() != null && table.index().contains("LOCAL")) {
      boundaries = writable(boundaries);
    }
    if (!boundaries.isEmpty()) {
      requireOnAll(new WorkerCommand.Split(table.name(), boundaries));
      write(table, table.rows());
    }
  }

  /**
   * Removes boundaries between which HBase would refuse index rows. It refuses them if the end key
   * of a region starts with the start key of the region.
   */
  private static List<String> writable(List<String> boundaries) {
    List<String> writable = new ArrayList<>();
    String previous = null;
    for (String boundary : boundaries) {
      String start = previous == null ? "00".repeat(boundary.length() / 2) : previous;
      if ((start + "807f").compareTo(boundary) < 0) {
        writable.add(boundary);
        previous = boundary;
      }
    }
    return writable;
  }

  private void write(KeyTable table, List<List<Object>> rows) {
    requireOnAll(
        new WorkerCommand.Write(
            table.upsert(), rows.stream().map(table::jdbc).collect(Collectors.toList())));
  }

  private void runQuery(Case testCase) {
    Trial trial = testCase.trial();
    List<WorkerAnswer> answers = runOnAll(new WorkerCommand.Query(trial.sql(), trial.binds()));
    List<Answered> judged =
        answers.stream().map(answer -> Answered.of(trial, answer, answer.rows())).toList();
    List<Verdict> verdicts = judged.stream().map(Answered::verdict).toList();
    count(testCase, answers, verdicts);
    WorkerAnswer ofPhoenix = answers.get(0);
    WorkerAnswer ofStock = answers.get(1);
    WorkerAnswer ofExact = answers.get(2);
    if (!Answers.isSameInStock(trial, ofPhoenix, ofStock)
        && !isRandom(
            new WorkerCommand.Query(trial.sql(), trial.binds()),
            ofPhoenix,
            (one, other) -> Answers.isSameInStock(trial, one, other))) {
      reportStock("other answer", testCase, ofPhoenix, ofStock);
    }
    if (!Answers.isSame(trial, ofPhoenix, ofExact)) {
      compareExact(testCase, verdicts, ofPhoenix, ofExact);
    } else if (!Answers.labels(ofPhoenix).equals(Answers.labels(ofExact))) {
      if (!Answers.types(ofPhoenix).equals(trial.types())
          && Answers.types(ofExact).equals(trial.types())) {
        reportCorrection("corrected types", testCase, ofPhoenix, ofExact);
      } else {
        reportFault("other types or labels", testCase, ofPhoenix, ofExact);
      }
    }
    leftOut.add(testCase, judged.get(0), judged.get(2));
  }

  /**
   * Returns whether Phoenix's answer changes from run to run. Phoenix plans some subqueries with
   * random values.
   */
  private boolean isRandom(
      WorkerCommand query, WorkerAnswer first, BiPredicate<WorkerAnswer, WorkerAnswer> isSame) {
    List<WorkerAnswer> ofPhoenix = new ArrayList<>();
    List<WorkerAnswer> ofStock = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ofPhoenix.add(phoenix.run(query));
      ofStock.add(stock.run(query));
    }
    boolean isRandom =
        ofPhoenix.stream().anyMatch(rerun -> !isSame.test(first, rerun))
            && ofPhoenix.stream()
                .anyMatch(one -> ofStock.stream().anyMatch(two -> isSame.test(one, two)));
    if (isRandom) {
      report.count("random answers of Phoenix");
    }
    return isRandom;
  }

  private boolean isRandom(Case testCase, WorkerAnswer ofPhoenix) {
    return isRandom(
        new WorkerCommand.Query(testCase.trial().sql(), testCase.trial().binds()),
        ofPhoenix,
        (one, other) -> Answers.isSame(testCase.trial(), one, other));
  }

  private void explain(Case testCase) {
    WorkerCommand explain =
        new WorkerCommand.Query("EXPLAIN " + testCase.trial().sql(), testCase.trial().binds());
    phoenix.send(explain);
    stock.send(explain);
    WorkerAnswer plan = Answers.comparable(phoenix.receive());
    WorkerAnswer planOfStock = Answers.comparable(stock.receive());
    report.count("EXPLAIN");
    if (!plan.equals(planOfStock)
        && !isRandom(
            explain, plan, (one, two) -> Answers.comparable(one).equals(Answers.comparable(two)))) {
      reportStock("other EXPLAIN", testCase, plan, planOfStock);
    }
  }

  private void runChange(Case testCase) {
    Trial trial = testCase.trial();
    KeyTable table = testCase.table();
    List<WorkerAnswer> answers = runOnAll(Reruns.changeCommand(testCase, trial.sql()));
    List<WorkerAnswer> contents = runOnAll(Reruns.selectAll(table));
    List<Answered> judged = new ArrayList<>();
    for (int i = 0; i < workers.size(); i++) {
      judged.add(Answered.of(trial, answers.get(i), contents.get(i).rows()));
      Reruns.restore(workers.get(i), table, contents.get(i));
    }
    List<Verdict> verdicts = judged.stream().map(Answered::verdict).toList();
    report.count("statements that write");
    count(testCase, answers, verdicts);
    WorkerAnswer ofPhoenix = answers.get(0);
    WorkerAnswer ofStock = answers.get(1);
    WorkerAnswer ofExact = answers.get(2);
    if (!ofPhoenix.equals(ofStock)) {
      boolean sameCount = ofPhoenix.withCells(List.of()).equals(ofStock.withCells(List.of()));
      reportStock(
          sameCount ? "other cells written" : "other answer of a statement that writes",
          testCase,
          ofPhoenix,
          ofStock);
    }
    boolean sameRows =
        Answers.multiset(contents.get(0).rows()).equals(Answers.multiset(contents.get(2).rows()));
    if (!sameRows || !Objects.equals(ofPhoenix.failure(), ofExact.failure())) {
      compareExact(testCase, verdicts, ofPhoenix, ofExact);
      if (otherColumns(table, contents.get(0)).equals(otherColumns(table, contents.get(2)))
          && !writtenToBoth(ofPhoenix, ofExact).equals(writtenToBoth(ofExact, ofPhoenix))) {
        reportFault("other cells written to a row that both write", testCase, ofPhoenix, ofExact);
      }
    } else if (!ofPhoenix.equals(ofExact)) {
      if (trial.changes() == ofExact.updateCount() && trial.changes() != ofPhoenix.updateCount()) {
        // Phoenix also wrote the values that other rows had before.
        reportCorrection("corrected", testCase, ofPhoenix, ofExact);
      } else {
        reportFault("other cells written", testCase, ofPhoenix, ofExact);
      }
    }
    leftOut.add(testCase, judged.get(0), judged.get(2));
  }

  /**
   * Returns the columns W and U of each row by its key. Statements that write may read these
   * columns wrongly.
   */
  private static Map<List<Object>, List<Object>> otherColumns(
      KeyTable table, WorkerAnswer content) {
    Map<List<Object>, List<Object>> columns = new HashMap<>();
    for (List<Object> row : content.rows()) {
      columns.put(table.keyOf(row), row.subList(table.w().position(), row.size()));
    }
    return columns;
  }

  /** Returns the cells that {@code one} wrote to HBase rows to which {@code other} also wrote. */
  private static List<String> writtenToBoth(WorkerAnswer one, WorkerAnswer other) {
    Set<String> rows =
        other.cells().stream().map(DifferentialRun::rowOf).collect(Collectors.toSet());
    return one.cells().stream().filter(cell -> rows.contains(rowOf(cell))).toList();
  }

  private static String rowOf(String cell) {
    return cell.substring(0, cell.indexOf(WorkerAnswer.AFTER_ROW));
  }

  private void reportStock(
      String kind, Case testCase, WorkerAnswer ofPhoenix, WorkerAnswer ofOurs) {
    report.addStock(
        new AnswerDifference(
            "stock", kind, testCase, Answers.shown(ofPhoenix), Answers.shown(ofOurs), ""));
  }

  private void compareExact(
      Case testCase, List<Verdict> verdicts, WorkerAnswer ofPhoenix, WorkerAnswer ofExact) {
    Verdict judged = verdicts.get(0);
    Verdict ours = verdicts.get(2);
    if (ours.compareTo(judged) < 0) {
      reportCorrection(
          judged == Verdict.WRONG ? "corrected" : "nulls as in SQL", testCase, ofPhoenix, ofExact);
    } else if (testCase.trial().limited() && ours == Verdict.RIGHT) {
      report.count("mode exact: other rows within a LIMIT");
    } else if (ours == Verdict.ALLOWED) {
      reportCorrection("nulls as Phoenix orders them", testCase, ofPhoenix, ofExact);
    } else if (isSameWithoutIndex(testCase, ofPhoenix, ofExact)) {
      report.count("mode exact: as Phoenix answers without the index");
    } else if (writesDescendingDecimals(testCase, ofExact)) {
      report.count("mode exact: writes descending decimals as Phoenix does");
    } else if (!testCase.trial().isQuery() || !isRandom(testCase, ofPhoenix)) {
      reportFault(
          judged == Verdict.WRONG ? "a different fault" : "a new fault",
          testCase,
          ofPhoenix,
          ofExact);
    }
  }

  /**
   * Returns whether Phoenix and mode exact both fail with a hint to an index, and mode exact fails
   * as Phoenix does without the index. In this case, a patch corrects the scan of the index, and a
   * later step has another defect.
   */
  private boolean isSameWithoutIndex(Case testCase, WorkerAnswer ofPhoenix, WorkerAnswer ofExact) {
    Trial trial = testCase.trial();
    String sql = trial.sql().replaceFirst("INDEX\\([^)]*\\)", "NO_INDEX");
    return ofPhoenix.failure() != null
        && ofExact.failure() != null
        && !sql.equals(trial.sql())
        && ofExact.failure().equals(Reruns.run(phoenix, testCase, sql).answer().failure());
  }

  /**
   * Returns whether mode exact writes the right number of rows to a table with a descending DECIMAL
   * in its key. UPSERT SELECT stores some of these values with the bytes of another number. Only
   * the patch descending-decimal-bytes corrects these bytes, and it is off by default.
   */
  static boolean writesDescendingDecimals(Case testCase, WorkerAnswer ofExact) {
    Trial trial = testCase.trial();
    return !trial.isQuery()
        && trial.sql().contains(" SELECT ")
        && ofExact.failure() == null
        && ofExact.updateCount() == trial.changes()
        && testCase.table().keys().stream()
            .anyMatch(key -> key.descending() && key.type() == KeyType.SCALED);
  }

  private void reportFault(
      String kind, Case testCase, WorkerAnswer ofPhoenix, WorkerAnswer ofExact) {
    report.addExact(
        new AnswerDifference(
            "exact", kind, testCase, Answers.shown(ofPhoenix), Answers.shown(ofExact), ""));
  }

  private void reportCorrection(
      String kind, Case testCase, WorkerAnswer ofPhoenix, WorkerAnswer ofExact) {
    String fixes = "";
    if (ofPhoenix.failure() != null && ofPhoenix.failure().type().equals(Failure.TIMEOUT)) {
      // Without the right patch, the statement would not end in another run, either.
      fixes = "a patch, as Phoenix does not end";
      report.countFix(fixes, List.of());
    } else if (namesPatches) {
      fixes = fixFinder.fixes(testCase);
    }
    report.addCorrected(
        new AnswerDifference(
            "exact", kind, testCase, Answers.shown(ofPhoenix), Answers.shown(ofExact), fixes));
  }

  private void count(Case testCase, List<WorkerAnswer> answers, List<Verdict> verdicts) {
    if (verdicts.get(2) == Verdict.WRONG) {
      report.addWrong(
          new AnswerDifference(
              "exact",
              "wrong",
              testCase,
              Answers.shown(answers.get(0)),
              Answers.shown(answers.get(2)),
              ""));
    }
    for (int i = 0; i < answers.size(); i++) {
      String name = workers.get(i).name();
      Failure failure = answers.get(i).failure();
      if (verdicts.get(i) != Verdict.RIGHT) {
        report.count(name + ": " + verdicts.get(i));
      }
      if (failure != null) {
        report.count(name + " refused: " + shorten(failure.toString()));
      }
    }
  }

  private static String shorten(String text) {
    return text.length() > 120 ? text.substring(0, 120) : text;
  }

  private List<WorkerAnswer> runOnAll(WorkerCommand command) {
    for (WorkerProcess worker : workers) {
      worker.send(command);
    }
    return workers.stream().map(WorkerProcess::receive).collect(Collectors.toList());
  }

  private List<WorkerAnswer> requireOnAll(WorkerCommand command) {
    List<WorkerAnswer> answers = runOnAll(command);
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i).failure() != null) {
        throw new AssertionError(
            workers.get(i).name()
                + " failed: "
                + command
                + "\n"
                + answers.get(i).failure().trace());
      }
    }
    return answers;
  }

  @Override
  public void close() throws Exception {
    for (WorkerProcess worker : workers) {
      worker.close();
    }
  }
}

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

import io.phoenixpruning.it.differential.Difference.Case;
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
  private final FixFinder fixFinder;
  private final LeftOutRun leftOut;

  /** Starts the workers. Statements in mode exact also run with one of {@code patches} left out. */
  DifferentialRun(LeftOutPatches patches) throws Exception {
    try {
      phoenix = started(WorkerProcess.phoenix());
      stock = started(WorkerProcess.ours("stock"));
      exact = started(WorkerProcess.ours("exact"));
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

  private WorkerProcess started(WorkerProcess worker) {
    workers.add(worker);
    return worker;
  }

  DifferentialReport report() {
    return report;
  }

  /** Runs {@code statements} statements on the tables of the seeds from {@code seed} on. */
  void run(long seed, int statements) {
    int left = statements;
    for (long of = seed; left > 0; of++) {
      int here = Math.min(left, STATEMENTS_OF_TABLE);
      table(of, here);
      left -= here;
    }
  }

  private void table(long seed, int statements) {
    Random random = new Random(seed);
    StatementGenerator generator = new StatementGenerator("T" + seed, random);
    KeyTable table = generator.table();
    report.count("tables");
    require(new WorkerCommand.Execute(table.ddl()));
    write(table, table.rows());
    split(table, random);
    require(
        new WorkerCommand.Write(
            "UPSERT INTO " + table.partner() + " VALUES (?, ?, ?)", table.jdbcOfPartners()));
    if (table.statistics()) {
      require(
          new WorkerCommand.Execute(
              List.of(
                  "UPDATE STATISTICS "
                      + table.name()
                      + " ALL SET \"phoenix.stats.guidepost.width\" = 300")));
    }
    for (int i = 0; i < statements; i++) {
      Case of = new Case(seed, i, table, generator.trial());
      report.count("statements");
      if (random.nextInt(4) == 0) {
        explain(of);
      }
      if (of.trial().isQuery()) {
        query(of);
      } else {
        change(of);
      }
    }
    leftOut.run();
    for (WorkerAnswer dropped : all(new WorkerCommand.Execute(table.drop()))) {
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
    List<WorkerAnswer> keys = require(new WorkerCommand.RowKeys(table.name()));
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
      require(new WorkerCommand.Split(table.name(), boundaries));
      write(table, table.rows());
    }
  }

  /** HBase refuses index rows where a region's end key starts with its start key. */
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
    require(
        new WorkerCommand.Write(
            table.upsert(), rows.stream().map(table::jdbc).collect(Collectors.toList())));
  }

  private void query(Case of) {
    Trial trial = of.trial();
    List<WorkerAnswer> answers = all(new WorkerCommand.Query(trial.sql(), trial.binds()));
    List<Answered> judged =
        answers.stream().map(answer -> Answered.of(trial, answer, answer.rows())).toList();
    List<Verdict> verdicts = judged.stream().map(Answered::verdict).toList();
    count(answers, verdicts);
    WorkerAnswer ofPhoenix = answers.get(0);
    WorkerAnswer ofStock = answers.get(1);
    WorkerAnswer ofExact = answers.get(2);
    if (!Answers.isSameInStock(trial, ofPhoenix, ofStock)
        && !isRandom(
            new WorkerCommand.Query(trial.sql(), trial.binds()),
            ofPhoenix,
            (one, other) -> Answers.isSameInStock(trial, one, other))) {
      stock("other answer", of, ofPhoenix, ofStock);
    }
    if (!Answers.isSame(trial, ofPhoenix, ofExact)) {
      exact(of, verdicts, ofPhoenix, ofExact);
    } else if (!Answers.labels(ofPhoenix).equals(Answers.labels(ofExact))) {
      if (!Answers.types(ofPhoenix).equals(trial.types())
          && Answers.types(ofExact).equals(trial.types())) {
        corrected("corrected types", of, ofPhoenix, ofExact);
      } else {
        fault("other types or labels", of, ofPhoenix, ofExact);
      }
    }
    leftOut.add(of, judged.get(0), judged.get(2));
  }

  /**
   * Returns whether Phoenix's answer changes from time to time: it plans some subqueries with
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
        ofPhoenix.stream().anyMatch(again -> !isSame.test(first, again))
            && ofPhoenix.stream()
                .anyMatch(one -> ofStock.stream().anyMatch(two -> isSame.test(one, two)));
    if (isRandom) {
      report.count("random answers of Phoenix");
    }
    return isRandom;
  }

  private boolean isRandom(Case of, WorkerAnswer ofPhoenix) {
    return isRandom(
        new WorkerCommand.Query(of.trial().sql(), of.trial().binds()),
        ofPhoenix,
        (one, other) -> Answers.isSame(of.trial(), one, other));
  }

  private void explain(Case of) {
    WorkerCommand explain =
        new WorkerCommand.Query("EXPLAIN " + of.trial().sql(), of.trial().binds());
    phoenix.send(explain);
    stock.send(explain);
    WorkerAnswer plan = Answers.comparable(phoenix.receive());
    WorkerAnswer planOfStock = Answers.comparable(stock.receive());
    report.count("EXPLAIN");
    if (!plan.equals(planOfStock)
        && !isRandom(
            explain, plan, (one, two) -> Answers.comparable(one).equals(Answers.comparable(two)))) {
      stock("other EXPLAIN", of, plan, planOfStock);
    }
  }

  private void change(Case of) {
    Trial trial = of.trial();
    KeyTable table = of.table();
    List<WorkerAnswer> answers = all(Reruns.changing(of, trial.sql()));
    List<WorkerAnswer> contents = all(Reruns.selectAll(table));
    List<Answered> judged = new ArrayList<>();
    for (int i = 0; i < workers.size(); i++) {
      judged.add(Answered.of(trial, answers.get(i), contents.get(i).rows()));
      Reruns.restore(workers.get(i), table, contents.get(i));
    }
    List<Verdict> verdicts = judged.stream().map(Answered::verdict).toList();
    report.count("statements that write");
    count(answers, verdicts);
    WorkerAnswer ofPhoenix = answers.get(0);
    WorkerAnswer ofStock = answers.get(1);
    WorkerAnswer ofExact = answers.get(2);
    if (!ofPhoenix.equals(ofStock)) {
      boolean sameCount = ofPhoenix.withCells(List.of()).equals(ofStock.withCells(List.of()));
      stock(
          sameCount ? "other cells written" : "other answer of a statement that writes",
          of,
          ofPhoenix,
          ofStock);
    }
    boolean sameRows =
        Answers.multiset(contents.get(0).rows()).equals(Answers.multiset(contents.get(2).rows()));
    if (!sameRows || !Objects.equals(ofPhoenix.failure(), ofExact.failure())) {
      exact(of, verdicts, ofPhoenix, ofExact);
      if (otherColumns(table, contents.get(0)).equals(otherColumns(table, contents.get(2)))
          && !writtenToBoth(ofPhoenix, ofExact).equals(writtenToBoth(ofExact, ofPhoenix))) {
        fault("other cells written to a row that both write", of, ofPhoenix, ofExact);
      }
    } else if (!ofPhoenix.equals(ofExact)) {
      if (trial.changes() == ofExact.updateCount() && trial.changes() != ofPhoenix.updateCount()) {
        // Phoenix also wrote the values that other rows had before.
        corrected("corrected", of, ofPhoenix, ofExact);
      } else {
        fault("other cells written", of, ofPhoenix, ofExact);
      }
    }
    leftOut.add(of, judged.get(0), judged.get(2));
  }

  /** Returns W and U of each row, by its key; a statement that writes may read them wrongly. */
  private static Map<List<Object>, List<Object>> otherColumns(
      KeyTable table, WorkerAnswer content) {
    Map<List<Object>, List<Object>> columns = new HashMap<>();
    for (List<Object> row : content.rows()) {
      columns.put(table.keyOf(row), row.subList(table.w().position(), row.size()));
    }
    return columns;
  }

  /** Returns the cells that {@code one} wrote to rows of HBase that the {@code other} wrote to. */
  private static List<String> writtenToBoth(WorkerAnswer one, WorkerAnswer other) {
    Set<String> rows =
        other.cells().stream().map(DifferentialRun::rowOf).collect(Collectors.toSet());
    return one.cells().stream().filter(cell -> rows.contains(rowOf(cell))).toList();
  }

  private static String rowOf(String cell) {
    return cell.substring(0, cell.indexOf(WorkerAnswer.AFTER_ROW));
  }

  private void stock(String kind, Case of, WorkerAnswer ofPhoenix, WorkerAnswer ofOurs) {
    report.stock(
        new Difference("stock", kind, of, Answers.shown(ofPhoenix), Answers.shown(ofOurs), ""));
  }

  private void exact(
      Case of, List<Verdict> verdicts, WorkerAnswer ofPhoenix, WorkerAnswer ofExact) {
    Verdict judged = verdicts.get(0);
    Verdict ours = verdicts.get(2);
    if (ours.compareTo(judged) < 0) {
      corrected(judged == Verdict.WRONG ? "corrected" : "nulls as in SQL", of, ofPhoenix, ofExact);
    } else if (of.trial().limited() && ours == Verdict.RIGHT) {
      report.count("mode exact: other rows within a LIMIT");
    } else if (ours == Verdict.ALLOWED) {
      corrected("nulls as Phoenix orders them", of, ofPhoenix, ofExact);
    } else if (isSameWithoutIndex(of, ofPhoenix, ofExact)) {
      report.count("mode exact: as Phoenix answers without the index");
    } else if (writesDescendingDecimals(of, ofExact)) {
      report.count("mode exact: writes descending decimals as Phoenix does");
    } else if (!of.trial().isQuery() || !isRandom(of, ofPhoenix)) {
      fault(judged == Verdict.WRONG ? "a different fault" : "a new fault", of, ofPhoenix, ofExact);
    }
  }

  /**
   * Returns whether Phoenix and mode exact fail with a hint to an index, and mode exact fails as
   * Phoenix does without the index. In this case, a patch corrects the scan of the index, and a
   * later step has another defect.
   */
  private boolean isSameWithoutIndex(Case of, WorkerAnswer ofPhoenix, WorkerAnswer ofExact) {
    Trial trial = of.trial();
    String sql = trial.sql().replaceFirst("INDEX\\([^)]*\\)", "NO_INDEX");
    return ofPhoenix.failure() != null
        && ofExact.failure() != null
        && !sql.equals(trial.sql())
        && ofExact.failure().equals(Reruns.run(phoenix, of, sql).answer().failure());
  }

  /**
   * Returns whether mode exact writes the right number of rows to a table with a descending DECIMAL
   * in its key. UPSERT SELECT stores some of these values with the bytes of another number, unless
   * the patch descending-decimal-bytes is on. It is off by default.
   */
  static boolean writesDescendingDecimals(Case of, WorkerAnswer ofExact) {
    Trial trial = of.trial();
    return !trial.isQuery()
        && trial.sql().contains(" SELECT ")
        && ofExact.failure() == null
        && ofExact.updateCount() == trial.changes()
        && of.table().keys().stream()
            .anyMatch(key -> key.descending() && key.type() == KeyType.SCALED);
  }

  private void fault(String kind, Case of, WorkerAnswer ofPhoenix, WorkerAnswer ofExact) {
    report.exact(
        new Difference("exact", kind, of, Answers.shown(ofPhoenix), Answers.shown(ofExact), ""));
  }

  private void corrected(String kind, Case of, WorkerAnswer ofPhoenix, WorkerAnswer ofExact) {
    String fixes;
    if (ofPhoenix.failure() != null && ofPhoenix.failure().type().equals(Failure.TIMEOUT)) {
      // Without the right patch, the statement would not end again.
      fixes = "a patch, as Phoenix does not end";
      report.fix(fixes, List.of());
    } else {
      fixes = fixFinder.fixes(of);
    }
    report.corrected(
        new Difference("exact", kind, of, Answers.shown(ofPhoenix), Answers.shown(ofExact), fixes));
  }

  private void count(List<WorkerAnswer> answers, List<Verdict> verdicts) {
    for (int i = 0; i < answers.size(); i++) {
      String name = workers.get(i).name();
      Failure failure = answers.get(i).failure();
      if (verdicts.get(i) != Verdict.RIGHT) {
        report.count(name + ": " + verdicts.get(i));
      }
      if (failure != null) {
        report.count(name + " refused: " + shortened(failure.toString()));
      }
    }
  }

  private static String shortened(String text) {
    return text.length() > 120 ? text.substring(0, 120) : text;
  }

  private List<WorkerAnswer> all(WorkerCommand command) {
    for (WorkerProcess worker : workers) {
      worker.send(command);
    }
    return workers.stream().map(WorkerProcess::receive).collect(Collectors.toList());
  }

  private List<WorkerAnswer> require(WorkerCommand command) {
    List<WorkerAnswer> answers = all(command);
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

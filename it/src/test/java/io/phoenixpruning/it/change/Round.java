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
package io.phoenixpruning.it.change;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * A round of a test: some statements are held, a fault is injected, and the statements continue.
 * Then their results are checked.
 */
final class Round {

  /** A fault that is prepared before statements are planned, and injected while they are held. */
  interface Fault {
    void prepare() throws Exception;

    Faults.Recovery inject() throws Exception;

    /** Returns whether regions may still move after the statements have continued. */
    default boolean continues() {
      return false;
    }
  }

  /** Time after which an action is considered to hang. All actions take far less time. */
  static final Duration TIMEOUT = Duration.ofMinutes(2);

  private static final int STATEMENTS = 4;

  private final FaultKind kind;
  private final GatedTables gates;
  private final ExecutorService executor;
  private final RegionMoves moves;
  private final Tally tally;
  private final Connection connection;

  /**
   * Creates a round.
   *
   * @param kind determines which statements may fail
   * @param connection prepares the rows of statements, and checks the rows that they write
   */
  Round(
      FaultKind kind,
      GatedTables gates,
      ExecutorService executor,
      RegionMoves moves,
      Tally tally,
      Connection connection) {
    this.kind = kind;
    this.gates = gates;
    this.executor = executor;
    this.moves = moves;
    this.tally = tally;
    this.connection = connection;
  }

  /**
   * Runs the round.
   *
   * @param newStatement creates the statement with this number
   * @return true if at least one statement was held during the fault
   */
  boolean run(Fault fault, IntFunction<HeldStatement> newStatement) throws Exception {
    if (kind.movesRegions()) {
      moves.begin();
    }
    List<HeldStatement> statements = new ArrayList<>();
    try {
      fault.prepare();
      for (int i = 0; i < STATEMENTS; i++) {
        HeldStatement statement = newStatement.apply(i);
        statement.prepare(connection);
        statements.add(statement);
      }
      statements.forEach(statement -> statement.start(gates, executor));
      boolean held = false;
      for (HeldStatement statement : statements) {
        held |= statement.awaitHeld(TIMEOUT);
      }
      Faults.Recovery recovery = fault.inject();
      statements.forEach(HeldStatement::resume);
      recovery.recover();
      if (held) {
        tally.countFault();
      }
      for (HeldStatement statement : statements) {
        check(statement, fault);
      }
      return held;
    } finally {
      statements.forEach(HeldStatement::resume);
      if (kind.movesRegions()) {
        moves.end();
      }
    }
  }

  /** Returns a random gate. The first statement of each round is held before it reads anything. */
  static Gate gate(Random random, int statement) {
    if (statement == 0 || random.nextInt(3) == 0) {
      return new Gate(Gate.Place.OPENING, 1);
    }
    return random.nextBoolean()
        ? new Gate(Gate.Place.OPENING, 1 + random.nextInt(6))
        : new Gate(Gate.Place.ROW, 1 + random.nextInt(12));
  }

  private void check(HeldStatement statement, Fault fault) throws Exception {
    Throwable failure = statement.awaitFailure(TIMEOUT);
    if (failure != null && !mayFail(statement, fault, failure)) {
      throw new AssertionError(statement.toString(), failure);
    }
    if (statement.wasHeld()) {
      tally.countHeld(statement, failure != null);
    }
    try {
      statement.checkWritten(connection, outcome(statement, fault, failure));
    } catch (AssertionError | SQLException e) {
      throw new AssertionError(statement.toString(), e);
    }
  }

  private Outcome outcome(HeldStatement statement, Fault fault, Throwable failure) {
    if (failure != null) {
      return Outcome.FAILED;
    }
    return kind.movesRegions() && (statement.wasReading() || fault.continues())
        ? Outcome.INTERRUPTED
        : Outcome.DONE;
  }

  /**
   * Returns whether a statement is allowed to fail. If a region has changed since a scan was
   * planned, stock usually plans the scan again. There are two exceptions: the statement already
   * has rows of the scan, or it opens the scan late and has rows of other scans. Then the statement
   * fails, if it notices the change. If regions still move after the statement has continued, it
   * may have rows of any scan.
   */
  private boolean mayFail(HeldStatement statement, Fault fault, Throwable failure) {
    return kind.movesRegions()
        && (statement.wasReading() || statement.opensScansLate() || fault.continues())
        && moves.mayCause(failure);
  }

  /** Returns the stacks of all threads of the JVM. */
  static String threads() {
    ThreadInfo[] threads = ManagementFactory.getThreadMXBean().dumpAllThreads(true, true);
    return Arrays.stream(threads).map(ThreadInfo::toString).collect(Collectors.joining());
  }
}

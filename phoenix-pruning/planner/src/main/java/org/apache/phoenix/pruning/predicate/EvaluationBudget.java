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
package org.apache.phoenix.pruning.predicate;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;

/**
 * Limits the work of checking the regions of one scan. Each evaluated node of an expression costs
 * one unit. When all units are spent, expressions are no longer evaluated and no more regions are
 * pruned.
 *
 * <p>At intervals, the budget also checks the clock and the thread. A check of regions ends when
 * the query's timeout has passed or the thread is interrupted.
 */
public final class EvaluationBudget {

  /** Number of expression nodes for one scan. Evaluating them takes some tenths of a second. */
  public static final long NODES = 2_000_000;

  /** Number of units between two checks of the clock and the thread. */
  static final int UNITS_BETWEEN_CHECKS = 1_024;

  private enum State {
    RUNNING,
    SPENT,
    TIMED_OUT,
    INTERRUPTED
  }

  private final long nodes;
  private final long timeoutMillis;
  private final LongSupplier nanoClock;
  private final long start;

  private State state = State.RUNNING;
  private long spent;
  private long nextCheck = UNITS_BETWEEN_CHECKS;

  /**
   * Creates a budget whose timeout starts now.
   *
   * @param nodes number of nodes that may be evaluated
   * @param timeoutMillis timeout of the query, in milliseconds
   */
  public EvaluationBudget(long nodes, long timeoutMillis) {
    this(nodes, timeoutMillis, System::nanoTime);
  }

  EvaluationBudget(long nodes, long timeoutMillis, LongSupplier nanoClock) {
    this.nodes = nodes;
    this.timeoutMillis = timeoutMillis;
    this.nanoClock = nanoClock;
    this.start = nanoClock.getAsLong();
  }

  /** Creates a budget without limits. */
  static EvaluationBudget unlimited() {
    return new EvaluationBudget(Long.MAX_VALUE, Long.MAX_VALUE, () -> 0);
  }

  /** Spends {@code units}. Returns false if nothing more may be evaluated. */
  boolean spend(int units) {
    if (state != State.RUNNING) {
      return false;
    }
    spent += units;
    if (spent > nodes) {
      state = State.SPENT;
    } else if (spent >= nextCheck) {
      nextCheck = spent + UNITS_BETWEEN_CHECKS;
      checkLimits();
    }
    return state == State.RUNNING;
  }

  private void checkLimits() {
    if (Thread.currentThread().isInterrupted()) {
      state = State.INTERRUPTED;
    } else if (TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - start) > timeoutMillis) {
      state = State.TIMED_OUT;
    }
  }

  /** Returns the number of nodes that were evaluated. */
  public long spent() {
    return Math.min(spent, nodes);
  }

  /** Returns whether nothing more may be evaluated. */
  public boolean isOver() {
    return state != State.RUNNING;
  }

  /**
   * Throws an exception if the query has timed out or its thread is interrupted. A spent budget
   * ends only the check of regions, so this method does not throw for it.
   *
   * @throws SQLException the exception that Phoenix throws for a timeout or an interrupted thread
   */
  public void throwIfStopped() throws SQLException {
    if (state == State.TIMED_OUT) {
      throw new SQLExceptionInfo.Builder(SQLExceptionCode.OPERATION_TIMED_OUT)
          .setMessage(
              "The query took more than its timeout of "
                  + timeoutMillis
                  + " ms to test regions with its conditions. Use fewer conditions, or raise"
                  + " phoenix.query.timeoutMs")
          .build()
          .buildException();
    }
    if (state == State.INTERRUPTED) {
      throw new SQLExceptionInfo.Builder(SQLExceptionCode.INTERRUPTED_EXCEPTION)
          .setMessage("The thread was interrupted while it planned regions")
          .build()
          .buildException();
    }
  }
}

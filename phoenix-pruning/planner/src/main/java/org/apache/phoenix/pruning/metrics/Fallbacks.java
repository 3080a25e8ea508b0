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
package org.apache.phoenix.pruning.metrics;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.predicate.UnsupportedPredicateListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts how often pruning kept regions because a condition was not supported or an exception
 * occurred. Logs one WARN for each cause. Like Phoenix's {@code GlobalClientMetrics}, the counts
 * cover all connections of this JVM.
 */
public final class Fallbacks implements UnsupportedPredicateListener {

  /** The counts of this JVM. */
  public static final Fallbacks GLOBAL = new Fallbacks();

  private static final Logger LOGGER = LoggerFactory.getLogger(Fallbacks.class);

  /** Maximum number of different causes that are remembered and logged. */
  private static final int MAX_CAUSES = 1_000;

  private final LongAdder unsupportedConditions = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder exceededBudgets = new LongAdder();
  private final CauseCounts causes = new CauseCounts(MAX_CAUSES);

  public Fallbacks() {}

  @Override
  public void unsupported(Expression expression) {
    unsupportedConditions.increment();
    String summary = ExpressionSummary.of(expression);
    if (causes.countAndCheckFirst("unsupported expression: " + summary)) {
      LOGGER.warn(
          "Regions that hold several keys are not pruned by {}: this expression is not supported",
          summary);
    }
  }

  @Override
  public void failed(Expression expression, RuntimeException cause) {
    pruningFailed("by " + ExpressionSummary.of(expression), cause);
  }

  /**
   * Records an exception in pruning. The affected regions are still scanned.
   *
   * @param what the end of the message "Cannot prune regions", such as {@code of T} or {@code by
   *     the keys of a join}
   */
  public void pruningFailed(String what, Exception cause) {
    String brief = ExpressionSummary.truncated(what);
    if (countFailureAndCheckFirst(cause, "pruning regions " + brief)) {
      LOGGER.warn(
          "Cannot prune regions {} because of an exception. The query may scan more regions than"
              + " necessary",
          brief,
          cause);
    }
  }

  /**
   * Records that the residual check of regions exceeded its budget.
   *
   * @param regions number of regions to check
   * @param kept number of these regions that are still scanned
   */
  public void budgetExceeded(int regions, int kept) {
    exceededBudgets.increment();
    if (causes.countAndCheckFirst("budget exceeded: too many conditions for too many regions")) {
      LOGGER.warn(
          "A query has too many conditions to test {} regions with each condition. The plan keeps"
              + " {} of these regions. Use fewer conditions, or conditions on single key columns,"
              + " such as IN",
          regions,
          kept);
    }
  }

  /**
   * Records an exception in estimating the costs of the plans for {@code table}. Phoenix's rules
   * then choose the plan.
   */
  public void costEstimateFailed(String table, Exception cause) {
    if (countFailureAndCheckFirst(cause, "comparing the costs of plans for " + table)) {
      LOGGER.warn(
          "Cannot compare the costs of the plans for {}. Phoenix's rules choose the plan",
          table,
          cause);
    }
  }

  /**
   * Records an exception in planning a loose index scan of {@code index}. The scans then do not
   * seek.
   */
  public void looseIndexScanFailed(String index, Exception cause) {
    if (countFailureAndCheckFirst(cause, "planning a loose index scan of " + index)) {
      LOGGER.warn(
          "Cannot plan a loose index scan of {}. The scans do not seek from prefix to prefix",
          index,
          cause);
    }
  }

  /**
   * Records an exception in probing servers for scans of {@code index}. All scans are then sent.
   */
  public void probingFailed(String index, Exception cause) {
    if (countFailureAndCheckFirst(cause, "probing servers for " + index)) {
      LOGGER.warn("Cannot probe servers for {}. All planned scans are sent", index, cause);
    }
  }

  /** Records that one probe for scans of {@code index} failed. The scans of the probe are sent. */
  public void probeFailed(String index, Throwable cause) {
    if (countFailureAndCheckFirst(cause, "a server probe for " + index)) {
      LOGGER.warn(
          "A server probe for {} failed. The planned scans of this probe are sent", index, cause);
    }
  }

  /** Counts an exception. Returns whether it is the first of its class in this activity. */
  private boolean countFailureAndCheckFirst(Throwable cause, String activity) {
    failures.increment();
    return causes.countAndCheckFirst(cause.getClass().getName() + " in " + activity);
  }

  /** Returns how often a condition on the primary key was not supported. */
  public long unsupportedConditions() {
    return unsupportedConditions.sum();
  }

  /** Returns how often pruning failed. */
  public long failures() {
    return failures.sum();
  }

  /**
   * Returns how often regions stayed in the plan because the residual check exceeded its budget.
   */
  public long exceededBudgets() {
    return exceededBudgets.sum();
  }

  /** Returns a snapshot of how often each cause occurred. */
  public Map<String, Long> byCause() {
    return causes.snapshot();
  }
}

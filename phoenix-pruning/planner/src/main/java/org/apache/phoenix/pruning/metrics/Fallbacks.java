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

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.phoenix.expression.ColumnExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.predicate.UnsupportedPredicateListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts how often pruning kept regions because a condition was not supported or an exception
 * occurred. Like Phoenix's {@code GlobalClientMetrics}, the counts cover all connections of this
 * JVM.
 */
public final class Fallbacks implements UnsupportedPredicateListener {

  /** The counts of this JVM. */
  public static final Fallbacks GLOBAL = new Fallbacks();

  private static final Logger LOGGER = LoggerFactory.getLogger(Fallbacks.class);

  /** Maximum number of different causes that are remembered and logged. */
  private static final int MAX_CAUSES = 1_000;

  /** Maximum length of a cause. A condition can have many thousands of terms. */
  private static final int MAX_LENGTH = 300;

  private final LongAdder notUnderstood = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder checksGivenUp = new LongAdder();
  private final Map<String, LongAdder> causes = new ConcurrentHashMap<>();
  private final Set<String> warned = Collections.newSetFromMap(new ConcurrentHashMap<>());

  public Fallbacks() {}

  @Override
  public void unsupported(Expression expression) {
    notUnderstood.increment();
    if (isNew("not understood: " + describe(expression))) {
      LOGGER.warn(
          "Regions that hold several keys are not pruned by {}: this expression is not supported",
          describe(expression));
    }
  }

  @Override
  public void failed(Expression expression, RuntimeException cause) {
    failed("by " + describe(expression), cause);
  }

  /** Records an exception in pruning. The affected regions are still scanned. */
  public void failed(String what, Exception cause) {
    failures.increment();
    String brief = brief(what);
    if (isNew(cause.getClass().getName() + " " + brief)) {
      LOGGER.warn(
          "Cannot prune regions {} because of an exception. The query may scan more regions than"
              + " necessary",
          brief,
          cause);
    }
  }

  /**
   * Records that the test of regions exceeded its budget.
   *
   * @param regions number of regions to test
   * @param left number of these regions that are still scanned
   */
  public void checkGivenUp(int regions, int left) {
    checksGivenUp.increment();
    if (isNew("checks given up: too many conditions for too many regions")) {
      LOGGER.warn(
          "A query has too many conditions to test {} regions with each condition. The plan keeps"
              + " {} of these regions. Use fewer conditions, or conditions on single key columns,"
              + " such as IN",
          regions,
          left);
    }
  }

  /**
   * Records an exception in comparing the plans for {@code table}. Phoenix's rules then choose the
   * plan.
   */
  public void notWeighed(String table, Exception cause) {
    failures.increment();
    if (isNew(cause.getClass().getName() + " weighing plans for " + table)) {
      LOGGER.warn(
          "Cannot compare the costs of the plans for {}. Phoenix's rules choose the plan",
          table,
          cause);
    }
  }

  /** Records an exception in planning seeks along {@code index}. The scans then do not seek. */
  public void notSought(String index, Exception cause) {
    failures.increment();
    if (isNew(cause.getClass().getName() + " planning seeks along " + index)) {
      LOGGER.warn(
          "Cannot plan a loose index scan of {}. The scans do not seek from prefix to prefix",
          index,
          cause);
    }
  }

  /**
   * Records an exception in probing servers for scans of {@code index}. All scans are then sent.
   */
  public void notAsked(String index, Exception cause) {
    failures.increment();
    if (isNew(cause.getClass().getName() + " asking for " + index)) {
      LOGGER.warn("Cannot probe servers for {}. All planned scans are sent", index, cause);
    }
  }

  /** Records that a server could not be probed for scans of {@code index}. These scans are sent. */
  public void notAnswered(String index, Throwable cause) {
    failures.increment();
    if (isNew(cause.getClass().getName() + " asking a server for " + index)) {
      LOGGER.warn(
          "A server probe for {} failed. The planned scans of this probe are sent", index, cause);
    }
  }

  private boolean isNew(String cause) {
    if (causes.size() >= MAX_CAUSES && !causes.containsKey(cause)) {
      return false;
    }
    causes.computeIfAbsent(cause, key -> new LongAdder()).increment();
    return warned.add(cause);
  }

  /** Describes an expression without its constants, so that all values have the same cause. */
  private static String describe(Expression expression) {
    StringBuilder text = new StringBuilder(expression.getClass().getSimpleName());
    describeColumns(expression, text);
    return brief(text.toString());
  }

  private static void describeColumns(Expression expression, StringBuilder text) {
    if (expression instanceof ColumnExpression) {
      text.append(' ').append(expression).append(' ').append(expression.getDataType());
    }
    for (Expression child : expression.getChildren()) {
      if (text.length() > MAX_LENGTH) {
        return;
      }
      describeColumns(child, text);
    }
  }

  private static String brief(String text) {
    return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
  }

  /** Returns how often a condition on the primary key was not supported. */
  public long notUnderstood() {
    return notUnderstood.sum();
  }

  /** Returns how often pruning failed. */
  public long failures() {
    return failures.sum();
  }

  /** Returns how often regions stayed in the plan because testing them took too much work. */
  public long checksGivenUp() {
    return checksGivenUp.sum();
  }

  /** Returns a snapshot of how often each cause occurred. */
  public Map<String, Long> byCause() {
    Map<String, Long> counts = new TreeMap<>();
    causes.forEach((cause, count) -> counts.put(cause, count.sum()));
    return counts;
  }
}

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
package org.apache.phoenix.pruning.plan;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.phoenix.expression.ColumnExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.predicate.Doubts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts, for this JVM, how often pruning had to leave regions in because something was not
 * understood or failed. As Phoenix's own {@code GlobalClientMetrics} it is one for all connections.
 */
public final class PruningMetrics implements Doubts {

  /** The counts of this JVM. */
  public static final PruningMetrics GLOBAL = new PruningMetrics();

  private static final Logger LOGGER = LoggerFactory.getLogger(PruningMetrics.class);

  /** How many different causes are remembered, and so warned of. */
  private static final int MAX_CAUSES = 1_000;

  /** A condition can have many thousands of terms. */
  private static final int MAX_LENGTH = 300;

  private final LongAdder notUnderstood = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder checksGivenUp = new LongAdder();
  private final Map<String, LongAdder> causes = new ConcurrentHashMap<>();
  private final Set<String> warned = Collections.newSetFromMap(new ConcurrentHashMap<>());

  PruningMetrics() {}

  @Override
  public void notUnderstood(Expression expression) {
    notUnderstood.increment();
    if (isNew("not understood: " + describe(expression))) {
      LOGGER.warn(
          "Regions that hold several keys are not pruned by {}: it is not understood",
          describe(expression));
    }
  }

  @Override
  public void failed(Expression expression, RuntimeException cause) {
    failed("by " + describe(expression), cause);
  }

  /** Something went wrong; all regions stay that it was to decide on. */
  void failed(String what, Exception cause) {
    failures.increment();
    String brief = brief(what);
    if (isNew(cause.getClass().getName() + " " + brief)) {
      LOGGER.warn("No regions are pruned {}: it failed; the query runs unpruned", brief, cause);
    }
  }

  /**
   * Records that testing regions took more work than it may take.
   *
   * @param regions number of regions that were to be tested
   * @param left number of those that stay in the plan
   */
  void checkGivenUp(int regions, int left) {
    checksGivenUp.increment();
    if (isNew("checks given up: too many conditions for too many regions")) {
      LOGGER.warn(
          "A query has too many conditions to test {} regions with each of them; the plan keeps {}"
              + " of these regions. Conditions on single key columns, such as IN, take less work",
          regions,
          left);
    }
  }

  /** Something went wrong when the plans for {@code table} were weighed; Phoenix's rules choose. */
  public void notWeighed(String table, Exception cause) {
    failures.increment();
    if (isNew(cause.getClass().getName() + " weighing plans for " + table)) {
      LOGGER.warn("Phoenix's rules choose the plan for {}: weighing them failed", table, cause);
    }
  }

  /** Something went wrong when seeks were planned along {@code index}; it is read on. */
  void notSought(String index, Exception cause) {
    failures.increment();
    if (isNew(cause.getClass().getName() + " planning seeks along " + index)) {
      LOGGER.warn(
          "Scans of {} do not seek from prefix to prefix: planning it failed", index, cause);
    }
  }

  /** Something went wrong when servers were asked for scans of {@code index}; all are sent. */
  public void notAsked(String index, Exception cause) {
    failures.increment();
    if (isNew(cause.getClass().getName() + " asking for " + index)) {
      LOGGER.warn("All planned scans of {} are sent: asking servers first failed", index, cause);
    }
  }

  /** Records that a server could not be asked for scans of {@code index}; these are sent. */
  public void notAnswered(String index, Throwable cause) {
    failures.increment();
    if (isNew(cause.getClass().getName() + " asking a server for " + index)) {
      LOGGER.warn(
          "Some planned scans of {} are sent without asking: a server was asked first, and failed",
          index,
          cause);
    }
  }

  private boolean isNew(String cause) {
    if (causes.size() >= MAX_CAUSES && !causes.containsKey(cause)) {
      return false;
    }
    causes.computeIfAbsent(cause, key -> new LongAdder()).increment();
    return warned.add(cause);
  }

  /** The expression without its constants, so that a cause is one for all values. */
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

  /** How often a condition on the primary key was not understood. */
  public long notUnderstood() {
    return notUnderstood.sum();
  }

  /** How often pruning failed. */
  public long failures() {
    return failures.sum();
  }

  /** Returns how often regions were left in because testing them took too much work. */
  public long checksGivenUp() {
    return checksGivenUp.sum();
  }

  /** A snapshot of how often each cause was met. */
  public Map<String, Long> byCause() {
    Map<String, Long> counts = new TreeMap<>();
    causes.forEach((cause, count) -> counts.put(cause, count.sum()));
    return counts;
  }
}

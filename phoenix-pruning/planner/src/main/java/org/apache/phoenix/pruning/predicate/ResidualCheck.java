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

import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.pruning.key.KeyBounds;
import org.apache.phoenix.schema.PTable;
import org.jspecify.annotations.Nullable;

/**
 * Tests regions with conditions that a key space cannot express, such as {@code K1 + 1 = 26} or
 * {@code CASE WHEN K1 = 25 THEN 1 ELSE 0 END = 1}. It evaluates the conditions with the bounds that
 * a region sets for each key column.
 */
public final class ResidualCheck {

  private final DataKey key;
  private final KeyTerms terms;
  private final SingleKeyEvaluator singleKey;
  private final NonKeyBounds nonKey;
  private final Undecided all;
  private final UnsupportedPredicateListener listener;

  /**
   * Conditions that are not known to be true or false for all row keys of a range. Each condition
   * is a list of alternatives, at least one of which must be true.
   */
  public static final class Undecided {

    private final List<List<Expression>> conditions;

    private Undecided(List<List<Expression>> conditions) {
      this.conditions = conditions;
    }

    /** Returns whether all conditions are true for all row keys of the range. */
    public boolean isEmpty() {
      return conditions.isEmpty();
    }
  }

  /**
   * Creates a check with the conditions that region bounds can decide.
   *
   * @param scanned the table or index whose columns the conditions read
   * @param conditions conditions that must all be true
   * @param nonKey bounds of other columns in the rows that satisfy the whole WHERE
   * @param listener receives the parts that mention key columns and are not supported
   */
  public ResidualCheck(
      DataKey key,
      KeyColumnResolver resolver,
      PTable scanned,
      List<Expression> conditions,
      NonKeyBounds nonKey,
      UnsupportedPredicateListener listener) {
    this.key = key;
    this.terms = new KeyTerms(key, resolver);
    this.singleKey = new SingleKeyEvaluator(key, resolver, scanned);
    this.nonKey = nonKey;
    this.listener = listener;
    List<List<Expression>> decidable = new ArrayList<>();
    for (Expression condition : conditions) {
      if (isDecidable(condition)) {
        List<Expression> alternatives = new ArrayList<>();
        addAlternatives(condition, alternatives);
        decidable.add(alternatives);
      }
    }
    this.all = new Undecided(decidable);
  }

  private static void addAlternatives(Expression condition, List<Expression> alternatives) {
    if (condition instanceof OrExpression) {
      condition.getChildren().forEach(child -> addAlternatives(child, alternatives));
    } else {
      alternatives.add(condition);
    }
  }

  private boolean isDecidable(Expression condition) {
    try {
      return RegionMayMatchEvaluator.readsKey(key, terms, singleKey, nonKey, condition, listener);
    } catch (RuntimeException e) {
      listener.failed(condition, e);
      return false;
    }
  }

  /** Returns whether no condition can be decided by region bounds. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Returns all conditions. They are undecided for a range without bounds. */
  public Undecided all() {
    return all;
  }

  /**
   * Returns whether a region can contain a row for which all conditions are true.
   *
   * @param start inclusive, empty for the first key
   * @param end exclusive, empty for no end
   */
  public boolean canMatch(byte[] start, byte[] end) {
    return canMatch(all, start, end, EvaluationBudget.unlimited());
  }

  /**
   * Returns whether a region can contain a row for which all of {@code undecided} are true. Returns
   * true if {@code budget} is spent before the result is known.
   *
   * @param undecided the conditions that are undecided in a range around the region
   * @param start inclusive, empty for the first key
   * @param end exclusive, empty for no end
   */
  public boolean canMatch(Undecided undecided, byte[] start, byte[] end, EvaluationBudget budget) {
    RegionMayMatchEvaluator evaluation = in(start, end, budget);
    for (List<Expression> alternatives : undecided.conditions) {
      if (evaluation != null && !canBeTrue(alternatives, evaluation)) {
        return false;
      }
    }
    return true;
  }

  private boolean canBeTrue(List<Expression> alternatives, RegionMayMatchEvaluator evaluation) {
    for (Expression alternative : alternatives) {
      if (of(alternative, evaluation).canBe(true)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the conditions and alternatives that remain undecided in a part of a range. Leaves out
   * conditions that are true for all row keys of the part, and alternatives that are true for none
   * of them.
   *
   * @param undecided the conditions that are undecided in the whole range
   * @param start start of the part, inclusive, empty for the first key
   * @param end end of the part, exclusive, empty for no end
   * @return the conditions, or null if some condition is true for no row key of the part
   */
  public @Nullable Undecided within(
      Undecided undecided, byte[] start, byte[] end, EvaluationBudget budget) {
    RegionMayMatchEvaluator evaluation = in(start, end, budget);
    if (evaluation == null) {
      return undecided;
    }
    List<List<Expression>> left = new ArrayList<>(undecided.conditions.size());
    for (List<Expression> alternatives : undecided.conditions) {
      List<Expression> possible = new ArrayList<>(alternatives.size());
      boolean isTrue = false;
      for (int i = 0; i < alternatives.size() && !isTrue; i++) {
        ValueInterval truth = of(alternatives.get(i), evaluation);
        if (truth.canBe(true)) {
          possible.add(alternatives.get(i));
          isTrue = !truth.canBe(false) && !truth.isNullable();
        }
      }
      if (possible.isEmpty()) {
        return null;
      }
      if (!isTrue) {
        left.add(possible);
      }
    }
    return new Undecided(left);
  }

  /**
   * Returns the evaluation for a range, or null if it cannot be created. A failure is reported for
   * every condition.
   */
  private @Nullable RegionMayMatchEvaluator in(byte[] start, byte[] end, EvaluationBudget budget) {
    try {
      return new RegionMayMatchEvaluator(
          key, terms, singleKey, nonKey, KeyBounds.of(key.layout(), start, end), budget);
    } catch (RuntimeException e) {
      all.conditions.forEach(alternatives -> listener.failed(alternatives.get(0), e));
      return null;
    }
  }

  private ValueInterval of(Expression condition, RegionMayMatchEvaluator evaluation) {
    try {
      return evaluation.of(condition);
    } catch (RuntimeException e) {
      listener.failed(condition, e);
      return ValueInterval.ANYTHING;
    }
  }
}

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

/**
 * Tests a region with conditions that no key space expresses, such as {@code K1 + 1 = 26} or {@code
 * CASE WHEN K1 = 25 THEN 1 ELSE 0 END = 1}, by what its bounds say about the key columns.
 */
public final class ResidualCheck {

  private final DataKey key;
  private final KeyTerms terms;
  private final OneKey oneKey;
  private final Undecided all;
  private final Doubts doubts;

  /**
   * The conditions that are neither true nor false for all row keys of a range. One of the
   * alternatives of each condition has to be true.
   */
  public static final class Undecided {

    private final List<List<Expression>> conditions;

    private Undecided(List<List<Expression>> conditions) {
      this.conditions = conditions;
    }

    /** Tells whether all conditions are true for all row keys of the range. */
    public boolean isEmpty() {
      return conditions.isEmpty();
    }
  }

  /**
   * A check by those of the conditions that bounds can decide.
   *
   * @param scanned the table or index over whose columns the conditions are
   * @param conditions all of which have to be true
   * @param doubts is told which parts mention key columns and are not understood
   */
  public ResidualCheck(
      DataKey key,
      KeyColumnResolver resolver,
      PTable scanned,
      List<Expression> conditions,
      Doubts doubts) {
    this.key = key;
    this.terms = new KeyTerms(key, resolver);
    this.oneKey = new OneKey(key, resolver, scanned);
    this.doubts = doubts;
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
      return RegionEvaluation.readsKey(key, terms, oneKey, condition, doubts);
    } catch (RuntimeException e) {
      doubts.failed(condition, e);
      return false;
    }
  }

  /** Whether nothing can be decided. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Returns all conditions, which are undecided where nothing is known of a row key. */
  public Undecided all() {
    return all;
  }

  /**
   * Whether a row key of a region can be one of a row for which all conditions are true.
   *
   * @param start inclusive, empty for the first key
   * @param end exclusive, empty for no end
   */
  public boolean canMatch(byte[] start, byte[] end) {
    return canMatch(all, start, end, EvaluationBudget.unlimited());
  }

  /**
   * Tells whether a row key of a region can be one of a row for which {@code undecided} are true.
   * Returns true if {@code budget} is spent before that is known.
   *
   * @param undecided the conditions that are undecided in a range around the region
   * @param start inclusive, empty for the first key
   * @param end exclusive, empty for no end
   */
  public boolean canMatch(Undecided undecided, byte[] start, byte[] end, EvaluationBudget budget) {
    RegionEvaluation evaluation = in(start, end, budget);
    for (List<Expression> alternatives : undecided.conditions) {
      if (evaluation != null && !canBeTrue(alternatives, evaluation)) {
        return false;
      }
    }
    return true;
  }

  private boolean canBeTrue(List<Expression> alternatives, RegionEvaluation evaluation) {
    for (Expression alternative : alternatives) {
      if (of(alternative, evaluation).canBe(true)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the conditions, and their alternatives, that remain undecided in a part of a range.
   * Leaves out conditions that are true for all row keys of the part, and alternatives that are
   * true for none.
   *
   * @param undecided the conditions that are undecided in the whole range
   * @param start of the part, inclusive, empty for the first key
   * @param end of the part, exclusive, empty for no end
   * @return null if some condition is true for no row key of the part
   */
  public Undecided within(Undecided undecided, byte[] start, byte[] end, EvaluationBudget budget) {
    RegionEvaluation evaluation = in(start, end, budget);
    if (evaluation == null) {
      return undecided;
    }
    List<List<Expression>> left = new ArrayList<>(undecided.conditions.size());
    for (List<Expression> alternatives : undecided.conditions) {
      List<Expression> possible = new ArrayList<>(alternatives.size());
      boolean isTrue = false;
      for (int i = 0; i < alternatives.size() && !isTrue; i++) {
        Possible truth = of(alternatives.get(i), evaluation);
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

  /** Null if it fails, for whatever conditions. */
  private RegionEvaluation in(byte[] start, byte[] end, EvaluationBudget budget) {
    try {
      return new RegionEvaluation(
          key, terms, oneKey, KeyBounds.of(key.layout(), start, end), budget);
    } catch (RuntimeException e) {
      all.conditions.forEach(alternatives -> doubts.failed(alternatives.get(0), e));
      return null;
    }
  }

  private Possible of(Expression condition, RegionEvaluation evaluation) {
    try {
      return evaluation.of(condition);
    } catch (RuntimeException e) {
      doubts.failed(condition, e);
      return Possible.ANYTHING;
    }
  }
}

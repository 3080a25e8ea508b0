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
  private final List<Expression> conditions = new ArrayList<>();
  private final Doubts doubts;

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
    for (Expression condition : conditions) {
      if (isDecidable(condition)) {
        this.conditions.add(condition);
      }
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
    return conditions.isEmpty();
  }

  /**
   * Whether a row key of a region can be one of a row for which all conditions are true.
   *
   * @param start inclusive, empty for the first key
   * @param end exclusive, empty for no end
   */
  public boolean canMatch(byte[] start, byte[] end) {
    for (Expression condition : conditions) {
      if (!canBeTrue(condition, start, end)) {
        return false;
      }
    }
    return true;
  }

  private boolean canBeTrue(Expression condition, byte[] start, byte[] end) {
    try {
      KeyBounds bounds = KeyBounds.of(key.layout(), start, end);
      return new RegionEvaluation(key, terms, oneKey, bounds).of(condition).canBe(true);
    } catch (RuntimeException e) {
      doubts.failed(condition, e);
      return true;
    }
  }
}

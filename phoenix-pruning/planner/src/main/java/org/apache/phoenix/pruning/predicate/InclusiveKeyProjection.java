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
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.NotExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.pruning.key.KeySpace;

/**
 * Projects the WHERE of a scan to the data row keys of the rows that may satisfy it.
 *
 * <p>The result may contain too many keys, but never too few: if a key is not in it, the WHERE is
 * not true for its row. A condition that is not supported is treated as possibly true for every key
 * and reported to {@link UnsupportedPredicateListener}.
 */
public final class InclusiveKeyProjection {

  private final DataKey key;
  private final KeyTerms terms;
  private final PredicateProjection leaves;
  private final UnsupportedPredicateListener doubts;

  public InclusiveKeyProjection(
      DataKey key, KeyColumnResolver resolver, UnsupportedPredicateListener doubts) {
    this.key = key;
    this.terms = new KeyTerms(key, resolver);
    this.leaves = new PredicateProjection(key, terms);
    this.doubts = doubts;
  }

  /**
   * Returns the keys of all rows for which {@code where} can be true, and possibly of other rows.
   */
  public KeySpace whereTrue(Expression where) {
    try {
      if (where instanceof AndExpression) {
        List<KeySpace> spaces = new ArrayList<>();
        for (Expression child : where.getChildren()) {
          spaces.add(whereTrue(child));
        }
        return KeySpace.allOf(key.layout(), spaces);
      }
      if (where instanceof OrExpression) {
        List<KeySpace> spaces = new ArrayList<>();
        for (Expression child : where.getChildren()) {
          spaces.add(whereTrue(child));
        }
        return KeySpace.anyOf(key.layout(), spaces);
      }
      if (where instanceof NotExpression) {
        return whereFalse(where.getChildren().get(0));
      }
      return known(where, leaves.whereTrue(where));
    } catch (RuntimeException e) {
      doubts.failed(where, e);
      return everywhere();
    }
  }

  /**
   * Returns the keys of all rows for which {@code where} can be false (not NULL), and possibly of
   * other rows.
   */
  private KeySpace whereFalse(Expression where) {
    if (where instanceof AndExpression) {
      List<KeySpace> spaces = new ArrayList<>();
      for (Expression child : where.getChildren()) {
        spaces.add(whereFalse(child));
      }
      return KeySpace.anyOf(key.layout(), spaces);
    }
    if (where instanceof OrExpression) {
      List<KeySpace> spaces = new ArrayList<>();
      for (Expression child : where.getChildren()) {
        spaces.add(whereFalse(child));
      }
      return KeySpace.allOf(key.layout(), spaces);
    }
    if (where instanceof NotExpression) {
      return whereTrue(where.getChildren().get(0));
    }
    return known(where, leaves.whereFalse(where));
  }

  private KeySpace known(Expression where, KeySpace space) {
    if (space != null) {
      return space;
    }
    if (terms.mentionsKey(where)) {
      doubts.notUnderstood(where);
    }
    return everywhere();
  }

  private KeySpace everywhere() {
    return KeySpace.everywhere(key.layout());
  }
}

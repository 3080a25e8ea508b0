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
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.LikeExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.function.ArrayAnyComparisonExpression;
import org.apache.phoenix.pruning.key.KeySpace;
import org.jspecify.annotations.Nullable;

/**
 * Projects the WHERE of a scan to the data row keys of the rows that may satisfy it.
 *
 * <p>The result may contain too many keys, but never too few: if a key is not in it, the WHERE is
 * not true for its row. A condition that is not supported is treated as possibly true for every
 * key. If the condition reads key columns, it is reported to {@link UnsupportedPredicateListener}.
 */
public final class InclusiveKeyProjection extends NormalFormVisitor<KeySpace> {

  private final DataKey key;
  private final KeyTerms terms;
  private final PredicateProjection leaves;
  private final UnsupportedPredicateListener listener;

  public InclusiveKeyProjection(
      DataKey key, KeyColumnResolver resolver, UnsupportedPredicateListener listener) {
    this(key, new KeyTerms(key, resolver), listener);
  }

  InclusiveKeyProjection(DataKey key, KeyTerms terms, UnsupportedPredicateListener listener) {
    this.key = key;
    this.terms = terms;
    this.leaves = new PredicateProjection(key, terms);
    this.listener = listener;
  }

  /**
   * Returns the keys of all rows for which {@code where} can be true, and possibly of other rows.
   */
  public KeySpace whereTrue(Expression where) {
    return visit(where);
  }

  /** Projects an expression. Treats it as possibly true for every key if its analysis fails. */
  @Override
  protected KeySpace visit(Expression expression, boolean negated) {
    try {
      return super.visit(expression, negated);
    } catch (RuntimeException e) {
      listener.failed(expression, e);
      return everywhere();
    }
  }

  @Override
  protected KeySpace and(Expression junction, boolean negated) {
    return KeySpace.allOf(key.layout(), children(junction, negated));
  }

  @Override
  protected KeySpace or(Expression junction, boolean negated) {
    return KeySpace.anyOf(key.layout(), children(junction, negated));
  }

  private List<KeySpace> children(Expression junction, boolean negated) {
    List<KeySpace> spaces = new ArrayList<>();
    for (Expression child : junction.getChildren()) {
      spaces.add(visit(child, negated));
    }
    return spaces;
  }

  @Override
  protected KeySpace literal(LiteralExpression literal, boolean negated) {
    return leaves.literal(literal, !negated);
  }

  @Override
  protected KeySpace comparison(ComparisonExpression comparison, boolean negated) {
    CompareOperator operator = comparison.getFilterOp();
    return projected(
        comparison,
        leaves.comparison(comparison, negated ? CompareOperators.negate(operator) : operator));
  }

  @Override
  protected KeySpace in(InListExpression list, boolean negated) {
    if (Constant.isConstant(list.getChildren().get(0))) {
      return leaves.constant(list, !negated);
    }
    return projected(list, negated ? leaves.notInList(list) : leaves.inList(list));
  }

  @Override
  protected KeySpace isNull(IsNullExpression isNull, boolean negated) {
    return projected(
        isNull, leaves.isNull(isNull.getChildren().get(0), isNull.isNegate() == negated));
  }

  @Override
  protected KeySpace like(LikeExpression like, boolean negated) {
    return projected(like, negated ? null : leaves.like(like));
  }

  @Override
  protected KeySpace arrayComparison(ArrayAnyComparisonExpression comparison, boolean negated) {
    return projected(comparison, leaves.anyOrAll(comparison, negated));
  }

  @Override
  protected KeySpace other(Expression expression, boolean negated) {
    return projected(expression, null);
  }

  /**
   * Returns the keys of a leaf.
   *
   * @param space the keys, or null if nothing is known about them. The leaf is then possibly true
   *     for every key. If it reads key columns, it is reported as not supported.
   */
  private KeySpace projected(Expression leaf, @Nullable KeySpace space) {
    if (space != null) {
      return space;
    }
    if (terms.mentionsKey(leaf)) {
      listener.unsupported(leaf);
    }
    return everywhere();
  }

  private KeySpace everywhere() {
    return KeySpace.everywhere(key.layout());
  }
}

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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.NotExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.RangeBudget;
import org.apache.phoenix.pruning.key.RowKeyLayout;
import org.apache.phoenix.pruning.key.ValueBound;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PVarchar;
import org.jspecify.annotations.Nullable;

/**
 * Projects all conditions of a scan together, to the key columns and {@link NonKeyColumns} of the
 * rows that may satisfy them. {@link #keys} then gives the data row keys of these rows.
 *
 * <p>{@link InclusiveKeyProjection} knows nothing of non-key columns. For {@code V = 2 AND (V > 2
 * OR K > 85)}, it finds all keys, because {@code V > 2} may be true for each of them. The rows of
 * this projection have both columns. No row with 2 in V meets {@code V > 2}, so only the keys above
 * 85 remain.
 *
 * <p>Columns can also be compared with each other. {@code V IN (2, 25) AND K = V} gives the keys 2
 * and 25.
 *
 * <p>The result may contain too many rows, but never too few. A projection that would create more
 * than {@value RangeBudget#DEFAULT_RANGES} ranges gives up: all rows may then satisfy the
 * conditions.
 */
public final class InclusiveRowProjection extends NormalFormVisitor<KeySpace> {

  /** Maximum number of ranges of a column that are compared with another column. */
  private static final int MAX_COMPARED_RANGES = 10_000;

  private final RowKeyLayout layout;
  private final NonKeyColumns columns;
  private final KeyTerms terms;
  private final InclusiveKeyProjection leaves;
  private final UnsupportedPredicateListener listener;
  private final RangeBudget budget = new RangeBudget();

  /** Rows that satisfy the other conditions of each AND around the visited expression. */
  private KeySpace known;

  public InclusiveRowProjection(
      DataKey key,
      KeyColumnResolver resolver,
      NonKeyColumns columns,
      UnsupportedPredicateListener listener) {
    this.layout = key.layout();
    this.columns = columns;
    this.terms = new KeyTerms(key, resolver, columns);
    this.leaves = new InclusiveKeyProjection(key, terms, listener);
    this.listener = listener;
    this.known = KeySpace.everywhere(layout);
  }

  /** Returns the rows for which all conditions can be true, and possibly other rows. */
  public KeySpace whereTrue(List<Expression> conditions) {
    KeySpace rows = all(conditions, false);
    return budget.isSpent() ? KeySpace.everywhere(layout) : rows;
  }

  /** Returns the keys of {@code rows}, a result of {@link #whereTrue}. */
  public KeySpace keys(KeySpace rows) {
    KeySpace keys = rows.keys(budget);
    return budget.isSpent() ? KeySpace.everywhere(layout) : keys;
  }

  /** Returns bounds of the non-key columns in {@code rows}, a result of {@link #whereTrue}. */
  public NonKeyBounds bounds(KeySpace rows) {
    return NonKeyBounds.of(columns, rows);
  }

  @Override
  protected KeySpace visit(Expression expression, boolean negated) {
    try {
      return super.visit(expression, negated);
    } catch (RuntimeException e) {
      listener.failed(expression, e);
      return KeySpace.everywhere(layout);
    }
  }

  @Override
  protected KeySpace and(Expression junction, boolean negated) {
    return all(junction.getChildren(), negated);
  }

  /**
   * Returns the rows for which all conditions can be true. Comparisons of two columns come last,
   * because they depend on the values that the other conditions leave.
   */
  private KeySpace all(List<Expression> conditions, boolean negated) {
    List<KeySpace> spaces = new ArrayList<>();
    List<Expression> equalities = new ArrayList<>();
    List<Expression> later = new ArrayList<>();
    for (Expression condition : conditions) {
      try {
        if (isEquality(condition, negated)) {
          equalities.add(condition);
        } else if (readsEquality(condition)) {
          later.add(condition);
        } else {
          spaces.add(visit(condition, negated));
        }
      } catch (RuntimeException e) {
        // The condition may then be true for all rows.
        listener.failed(condition, e);
      }
    }
    KeySpace rows = KeySpace.allOf(layout, spaces, budget);
    KeySpace outer = known;
    try {
      // One equality can limit the columns of another.
      for (int i = 0; i < Math.min(equalities.size(), columns.size()); i++) {
        rows = and(rows, equalities, negated, outer);
      }
      return and(rows, later, negated, outer);
    } finally {
      known = outer;
    }
  }

  private KeySpace and(
      KeySpace rows, List<Expression> conditions, boolean negated, KeySpace outer) {
    KeySpace left = rows;
    for (Expression condition : conditions) {
      known = outer.and(left, budget);
      left = left.and(visit(condition, negated), budget);
    }
    return left;
  }

  @Override
  protected KeySpace or(Expression junction, boolean negated) {
    List<KeySpace> spaces = new ArrayList<>();
    for (Expression child : junction.getChildren()) {
      spaces.add(visit(child, negated));
    }
    return KeySpace.anyOf(layout, spaces, budget);
  }

  @Override
  protected KeySpace leaf(Expression leaf, boolean negated) {
    return isEquality(leaf, negated) ? equality(leaf) : leaves.visit(leaf, negated);
  }

  @Override
  protected KeySpace other(Expression expression, boolean negated) {
    return leaves.visit(expression, negated);
  }

  /** Returns whether an equality of two columns is part of {@code condition}. */
  private boolean readsEquality(Expression condition) {
    if (condition instanceof ComparisonExpression) {
      return isEquality(condition, false) || isEquality(condition, true);
    }
    return isJunction(condition) && condition.getChildren().stream().anyMatch(this::readsEquality);
  }

  private static boolean isJunction(Expression expression) {
    return expression instanceof AndExpression
        || expression instanceof OrExpression
        || expression instanceof NotExpression;
  }

  /** Returns whether {@code leaf} requires that a non-key column equals another column. */
  private boolean isEquality(Expression leaf, boolean negated) {
    CompareOperator wanted = negated ? CompareOperator.NOT_EQUAL : CompareOperator.EQUAL;
    if (!(leaf instanceof ComparisonExpression)
        || ((ComparisonExpression) leaf).getFilterOp() != wanted) {
      return false;
    }
    KeyTerm left = terms.column(leaf.getChildren().get(0));
    KeyTerm right = left == null ? null : terms.column(leaf.getChildren().get(1));
    return left != null && right != null && (left.column() < 0 || right.column() < 0);
  }

  private KeySpace equality(Expression leaf) {
    KeyTerm left = terms.column(leaf.getChildren().get(0));
    KeyTerm right = terms.column(leaf.getChildren().get(1));
    if (left == null || right == null) {
      return KeySpace.everywhere(layout);
    }
    return equal(left, right).and(equal(right, left), budget);
  }

  /**
   * Returns the rows in which {@code other} can be equal to a value that {@code column} has in the
   * known rows.
   */
  private KeySpace equal(KeyTerm column, KeyTerm other) {
    List<ValueRange> values =
        column.column() >= 0 ? null : known.valuesOfNonKey(KeyTerms.nonKey(column.column()));
    if (values == null || values.size() > MAX_COMPARED_RANGES) {
      return KeySpace.everywhere(layout);
    }
    List<KeySpace> spaces = new ArrayList<>();
    for (ValueRange range : values) {
      // Null is not equal to anything.
      if (!range.isNull()) {
        List<ValueRange> equal = equalValues(range, terms.type(column), other);
        if (equal == null) {
          return KeySpace.everywhere(layout);
        }
        KeySpace ofOther = terms.where(other, equal);
        spaces.add(terms.where(column, Collections.singletonList(range)).and(ofOther));
      }
    }
    return KeySpace.anyOf(layout, spaces, budget);
  }

  /**
   * Returns the values of {@code term} that are equal to one in a range of values of another
   * column.
   *
   * @return the values, or null if nothing is known
   */
  private @Nullable List<ValueRange> equalValues(
      ValueRange range, PDataType<?> type, KeyTerm term) {
    PDataType<?> termType = terms.type(term);
    boolean isNumber = ColumnTypes.isExactNumber(type) && ColumnTypes.isExactNumber(termType);
    boolean isText = ColumnTypes.isText(type) && ColumnTypes.isText(termType);
    if (term instanceof ColumnTerm && type == termType && (isNumber || isSameInBytes(type))) {
      return Collections.singletonList(range);
    }
    byte[] value = isNumber || isText ? onlyValue(range) : null;
    return value == null
        ? null
        : term.where(CompareOperator.EQUAL, Constant.of(type.toObject(value), type));
  }

  /** Returns whether values of {@code type} are equal if and only if their bytes are. */
  private static boolean isSameInBytes(PDataType<?> type) {
    return type == PVarchar.INSTANCE || type == PBoolean.INSTANCE || ColumnTypes.isTime(type);
  }

  /** Returns the only value in {@code range}, or null if it may have several. */
  private static byte @Nullable [] onlyValue(ValueRange range) {
    ValueBound lower = range.lower();
    ValueBound upper = range.upper();
    if (lower == null || upper == null) {
      return null;
    }
    byte[] value = lower.bytes();
    return Arrays.equals(upper.bytes(), Arrays.copyOf(value, value.length + 1)) ? value : null;
  }
}

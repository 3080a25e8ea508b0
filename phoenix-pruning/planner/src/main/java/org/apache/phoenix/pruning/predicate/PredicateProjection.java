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
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.InListExpression;
import org.apache.phoenix.expression.LikeExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.RowValueConstructorExpression;
import org.apache.phoenix.expression.function.ArrayAllComparisonExpression;
import org.apache.phoenix.expression.function.ArrayAnyComparisonExpression;
import org.apache.phoenix.expression.function.ArrayElemRefExpression;
import org.apache.phoenix.parse.LikeParseNode.LikeType;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.schema.types.PhoenixArray;
import org.jspecify.annotations.Nullable;

/**
 * Projects conditions other than AND, OR and NOT to the data row keys of the rows that may satisfy
 * them. The result may contain too many keys, but never too few. A result is null if nothing is
 * known of the keys.
 */
final class PredicateProjection {

  private final DataKey key;
  private final KeyTerms terms;

  PredicateProjection(DataKey key, KeyTerms terms) {
    this.key = key;
    this.terms = terms;
  }

  /** Returns the keys for a literal that must have the value {@code wanted}. */
  KeySpace literal(LiteralExpression literal, boolean wanted) {
    return Boolean.valueOf(wanted).equals(literal.getValue())
        ? KeySpace.everywhere(key.layout())
        : KeySpace.nowhere(key.layout());
  }

  /**
   * Returns the keys for a constant condition that must have the value {@code wanted}. An index of
   * a view has such conditions on columns that the view fixes.
   */
  KeySpace constant(Expression condition, boolean wanted) {
    Constant value = Constant.of(condition);
    if (value == null) {
      return KeySpace.everywhere(key.layout());
    }
    return !value.isNull() && value.value().equals(wanted)
        ? KeySpace.everywhere(key.layout())
        : KeySpace.nowhere(key.layout());
  }

  /**
   * Returns the keys for a comparison.
   *
   * @param operator the operator of the comparison, or its negation
   */
  @Nullable KeySpace comparison(ComparisonExpression comparison, CompareOperator operator) {
    Expression left = comparison.getChildren().get(0);
    Expression right = comparison.getChildren().get(1);
    if (Constant.isConstant(left) && !Constant.isConstant(right)) {
      return compare(right, CompareOperators.mirror(operator), left);
    }
    return Constant.isConstant(right) ? compare(left, operator, right) : null;
  }

  private @Nullable KeySpace compare(
      Expression left, CompareOperator operator, Expression constant) {
    if (left instanceof RowValueConstructorExpression) {
      return new RowValueComparison(key, terms).where(left, operator, constant);
    }
    KeyTerm term = terms.of(left);
    if (term == null) {
      return null;
    }
    Constant value = Constant.of(constant);
    return value == null ? null : where(term, left, operator, value, constant.getSortOrder());
  }

  /**
   * Returns the keys for a comparison of {@code term}, or null if nothing is known. Nothing is
   * known if Phoenix does not compare encoded values in the order of the values.
   */
  private @Nullable KeySpace where(
      KeyTerm term,
      Expression left,
      CompareOperator operator,
      Constant constant,
      SortOrder constantOrder) {
    boolean descending = left.getSortOrder() == SortOrder.DESC;
    boolean ordered = operator != CompareOperator.EQUAL;
    if (descending && constant.isNull()) {
      // Phoenix compares null with a descending value as if null were an empty string.
      return null;
    }
    if (ordered && left.getSortOrder() != constantOrder) {
      // A stock server compares bytes of different sort orders as signed bytes.
      return null;
    }
    List<ValueRange> ranges = ranges(term, operator, constant);
    if (ordered && descending && left.getDataType() == PChar.INSTANCE) {
      byte[] text = constant.encodedAs(PChar.INSTANCE);
      if (ranges == null || text == null || term.column() < 0) {
        return null;
      }
      ranges = new ArrayList<>(ranges);
      ranges.addAll(ColumnTerm.beginningsOf(text, key.column(term.column())));
    }
    return where(term, ranges);
  }

  /** Returns the keys for IN. */
  @Nullable KeySpace inList(InListExpression list) {
    Expression left = list.getChildren().get(0);
    if (left instanceof RowValueConstructorExpression) {
      RowValueComparison rows = new RowValueComparison(key, terms);
      List<KeySpace> spaces = new ArrayList<>();
      for (Expression element : list.getKeyExpressions()) {
        KeySpace space = rows.where(left, CompareOperator.EQUAL, element);
        if (space == null) {
          return null;
        }
        spaces.add(space);
      }
      return KeySpace.anyOf(key.layout(), spaces);
    }
    KeyTerm term = terms.of(left);
    if (term == null) {
      return null;
    }
    List<ValueRange> ranges = new ArrayList<>();
    for (Expression element : list.getKeyExpressions()) {
      if (!Constant.isConstant(element)) {
        return null;
      }
      Constant value = Constant.of(element);
      List<ValueRange> found = value == null ? null : ranges(term, CompareOperator.EQUAL, value);
      if (found == null) {
        return null;
      }
      ranges.addAll(found);
    }
    return where(term, ranges);
  }

  /**
   * Returns the keys for NOT IN. Supports only a column on the left side, because Phoenix compares
   * the bytes of a function's result.
   */
  @Nullable KeySpace notInList(InListExpression list) {
    Expression left = list.getChildren().get(0);
    KeyTerm term = terms.of(left);
    if (!(term instanceof ColumnTerm)) {
      return null;
    }
    List<KeySpace> spaces = new ArrayList<>();
    for (Expression element : list.getKeyExpressions()) {
      Constant value = Constant.isConstant(element) ? Constant.of(element) : null;
      // Phoenix ignores nulls in the list.
      KeySpace space =
          value == null || value.isNull()
              ? null
              : where(term, left, CompareOperator.NOT_EQUAL, value, element.getSortOrder());
      if (space != null) {
        spaces.add(space);
      }
    }
    return spaces.isEmpty() ? null : KeySpace.allOf(key.layout(), spaces);
  }

  /** Returns the keys for IS NULL if {@code wanted} is true, or for IS NOT NULL. */
  @Nullable KeySpace isNull(Expression tested, boolean wanted) {
    KeyTerm term = terms.of(tested);
    if (term == null || !term.isNullWithColumn()) {
      return null;
    }
    return where(term, Collections.singletonList(wanted ? ValueRange.NULL : ValueRange.NOT_NULL));
  }

  /** Returns the keys for LIKE. Supports a pattern that is a literal and is case-sensitive. */
  @Nullable KeySpace like(LikeExpression like) {
    Expression pattern = like.getChildren().get(1);
    KeyTerm term = terms.of(like.getChildren().get(0));
    if (term == null
        || like.getLikeType() != LikeType.CASE_SENSITIVE
        || !(pattern instanceof LiteralExpression)) {
      return null;
    }
    return where(term, term.whereStartsWith(PVarchar.INSTANCE.toBytes(like.getLiteralPrefix())));
  }

  /**
   * Returns the keys for {@code term op ANY(array)} and {@code term op ALL(array)} with a constant
   * array.
   *
   * @param negated whether the comparison has to be false
   */
  @Nullable KeySpace anyOrAll(ArrayAnyComparisonExpression expression, boolean negated) {
    Expression array = expression.getChildren().get(0);
    Expression comparison = expression.getChildren().get(1);
    if (!(comparison instanceof ComparisonExpression) || !Constant.isConstant(array)) {
      return null;
    }
    Expression left = comparison.getChildren().get(0);
    KeyTerm term = terms.of(left);
    if (term == null
        || (negated && !term.isNullWithColumn())
        || !(comparison.getChildren().get(1) instanceof ArrayElemRefExpression)) {
      return null;
    }
    CompareOperator compared = ((ComparisonExpression) comparison).getFilterOp();
    CompareOperator operator = negated ? CompareOperators.negate(compared) : compared;
    // NOT (a < ANY (array)) means a >= ALL (array).
    boolean all = negated != (expression instanceof ArrayAllComparisonExpression);
    List<Constant> elements = elements(array);
    if (negated && elements.isEmpty()) {
      return null;
    }
    List<KeySpace> spaces = new ArrayList<>();
    for (Constant element : elements) {
      // Phoenix skips a null element, unless it is the last one. Leaving it out only adds keys.
      KeySpace space =
          element.isNull() && (all || negated)
              ? null
              : where(term, left, operator, element, SortOrder.ASC);
      if (space != null) {
        spaces.add(space);
      } else if (!all) {
        return null;
      }
    }
    KeySpace keys =
        all ? KeySpace.allOf(key.layout(), spaces) : KeySpace.anyOf(key.layout(), spaces);
    return negated && isNullable(term)
        // Phoenix may return false for a null column. The negation is then true.
        ? keys.or(terms.where(term, Collections.singletonList(ValueRange.NULL)))
        : keys;
  }

  private boolean isNullable(KeyTerm term) {
    return term.column() < 0 || key.column(term.column()).isNullable();
  }

  private static List<Constant> elements(Expression array) {
    ImmutableBytesWritable ptr = new ImmutableBytesWritable();
    List<Constant> elements = new ArrayList<>();
    if (array.evaluate(null, ptr) && ptr.getLength() > 0) {
      PDataType<?> arrayType = array.getDataType();
      PhoenixArray values =
          (PhoenixArray)
              arrayType.toObject(
                  ptr, arrayType, array.getSortOrder(), array.getMaxLength(), array.getScale());
      PDataType<?> elementType =
          PDataType.fromTypeId(arrayType.getSqlType() - PDataType.ARRAY_TYPE_BASE);
      for (int i = 0; i < values.getDimensions(); i++) {
        elements.add(Constant.of(values.getElement(i), elementType));
      }
    }
    return elements;
  }

  private static @Nullable List<ValueRange> ranges(
      KeyTerm term, CompareOperator operator, Constant constant) {
    return constant.isNull() ? Collections.emptyList() : term.where(operator, constant);
  }

  private @Nullable KeySpace where(KeyTerm term, @Nullable List<ValueRange> ranges) {
    return ranges == null ? null : terms.where(term, ranges);
  }
}

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
package io.phoenixpruning.it.fuzz;

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexSimplify;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.Sarg;

/**
 * A condition as a union of boxes, which are products of {@link Domain}s of columns. Calcite
 * computes the ranges of a column (its search arguments), so the tested engine shares no code with
 * this class.
 */
final class ConditionBoxes {

  private static final int MAX_BOXES = 200;

  private List<Map<Integer, Domain>> boxes;
  private boolean exact = true;

  private ConditionBoxes() {}

  /**
   * Converts a condition to a union of boxes. Returns empty if this is not possible, or if the
   * condition is never true. A planner is not expected to notice such a condition.
   */
  static Optional<ConditionBoxes> of(RexNode condition, RelDataTypeFactory types) {
    RexSimplify simplify =
        new RexSimplify(new RexBuilder(types), RelOptPredicateList.EMPTY, RexUtil.EXECUTOR);
    RexNode simple = simplify.simplifyUnknownAs(condition, RexUnknownAs.FALSE);
    ConditionBoxes union = new ConditionBoxes();
    union.boxes = simple.isAlwaysFalse() ? null : union.boxes(simple, true);
    return union.boxes == null ? Optional.empty() : Optional.of(union);
  }

  /**
   * Returns the boxes, as domains by the ordinals of the columns. A column without an entry may
   * have any value. Domains may be empty.
   */
  List<Map<Integer, Domain>> boxes() {
    return boxes;
  }

  /**
   * Returns whether the condition is true for all rows of the boxes. The condition is never true
   * for other rows, even if this method returns false.
   */
  boolean isExact() {
    return exact;
  }

  /**
   * Converts a condition, or its negation unless {@code isTrue}, to boxes. Returns null if the
   * condition is not supported.
   */
  private List<Map<Integer, Domain>> boxes(RexNode node, boolean isTrue) {
    switch (node.getKind()) {
      case AND:
        return isTrue ? all((RexCall) node, true) : any((RexCall) node, false);
      case OR:
        return isTrue ? any((RexCall) node, true) : all((RexCall) node, false);
      case NOT:
        return boxes(((RexCall) node).getOperands().get(0), !isTrue);
      case LITERAL:
        return node.isAlwaysTrue() == isTrue && !((RexLiteral) node).isNull()
            ? List.of(Map.of())
            : List.of();
      case INPUT_REF:
        return box(node, Domain.of(Range.singleton(comparable(isTrue))));
      case IS_NULL:
        return box(operand(node), isTrue ? Domain.NULL : Domain.NOT_NULL);
      case IS_NOT_NULL:
        return box(operand(node), isTrue ? Domain.NOT_NULL : Domain.NULL);
      case SEARCH:
        return search((RexCall) node, isTrue);
      case EQUALS:
      case NOT_EQUALS:
      case LESS_THAN:
      case LESS_THAN_OR_EQUAL:
      case GREATER_THAN:
      case GREATER_THAN_OR_EQUAL:
        return comparison((RexCall) node, isTrue);
      default:
        return null;
    }
  }

  private static RexNode operand(RexNode call) {
    return ((RexCall) call).getOperands().get(0);
  }

  private List<Map<Integer, Domain>> any(RexCall call, boolean isTrue) {
    List<Map<Integer, Domain>> boxes = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      List<Map<Integer, Domain>> more = boxes(operand, isTrue);
      if (more == null || boxes.size() + more.size() > MAX_BOXES) {
        return null;
      }
      boxes.addAll(more);
    }
    return boxes;
  }

  private List<Map<Integer, Domain>> all(RexCall call, boolean isTrue) {
    List<Map<Integer, Domain>> product = List.of(Map.of());
    for (RexNode operand : call.getOperands()) {
      List<Map<Integer, Domain>> factor = boxes(operand, isTrue);
      if (factor == null || product.size() * factor.size() > MAX_BOXES) {
        exact = false;
        continue;
      }
      List<Map<Integer, Domain>> next = new ArrayList<>();
      for (Map<Integer, Domain> one : product) {
        for (Map<Integer, Domain> other : factor) {
          Map<Integer, Domain> both = new HashMap<>(one);
          other.forEach((column, domain) -> both.merge(column, domain, Domain::and));
          next.add(both);
        }
      }
      product = next;
    }
    return product;
  }

  private static List<Map<Integer, Domain>> search(RexCall call, boolean isTrue) {
    Sarg<?> sarg = ((RexLiteral) call.getOperands().get(1)).getValueAs(Sarg.class);
    Sarg<?> searched = isTrue ? sarg : sarg.negate();
    boolean nullable = searched.nullAs == RexUnknownAs.TRUE;
    return box(operand(call), Domain.of(values(searched.rangeSet), nullable));
  }

  private static List<Map<Integer, Domain>> comparison(RexCall call, boolean isTrue) {
    RexNode left = RexUtil.removeCast(operand(call));
    RexNode right = RexUtil.removeCast(call.getOperands().get(1));
    SqlKind kind = isTrue ? call.getKind() : call.getKind().negateNullSafe();
    if (left instanceof RexLiteral) {
      RexNode swapped = left;
      left = right;
      right = swapped;
      kind = kind.reverse();
    }
    if (!(right instanceof RexLiteral literal) || literal.isNull()) {
      return null;
    }
    Comparable<Object> value = comparable(literal.getValue());
    if (kind == SqlKind.NOT_EQUALS) {
      RangeSet<Comparable<Object>> others =
          ImmutableRangeSet.of(Range.singleton(value)).complement();
      return box(left, Domain.of(others, false));
    }
    return box(
        left,
        Domain.of(
            switch (kind) {
              case EQUALS -> Range.singleton(value);
              case LESS_THAN -> Range.lessThan(value);
              case LESS_THAN_OR_EQUAL -> Range.atMost(value);
              case GREATER_THAN -> Range.greaterThan(value);
              case GREATER_THAN_OR_EQUAL -> Range.atLeast(value);
              default -> throw new IllegalStateException(kind.toString());
            }));
  }

  private static List<Map<Integer, Domain>> box(RexNode node, Domain domain) {
    RexNode column = RexUtil.removeCast(node);
    return column instanceof RexInputRef ref ? List.of(Map.of(ref.getIndex(), domain)) : null;
  }

  private static RangeSet<Comparable<Object>> values(RangeSet<?> ranges) {
    ImmutableRangeSet.Builder<Comparable<Object>> values = ImmutableRangeSet.builder();
    for (Range<?> range : ranges.asRanges()) {
      Range<Comparable<Object>> lower =
          !range.hasLowerBound()
              ? Range.all()
              : Range.downTo(comparable(range.lowerEndpoint()), range.lowerBoundType());
      Range<Comparable<Object>> upper =
          !range.hasUpperBound()
              ? Range.all()
              : Range.upTo(comparable(range.upperEndpoint()), range.upperBoundType());
      values.add(lower.intersection(upper));
    }
    return values.build();
  }

  /** Converts a value to the form that it has in rows. */
  @SuppressWarnings("unchecked")
  static Comparable<Object> comparable(Object value) {
    Object plain = value instanceof NlsString text ? text.getValue() : value;
    Object own =
        plain instanceof org.apache.calcite.avatica.util.ByteString
            ? plain
            : ValueType.fromJdbc(plain);
    return (Comparable<Object>) own;
  }
}

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
package org.apache.phoenix.pruning.patch.subquery;

import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.parse.AndParseNode;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.CompoundParseNode;
import org.apache.phoenix.parse.LiteralParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SubqueryParseNode;
import org.apache.phoenix.pruning.patch.plan.SampleValue;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PDataType;

/** Conditions that stand for those with a subquery when an index is chosen. */
public final class SubquerySamples {

  /** Number of values that Phoenix assumes for IN. */
  private static final int ROWS = 3;

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

  private SubquerySamples() {}

  /** Returns whether an operand is a subquery, or was dropped as a whole. */
  public static boolean haveSubquery(List<ParseNode> operands) {
    return operands.size() < 2 || operands.stream().anyMatch(SubqueryParseNode.class::isInstance);
  }

  /** Returns a sample that stands for an EXISTS. */
  public static ParseNode exists() {
    return new SampleValue(true, PBoolean.INSTANCE);
  }

  /** Returns whether a condition is only the sample of an EXISTS, or of several. */
  public static boolean isSample(ParseNode condition) {
    return condition instanceof SampleValue;
  }

  /**
   * Replaces the samples among the terms of an AND or OR with one that does not change the others.
   * The condition then proves nothing about the rows. Returns only a sample if there are no others.
   */
  public static List<ParseNode> neutral(CompoundParseNode node, List<ParseNode> terms) {
    if (terms.stream().noneMatch(SubquerySamples::isSample)) {
      return terms;
    }
    List<ParseNode> neutral = new ArrayList<>(terms);
    neutral.removeIf(SubquerySamples::isSample);
    neutral.add(new SampleValue(node instanceof AndParseNode, PBoolean.INSTANCE));
    return neutral;
  }

  /** Returns Phoenix's constants as samples, which prove nothing about the rows. */
  public static List<ParseNode> samples(List<ParseNode> constants) {
    List<ParseNode> samples = new ArrayList<>();
    for (ParseNode constant : constants) {
      LiteralParseNode literal = (LiteralParseNode) constant;
      samples.add(new SampleValue(literal.getValue(), literal.getType()));
    }
    return samples;
  }

  /**
   * Returns the comparison of other operands.
   *
   * @param operands the left one, and the right one
   */
  public static ParseNode comparison(ComparisonParseNode node, List<ParseNode> operands) {
    return node.getChildren().equals(operands)
        ? node
        : NODES.comparison(node.getFilterOp(), operands.get(0), operands.get(1));
  }

  /**
   * Returns row values of constants.
   *
   * @param rowValue a row value, whose types they get
   * @param isMultiple true for the values of IN
   */
  public static List<ParseNode> rows(Expression rowValue, boolean isMultiple) {
    List<ParseNode> rows = new ArrayList<>();
    for (int i = 0; i < (isMultiple ? ROWS : 1); i++) {
      List<ParseNode> elements = new ArrayList<>();
      for (Expression element : rowValue.getChildren()) {
        PDataType<?> type = element.getDataType();
        // A NULL has no type.
        elements.add(
            type == null ? NODES.literal(null) : new SampleValue(type.getSampleValue(), type));
      }
      rows.add(NODES.rowValueConstructor(elements));
    }
    return rows;
  }
}

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

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlBetweenOperator;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlLikeOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Parses conditions without subqueries for {@link ConditionBoxes}. Calcite's parser reads the text.
 * Calcite's validator and converter are not used, because they take most of the time and know no
 * cheap form of a long IN list. Each number has the same type here, so no casts are needed.
 */
final class ConditionParser {

  /** Number of values of a long IN list. */
  static final int LONG = 5;

  private final JavaTypeFactory types;
  private final RexBuilder builder;
  private final RelDataType row;
  private final RelDataType number;

  /** Creates a parser for conditions on the columns of {@code row}. */
  ConditionParser(JavaTypeFactory types, RelDataType row, RelDataType number) {
    this.types = types;
    this.builder = new RexBuilder(types);
    this.row = row;
    this.number = number;
  }

  RexNode parse(String condition) throws SqlParseException {
    return RexUtil.flatten(builder, expression(SqlParser.create(condition).parseExpression()));
  }

  private RexNode expression(SqlNode node) {
    if (node instanceof SqlLiteral literal) {
      return literal(literal);
    }
    if (node instanceof SqlIdentifier name) {
      RelDataTypeField column = row.getField(name.getSimple(), true, false);
      return builder.makeInputRef(column.getType(), column.getIndex());
    }
    if (node instanceof SqlCall call) {
      return call(call);
    }
    throw unsupported(node);
  }

  private RexNode literal(SqlLiteral literal) {
    return switch (literal.getTypeName()) {
      case BOOLEAN -> builder.makeLiteral(literal.booleanValue());
      case DECIMAL -> builder.makeExactLiteral(literal.bigDecimalValue(), number);
      case CHAR -> builder.makeLiteral(literal.toValue());
      case BINARY -> builder.makeBinaryLiteral(new ByteString(literal.getValueAs(byte[].class)));
      default -> throw unsupported(literal);
    };
  }

  private RexNode call(SqlCall call) {
    return switch (call.getKind()) {
      case CAST -> cast(call);
      case IN -> in(call);
      case NOT_IN -> not(in(call));
      case BETWEEN -> between(call);
      case LIKE -> {
        RexNode like = builder.makeCall(SqlStdOperatorTable.LIKE, operands(call));
        yield ((SqlLikeOperator) call.getOperator()).isNegated() ? not(like) : like;
      }
      case CASE -> caseWhen((SqlCase) call);
      case MINUS_PREFIX ->
          builder.makeExactLiteral(
              ((SqlLiteral) call.operand(0)).bigDecimalValue().negate(), number);
      case OTHER_FUNCTION -> function(call);
      default -> builder.makeCall(call.getOperator(), operands(call));
    };
  }

  private List<RexNode> operands(SqlCall call) {
    return expressions(call.getOperandList());
  }

  private List<RexNode> expressions(List<SqlNode> nodes) {
    return nodes.stream().map(this::expression).toList();
  }

  private RexNode not(RexNode condition) {
    return builder.makeCall(SqlStdOperatorTable.NOT, condition);
  }

  /** Converts a literal with an explicit type. */
  private RexNode cast(SqlCall call) {
    RelDataType type = type(call.operand(1));
    return isNull(call.operand(0))
        ? builder.makeNullLiteral(type)
        : builder.makeCast(type, expression(call.operand(0)));
  }

  private static boolean isNull(SqlNode node) {
    return node instanceof SqlLiteral literal && literal.getTypeName() == SqlTypeName.NULL;
  }

  /**
   * Converts a long IN list to a search argument, so that Calcite does not compare each of its
   * values with all others.
   */
  private RexNode in(SqlCall call) {
    RexNode value = expression(call.operand(0));
    SqlNodeList items = call.operand(1);
    List<RexNode> values = expressions(items.getList());
    return values.size() < LONG
        ? RexUtil.composeDisjunction(
            builder,
            values.stream()
                .map(each -> builder.makeCall(SqlStdOperatorTable.EQUALS, value, each))
                .toList())
        : builder.makeIn(value, values);
  }

  private RexNode between(SqlCall call) {
    RexNode value = expression(call.operand(0));
    RexNode between =
        builder.makeCall(
            SqlStdOperatorTable.AND,
            builder.makeCall(
                SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, value, expression(call.operand(1))),
            builder.makeCall(
                SqlStdOperatorTable.LESS_THAN_OR_EQUAL, value, expression(call.operand(2))));
    return ((SqlBetweenOperator) call.getOperator()).isNegated() ? not(between) : between;
  }

  private RexNode caseWhen(SqlCase call) {
    List<RexNode> operands = new ArrayList<>();
    for (int i = 0; i < call.getWhenOperands().size(); i++) {
      operands.add(expression(call.getWhenOperands().get(i)));
      operands.add(expression(call.getThenOperands().get(i)));
    }
    SqlNode otherwise = call.getElseOperand();
    operands.add(
        isNull(otherwise)
            ? builder.makeNullLiteral(operands.get(1).getType())
            : expression(otherwise));
    return builder.makeCall(SqlStdOperatorTable.CASE, operands);
  }

  private RexNode function(SqlCall call) {
    List<RexNode> operands = operands(call);
    return switch (call.getOperator().getName()) {
      case "COALESCE" ->
          builder.makeCall(
              SqlStdOperatorTable.CASE,
              builder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, operands.get(0)),
              operands.get(0),
              operands.get(1));
      case "CHAR_LENGTH" -> builder.makeCall(SqlStdOperatorTable.CHAR_LENGTH, operands);
      case "SUBSTRING" -> builder.makeCall(SqlStdOperatorTable.SUBSTRING, operands);
      default -> throw unsupported(call);
    };
  }

  private RelDataType type(SqlDataTypeSpec type) {
    SqlTypeName name = SqlTypeName.get(type.getTypeName().getSimple());
    return name == SqlTypeName.DECIMAL ? number : types.createSqlType(name);
  }

  private static IllegalArgumentException unsupported(SqlNode node) {
    return new IllegalArgumentException(node.getKind() + ": " + node);
  }
}

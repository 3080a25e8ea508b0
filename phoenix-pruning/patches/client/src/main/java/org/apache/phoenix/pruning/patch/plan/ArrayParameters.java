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
package org.apache.phoenix.pruning.patch.plan;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.phoenix.compile.BindManager;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.parse.ArrayAllAnyComparisonNode;
import org.apache.phoenix.parse.ArrayAnyComparisonNode;
import org.apache.phoenix.parse.ArrayConstructorNode;
import org.apache.phoenix.parse.ArrayElemRefNode;
import org.apache.phoenix.parse.BindParseNode;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.LiteralParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.schema.PDatum;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;
import org.jspecify.annotations.Nullable;

/** Types of the parameters that are elements of an ARRAY. */
public final class ArrayParameters {

  private ArrayParameters() {}

  /** Returns the value with which ANY or ALL compares the elements of an array. */
  public static ParseNode compared(ArrayAllAnyComparisonNode comparison) {
    return ((ComparisonParseNode) comparison.getChildren().get(1)).getLHS();
  }

  /** Returns whether ANY or ALL compares the elements of an array. */
  public static boolean isArrayOf(
      ArrayAllAnyComparisonNode comparison, ArrayConstructorNode array) {
    // A comparison has its array twice, and rewriting it makes two arrays of them.
    ParseNode element = ((ComparisonParseNode) comparison.getChildren().get(1)).getRHS();
    return comparison.getChildren().get(0) == array
        || element instanceof ArrayElemRefNode && element.getChildren().get(0) == array;
  }

  /** Returns whether an element is a parameter. */
  public static boolean areIn(ArrayConstructorNode node) {
    return node.getChildren().stream().anyMatch(child -> child instanceof BindParseNode);
  }

  /** Returns the elements that are parameters. */
  public static List<BindParseNode> of(ArrayConstructorNode node) {
    return node.getChildren().stream()
        .filter(child -> child instanceof BindParseNode)
        .map(child -> (BindParseNode) child)
        .collect(Collectors.toList());
  }

  /** Returns the node with null in place of each parameter. */
  public static ArrayConstructorNode withoutParameters(ArrayConstructorNode node) {
    return new ArrayConstructorNode(
        node.getChildren().stream()
            .map(child -> child instanceof BindParseNode ? LiteralParseNode.NULL : child)
            .collect(Collectors.toList()));
  }

  /** Returns whether all elements are nulls without a type, or there are none. */
  public static boolean haveNoType(List<Expression> elements) {
    return elements.stream().allMatch(element -> element.getDataType() == null);
  }

  /**
   * Returns the element of an array whose elements are all null. It has the type of the value with
   * which it is compared.
   *
   * @param compared value with which the elements are compared, or null if there is none
   * @throws SQLException if the type is not known
   */
  public static List<Expression> nulls(@Nullable Expression compared) throws SQLException {
    PDataType<?> type = compared == null ? null : compared.getDataType();
    if (type == null) {
      throw new SQLExceptionInfo.Builder(SQLExceptionCode.TYPE_MISMATCH)
          .setMessage(
              "The type of an ARRAY is unknown if all of its elements are null. Set a parameter, or"
                  + " cast an element")
          .build()
          .buildException();
    }
    return Collections.singletonList(LiteralExpression.newConstant(null, type));
  }

  /**
   * Returns the elements with parameters of the types VARCHAR and VARBINARY, as literals have them.
   * Phoenix gives a parameter the type CHAR or BINARY. An array of these types has values of one
   * width, which a server does not know.
   *
   * @param isCompared whether ANY or ALL compares the elements. Parameters that are null are then
   *     left out
   */
  public static List<Expression> ofVariableWidth(
      ArrayConstructorNode node, List<Expression> elements, boolean isCompared)
      throws SQLException {
    List<Expression> typed = new ArrayList<>();
    for (int i = 0; i < elements.size(); i++) {
      Expression element = elements.get(i);
      if (!(node.getChildren().get(i) instanceof BindParseNode)
          || !(element instanceof LiteralExpression)) {
        typed.add(element);
        continue;
      }
      Object value = ((LiteralExpression) element).getValue();
      if (value == null && isCompared) {
        continue;
      }
      typed.add(
          element.getDataType() == PChar.INSTANCE
              ? LiteralExpression.newConstant(value, PVarchar.INSTANCE)
              : element.getDataType() == PBinary.INSTANCE
                  ? LiteralExpression.newConstant(value, PVarbinary.INSTANCE)
                  : element);
    }
    return typed;
  }

  /**
   * Combines a comparison with the parameters of its array that are null and were left out: ANY is
   * then true or null, and ALL is false or null.
   */
  public static Expression withNulls(
      Expression comparison, ArrayAllAnyComparisonNode node, BindManager values)
      throws SQLException {
    if (!(node.getChildren().get(0) instanceof ArrayConstructorNode)) {
      return comparison;
    }
    int nulls = 0;
    List<ParseNode> elements = node.getChildren().get(0).getChildren();
    for (ParseNode element : elements) {
      nulls +=
          element instanceof BindParseNode && values.getBindValue((BindParseNode) element) == null
              ? 1
              : 0;
    }
    if (nulls == 0) {
      return comparison;
    }
    Expression unknown = LiteralExpression.newConstant(null, PBoolean.INSTANCE);
    if (nulls == elements.size()) {
      return unknown;
    }
    List<Expression> both = Arrays.asList(comparison, unknown);
    return node instanceof ArrayAnyComparisonNode
        ? new OrExpression(both)
        : new AndExpression(both);
  }

  /** Describes the elements of an array. */
  public static PDatum element(Expression array) {
    PDataType<?> type = PDataType.arrayBaseType(array.getDataType());
    return new PDatum() {
      @Override
      public boolean isNullable() {
        return true;
      }

      @Override
      public PDataType<?> getDataType() {
        return type;
      }

      @Override
      public @Nullable Integer getMaxLength() {
        return null;
      }

      @Override
      public @Nullable Integer getScale() {
        return null;
      }

      @Override
      public SortOrder getSortOrder() {
        return SortOrder.getDefault();
      }
    };
  }
}

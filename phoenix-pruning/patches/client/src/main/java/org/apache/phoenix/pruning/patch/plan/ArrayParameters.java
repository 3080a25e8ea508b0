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
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.parse.ArrayAllAnyComparisonNode;
import org.apache.phoenix.parse.ArrayAnyComparisonNode;
import org.apache.phoenix.parse.ArrayConstructorNode;
import org.apache.phoenix.parse.BindParseNode;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.LiteralParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.schema.PDatum;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;
import org.jspecify.annotations.Nullable;

/** Types of the parameters that are elements of an ARRAY. */
public final class ArrayParameters {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

  private ArrayParameters() {}

  /** Returns whether ANY or ALL compares the elements of an ARRAY of which one is a parameter. */
  public static boolean areIn(ArrayAllAnyComparisonNode node) {
    ParseNode array = node.getChildren().get(0);
    return array instanceof ArrayConstructorNode && areIn((ArrayConstructorNode) array);
  }

  /**
   * Returns the comparisons of the elements of an ARRAY, joined by OR for ANY and by AND for ALL.
   */
  public static ParseNode comparisons(ArrayAllAnyComparisonNode node) {
    ComparisonParseNode comparison = (ComparisonParseNode) node.getChildren().get(1);
    CompareOperator operator = comparison.getFilterOp();
    List<ParseNode> comparisons = new ArrayList<>();
    for (ParseNode element : node.getChildren().get(0).getChildren()) {
      comparisons.add(NODES.comparison(operator, comparison.getLHS(), element));
    }
    if (comparisons.size() == 1) {
      return comparisons.get(0);
    }
    return node instanceof ArrayAnyComparisonNode ? NODES.or(comparisons) : NODES.and(comparisons);
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

  /**
   * Returns the elements with parameters of the types VARCHAR and VARBINARY, as literals have them.
   * Phoenix gives a parameter the type CHAR or BINARY. An array of these types has values of one
   * width, which a server does not know.
   *
   * @throws SQLException if all elements are null, so that their type is not known
   */
  public static List<Expression> ofVariableWidth(
      ArrayConstructorNode node, List<Expression> elements) throws SQLException {
    List<Expression> typed = new ArrayList<>(elements.size());
    boolean hasType = false;
    for (int i = 0; i < elements.size(); i++) {
      Expression element = elements.get(i);
      hasType |= element.getDataType() != null;
      typed.add(
          node.getChildren().get(i) instanceof BindParseNode ? ofVariableWidth(element) : element);
    }
    if (!hasType) {
      throw new SQLExceptionInfo.Builder(SQLExceptionCode.TYPE_MISMATCH)
          .setMessage(
              "The type of an ARRAY is unknown if all of its elements are null. Set a parameter, or"
                  + " cast an element")
          .build()
          .buildException();
    }
    return typed;
  }

  private static Expression ofVariableWidth(Expression parameter) throws SQLException {
    PDataType<?> type = parameter.getDataType();
    if (!(parameter instanceof LiteralExpression)
        || (type != PChar.INSTANCE && type != PBinary.INSTANCE)) {
      return parameter;
    }
    return LiteralExpression.newConstant(
        ((LiteralExpression) parameter).getValue(),
        type == PChar.INSTANCE ? PVarchar.INSTANCE : PVarbinary.INSTANCE);
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

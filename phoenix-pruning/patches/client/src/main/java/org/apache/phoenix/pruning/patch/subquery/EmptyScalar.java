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

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.ArithmeticParseNode;
import org.apache.phoenix.parse.CastParseNode;
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.FunctionParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.ParseNodeRewriter;
import org.apache.phoenix.parse.RowValueConstructorParseNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.TableName;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites an aggregate that is compared with outer rows, so that the value is also known for an
 * outer row without rows of the subquery. The subquery returns the aggregates, and the outer query
 * computes the value from them. After a left join, a count that is null is 0.
 */
public final class EmptyScalar {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

  private static final Set<String> COUNTS =
      new HashSet<>(Arrays.asList("COUNT", "DISTINCT_COUNT", "APPROX_COUNT_DISTINCT"));

  /** Functions that return null if their first argument is null. */
  private static final Set<String> NULL_OF_NULL =
      new HashSet<>(
          Arrays.asList(
              "ABS", "CEIL", "FLOOR", "LOWER", "ROUND", "SUBSTR", "TO_CHAR", "TRIM", "TRUNC",
              "UPPER"));

  private final ParseNode value;
  private final List<AliasedNode> columns;
  private final Map<ParseNode, String> names;

  private EmptyScalar(ParseNode value, List<AliasedNode> columns, Map<ParseNode, String> names) {
    this.value = value;
    this.columns = columns;
    this.names = names;
  }

  /**
   * Returns a comparison with the subquery on the right side.
   *
   * @param operands the subquery, and a value
   */
  public static ComparisonParseNode swapped(ComparisonParseNode node, List<ParseNode> operands) {
    return NODES.comparison(inverse(node.getFilterOp()), operands.get(1), operands.get(0));
  }

  private static CompareOperator inverse(CompareOperator operator) {
    switch (operator) {
      case LESS:
        return CompareOperator.GREATER;
      case LESS_OR_EQUAL:
        return CompareOperator.GREATER_OR_EQUAL;
      case GREATER:
        return CompareOperator.LESS;
      case GREATER_OR_EQUAL:
        return CompareOperator.LESS_OR_EQUAL;
      default:
        return operator;
    }
  }

  /** Returns whether the subquery has one row for each outer row, even for no rows. */
  public static boolean mayBeOf(SelectStatement subquery) {
    return subquery.isAggregate()
        && subquery.getGroupBy().isEmpty()
        && subquery.getHaving() == null;
  }

  /**
   * Returns the rewritten columns, or null if the value over no rows is null. In that case, an
   * inner join drops only rows that do not match.
   *
   * @param columns the value, and the columns of the join condition
   */
  public static @Nullable EmptyScalar of(List<AliasedNode> columns) {
    ParseNode value = columns.get(0).getNode();
    Map<ParseNode, String> names = new LinkedHashMap<>();
    if (isNullOfNothing(value) || !collectAggregates(value, names) || names.isEmpty()) {
      return null;
    }
    List<AliasedNode> aggregates = new ArrayList<>();
    names.forEach((node, name) -> aggregates.add(NODES.aliasedNode(name, node)));
    aggregates.addAll(columns.subList(1, columns.size()));
    return new EmptyScalar(value, aggregates, names);
  }

  private static boolean isNullOfNothing(ParseNode node) {
    if (isAggregate(node)) {
      return !isCount(node);
    }
    if (node instanceof RowValueConstructorParseNode) {
      // A row value is equal to no other one if all its elements are null.
      for (ParseNode element : node.getChildren()) {
        if (!isNullOfNothing(element)) {
          return false;
        }
      }
      return true;
    }
    if (node instanceof FunctionParseNode) {
      return NULL_OF_NULL.contains(((FunctionParseNode) node).getName())
          && isNullOfNothing(node.getChildren().get(0));
    }
    if (node instanceof ArithmeticParseNode || node instanceof CastParseNode) {
      for (ParseNode child : node.getChildren()) {
        if (isNullOfNothing(child)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isAggregate(ParseNode node) {
    return node instanceof FunctionParseNode && ((FunctionParseNode) node).isAggregate();
  }

  private static boolean isCount(ParseNode node) {
    return COUNTS.contains(((FunctionParseNode) node).getName());
  }

  /** Returns false if there is a column outside of the aggregates. */
  private static boolean collectAggregates(ParseNode node, Map<ParseNode, String> names) {
    if (isAggregate(node)) {
      names.computeIfAbsent(node, unnamed -> ParseNodeFactory.createTempAlias());
      return true;
    }
    for (ParseNode child : node.getChildren()) {
      if (!collectAggregates(child, names)) {
        return false;
      }
    }
    return !(node instanceof ColumnParseNode);
  }

  /** Returns the aggregates, and the columns of the join condition. */
  public List<AliasedNode> columns() {
    return columns;
  }

  /**
   * Returns the value in the outer query.
   *
   * @param column Phoenix's column for the value, which names the table
   */
  public ParseNode valueFor(ParseNode column) {
    TableName table = NODES.table(null, ((ColumnParseNode) column).getTableName());
    try {
      return value.accept(new OuterValue(table, names));
    } catch (SQLException e) {
      throw new IllegalStateException("Phoenix has already parsed " + value, e);
    }
  }

  /** Replaces aggregates with columns of the joined subquery. */
  private static final class OuterValue extends ParseNodeRewriter {

    private final TableName table;
    private final Map<ParseNode, String> names;

    OuterValue(TableName table, Map<ParseNode, String> names) {
      this.table = table;
      this.names = names;
    }

    @Override
    public boolean visitEnter(FunctionParseNode node) throws SQLException {
      return !node.isAggregate() && super.visitEnter(node);
    }

    @Override
    public ParseNode visitLeave(FunctionParseNode node, List<ParseNode> children)
        throws SQLException {
      if (!node.isAggregate()) {
        return super.visitLeave(node, children);
      }
      ParseNode column = NODES.column(table, names.get(node), null);
      return isCount(node)
          ? NODES.caseWhen(Arrays.asList(NODES.literal(0L), NODES.isNull(column, false), column))
          : column;
    }
  }
}

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
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.AliasedNode;
import org.apache.phoenix.parse.ArrayAllAnyComparisonNode;
import org.apache.phoenix.parse.ComparisonParseNode;
import org.apache.phoenix.parse.ExistsParseNode;
import org.apache.phoenix.parse.HintNode;
import org.apache.phoenix.parse.LiteralParseNode;
import org.apache.phoenix.parse.OrderByNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.SubqueryParseNode;
import org.apache.phoenix.parse.TableName;

/**
 * Rewrites subqueries with ORDER BY, LIMIT or OFFSET so that Phoenix selects the same rows. Phoenix
 * evaluates a subquery that depends on the outer row for all outer rows at once.
 */
public final class SubqueryLimits {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

  private SubqueryLimits() {}

  /** Returns whether a subquery in {@code operands} has an ORDER BY, a LIMIT or an OFFSET. */
  public static boolean areIn(List<ParseNode> operands) {
    for (ParseNode operand : operands) {
      if (isSliced(operand)) {
        return true;
      }
    }
    return false;
  }

  /** Returns false for a UNION ALL, because Phoenix turns it into a derived table. */
  private static boolean isSliced(ParseNode operand) {
    if (!(operand instanceof SubqueryParseNode)) {
      return false;
    }
    SelectStatement subquery = ((SubqueryParseNode) operand).getSelectNode();
    return !subquery.isUnion() && (isLimited(subquery) || !subquery.getOrderBy().isEmpty());
  }

  /**
   * Rewrites the subqueries in the operands of a condition.
   *
   * @param outer resolves the columns of the outer query
   * @throws SQLFeatureNotSupportedException if Phoenix would return wrong rows
   */
  public static List<ParseNode> applied(
      ParseNode condition,
      List<ParseNode> operands,
      ColumnResolver outer,
      PhoenixConnection connection)
      throws SQLException {
    List<ParseNode> applied = new ArrayList<>();
    for (ParseNode operand : operands) {
      if (isSliced(operand)) {
        SubqueryParseNode node = (SubqueryParseNode) operand;
        SelectStatement subquery =
            condition instanceof ExistsParseNode
                ? forExists(node.getSelectNode(), outer, connection)
                : forValues(node.getSelectNode(), condition, outer, connection);
        applied.add(NODES.subquery(subquery, node.expectSingleRow()));
      } else {
        applied.add(operand);
      }
    }
    return applied;
  }

  private static boolean isLimited(SelectStatement subquery) {
    return subquery.getLimit() != null || hasOffset(subquery);
  }

  /**
   * Rewrites the subquery of EXISTS. A LIMIT that keeps at least one row is dropped if the subquery
   * depends on the outer row. Otherwise Phoenix replaces the LIMIT with 1.
   */
  private static SelectStatement forExists(
      SelectStatement subquery, ColumnResolver outer, PhoenixConnection connection)
      throws SQLException {
    boolean keepsFirstRow = keepsFirstRow(subquery);
    if (!CorrelatedColumns.areIn(subquery, outer, connection)) {
      return keepsFirstRow ? subquery : asDerivedTable(withoutWildcard(subquery));
    }
    if (!keepsFirstRow) {
      throw new SQLFeatureNotSupportedException(
          "EXISTS with OFFSET, LIMIT 0 or a parameter as LIMIT must not refer to an outer query.");
    }
    return unsliced(subquery);
  }

  /**
   * Rewrites the subquery of IN, ANY, ALL or a comparison. If the subquery of IN or a comparison
   * does not depend on the outer row, it becomes a derived table. So its rows are cut off before
   * Phoenix adds DISTINCT or its own LIMIT.
   */
  private static SelectStatement forValues(
      SelectStatement subquery,
      ParseNode condition,
      ColumnResolver outer,
      PhoenixConnection connection)
      throws SQLException {
    boolean isKept = !isLimited(subquery) || (returnsOneRow(subquery) && keepsFirstRow(subquery));
    if (!CorrelatedColumns.areIn(subquery, outer, connection)) {
      // Phoenix runs the subquery of ANY or ALL as it is, and adds LIMIT 2 to that of a comparison.
      if (condition instanceof ArrayAllAnyComparisonNode
          || (condition instanceof ComparisonParseNode && hasLimitOfTwo(subquery))) {
        return subquery;
      }
      return isKept ? unsliced(subquery) : asDerivedTable(subquery);
    }
    // Without an ORDER BY, SQL allows any rows, so all rows give a right answer. If a comparison
    // finds several rows, Phoenix reports it.
    boolean allowsAllRows =
        keepsFirstRow(subquery)
            && (subquery.getOrderBy().isEmpty() || condition instanceof ComparisonParseNode);
    if (isKept || allowsAllRows) {
      return unsliced(subquery);
    }
    throw new SQLFeatureNotSupportedException(
        "A subquery of IN, ANY, ALL or a comparison must not have OFFSET, a parameter as LIMIT, or"
            + " ORDER BY with LIMIT if it refers to an outer query. Use MIN, MAX or FIRST_VALUE"
            + " instead.");
  }

  /** Returns false for {@code OFFSET 0}. */
  private static boolean hasOffset(SelectStatement subquery) {
    if (subquery.getOffset() == null || !subquery.getOffset().isIntegerOffset()) {
      return subquery.getOffset() != null;
    }
    ParseNode offset = subquery.getOffset().getOffsetParseNode();
    Object value =
        offset instanceof LiteralParseNode ? ((LiteralParseNode) offset).getValue() : null;
    return !(value instanceof Number) || ((Number) value).longValue() != 0;
  }

  /** Returns false also for a parameter, whose value is not known yet, and for an OFFSET. */
  private static boolean keepsFirstRow(SelectStatement subquery) {
    return !hasOffset(subquery) && (subquery.getLimit() == null || literalLimit(subquery) > 0);
  }

  private static boolean hasLimitOfTwo(SelectStatement subquery) {
    return !hasOffset(subquery) && literalLimit(subquery) == 2;
  }

  /** Returns the LIMIT, or a negative number if there is none, or a parameter. */
  private static long literalLimit(SelectStatement subquery) {
    ParseNode limit = subquery.getLimit() == null ? null : subquery.getLimit().getLimitParseNode();
    Object value = limit instanceof LiteralParseNode ? ((LiteralParseNode) limit).getValue() : null;
    return value instanceof Number ? ((Number) value).longValue() : -1;
  }

  /** Selects a constant instead of {@code *}, because EXISTS ignores the columns. */
  private static SelectStatement withoutWildcard(SelectStatement subquery) {
    if (!subquery.hasWildcard() || subquery.isDistinct()) {
      return subquery;
    }
    return NODES.select(
        NODES.select(
            subquery,
            Collections.<OrderByNode>emptyList(),
            subquery.getLimit(),
            subquery.getOffset()),
        false,
        Collections.singletonList(NODES.aliasedNode(null, LiteralParseNode.ONE)));
  }

  /** Returns true if an aggregate makes one group of all rows. */
  private static boolean returnsOneRow(SelectStatement subquery) {
    return subquery.isAggregate() && subquery.getGroupBy().isEmpty();
  }

  private static SelectStatement unsliced(SelectStatement subquery) {
    return NODES.select(subquery, Collections.<OrderByNode>emptyList(), null, null);
  }

  /**
   * Selects all columns of the subquery as a derived table. Each derived table has an alias of its
   * own. So Phoenix, which ignores OFFSET when it looks up the result of a subquery, does not
   * confuse two subqueries.
   */
  private static SelectStatement asDerivedTable(SelectStatement subquery) {
    if (subquery.hasWildcard()
        || (subquery.getOffset() != null && !subquery.getOffset().isIntegerOffset())) {
      // Phoenix does not allow either in a derived table.
      return subquery;
    }
    String table = ParseNodeFactory.createTempAlias();
    TableName tableName = NODES.table(null, table);
    List<AliasedNode> inner = new ArrayList<>();
    List<AliasedNode> outer = new ArrayList<>();
    for (AliasedNode column : subquery.getSelect()) {
      AliasedNode named =
          column.getAlias() == null
              ? NODES.aliasedNode(ParseNodeFactory.createTempAlias(), column.getNode())
              : column;
      inner.add(named);
      outer.add(
          NODES.aliasedNode(null, NODES.column(tableName, '"' + named.getAlias() + '"', null)));
    }
    return NODES.select(
        NODES.derivedTable(table, NODES.select(subquery, subquery.isDistinct(), inner)),
        HintNode.EMPTY_HINT_NODE,
        false,
        outer,
        null,
        null,
        null,
        null,
        null,
        null,
        subquery.getBindCount(),
        false,
        false,
        Collections.<SelectStatement>emptyList(),
        subquery.getUdfParseNodes());
  }
}

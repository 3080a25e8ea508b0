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
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.compile.FromCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.parse.AndParseNode;
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.parse.ConcreteTableNode;
import org.apache.phoenix.parse.HintNode;
import org.apache.phoenix.parse.JoinTableNode;
import org.apache.phoenix.parse.JoinTableNode.JoinType;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.TableName;
import org.apache.phoenix.parse.TableNode;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.TableRef;

/** Finds joins on a column that has one value in all rows of a view. */
public final class ConstantJoin {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();
  private static final HintNode NO_INDEX = NODES.hint("NO_INDEX");

  private ConstantJoin() {}

  /**
   * Returns a statement with the hint {@code NO_INDEX}, if it joins on a column that a view with an
   * index fixes. An inner join stays if the other side of the comparison belongs to the right table
   * of the join. Phoenix then compares the right table with the value, which gives the same rows.
   */
  public static SelectStatement onDataTables(SelectStatement select, QueryPlan dataPlan) {
    if (!select.isJoin()) {
      return select;
    }
    for (TableRef table : dataPlan.getSourceRefs()) {
      if (ConstantOrder.isViewWithIndex(table.getTable())) {
        return Patches.isOn(Patch.CONSTANT_JOIN, dataPlan.getContext().getConnection())
                && joinsOnConstant(select, dataPlan)
            ? NODES.select(select, HintNode.combine(select.getHint(), NO_INDEX))
            : select;
      }
    }
    return select;
  }

  private static boolean joinsOnConstant(SelectStatement select, QueryPlan dataPlan) {
    try {
      return joinsOnConstant(
          select.getFrom(),
          FromCompiler.getResolverForQuery(select, dataPlan.getContext().getConnection()));
    } catch (SQLException e) {
      // Phoenix looks up the same names next, and reports the error.
      return false;
    }
  }

  private static boolean joinsOnConstant(TableNode from, ColumnResolver resolver)
      throws SQLException {
    if (!(from instanceof JoinTableNode)) {
      return false;
    }
    JoinTableNode join = (JoinTableNode) from;
    return isOnConstant(join, resolver)
        || joinsOnConstant(join.getLHS(), resolver)
        || joinsOnConstant(join.getRHS(), resolver);
  }

  private static boolean isOnConstant(JoinTableNode join, ColumnResolver resolver)
      throws SQLException {
    ParseNode condition = join.getOnNode();
    if (!(condition instanceof AndParseNode)) {
      return isOnConstant(join, condition, resolver);
    }
    for (ParseNode comparison : condition.getChildren()) {
      if (isOnConstant(join, comparison, resolver)) {
        return true;
      }
    }
    return false;
  }

  /** Tests one of the comparisons that the condition of {@code join} consists of. */
  private static boolean isOnConstant(
      JoinTableNode join, ParseNode comparison, ColumnResolver resolver) throws SQLException {
    List<ColumnParseNode> columns = new ArrayList<>();
    collectColumns(comparison, columns);
    boolean hasConstant = false;
    boolean isOfRightTable = true;
    for (ColumnParseNode column : columns) {
      if (ConstantOrder.isConstant(column, resolver)) {
        hasConstant = true;
      } else {
        isOfRightTable &= isOf(join.getRHS(), column, resolver);
      }
    }
    return hasConstant && (join.getType() != JoinType.Inner || !isOfRightTable);
  }

  private static void collectColumns(ParseNode node, List<ColumnParseNode> columns) {
    if (node instanceof ColumnParseNode) {
      columns.add((ColumnParseNode) node);
    }
    for (ParseNode child : node.getChildren()) {
      collectColumns(child, columns);
    }
  }

  /** Returns false also if {@code table} is a join in parentheses. */
  private static boolean isOf(TableNode table, ColumnParseNode column, ColumnResolver resolver)
      throws SQLException {
    if (table instanceof JoinTableNode) {
      return false;
    }
    TableName name =
        table.getAlias() == null
            ? ((ConcreteTableNode) table).getName()
            : TableName.create(null, table.getAlias());
    return resolver
        .resolveColumn(column.getSchemaName(), column.getTableName(), column.getName())
        .getTableRef()
        .equals(resolver.resolveTable(name.getSchemaName(), name.getTableName()));
  }
}

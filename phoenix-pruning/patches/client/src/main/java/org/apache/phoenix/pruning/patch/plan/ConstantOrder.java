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
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.parse.OrderByNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.ParseNodeFactory;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.MetaDataEntityNotFoundException;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.TableRef;

/** Finds columns in an ORDER BY that have one value in all rows of a view. */
public final class ConstantOrder {

  private static final ParseNodeFactory NODES = new ParseNodeFactory();

  private ConstantOrder() {}

  /** Returns a statement without the columns of its ORDER BY that a view with an index fixes. */
  public static SelectStatement without(SelectStatement select, QueryPlan dataPlan) {
    if (select.getOrderBy().isEmpty() || select.isUnion()) {
      return select;
    }
    for (TableRef table : dataPlan.getSourceRefs()) {
      if (isViewWithIndex(table.getTable())) {
        return Patches.isOn(Patch.CONSTANT_ORDER, dataPlan.getContext().getConnection())
            ? withoutConstants(select, dataPlan)
            : select;
      }
    }
    return select;
  }

  static boolean isViewWithIndex(PTable table) {
    return table.getType() == PTableType.VIEW && !table.getIndexes().isEmpty();
  }

  private static SelectStatement withoutConstants(SelectStatement select, QueryPlan dataPlan) {
    List<OrderByNode> order = new ArrayList<>(select.getOrderBy().size());
    try {
      ColumnResolver resolver =
          FromCompiler.getResolverForQuery(select, dataPlan.getContext().getConnection());
      for (OrderByNode node : select.getOrderBy()) {
        if (!isConstant(node.getNode(), resolver)) {
          order.add(node);
        }
      }
    } catch (SQLException e) {
      // Phoenix looks up the same names next, and reports the error.
      return select;
    }
    return order.size() == select.getOrderBy().size() ? select : NODES.select(select, order);
  }

  static boolean isConstant(ParseNode node, ColumnResolver resolver) throws SQLException {
    if (!(node instanceof ColumnParseNode)) {
      return false;
    }
    ColumnParseNode column = (ColumnParseNode) node;
    try {
      return resolver
              .resolveColumn(column.getSchemaName(), column.getTableName(), column.getName())
              .getColumn()
              .getViewConstant()
          != null;
    } catch (MetaDataEntityNotFoundException e) {
      return false;
    }
  }
}

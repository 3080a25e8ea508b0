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
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.compile.FromCompiler;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.ColumnParseNode;
import org.apache.phoenix.parse.ParseNode;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.schema.ColumnFamilyNotFoundException;
import org.apache.phoenix.schema.ColumnNotFoundException;
import org.apache.phoenix.schema.TableNotFoundException;

/** Finds columns of outer queries in subqueries. */
final class CorrelatedColumns {

  private CorrelatedColumns() {}

  /**
   * Returns whether the WHERE of a subquery has a column of the outer query that its own tables
   * lack. Phoenix reports a column that both lack.
   */
  static boolean areIn(SelectStatement subquery, ColumnResolver outer, PhoenixConnection connection)
      throws SQLException {
    return subquery.getWhere() != null
        && areIn(
            subquery.getWhere(), FromCompiler.getResolverForQuery(subquery, connection), outer);
  }

  private static boolean areIn(ParseNode node, ColumnResolver inner, ColumnResolver outer)
      throws SQLException {
    if (node instanceof ColumnParseNode) {
      ColumnParseNode column = (ColumnParseNode) node;
      if (!isIn(column, inner) && isIn(column, outer)) {
        return true;
      }
    }
    for (ParseNode child : node.getChildren()) {
      if (areIn(child, inner, outer)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isIn(ColumnParseNode column, ColumnResolver resolver) throws SQLException {
    try {
      resolver.resolveColumn(column.getSchemaName(), column.getTableName(), column.getName());
      return true;
    } catch (TableNotFoundException | ColumnNotFoundException | ColumnFamilyNotFoundException e) {
      return false;
    }
  }
}

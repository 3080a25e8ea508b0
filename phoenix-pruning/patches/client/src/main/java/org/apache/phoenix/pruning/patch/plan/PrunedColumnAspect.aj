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
import java.util.Map;
import org.apache.phoenix.compile.ColumnResolver;
import org.apache.phoenix.compile.FromCompiler;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.optimize.QueryOptimizer;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.ColumnNotFoundException;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.TableRef;

/**
 * Finds all columns of a derived table when a join is rewritten to an index. Phoenix's {@code
 * JoinCompiler} removes columns from the derived table that the join does not need after its
 * conditions have been moved, and the rewriting then fails (not reported).
 *
 * <p>Example: {@code SELECT T.ID FROM T JOIN (SELECT ID, MAX(X) M FROM D GROUP BY ID) U ON U.ID =
 * T.ID WHERE U.M > 5} along an index of T.
 */
public aspect PrunedColumnAspect {

  SelectStatement around(
      PhoenixConnection connection, ColumnResolver resolver, SelectStatement select, Map indexes)
      throws SQLException :
      execution(static SelectStatement QueryOptimizer.rewriteQueryWithIndexReplacement(
          PhoenixConnection, ColumnResolver, SelectStatement, Map))
      && args(connection, resolver, select, indexes) {
    try {
      return proceed(connection, resolver, select, indexes);
    } catch (ColumnNotFoundException e) {
      if (!hasDerivedTable(resolver) || !Patches.isOn(Patch.PRUNED_COLUMN, connection)) {
        throw e;
      }
      ColumnResolver fresh = FromCompiler.getResolverForQuery(select, connection);
      return proceed(connection, fresh, select, indexes);
    }
  }

  private static boolean hasDerivedTable(ColumnResolver resolver) {
    for (TableRef table : resolver.getTables()) {
      if (table.getTable().getType() == PTableType.SUBQUERY) {
        return true;
      }
    }
    return false;
  }
}

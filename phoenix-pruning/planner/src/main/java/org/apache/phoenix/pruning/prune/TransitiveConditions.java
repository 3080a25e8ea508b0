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
package org.apache.phoenix.pruning.prune;

import java.sql.SQLException;
import java.util.List;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.predicate.TransitiveEquality;
import org.apache.phoenix.pruning.where.BoundWhere;
import org.apache.phoenix.pruning.where.JoinConditions;
import org.apache.phoenix.schema.PTable;

/** Passes conditions from one side of a join to the other. */
public final class TransitiveConditions {

  private TransitiveConditions() {}

  /**
   * Adds conditions to a scan of {@code index} that follow from the WHERE of another scan and equal
   * columns. For example, {@code A.K = B.K AND B.K > 25} implies {@code A.K > 25}.
   *
   * @param from the context of the scan whose WHERE is used
   * @param columns columns of the scan {@code from}
   * @param to the context of the scan that gets the conditions
   * @param equalColumns columns of the scan that gets the conditions, each equal to the column at
   *     the same position in {@code columns}
   */
  public static void pass(
      StatementContext from,
      List<Expression> columns,
      StatementContext to,
      PTable index,
      List<Expression> equalColumns)
      throws SQLException {
    BoundWhere where = ((BoundWhere.Holder) (Object) from).getBoundWhere();
    if (where == null) {
      return;
    }
    JoinConditions ofSource = JoinConditions.of(from);
    JoinConditions ofTarget = JoinConditions.of(to);
    for (int i = 0; i < columns.size(); i++) {
      Expression equal = ofTarget.scanned(equalColumns.get(i));
      if (JoinConditions.readsDataKey(index, equal)) {
        ofTarget.add(
            new TransitiveEquality(ofSource.scanned(columns.get(i)), equal)
                .conditions(where.expression()));
      }
    }
  }
}

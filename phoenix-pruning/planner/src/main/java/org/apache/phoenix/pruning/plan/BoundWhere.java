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
package org.apache.phoenix.pruning.plan;

import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.schema.PTable;

/**
 * The WHERE that a scan runs, with all its values bound: what {@code WhereOptimizer} was given last
 * for the context of the scan. Values that are known only at run time (join keys, results of
 * subqueries) are in it, unlike in the plan for the data table that stock prunes by.
 */
public final class BoundWhere {

  /** Where a statement's context keeps it. */
  public interface Holder {

    /** Null if no WHERE was compiled. */
    BoundWhere getBoundWhere();

    void setBoundWhere(BoundWhere where);
  }

  private final PTable table;
  private final Expression expression;

  /**
   * A WHERE over the columns of {@code table}.
   *
   * @param expression null if there is no condition
   */
  public BoundWhere(PTable table, Expression expression) {
    this.table = table;
    this.expression = expression;
  }

  public PTable table() {
    return table;
  }

  /** Null if there is no condition. */
  public Expression expression() {
    return expression;
  }

  @Override
  public String toString() {
    return table.getName() + " WHERE " + expression;
  }
}

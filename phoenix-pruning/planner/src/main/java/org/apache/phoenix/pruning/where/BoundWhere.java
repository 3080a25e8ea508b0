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
package org.apache.phoenix.pruning.where;

import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.schema.PTable;
import org.jspecify.annotations.Nullable;

/**
 * The WHERE clause of a scan with all its values bound, as {@code WhereOptimizer} last received it
 * for the context of the scan. The WHERE contains values that are known only at run time, such as
 * join keys and results of subqueries. Phoenix prunes by the plan for the data table, which lacks
 * these values.
 */
public final class BoundWhere {

  /** Stores the bound WHERE in the context of a statement. */
  public interface Holder {

    /** Returns the bound WHERE, or null if no WHERE was compiled. */
    @Nullable BoundWhere getBoundWhere();

    void setBoundWhere(BoundWhere where);
  }

  private final PTable table;
  private final @Nullable Expression expression;

  /**
   * Creates a WHERE over the columns of {@code table}.
   *
   * @param expression the condition, or null if there is none
   */
  public BoundWhere(PTable table, @Nullable Expression expression) {
    this.table = table;
    this.expression = expression;
  }

  public PTable table() {
    return table;
  }

  /** Returns the condition, or null if there is none. */
  public @Nullable Expression expression() {
    return expression;
  }

  @Override
  public String toString() {
    return table.getName() + " WHERE " + expression;
  }
}

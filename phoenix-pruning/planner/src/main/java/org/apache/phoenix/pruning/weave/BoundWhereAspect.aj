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
package org.apache.phoenix.pruning.weave;

import java.util.Set;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereOptimizer;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.where.BoundWhere;
import org.apache.phoenix.thirdparty.com.google.common.base.Optional;

/** Stores the bound WHERE clause of a scan in the {@code StatementContext} of the scan. */
public privileged aspect BoundWhereAspect {

  // Patches change a statement before the planner reads it.
  declare precedence : org.apache.phoenix.pruning.patch..*, org.apache.phoenix.pruning.weave.*;

  declare parents : StatementContext implements BoundWhere.Holder;

  private BoundWhere StatementContext.pruningBoundWhere;

  public BoundWhere StatementContext.getBoundWhere() {
    return pruningBoundWhere;
  }

  public void StatementContext.setBoundWhere(BoundWhere where) {
    this.pruningBoundWhere = where;
  }

  after(StatementContext context, Expression where) returning :
      execution(static Expression WhereOptimizer.pushKeyExpressionsToScan(
          StatementContext, Set, Expression, Set, Optional))
      && args(context, *, where, *, *) {
    context.setBoundWhere(new BoundWhere(context.getCurrentTable().getTable(), where));
  }

  after(StatementContext copy, StatementContext original) returning :
      execution(StatementContext.new(StatementContext)) && this(copy) && args(original) {
    copy.setBoundWhere(original.getBoundWhere());
  }
}

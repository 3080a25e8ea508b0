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
package org.apache.phoenix.pruning.patch.range;

import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.compile.WhereOptimizer.KeyExpressionVisitor;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.schema.PTable;

/** Orders the columns that a join compares. */
public final class JoinColumns {

  private JoinColumns() {}

  /** Returns the columns of the key of the scanned table, followed by the other columns. */
  public static List<Expression> keyColumnsFirst(
      List<Expression> columns, StatementContext context) {
    PTable table = context.getCurrentTable().getTable();
    List<Expression> ordered = new ArrayList<>();
    List<Expression> others = new ArrayList<>();
    for (Expression column : columns) {
      KeyExpressionVisitor.KeySlots slots = column.accept(new KeyExpressionVisitor(context, table));
      (slots == null || slots.getSlots().isEmpty() ? others : ordered).add(column);
    }
    ordered.addAll(others);
    return ordered;
  }
}

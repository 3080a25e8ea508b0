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
package org.apache.phoenix.pruning.patch.write;

import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.compile.MutationPlan;
import org.apache.phoenix.compile.UpsertCompiler;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.index.PhoenixIndexBuilderHelper;
import org.apache.phoenix.parse.UpsertStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.patch.order.Ascending;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;

/**
 * Converts each expression of ON DUPLICATE KEY UPDATE to the type of its column. Phoenix's {@code
 * IndexRegionObserver} takes a number for a DECIMAL if the column is one, and decodes a descending
 * key column as if it were ascending (not reported).
 *
 * <p>Example: {@code UPSERT INTO T (K) VALUES (1) ON DUPLICATE KEY UPDATE W = K} stores -2, if K is
 * a descending INTEGER and W a BIGINT.
 */
public privileged aspect UpdateTypeAspect {

  byte[] around(UpsertCompiler compiler, PTable update, List<Expression> expressions) :
      call(byte[] PhoenixIndexBuilderHelper.serializeOnDupKeyUpdate(PTable, List))
      && withincode(MutationPlan UpsertCompiler.compile(UpsertStatement))
      && this(compiler)
      && args(update, expressions) {
    if (!Patches.isOn(Patch.UPDATE_TYPE, compiler.statement.getConnection())) {
      return proceed(compiler, update, expressions);
    }
    // A key column, and the salt of a salted table, come before the updated columns.
    int first = update.getColumns().size() - expressions.size();
    List<Expression> converted = new ArrayList<>();
    for (Expression expression : expressions) {
      PColumn column = update.getColumns().get(first + converted.size());
      converted.add(convert(expression, column.getDataType()));
    }
    return proceed(compiler, update, converted);
  }

  private static Expression convert(Expression expression, PDataType<?> type) {
    return isOther(expression, type) ? converted(expression, type) : expression;
  }

  private static boolean isOther(Expression expression, PDataType<?> type) {
    if (expression instanceof CaseExpression) {
      for (int i = 0; i < expression.getChildren().size(); i += 2) {
        if (isOther(expression.getChildren().get(i), type)) {
          return true;
        }
      }
    }
    return expression.getSortOrder() == SortOrder.DESC
        || (type == PDecimal.INSTANCE && expression.getDataType() != type);
  }

  private static Expression converted(Expression expression, PDataType<?> type) {
    if (!(expression instanceof CaseExpression)) {
      return Ascending.of(expression, type);
    }
    // It stays a CASE, because the server does not write a column if ELSE keeps its value. A CASE
    // has one type, so all its results are converted.
    List<Expression> parts = new ArrayList<>(expression.getChildren());
    for (int i = 0; i < parts.size(); i += 2) {
      parts.set(i, converted(parts.get(i), type));
    }
    return new CaseExpression(parts);
  }
}

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
package org.apache.phoenix.pruning.patch;

import java.util.List;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.BaseCompoundExpression;
import org.apache.phoenix.expression.BaseExpression;
import org.apache.phoenix.expression.BaseSingleExpression;
import org.apache.phoenix.expression.DelegateExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.schema.tuple.Tuple;

/** Finds expressions that keep state of a row until they are reset, and resets them. */
public final class RowState {

  /** Tells for each class whether its expressions keep state of a row. */
  private static final ClassValue<Boolean> KEEPS_STATE =
      new ClassValue<Boolean>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          try {
            Class<?> declaring = type.getMethod("reset").getDeclaringClass();
            return declaring != BaseExpression.class
                && declaring != BaseSingleExpression.class
                && declaring != BaseCompoundExpression.class;
          } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " has no public method reset()", e);
          }
        }
      };

  private RowState() {}

  /** Returns true if an expression, or an operand of it, keeps state of a row. */
  public static boolean isKeptByAny(List<Expression> expressions) {
    for (Expression expression : expressions) {
      if (isKeptBy(expression)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isKeptBy(Expression expression) {
    return KEEPS_STATE.get(expression.getClass()) || isKeptByAny(expression.getChildren());
  }

  /** Replaces expressions that keep state by expressions that are reset before each row. */
  public static void resetForEachRow(List<Expression> expressions) {
    expressions.replaceAll(
        expression -> isKeptBy(expression) ? new Resetting(expression) : expression);
  }

  /** Expression that is reset before each evaluation. */
  private static final class Resetting extends DelegateExpression {

    Resetting(Expression delegate) {
      super(delegate);
    }

    @Override
    public boolean evaluate(Tuple tuple, ImmutableBytesWritable ptr) {
      reset();
      return super.evaluate(tuple, ptr);
    }
  }
}

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
package org.apache.phoenix.pruning.metrics;

import org.apache.phoenix.expression.ColumnExpression;
import org.apache.phoenix.expression.Expression;

/**
 * Describes expressions by their class and their columns, without their constants. So conditions
 * that differ only in their constants have the same description.
 */
final class ExpressionSummary {

  /** Maximum length of a description. A condition can have many thousands of terms. */
  private static final int MAX_LENGTH = 300;

  private ExpressionSummary() {}

  /** Returns a description such as {@code ModulusExpression "K" INTEGER}. */
  static String of(Expression expression) {
    StringBuilder text = new StringBuilder(expression.getClass().getSimpleName());
    appendColumns(expression, text);
    return truncated(text.toString());
  }

  private static void appendColumns(Expression expression, StringBuilder text) {
    if (expression instanceof ColumnExpression) {
      text.append(' ').append(expression).append(' ').append(expression.getDataType());
    }
    for (Expression child : expression.getChildren()) {
      if (text.length() > MAX_LENGTH) {
        return;
      }
      appendColumns(child, text);
    }
  }

  /** Returns the start of a long text, or the whole of a short one. */
  static String truncated(String text) {
    return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
  }
}

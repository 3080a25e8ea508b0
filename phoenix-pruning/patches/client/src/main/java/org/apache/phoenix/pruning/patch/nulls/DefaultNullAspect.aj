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
package org.apache.phoenix.pruning.patch.nulls;

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.function.DefaultValueExpression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Tests if a column with a DEFAULT is null. Phoenix's {@code IsNullExpression} assumes that such a
 * column cannot be null, although a statement can write a null to it (not reported).
 *
 * <p>Example: {@code SELECT K FROM T WHERE W IS NULL} with {@code W INTEGER DEFAULT 5} finds no
 * rows.
 */
public aspect DefaultNullAspect {

  boolean around(Expression expression) :
      call(boolean Expression+.isNullable())
      && withincode(static Expression IsNullExpression.create(
          Expression, boolean, ImmutableBytesWritable))
      && target(expression) {
    return proceed(expression)
        || (expression instanceof DefaultValueExpression
            && expression.getChildren().get(0).isNullable()
            && Patches.isOn(Patch.DEFAULT_NULL));
  }
}

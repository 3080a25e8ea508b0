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
package org.apache.phoenix.pruning.patch.scan;

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.DelegateExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.util.ByteUtil;

/**
 * Condition of an index scan that is reset before each row, so that no state of an earlier row
 * remains.
 */
public final class IndexRowCondition extends DelegateExpression {

  private final Expression condition;

  /** Wraps the condition of one scanner. */
  public IndexRowCondition(Expression condition) {
    super(condition);
    this.condition = condition;
  }

  @Override
  public boolean evaluate(Tuple row, ImmutableBytesWritable result) {
    condition.reset();
    boolean evaluated = condition.evaluate(row, result);
    if (!evaluated) {
      result.set(ByteUtil.EMPTY_BYTE_ARRAY);
    }
    return evaluated;
  }
}

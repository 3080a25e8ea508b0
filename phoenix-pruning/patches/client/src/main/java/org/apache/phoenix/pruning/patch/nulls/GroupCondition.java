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
import org.apache.phoenix.expression.DelegateExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.schema.types.PDataType;

/** A HAVING condition that is false instead of null. */
public final class GroupCondition extends DelegateExpression {

  private final Expression having;

  /** Makes a condition of {@code having}, which is of type BOOLEAN. */
  public GroupCondition(Expression having) {
    super(having);
    this.having = having;
  }

  @Override
  public boolean evaluate(Tuple group, ImmutableBytesWritable ptr) {
    // The condition may keep values of the previous group.
    having.reset();
    if (!having.evaluate(group, ptr) || ptr.getLength() == 0) {
      ptr.set(PDataType.FALSE_BYTES);
    }
    return true;
  }

  @Override
  public String toString() {
    return having.toString();
  }
}

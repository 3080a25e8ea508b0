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

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * Writes a null to the key of an index row if the indexed expression is null.
 *
 * <p>Phoenix's {@code IndexMaintainer.buildRowKey} ignores the result of {@code evaluate}, which is
 * false for {@code SUBSTR('ab', 3)}. It stores what the evaluation has left in the buffer: {@code
 * ab} (not reported). The patch is opt-in, because it changes the keys of index rows.
 *
 * <p>Example: {@code SELECT K FROM T WHERE SUBSTR(V, 3) = 'ab'} along an index on {@code SUBSTR(V,
 * 3)} returns a row whose V is {@code ab}.
 */
public aspect IndexExpressionNullAspect {

  after(ImmutableBytesWritable value) returning(boolean hasValue) :
      call(boolean Expression.evaluate(Tuple, ImmutableBytesWritable))
      && withincode(byte[] IndexMaintainer.buildRowKey(..))
      && args(*, value) {
    if (!hasValue && Patches.isOn(Patch.INDEX_EXPRESSION_NULL)) {
      value.set(new byte[0]);
    }
  }
}

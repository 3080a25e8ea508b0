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

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.iterate.RegionScannerFactory;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.util.ByteUtil;

/**
 * Lets each index row be judged by itself. Phoenix never resets the condition: AND and OR, once one
 * row had a null, lose all rows behind it. And where a row has no value for a column, Phoenix takes
 * whatever was evaluated last for the result.
 */
public privileged aspect IndexFilterAspect {

  boolean around(Expression where, Tuple row, ImmutableBytesWritable result) :
      call(boolean Expression.evaluate(Tuple, ImmutableBytesWritable))
      && within(RegionScannerFactory)
      && withincode(boolean *.nextRaw(*))
      && target(where)
      && args(row, result) {
    where.reset();
    boolean evaluated = proceed(where, row, result);
    if (!evaluated) {
      result.set(ByteUtil.EMPTY_BYTE_ARRAY);
    }
    return evaluated;
  }
}

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
package org.apache.phoenix.pruning.patch.index;

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionScanner;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.util.ByteUtil;

/**
 * Writes the nulls of an UPSERT SELECT that runs on the server. Phoenix's {@code
 * UngroupedAggregateRegionScanner.upsert} skips a column if its expression has no value, such as
 * SUBSTR of a short text. The old value then stays (not reported).
 *
 * <p>Example: {@code UPSERT INTO T (K, S) SELECT K, SUBSTR(S, 5) FROM T} with autocommit keeps the
 * S {@code 'ab'}.
 */
public privileged aspect NullUpsertAspect {

  boolean around(UngroupedAggregateRegionScanner scanner, ImmutableBytesWritable value) :
      call(boolean Expression+.evaluate(Tuple, ImmutableBytesWritable))
      && withincode(void UngroupedAggregateRegionScanner.upsert(..))
      && this(scanner)
      && args(*, value) {
    boolean hasValue = proceed(scanner, value);
    if (!hasValue
        && scanner.projectedTable.getType() != PTableType.INDEX
        && Patches.isOn(Patch.NULL_UPSERT)) {
      value.set(ByteUtil.EMPTY_BYTE_ARRAY);
      return true;
    }
    return hasValue;
  }
}

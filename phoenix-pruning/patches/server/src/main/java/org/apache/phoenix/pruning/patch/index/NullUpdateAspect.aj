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
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.hbase.index.IndexRegionObserver;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.util.ByteUtil;

/**
 * Stores a null for an expression of ON DUPLICATE KEY UPDATE that is null. Phoenix's {@code
 * IndexRegionObserver} ignores that the expression has no value, and stores the bytes that one of
 * its operands has left (not reported).
 *
 * <p>Example: {@code UPSERT INTO T (K) VALUES (1) ON DUPLICATE KEY UPDATE B = B + W} does not store
 * a null, or fails, if W is null.
 */
public aspect NullUpdateAspect {

  boolean around(ImmutableBytesWritable value) :
      call(boolean Expression+.evaluate(Tuple, ImmutableBytesWritable))
      && withincode(* IndexRegionObserver.generateOnDupMutations(..))
      && args(*, value) {
    boolean hasValue = proceed(value);
    if (!hasValue && Patches.isOn(Patch.NULL_UPDATE)) {
      value.set(ByteUtil.EMPTY_BYTE_ARRAY);
    }
    return hasValue;
  }
}

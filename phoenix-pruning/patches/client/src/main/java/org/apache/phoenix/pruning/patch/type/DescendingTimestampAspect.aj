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
package org.apache.phoenix.pruning.patch.type;

import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.hbase.index.util.ImmutableBytesPtr;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PTimestamp;

/**
 * Corrects the conversion of descending values to TIMESTAMP. Phoenix's {@code PTimestamp} adds zero
 * bytes to a DATE before it inverts all bytes, so the nanoseconds are wrong. It also inverts bytes
 * after an {@code ImmutableBytesPtr} has computed their hash code, so hash tables do not find them
 * (not reported).
 *
 * <p>Example: {@code SELECT T.K FROM T JOIN D ON T.K = D.X} finds no rows if K is a descending
 * TIMESTAMP. {@code CAST(K AS TIMESTAMP)} fails if K is a descending DATE.
 */
public aspect DescendingTimestampAspect {

  after(ImmutableBytesWritable bytes, PDataType<?> type, SortOrder from, SortOrder to) returning :
      execution(void PTimestamp.coerceBytes(
          ImmutableBytesWritable, Object, PDataType, Integer, Integer, SortOrder, Integer, Integer,
          SortOrder))
      && args(bytes, *, type, *, *, from, *, *, to) {
    boolean isShorter = from == SortOrder.DESC && DescendingTimes.isShorter(type, bytes);
    boolean isHashed = from != to && bytes instanceof ImmutableBytesPtr;
    if ((isShorter || isHashed) && Patches.isOn(Patch.DESCENDING_TIMESTAMP)) {
      if (isShorter) {
        DescendingTimes.setNoNanoseconds(bytes, to);
      }
      bytes.set(bytes.get(), bytes.getOffset(), bytes.getLength());
    }
  }
}

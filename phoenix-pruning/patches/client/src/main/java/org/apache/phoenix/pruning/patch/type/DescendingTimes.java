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

import java.util.Arrays;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PTimestamp;

/** Bytes of descending values that Phoenix has converted to TIMESTAMP. */
public final class DescendingTimes {

  private DescendingTimes() {}

  /** Returns whether the bytes of a TIMESTAMP were those of a shorter type, without nanoseconds. */
  public static boolean isShorter(PDataType<?> type, ImmutableBytesWritable timestamp) {
    return PTimestamp.INSTANCE.isBytesComparableWith(type)
        && type.isFixedWidth()
        && type.getByteSize() < PTimestamp.INSTANCE.getByteSize()
        && timestamp.getLength() == PTimestamp.INSTANCE.getByteSize();
  }

  /** Sets the nanoseconds of a TIMESTAMP with the given sort order to zero. */
  public static void setNoNanoseconds(ImmutableBytesWritable timestamp, SortOrder order) {
    int end = timestamp.getOffset() + timestamp.getLength();
    Arrays.fill(
        timestamp.get(), end - Bytes.SIZEOF_INT, end, (byte) (order == SortOrder.DESC ? -1 : 0));
  }
}

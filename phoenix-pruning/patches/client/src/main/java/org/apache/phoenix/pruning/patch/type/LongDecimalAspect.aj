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
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PUnsignedDate;
import org.apache.phoenix.schema.types.PUnsignedLong;

/**
 * Reads all digits of a DECIMAL as UNSIGNED_LONG, DATE or UNSIGNED_DATE. An index stores nullable
 * columns of these types as DECIMAL.
 *
 * <p>Phoenix's {@code PUnsignedLong}, {@code PDate} and {@code PUnsignedDate} treat every value
 * with more bytes than their own type as a TIMESTAMP and truncate it. The last digits are then lost
 * (not reported).
 *
 * <p>Example: {@code SELECT K, L FROM T} along an index on L returns 202095989643300 instead of
 * 202095989643365.
 */
public aspect LongDecimalAspect {

  void around(ImmutableBytesWritable bytes, Object value, PDataType from, SortOrder order) :
      (execution(void PUnsignedLong.coerceBytes(
              ImmutableBytesWritable, Object, PDataType, Integer, Integer, SortOrder, ..))
          || execution(void PDate.coerceBytes(
              ImmutableBytesWritable, Object, PDataType, Integer, Integer, SortOrder, ..))
          || execution(void PUnsignedDate.coerceBytes(
              ImmutableBytesWritable, Object, PDataType, Integer, Integer, SortOrder, ..)))
      && args(bytes, value, from, *, *, order, ..) {
    boolean unread =
        from == PDecimal.INSTANCE
            && value == null
            && bytes.getLength() > 0
            && Patches.isOn(Patch.LONG_DECIMAL);
    proceed(bytes, unread ? from.toObject(bytes, from, order) : value, from, order);
  }
}

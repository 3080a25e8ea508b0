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
package org.apache.phoenix.pruning.patch.order;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDecimal;

/**
 * Coerces literals and values of other columns to the inverted bytes of a descending DECIMAL with a
 * scale, and reads inverted bytes correctly.
 *
 * <p>Phoenix's {@code PDecimal.coerceBytes} does neither: {@code UPSERT INTO T VALUES (-1.83, ...)}
 * writes another number, and {@code K IN (-1.83)} does not find -1.83 (not reported). The patch is
 * opt-in, because it changes stored bytes.
 */
public aspect DescendingDecimalAspect {

  void around(
      PDecimal type,
      ImmutableBytesWritable bytes,
      Object value,
      PDataType from,
      SortOrder order,
      Integer scale,
      SortOrder wantedOrder) :
      execution(void PDecimal.coerceBytes(
          ImmutableBytesWritable,
          Object,
          PDataType,
          Integer,
          Integer,
          SortOrder,
          Integer,
          Integer,
          SortOrder))
      && this(type)
      && args(bytes, value, from, *, *, order, *, scale, wantedOrder) {
    boolean isAscending = order == SortOrder.ASC && wantedOrder == SortOrder.ASC;
    if (isAscending
        || scale == null
        || bytes.getLength() == 0
        || !Patches.isOn(Patch.DESCENDING_DECIMAL_BYTES)) {
      proceed(type, bytes, value, from, order, scale, wantedOrder);
      return;
    }
    Object read = value == null ? from.toObject(bytes, from, order) : value;
    BigDecimal decimal = (BigDecimal) type.toObject(read, from);
    bytes.set(
        type.toBytes(
            decimal.scale() > scale ? decimal.setScale(scale, RoundingMode.DOWN) : decimal,
            wantedOrder));
  }
}

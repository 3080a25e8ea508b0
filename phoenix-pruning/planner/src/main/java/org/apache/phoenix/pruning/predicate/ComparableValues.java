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
package org.apache.phoenix.pruning.predicate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Date;
import org.apache.phoenix.pruning.key.KeyBounds;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PTime;
import org.apache.phoenix.schema.types.PUnsignedDate;
import org.apache.phoenix.schema.types.PUnsignedTime;
import org.jspecify.annotations.Nullable;

/**
 * Converts constants and bounds of key columns to Java values that sort in the same order as
 * Phoenix's values: Boolean, BigDecimal for exact numbers, and Date for types with milliseconds.
 */
final class ComparableValues {

  private ComparableValues() {}

  /** Returns whether column values of {@code type} have a Java value. */
  static boolean supports(PDataType<?> type) {
    return type.isFixedWidth() && (ColumnTypes.isExactNumber(type) || isMilliseconds(type));
  }

  /** Returns the Java value of a constant other than null, or null if its type has none. */
  static @Nullable Comparable<?> of(Constant constant) {
    Object value = constant.value();
    if (constant.type() == PBoolean.INSTANCE) {
      return (Boolean) value;
    }
    if (ColumnTypes.isExactNumber(constant.type())) {
      return constant.number();
    }
    return isMilliseconds(constant.type()) ? new Date(((Date) value).getTime()) : null;
  }

  /** Returns the values of a column of a supported type within {@code bounds}, including null. */
  static ValueInterval between(KeyBounds.Bounds bounds, PDataType<?> type) {
    return ValueInterval.between(bound(bounds.lower(), 0, type), bound(bounds.upper(), 0xFF, type))
        .orNull(bounds.isNullable());
  }

  /**
   * Returns the values of a column of a supported type whose encodings are between two bounds.
   *
   * @param lower inclusive, bytes of any length, or null if there is no lower bound
   * @param upper exclusive, bytes of any length, or null if there is no upper bound
   */
  static ValueInterval between(
      byte @Nullable [] lower, byte @Nullable [] upper, PDataType<?> type) {
    int width = type.getByteSize();
    byte[] first = lower == null ? null : Arrays.copyOf(lower, width);
    if (lower != null && lower.length > width) {
      first = plus(lower, 1, width);
    }
    byte[] last = upper == null ? null : Arrays.copyOf(upper, width);
    if (upper != null && upper.length <= width) {
      last = plus(upper, -1, width);
    }
    return ValueInterval.between(bound(first, 0, type), bound(last, 0xFF, type));
  }

  /**
   * Adds 1 or -1 to the first {@code width} bytes. Returns null if there is no such value, which
   * means no bound.
   */
  private static byte @Nullable [] plus(byte[] bytes, int one, int width) {
    byte[] result = Arrays.copyOf(bytes, width);
    for (int i = width - 1; i >= 0; i--) {
      result[i] += (byte) one;
      if (result[i] != (byte) (one > 0 ? 0 : -1)) {
        return result;
      }
    }
    return null;
  }

  /**
   * Returns the value of {@code type} that is closest to a bound. Region boundaries need not be
   * encoded values of the type.
   *
   * @param encoded the bound, or null if it is absent
   * @param absent byte that fills an absent bound
   */
  private static Comparable<?> bound(byte @Nullable [] encoded, int absent, PDataType<?> type) {
    byte[] bytes = encoded == null ? new byte[type.getByteSize()] : encoded.clone();
    if (encoded == null) {
      Arrays.fill(bytes, (byte) absent);
    }
    if (ColumnTypes.isSigned(type)) {
      bytes[0] ^= (byte) 0x80;
    } else if (bytes[0] < 0) {
      Arrays.fill(bytes, (byte) 0xFF);
      bytes[0] = Byte.MAX_VALUE;
    }
    BigInteger value = new BigInteger(bytes);
    return isMilliseconds(type) ? new Date(value.longValue()) : new BigDecimal(value);
  }

  private static boolean isMilliseconds(PDataType<?> type) {
    return type == PDate.INSTANCE
        || type == PTime.INSTANCE
        || type == PUnsignedDate.INSTANCE
        || type == PUnsignedTime.INSTANCE;
  }
}

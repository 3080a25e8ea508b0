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
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PDouble;
import org.apache.phoenix.schema.types.PFloat;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PSmallint;
import org.apache.phoenix.schema.types.PTime;
import org.apache.phoenix.schema.types.PTimestamp;
import org.apache.phoenix.schema.types.PTinyint;
import org.apache.phoenix.schema.types.PUnsignedDate;
import org.apache.phoenix.schema.types.PUnsignedDouble;
import org.apache.phoenix.schema.types.PUnsignedFloat;
import org.apache.phoenix.schema.types.PUnsignedInt;
import org.apache.phoenix.schema.types.PUnsignedLong;
import org.apache.phoenix.schema.types.PUnsignedSmallint;
import org.apache.phoenix.schema.types.PUnsignedTime;
import org.apache.phoenix.schema.types.PUnsignedTimestamp;
import org.apache.phoenix.schema.types.PUnsignedTinyint;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;

/** Properties of the types of key columns. */
final class ColumnTypes {

  private ColumnTypes() {}

  /**
   * Returns whether a cast keeps all values of a column equal and in the same order. Casts of CHAR
   * to VARCHAR and of BINARY to VARBINARY do not, because the values keep their padding.
   */
  static boolean keepsValue(PDataType<?> from, PDataType<?> to) {
    return from == to
        || (isExactNumber(from) && (to == PDecimal.INSTANCE || to == PLong.INSTANCE && isInt(from)))
        || (isTime(from) && (to == PDecimal.INSTANCE || isTime(to) && widensTime(from, to)));
  }

  private static boolean isInt(PDataType<?> type) {
    return type == PInteger.INSTANCE
        || type == PUnsignedInt.INSTANCE
        || type == PSmallint.INSTANCE
        || type == PUnsignedSmallint.INSTANCE
        || type == PTinyint.INSTANCE
        || type == PUnsignedTinyint.INSTANCE;
  }

  /** Returns whether {@code type} is an integer type or DECIMAL. */
  static boolean isExactNumber(PDataType<?> type) {
    return isInt(type)
        || type == PLong.INSTANCE
        || type == PUnsignedLong.INSTANCE
        || type == PDecimal.INSTANCE;
  }

  /** Returns whether all values of {@code type} are whole numbers or whole milliseconds. */
  static boolean isWhole(PDataType<?> type) {
    return (isExactNumber(type) && type != PDecimal.INSTANCE)
        || (isTime(type) && type.getByteSize() == Long.BYTES);
  }

  /** Returns whether the encoding of {@code type}, a type of fixed width, inverts the first bit. */
  static boolean isSigned(PDataType<?> type) {
    return type == PInteger.INSTANCE
        || type == PLong.INSTANCE
        || type == PSmallint.INSTANCE
        || type == PTinyint.INSTANCE
        || isSignedTime(type);
  }

  /**
   * Compares a number with the values of an integer type.
   *
   * @return 1 if the number is greater than all values, -1 if it is less than all values, otherwise
   *     0. Always 0 if {@code type} is not an integer type.
   */
  static int compareWithDomain(PDataType<?> type, BigDecimal number) {
    if (!isInt(type) && type != PLong.INSTANCE && type != PUnsignedLong.INSTANCE) {
      return 0;
    }
    BigDecimal end = new BigDecimal(BigInteger.ONE.shiftLeft(type.getByteSize() * Byte.SIZE - 1));
    if (number.compareTo(end) >= 0) {
      return 1;
    }
    return number.compareTo(isSigned(type) ? end.negate() : BigDecimal.ZERO) < 0 ? -1 : 0;
  }

  /** Returns whether {@code type} is a date, time or timestamp type. */
  static boolean isTime(PDataType<?> type) {
    return isSignedTime(type)
        || type == PUnsignedDate.INSTANCE
        || type == PUnsignedTime.INSTANCE
        || type == PUnsignedTimestamp.INSTANCE;
  }

  /** Returns whether {@code type} can encode times before 1970. */
  static boolean isSignedTime(PDataType<?> type) {
    return type == PDate.INSTANCE || type == PTime.INSTANCE || type == PTimestamp.INSTANCE;
  }

  private static boolean widensTime(PDataType<?> from, PDataType<?> to) {
    return from.getByteSize() <= to.getByteSize() && isSignedTime(from) == isSignedTime(to);
  }

  static boolean isText(PDataType<?> type) {
    return type == PChar.INSTANCE || type == PVarchar.INSTANCE;
  }

  static boolean isBytes(PDataType<?> type) {
    return type == PBinary.INSTANCE || type == PVarbinary.INSTANCE;
  }

  static boolean isFloatingPoint(PDataType<?> type) {
    return type == PDouble.INSTANCE
        || type == PFloat.INSTANCE
        || type == PUnsignedDouble.INSTANCE
        || type == PUnsignedFloat.INSTANCE;
  }
}

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
package io.phoenixpruning.it.fuzz;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.apache.calcite.avatica.util.ByteString;

/**
 * A value of a column.
 *
 * @param value value as {@link ValueType} defines it, or null
 */
record TypedValue(ValueType type, Object value) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  Object jdbc() {
    return type.toJdbc(value);
  }

  /** Returns the value as a literal of Phoenix. */
  String literal() {
    if (value == null) {
      return "NULL";
    }
    return switch (type.kind) {
      case INTEGER, FLOATING, DECIMAL -> ((BigDecimal) value).toPlainString();
      case STRING -> "'" + value + "'";
      case BOOLEAN -> value.toString().toUpperCase(Locale.ROOT);
      case BYTES -> "X'" + ((ByteString) value).toString(16) + "'";
      case TIME ->
          "TO_"
              + type
              + "('"
              + TIME.format(Instant.ofEpochMilli(((BigDecimal) value).longValueExact()))
              + "')";
    };
  }
}

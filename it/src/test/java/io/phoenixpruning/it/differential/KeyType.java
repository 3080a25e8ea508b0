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
package io.phoenixpruning.it.differential;

import java.math.BigDecimal;
import java.sql.Date;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The type of a column, with sample values. There are few samples, so conditions often match.
 * Values have the form of a {@link WorkerAnswer}: BigDecimal, text, or hexadecimal text for bytes.
 */
enum KeyType {
  VARCHAR("VARCHAR", "a", "aa", "ab", "b", "ba", "c c", "ca", "d"),
  PREFIXES("VARCHAR", "a", "a\u0001", "ab", "b", "b\u0001\u0001", "bz"),
  CHAR("CHAR(3)", "a", "ab", "abc", "b", "ba", "c"),
  INTEGER("INTEGER", -1, 0, 1, 2, 3, 4, 5),
  BIGINT("BIGINT", -1, 0, 1, 2, 3, 4, Long.MAX_VALUE),
  TINYINT("TINYINT", -128, -1, 0, 1, 2, 127),
  DECIMAL("DECIMAL", "-1.83", "-1", "0", "1", "1.0001", "1.01", "2", "10"),
  SCALED("DECIMAL(10,2)", "-1.83", "-1", "0", "0.5", "1", "1.01", "2"),
  DATE("DATE", 0, 1, 3_600_000, 3_600_001, 86_400_000, 1_577_836_800_000L, 253_402_300_799_999L),

  /**
   * Samples do not end with 0x00 or 0xFF, because Phoenix drops such a last byte when it reads a
   * key. No patch changes this.
   */
  VARBINARY("VARBINARY", "0001", "0002", "01", "0101", "0102", "02", "fe");

  final String ddl;
  private final List<Object> values;

  KeyType(String ddl, Object... values) {
    this.ddl = ddl;
    this.values = Arrays.stream(values).map(this::canonical).toList();
  }

  private Object canonical(Object value) {
    return isText() || isBytes() ? value : number(new BigDecimal(value.toString()));
  }

  static BigDecimal number(BigDecimal value) {
    return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
  }

  List<Object> samples() {
    return values;
  }

  /** Returns the name of the type in the metadata of a result. */
  String sqlType() {
    return ddl.replaceAll("\\(.*", "");
  }

  boolean isText() {
    return ddl.contains("CHAR");
  }

  boolean isBytes() {
    return ddl.equals("VARBINARY");
  }

  boolean isVariable() {
    return ddl.equals("VARCHAR") || isBytes() || ddl.startsWith("DECIMAL");
  }

  /** Returns the value as a parameter of a statement. */
  Object toJdbc(Object value) {
    if (value == null || isText()) {
      return value;
    }
    return switch (this) {
      case VARBINARY -> Bytes.fromHex((String) value);
      case INTEGER -> ((BigDecimal) value).intValueExact();
      case BIGINT -> ((BigDecimal) value).longValueExact();
      case TINYINT -> ((BigDecimal) value).byteValueExact();
      case DATE -> new Date(((BigDecimal) value).longValueExact());
      default -> value;
    };
  }

  /** Returns the value as a literal; null if only a parameter can hold it. */
  String literal(Object value) {
    if (this == DATE || this == PREFIXES) {
      return null;
    }
    return isText()
        ? "'" + value + "'"
        : isBytes() ? "X'" + value + "'" : ((BigDecimal) value).toPlainString();
  }

  @SuppressWarnings("unchecked")
  static int compare(Object one, Object other) {
    return ((Comparable<Object>) one).compareTo(other);
  }
}

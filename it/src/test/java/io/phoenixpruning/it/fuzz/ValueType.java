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
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.phoenix.schema.types.PDataType;

/**
 * Types of columns. In the oracle and in this package, a value is a BigDecimal, a String, a
 * ByteString or a Boolean. BigDecimals are numbers, or times in milliseconds since 1970. {@link
 * #toJdbc} converts values for Phoenix.
 */
enum ValueType {
  TINYINT(Kind.INTEGER, "TINYINT"),
  SMALLINT(Kind.INTEGER, "SMALLINT"),
  INTEGER(Kind.INTEGER, "INTEGER"),
  BIGINT(Kind.INTEGER, "BIGINT"),
  UNSIGNED_INT(Kind.INTEGER, "UNSIGNED_INT"),
  UNSIGNED_LONG(Kind.INTEGER, "UNSIGNED_LONG"),
  FLOAT(Kind.FLOATING, "FLOAT"),
  DOUBLE(Kind.FLOATING, "DOUBLE"),
  DECIMAL(Kind.DECIMAL, "DECIMAL"),
  SCALED(Kind.DECIMAL, "DECIMAL(12,3)"),
  VARCHAR(Kind.STRING, "VARCHAR"),
  CHAR(Kind.STRING, "CHAR(4)"),
  DATE(Kind.TIME, "DATE"),
  TIME(Kind.TIME, "TIME"),
  TIMESTAMP(Kind.TIME, "TIMESTAMP"),
  BOOLEAN(Kind.BOOLEAN, "BOOLEAN"),
  BINARY(Kind.BYTES, "BINARY(3)"),
  VARBINARY(Kind.BYTES, "VARBINARY");

  /** Group of types that allow the same operations. */
  enum Kind {
    INTEGER,
    FLOATING,
    DECIMAL,
    STRING,
    TIME,
    BOOLEAN,
    BYTES
  }

  private static final String LETTERS = "abcdz";
  private static final BigDecimal HOUR = BigDecimal.valueOf(3_600_000);

  final Kind kind;
  final String ddl;

  ValueType(Kind kind, String ddl) {
    this.kind = kind;
    this.ddl = ddl;
  }

  boolean isNumber() {
    return kind == Kind.INTEGER || kind == Kind.FLOATING || kind == Kind.DECIMAL;
  }

  /** Returns whether a key column of this type has the same width in all rows. */
  boolean isFixedWidth() {
    return phoenixType().isFixedWidth();
  }

  PDataType<?> phoenixType() {
    return PDataType.fromSqlTypeName(ddl.contains("(") ? ddl.substring(0, ddl.indexOf('(')) : ddl);
  }

  /**
   * Returns the length of a fixed-width column in bytes, or null if the type itself determines it.
   */
  Integer maxLength() {
    return switch (this) {
      case CHAR -> 4;
      case BINARY -> 3;
      default -> null;
    };
  }

  SqlTypeName calciteType() {
    return switch (kind) {
      case INTEGER, FLOATING, DECIMAL, TIME -> SqlTypeName.DECIMAL;
      case STRING -> SqlTypeName.VARCHAR;
      case BOOLEAN -> SqlTypeName.BOOLEAN;
      case BYTES -> SqlTypeName.VARBINARY;
    };
  }

  /** Returns the smallest value of an integer or a time. */
  BigDecimal min() {
    return switch (this) {
      case TINYINT -> BigDecimal.valueOf(Byte.MIN_VALUE);
      case SMALLINT -> BigDecimal.valueOf(Short.MIN_VALUE);
      case INTEGER -> BigDecimal.valueOf(Integer.MIN_VALUE);
      case UNSIGNED_INT, UNSIGNED_LONG -> BigDecimal.ZERO;
      default -> BigDecimal.valueOf(Long.MIN_VALUE);
    };
  }

  /** Returns the largest value of an integer or a time. */
  BigDecimal max() {
    return switch (this) {
      case TINYINT -> BigDecimal.valueOf(Byte.MAX_VALUE);
      case SMALLINT -> BigDecimal.valueOf(Short.MAX_VALUE);
      case INTEGER, UNSIGNED_INT -> BigDecimal.valueOf(Integer.MAX_VALUE);
      default -> BigDecimal.valueOf(Long.MAX_VALUE);
    };
  }

  /** Returns whether a column of this type stores the number or string unchanged. */
  boolean holds(Object value) {
    return switch (this) {
      case FLOAT ->
          new BigDecimal(((BigDecimal) value).floatValue()).compareTo((BigDecimal) value) == 0;
      case DOUBLE ->
          new BigDecimal(((BigDecimal) value).doubleValue()).compareTo((BigDecimal) value) == 0;
      case SCALED -> ((BigDecimal) value).stripTrailingZeros().scale() <= 3;
      case CHAR -> ((String) value).getBytes(StandardCharsets.UTF_8).length <= maxLength();
      default -> true;
    };
  }

  /**
   * Returns a random value for a row. There are few different values, so that they often equal
   * values of other rows and of predicates.
   */
  Comparable<?> random(Random random) {
    return switch (this) {
      case TINYINT -> integer(random, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> integer(random, Short.MIN_VALUE, Short.MAX_VALUE);
      case INTEGER -> integer(random, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> integer(random, Long.MIN_VALUE, Long.MAX_VALUE);
      case UNSIGNED_INT -> integer(random, 0, Integer.MAX_VALUE);
      case UNSIGNED_LONG -> integer(random, 0, Long.MAX_VALUE);
      case FLOAT, DOUBLE ->
          number(BigDecimal.valueOf(random.nextInt(160) - 80, 0).multiply(new BigDecimal("0.25")));
      case DECIMAL, SCALED ->
          number(
              random.nextInt(10) == 0
                  ? new BigDecimal(random.nextBoolean() ? "-123456789.125" : "123456789.125")
                  : BigDecimal.valueOf(random.nextInt(4_000) - 2_000, random.nextInt(4)));
      case VARCHAR -> text(random, 1 + random.nextInt(5));
      case CHAR -> text(random, 1 + random.nextInt(4)).replace('\u00e9', '~');
      case DATE ->
          number(
              HOUR.multiply(BigDecimal.valueOf(random.nextInt(200)))
                  .add(BigDecimal.valueOf(random.nextInt(3))));
      case TIME -> number(BigDecimal.valueOf(random.nextInt(40) * 1_000L));
      case TIMESTAMP ->
          number(BigDecimal.valueOf((random.nextInt(80) - 20) * 86_400_000L + random.nextInt(2)));
      case BOOLEAN -> random.nextBoolean();
      case BINARY -> bytes(random, 3);
      case VARBINARY -> bytes(random, 1 + random.nextInt(3));
    };
  }

  private static BigDecimal integer(Random random, long min, long max) {
    if (random.nextInt(12) == 0) {
      return number(BigDecimal.valueOf(random.nextBoolean() ? min : max));
    }
    long small = random.nextInt(50) - (min < 0 ? 15 : 0);
    return number(BigDecimal.valueOf(small));
  }

  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(
          random.nextInt(12) == 0 ? "\u00e9" : LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.toString();
  }

  /** Returns random bytes. The last one is never a byte that Phoenix strips from an index key. */
  private static ByteString bytes(Random random, int length) {
    byte[] some = {0, 1, 127, -128, -2};
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = some[random.nextInt(some.length)];
    }
    bytes[length - 1] = (byte) (1 + random.nextInt(5));
    return new ByteString(bytes);
  }

  /** Returns the canonical form of a number, in which equal numbers are equal objects. */
  static BigDecimal number(BigDecimal value) {
    return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
  }

  /** Converts a value for {@code setObject}. */
  Object toJdbc(Object value) {
    if (value == null) {
      return null;
    }
    return switch (this) {
      case TINYINT -> ((BigDecimal) value).byteValueExact();
      case SMALLINT -> ((BigDecimal) value).shortValueExact();
      case INTEGER, UNSIGNED_INT -> ((BigDecimal) value).intValueExact();
      case BIGINT, UNSIGNED_LONG -> ((BigDecimal) value).longValueExact();
      case FLOAT -> ((BigDecimal) value).floatValue();
      case DOUBLE -> ((BigDecimal) value).doubleValue();
      case DATE -> new Date(((BigDecimal) value).longValueExact());
      case TIME -> new Time(((BigDecimal) value).longValueExact());
      case TIMESTAMP -> new Timestamp(((BigDecimal) value).longValueExact());
      case BINARY, VARBINARY -> ((ByteString) value).getBytes();
      case DECIMAL, SCALED, VARCHAR, CHAR, BOOLEAN -> value;
    };
  }

  /**
   * Converts a value that Phoenix or the oracle returned, whatever its class is. Trailing blanks
   * are removed, because Phoenix pads a CHAR that it reads from an index.
   */
  static Object fromJdbc(Object value) {
    if (value instanceof Number number) {
      return number(new BigDecimal(number.toString()));
    }
    if (value instanceof java.util.Date date) {
      return number(BigDecimal.valueOf(date.getTime()));
    }
    if (value instanceof String text) {
      return text.stripTrailing();
    }
    return value instanceof byte[] bytes ? new ByteString(bytes) : value;
  }

  /**
   * Returns the constant as a literal of both dialects, or as a bound parameter for Phoenix.
   *
   * @param value null only if the constant is bound
   */
  Sql constant(Object value, boolean bound) {
    String calcite = value == null ? calciteNull() : calciteLiteral(value);
    return bound || kind == Kind.TIME || kind == Kind.FLOATING
        ? new Sql("?", calcite, Collections.singletonList(toJdbc(value)))
        : Sql.of(phoenixLiteral(value), calcite);
  }

  /** Returns a fraction, or a number that is too small or too large for this type of integers. */
  Sql inexactConstant(Random random) {
    BigDecimal number =
        switch (random.nextInt(4)) {
          case 0 -> min().subtract(BigDecimal.ONE);
          case 1 -> max().add(new BigDecimal("0.5"));
          default -> BigDecimal.valueOf(2L * random.nextInt(40) - 19).movePointLeft(1);
        };
    return random.nextBoolean()
        ? Sql.of(number.toPlainString())
        : new Sql("?", number.toPlainString(), List.of(number));
  }

  private String calciteNull() {
    return switch (kind) {
      case INTEGER, FLOATING, DECIMAL, TIME -> "CAST(NULL AS DECIMAL(100, 20))";
      case STRING -> "CAST(NULL AS VARCHAR)";
      case BOOLEAN -> "CAST(NULL AS BOOLEAN)";
      case BYTES -> "CAST(NULL AS VARBINARY)";
    };
  }

  private static String phoenixLiteral(Object value) {
    if (value instanceof BigDecimal number) {
      return number.toPlainString();
    }
    return value instanceof ByteString bytes
        ? "X'" + bytes.toString(16) + "'"
        : value instanceof String ? "'" + value + "'" : value.toString().toUpperCase(Locale.ROOT);
  }

  /**
   * Returns a literal with an explicit type. Otherwise Calcite would pad the shorter strings of an
   * IN list.
   */
  private static String calciteLiteral(Object value) {
    if (value instanceof BigDecimal number) {
      return number.toPlainString();
    }
    if (value instanceof String text) {
      return "CAST('" + text + "' AS VARCHAR)";
    }
    return value instanceof ByteString bytes
        ? "CAST(X'" + bytes.toString(16) + "' AS VARBINARY)"
        : value.toString().toUpperCase(Locale.ROOT);
  }

  /** Returns the bytes of the value in a row key, ascending, without a separator. */
  byte[] keyBytes(Object value) {
    byte[] bytes = phoenixType().toBytes(toJdbc(value));
    if (this != CHAR) {
      return bytes;
    }
    byte[] padded = Arrays.copyOf(bytes, maxLength());
    Arrays.fill(padded, bytes.length, padded.length, (byte) ' ');
    return padded;
  }
}

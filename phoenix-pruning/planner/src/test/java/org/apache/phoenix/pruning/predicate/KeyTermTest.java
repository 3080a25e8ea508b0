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

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.function.CeilDateExpression;
import org.apache.phoenix.expression.function.CeilTimestampExpression;
import org.apache.phoenix.expression.function.FloorDateExpression;
import org.apache.phoenix.expression.function.RoundDateExpression;
import org.apache.phoenix.expression.function.RoundTimestampExpression;
import org.apache.phoenix.pruning.key.KeyColumn;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.RowKeyLayout;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PDouble;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PTimestamp;
import org.apache.phoenix.schema.types.PTinyint;
import org.apache.phoenix.schema.types.PUnsignedDate;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Compares the ranges of each term with the values of a column that meet the condition. The ranges
 * must contain all of these values. Exact ranges must contain no other values.
 */
@RunWith(JUnitParamsRunner.class)
public class KeyTermTest {

  private static final int COLUMN = 3;

  private static final List<CompareOperator> OPERATORS =
      List.of(
          CompareOperator.LESS,
          CompareOperator.LESS_OR_EQUAL,
          CompareOperator.EQUAL,
          CompareOperator.NOT_EQUAL,
          CompareOperator.GREATER_OR_EQUAL,
          CompareOperator.GREATER);

  private static final RowKeyLayout VARIABLE =
      RowKeyLayout.of(KeyColumn.variable("K", false, true));

  private static final int WIDTH = 2;
  private static final RowKeyLayout FIXED = RowKeyLayout.of(KeyColumn.fixed("K", WIDTH, false));
  private static final RowKeyLayout ONE_BYTE = RowKeyLayout.of(KeyColumn.fixed("K", 1, false));
  private static final RowKeyLayout EIGHT_BYTES =
      RowKeyLayout.of(KeyColumn.fixed("K", Long.BYTES, false));

  /** All texts of one to three characters, of which one is below the space. */
  private static final List<String> TEXTS = texts(3);

  private static List<String> texts(int maxLength) {
    List<String> texts = new ArrayList<>();
    List<String> longest = List.of("");
    for (int length = 1; length <= maxLength; length++) {
      List<String> longer = new ArrayList<>();
      for (String text : longest) {
        for (char c : new char[] {'\u0001', ' ', 'a', 'b'}) {
          longer.add(text + c);
        }
      }
      texts.addAll(longer);
      longest = longer;
    }
    return texts;
  }

  private static boolean contains(RowKeyLayout layout, List<ValueRange> ranges, byte[] value) {
    return Arrays.equals(KeySpace.of(layout, 0, ranges).next(value), value);
  }

  private static void assertHasMatches(
      String condition,
      RowKeyLayout layout,
      List<ValueRange> ranges,
      byte[] value,
      boolean matches) {
    if (matches) {
      assertThat(contains(layout, ranges, value))
          .as("%s, %s", condition, Bytes.toStringBinary(value))
          .isTrue();
    }
  }

  private static Constant text(String text) {
    return Constant.of(text, PVarchar.INSTANCE);
  }

  private static ColumnTerm varchar() {
    return new ColumnTerm(COLUMN, PVarchar.INSTANCE, null);
  }

  /** Compares texts that are not empty, since an empty text is null. */
  private static void assertTexts(
      KeyTerm term, Function<String, String> function, boolean isExact, List<String> unsupported) {
    assertThat(term.column()).isEqualTo(COLUMN);
    List<String> withoutRanges = new ArrayList<>();
    for (CompareOperator operator : OPERATORS) {
      for (String constant : TEXTS) {
        List<ValueRange> ranges = term.where(operator, text(constant));
        if (ranges == null) {
          withoutRanges.add(operator + " " + constant);
          continue;
        }
        for (String value : TEXTS) {
          String result = function.apply(value);
          boolean matches =
              !result.isEmpty()
                  && CompareOperatorsTest.holds(operator, result.compareTo(constant), 0);
          String condition = operator + " " + constant;
          assertHasMatches(condition, VARIABLE, ranges, Bytes.toBytes(value), matches);
          if (isExact) {
            assertThat(contains(VARIABLE, ranges, Bytes.toBytes(value)))
                .as("%s, %s", condition, value)
                .isEqualTo(matches);
          }
        }
      }
    }
    assertThat(withoutRanges).isEqualTo(unsupported);
  }

  private static List<String> unsupported(Predicate<CompareOperator> operators, boolean isControl) {
    List<String> conditions = new ArrayList<>();
    for (CompareOperator operator : OPERATORS) {
      for (String constant : TEXTS) {
        if (operators.test(operator) && (!isControl || constant.contains("\u0001"))) {
          conditions.add(operator + " " + constant);
        }
      }
    }
    return conditions;
  }

  private static boolean isLess(CompareOperator operator) {
    return operator == CompareOperator.LESS || operator == CompareOperator.LESS_OR_EQUAL;
  }

  @Test
  public void comparesTexts() {
    assertTexts(varchar(), value -> value, true, List.of());
    assertThat(varchar().isNullWithColumn()).isTrue();
  }

  @Test
  @Parameters({"1", "2", "3"})
  public void comparesPrefixesOfTexts(int characters) {
    SubstringTerm term = new SubstringTerm(varchar(), characters);
    assertTexts(
        term, value -> value.substring(0, Math.min(characters, value.length())), true, List.of());
    assertThat(term.isNullWithColumn()).isTrue();
    assertThat(term.where(CompareOperator.EQUAL, Constant.of(5, PInteger.INSTANCE))).isNull();
    assertThat(term.where(CompareOperator.NO_OP, text("abbb"))).isNull();
  }

  @Test
  public void comparesTextsWithoutTrailingSpaces() {
    RightTrimTerm term = new RightTrimTerm(varchar());
    List<String> conditions = unsupported(KeyTermTest::isLess, true);
    conditions.addAll(unsupported(operator -> operator == CompareOperator.NOT_EQUAL, false));
    assertTexts(term, value -> value.replaceAll(" +$", ""), false, conditions);
    assertThat(term.isNullWithColumn()).isFalse();
    assertThat(term.where(CompareOperator.EQUAL, Constant.of(5, PInteger.INSTANCE))).isNull();
    assertThat(contains(VARIABLE, term.where(CompareOperator.EQUAL, text("a")), Bytes.toBytes("b")))
        .isFalse();
    assertThat(contains(VARIABLE, term.where(CompareOperator.LESS, text("a")), Bytes.toBytes("b")))
        .isFalse();
    assertThat(
            contains(VARIABLE, term.where(CompareOperator.GREATER, text("b")), Bytes.toBytes("a")))
        .isFalse();
  }

  @Test
  public void comparesTextsUnpadded() {
    assertTexts(new UnpaddedTextTerm(COLUMN, SortOrder.ASC), value -> value, true, List.of());
    UnpaddedTextTerm descending = new UnpaddedTextTerm(COLUMN, SortOrder.DESC);
    assertTexts(
        descending,
        value -> value,
        true,
        unsupported(
            operator -> operator != CompareOperator.EQUAL && operator != CompareOperator.NOT_EQUAL,
            false));
    assertThat(descending.isNullWithColumn()).isFalse();
    assertThat(descending.whereStartsWith(Bytes.toBytes("a"))).isNull();
    for (CompareOperator operator : OPERATORS) {
      List<ValueRange> ranges =
          new UnpaddedTextTerm(COLUMN, SortOrder.ASC).where(operator, text("a"));
      boolean isMetBySpaces = CompareOperatorsTest.holds(operator, " ".compareTo("a"), 0);
      assertThat(ranges.contains(ValueRange.NULL)).as("%s", operator).isEqualTo(isMetBySpaces);
    }
    assertThat(descending.where(CompareOperator.EQUAL, Constant.of(5, PInteger.INSTANCE))).isNull();
  }

  @Test
  public void findsTextsThatStartWithAText() {
    for (String prefix : TEXTS) {
      for (KeyTerm term :
          List.of(varchar(), new SubstringTerm(varchar(), 3), new RightTrimTerm(varchar()))) {
        List<ValueRange> ranges = term.whereStartsWith(Bytes.toBytes(prefix));
        for (String value : TEXTS) {
          assertThat(contains(VARIABLE, ranges, Bytes.toBytes(value)))
              .as("%s, %s", prefix, value)
              .isEqualTo(value.startsWith(prefix));
        }
      }
    }
    assertThat(varchar().whereStartsWith(new byte[0])).containsExactly(ValueRange.NOT_NULL);
    assertThat(new ColumnTerm(COLUMN, PLong.INSTANCE, null).whereStartsWith(new byte[1])).isNull();
  }

  /** Phoenix pads the values of a CHAR, and compares them without the padding. */
  @Test
  public void comparesTextsOfOneWidth() {
    ColumnTerm term = new ColumnTerm(COLUMN, PChar.INSTANCE, WIDTH);
    for (PDataType<?> type : List.<PDataType<?>>of(PVarchar.INSTANCE, PChar.INSTANCE)) {
      for (CompareOperator operator : OPERATORS) {
        for (String text : TEXTS) {
          String constant = text.replaceAll(" +$", "");
          List<ValueRange> ranges = term.where(operator, Constant.of(text, type));
          boolean isUnsupported =
              operator == CompareOperator.NOT_EQUAL
                  || constant.length() > WIDTH
                  || (isLess(operator) && constant.contains("\u0001"));
          assertThat(ranges == null).as("%s %s %s", operator, type, text).isEqualTo(isUnsupported);
          if (ranges != null) {
            for (String value : texts(WIDTH)) {
              String trimmed = value.replaceAll(" +$", "");
              byte[] padded = Bytes.toBytes((value + " ").substring(0, WIDTH));
              boolean matches =
                  CompareOperatorsTest.holds(operator, trimmed.compareTo(constant), 0);
              assertHasMatches(operator + " " + type + " " + text, FIXED, ranges, padded, matches);
              boolean isExact =
                  operator == CompareOperator.EQUAL
                      || (operator == CompareOperator.LESS && type == PChar.INSTANCE);
              if (isExact && !trimmed.contains("\u0001")) {
                assertThat(contains(FIXED, ranges, padded))
                    .as("%s %s %s, %s", operator, type, text, value)
                    .isEqualTo(matches);
              }
            }
          }
        }
      }
    }
    assertThat(term.where(CompareOperator.LESS, text("a\u0000"))).isNull();
    assertThat(term.whereStartsWith(Bytes.toBytes("abc"))).isEmpty();
    assertThat(contains(FIXED, term.whereStartsWith(Bytes.toBytes("ab")), Bytes.toBytes("ab")))
        .isTrue();
  }

  /** Phoenix compares a shorter constant as it is, or pads it with zero bytes. */
  @Test
  public void comparesBytesOfOneWidth() {
    ColumnTerm term = new ColumnTerm(COLUMN, PBinary.INSTANCE, WIDTH);
    List<byte[]> constants = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    int[] bytes = {0, 1, 0x7F, 0xFF};
    for (int first : bytes) {
      constants.add(new byte[] {(byte) first});
      for (int second : bytes) {
        values.add(new byte[] {(byte) first, (byte) second});
      }
    }
    constants.addAll(values);
    for (byte[] constant : constants) {
      for (CompareOperator operator : OPERATORS) {
        List<ValueRange> ranges = term.where(operator, Constant.of(constant, PVarbinary.INSTANCE));
        boolean isWhole = constant.length == WIDTH;
        String condition = operator + " " + Bytes.toStringBinary(constant);
        assertThat(ranges == null)
            .as(condition)
            .isEqualTo(operator == CompareOperator.NOT_EQUAL && !isWhole);
        for (byte[] value : values) {
          if (ranges != null) {
            for (byte[] compared : List.of(constant, Arrays.copyOf(constant, WIDTH))) {
              assertHasMatches(
                  condition,
                  FIXED,
                  ranges,
                  value,
                  CompareOperatorsTest.holds(operator, Bytes.compareTo(value, compared), 0));
            }
            if (isWhole) {
              assertThat(contains(FIXED, ranges, value))
                  .as(condition)
                  .isEqualTo(
                      CompareOperatorsTest.holds(operator, Bytes.compareTo(value, constant), 0));
            }
          }
        }
      }
    }
    Constant tooLong = Constant.of(new byte[WIDTH + 1], PVarbinary.INSTANCE);
    assertThat(term.where(CompareOperator.LESS, tooLong)).isNull();
    byte[] low = {0, 1};
    Constant high = Constant.of(new byte[] {1}, PVarbinary.INSTANCE);
    assertThat(contains(FIXED, term.where(CompareOperator.GREATER, high), low)).isFalse();
    Constant zero = Constant.of(new byte[] {0}, PVarbinary.INSTANCE);
    assertThat(contains(FIXED, term.where(CompareOperator.LESS, zero), low)).isFalse();
  }

  @Test
  public void comparesWithNumbersBeyondTheType() {
    ColumnTerm term = new ColumnTerm(COLUMN, PTinyint.INSTANCE, null);
    for (int constant : new int[] {-1000, -129, -128, -127, 0, 5, 126, 127, 128, 1000}) {
      for (CompareOperator operator : OPERATORS) {
        List<ValueRange> ranges = term.where(operator, Constant.of(constant, PInteger.INSTANCE));
        boolean isBeyond = constant < Byte.MIN_VALUE || constant > Byte.MAX_VALUE;
        assertThat(ranges == null)
            .as("%s %s", operator, constant)
            .isEqualTo(isBeyond && operator == CompareOperator.NOT_EQUAL);
        for (int value = Byte.MIN_VALUE; ranges != null && value <= Byte.MAX_VALUE; value++) {
          assertThat(contains(ONE_BYTE, ranges, PTinyint.INSTANCE.toBytes((byte) value)))
              .as("%s %s %s", value, operator, constant)
              .isEqualTo(CompareOperatorsTest.holds(operator, value, constant));
        }
      }
    }
    Constant half = Constant.of(new BigDecimal("5.5"), PDecimal.INSTANCE);
    assertThat(term.where(CompareOperator.EQUAL, half)).isEmpty();
    assertThat(term.where(CompareOperator.LESS, half)).isNull();
    ColumnTerm date = new ColumnTerm(COLUMN, PDate.INSTANCE, null);
    assertThat(date.where(CompareOperator.EQUAL, half)).isNull();
  }

  /** Both zeros are equal, but have different bytes. */
  @Test
  public void comparesFloatingPointNumbers() {
    ColumnTerm term = new ColumnTerm(COLUMN, PDouble.INSTANCE, null);
    assertThat(term.where(CompareOperator.EQUAL, Constant.of(0.0, PDouble.INSTANCE))).isNull();
    assertThat(term.where(CompareOperator.LESS, Constant.of(Double.NaN, PDouble.INSTANCE)))
        .isNull();
    List<ValueRange> below = term.where(CompareOperator.LESS, Constant.of(1.5, PDouble.INSTANCE));
    assertThat(contains(EIGHT_BYTES, below, PDouble.INSTANCE.toBytes(1.25))).isTrue();
    assertThat(contains(EIGHT_BYTES, below, PDouble.INSTANCE.toBytes(1.5))).isFalse();
  }

  /** Returns FLOOR, CEIL and ROUND of a time to the hour. */
  private static List<RoundDateExpression> roundings(Object value, PDataType<?> type)
      throws SQLException {
    List<Expression> arguments = arguments(value, type, "HOUR");
    return List.of(
        (RoundDateExpression) FloorDateExpression.create(arguments),
        (RoundDateExpression) CeilDateExpression.create(arguments),
        (RoundDateExpression) RoundDateExpression.create(arguments));
  }

  private static List<Expression> arguments(Object value, PDataType<?> type, String unit)
      throws SQLException {
    return List.of(
        LiteralExpression.newConstant(value, type),
        LiteralExpression.newConstant(unit),
        LiteralExpression.newConstant(1));
  }

  private static List<PDataType<?>> dates() {
    return List.of(PDate.INSTANCE, PUnsignedDate.INSTANCE);
  }

  /** Returns each of {@link #dates} with the position of each of {@link #roundings}. */
  private static Object[][] datesAndFunctions() {
    return dates().stream()
        .flatMap(type -> IntStream.range(0, 3).mapToObj(function -> new Object[] {type, function}))
        .toArray(Object[][]::new);
  }

  /** Compares with the results of Phoenix's functions around two hours, and around 1970. */
  @Test
  @Parameters(method = "datesAndFunctions")
  public void comparesRoundedTimes(PDataType<?> type, int function) throws SQLException {
    long hour = 3_600_000;
    RowKeyLayout layout = EIGHT_BYTES;
    boolean isSigned = type == PDate.INSTANCE;
    ColumnTerm column = new ColumnTerm(COLUMN, type, null);
    RoundDateExpression rounding = roundings(time(0, type), type).get(function);
    TimeRoundingTerm term = new TimeRoundingTerm(column, rounding, type, isSigned);
    assertThat(term.column()).isEqualTo(COLUMN);
    assertThat(term.isNullWithColumn()).isTrue();
    assertThat(term.whereStartsWith(new byte[1])).isNull();
    assertThat(term.where(CompareOperator.EQUAL, text("a"))).isNull();
    for (long constant : new long[] {-hour, -1, 0, 1, hour, 2 * hour}) {
      for (CompareOperator operator : OPERATORS) {
        if (constant < 0 && !isSigned) {
          continue;
        }
        byte[] wanted = type.toBytes(time(constant, type));
        List<ValueRange> ranges = term.where(operator, Constant.of(time(constant, type), type));
        assertThat(ranges == null)
            .as("%s %s", operator, constant)
            .isEqualTo(operator == CompareOperator.NOT_EQUAL);
        for (long base = isSigned ? -hour : hour; base <= 2 * hour; base += hour) {
          for (long offset : new long[] {-hour / 2, -1, 0, 1, hour / 2 - 1, hour / 2}) {
            Object time = time(base + offset, type);
            byte[] rounded = evaluate(roundings(time, type).get(function));
            boolean matches =
                CompareOperatorsTest.holds(operator, Bytes.compareTo(rounded, wanted), 0);
            if (ranges != null) {
              assertThat(contains(layout, ranges, type.toBytes(time)))
                  .as("%s %s %s", time, operator, constant)
                  .isEqualTo(matches);
            }
          }
        }
      }
    }
  }

  /** The nanoseconds may be rounded up to the next millisecond. */
  @Test
  @Parameters({"false", "true"})
  public void comparesTimestampsRoundedToMilliseconds(boolean isCeil) throws SQLException {
    PDataType<?> type = PTimestamp.INSTANCE;
    RowKeyLayout layout = RowKeyLayout.of(KeyColumn.fixed("K", type.getByteSize(), false));
    ColumnTerm column = new ColumnTerm(COLUMN, type, null);
    TimeRoundingTerm term =
        new TimeRoundingTerm(column, toMillisecond(new Timestamp(0), isCeil), type, true);
    for (long constant = -1; constant <= 3; constant++) {
      Timestamp wanted = new Timestamp(constant);
      for (CompareOperator operator : OPERATORS) {
        List<ValueRange> ranges = term.where(operator, Constant.of(wanted, type));
        assertThat(ranges == null)
            .as("%s %s", operator, constant)
            .isEqualTo(operator == CompareOperator.NOT_EQUAL);
        for (long millis = -3; ranges != null && millis <= 5; millis++) {
          for (int nanos : new int[] {0, 1, 499_999, 500_000, 999_999}) {
            Timestamp time = new Timestamp(millis);
            time.setNanos(time.getNanos() + nanos);
            byte[] rounded = evaluate(toMillisecond(time, isCeil));
            int order = Bytes.compareTo(rounded, type.toBytes(wanted));
            String condition = time + " " + operator + " " + constant;
            assertHasMatches(
                condition,
                layout,
                ranges,
                type.toBytes(time),
                CompareOperatorsTest.holds(operator, order, 0));
            boolean isFar = Math.abs(millis - constant) > 1;
            if (isFar) {
              assertThat(contains(layout, ranges, type.toBytes(time)))
                  .as(condition)
                  .isEqualTo(CompareOperatorsTest.holds(operator, (int) millis, (int) constant));
            }
          }
        }
      }
    }
  }

  private static RoundDateExpression toMillisecond(Timestamp time, boolean isCeil)
      throws SQLException {
    List<Expression> arguments = arguments(time, PTimestamp.INSTANCE, "MILLISECOND");
    return (RoundDateExpression)
        (isCeil
            ? CeilTimestampExpression.create(arguments)
            : RoundTimestampExpression.create(arguments));
  }

  private static Object time(long millis, PDataType<?> type) {
    return type.toObject(new Timestamp(millis), PTimestamp.INSTANCE);
  }

  private static byte[] evaluate(Expression expression) {
    ImmutableBytesWritable result = new ImmutableBytesWritable();
    assertThat(expression.evaluate(null, result)).isTrue();
    return result.copyBytes();
  }

  /** The arithmetic of the functions may overflow for these times, so all of them are kept. */
  @Test
  @Parameters(method = "dates")
  public void comparesRoundedTimesFarFromTheEpoch(PDataType<?> type) throws SQLException {
    boolean isSigned = type == PDate.INSTANCE;
    TimeRoundingTerm term =
        new TimeRoundingTerm(
            new ColumnTerm(COLUMN, type, null),
            roundings(time(0, type), type).get(0),
            type,
            isSigned);
    for (CompareOperator operator : OPERATORS) {
      List<ValueRange> ranges = term.where(operator, Constant.of(time(0, type), type));
      if (ranges != null) {
        byte[] greatest = {(byte) (isSigned ? 0xFF : 0x7F), -1, -1, -1, -1, -1, -1, -1};
        assertThat(contains(EIGHT_BYTES, ranges, greatest)).as("%s", operator).isTrue();
        byte[] least = new byte[Long.BYTES];
        assertThat(isSigned && !contains(EIGHT_BYTES, ranges, least)).as("%s", operator).isFalse();
      }
    }
  }

  @Test
  @Parameters({"0", "1"})
  public void comparesRoundedDecimals(int scale) {
    ColumnTerm column = new ColumnTerm(COLUMN, PDecimal.INSTANCE, null);
    DecimalRoundingTerm term = new DecimalRoundingTerm(column, scale);
    assertThat(term.column()).isEqualTo(COLUMN);
    assertThat(term.isNullWithColumn()).isTrue();
    assertThat(term.whereStartsWith(new byte[1])).isNull();
    assertThat(term.where(CompareOperator.EQUAL, text("a"))).isNull();
    for (int constant = -2; constant <= 2; constant++) {
      BigDecimal wanted = BigDecimal.valueOf(constant);
      for (CompareOperator operator : OPERATORS) {
        List<ValueRange> ranges = term.where(operator, Constant.of(wanted, PDecimal.INSTANCE));
        assertThat(ranges == null)
            .as("%s %s", operator, wanted)
            .isEqualTo(operator == CompareOperator.NOT_EQUAL);
        for (int quarters = -12; ranges != null && quarters <= 12; quarters++) {
          BigDecimal value = BigDecimal.valueOf(quarters).divide(BigDecimal.valueOf(4));
          byte[] encoded = PDecimal.INSTANCE.toBytes(value);
          for (RoundingMode mode :
              List.of(RoundingMode.HALF_UP, RoundingMode.FLOOR, RoundingMode.CEILING)) {
            int order = value.setScale(scale, mode).compareTo(wanted);
            assertHasMatches(
                mode + " " + operator + " " + wanted,
                VARIABLE,
                ranges,
                encoded,
                CompareOperatorsTest.holds(operator, order, 0));
          }
          boolean isFar = value.subtract(wanted).abs().compareTo(BigDecimal.ONE) > 0;
          if (isFar && operator == CompareOperator.EQUAL) {
            assertThat(contains(VARIABLE, ranges, encoded))
                .as("%s %s %s", value, operator, wanted)
                .isFalse();
          }
        }
      }
    }
  }
}

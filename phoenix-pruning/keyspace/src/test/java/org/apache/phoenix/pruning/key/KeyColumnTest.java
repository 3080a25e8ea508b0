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
package org.apache.phoenix.pruning.key;

import static org.apache.phoenix.pruning.key.ByteStrings.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Compares each kind of column with all its short values. */
@RunWith(Parameterized.class)
public class KeyColumnTest {

  /**
   * Bytes of the tested values. Contains the inversion of each of its bytes, and each byte of
   * {@link #FROM} plus 1.
   */
  private static final int[] ALPHABET = {0, 1, 2, 0xFD, 0xFE, 0xFF};

  private static final List<byte[]> FROM = ByteStrings.upTo(3, 0, 1, 0xFE, 0xFF);

  static {
    FROM.add(bytes(1, 0xFE, 0xFF, 0));
    FROM.add(bytes(1, 0xFE, 0xFF, 0xFF));
  }

  private static final List<ValueBound> BOUNDS = new ArrayList<>();

  static {
    for (byte[] bytes : ByteStrings.upTo(2, 0, 1, 0xFF)) {
      BOUNDS.add(ValueBound.before(bytes));
      BOUNDS.add(ValueBound.after(bytes));
      BOUNDS.add(ValueBound.afterPrefix(bytes));
    }
  }

  @Parameters(name = "{0}")
  public static List<Object[]> columns() {
    List<Object[]> columns = new ArrayList<>();
    for (boolean descending : new boolean[] {false, true}) {
      columns.add(new Object[] {KeyColumn.fixed("F1", 1, descending), false});
      columns.add(new Object[] {KeyColumn.fixed("F2", 2, descending), false});
      columns.add(new Object[] {KeyColumn.variable("V", descending, false), false});
      columns.add(new Object[] {KeyColumn.variable("N", descending, true), true});
    }
    columns.add(new Object[] {KeyColumn.variable("L", false, true).last(), true});
    columns.add(new Object[] {KeyColumn.variable("LD", true, true).last(), true});
    columns.add(new Object[] {KeyColumn.trailingBinary("T", false), false});
    columns.add(new Object[] {KeyColumn.trailingBinary("TN", true), true});
    return columns;
  }

  private final KeyColumn column;
  private final TokenRangeEncoder encoder;
  private final boolean nullable;
  private final boolean descendingString;

  public KeyColumnTest(KeyColumn column, boolean nullable) {
    this.column = column;
    this.encoder = new TokenRangeEncoder(column);
    this.nullable = nullable;
    descendingString = column.isDescending() && !column.isFixed();
  }

  /** Returns all values of at most {@code length} bytes. */
  private List<byte[]> values(int length) {
    List<byte[]> values = new ArrayList<>();
    for (byte[] bytes : ByteStrings.upTo(length, ALPHABET)) {
      boolean isValue =
          column.isFixed()
              ? bytes.length == column.width()
              : bytes.length > 0 && (mayHaveZeros() || isText(bytes));
      if (isValue) {
        values.add(bytes);
      }
    }
    return values;
  }

  private boolean mayHaveZeros() {
    return column.isTrailing() || column.isLast();
  }

  private boolean isText(byte[] bytes) {
    return !ByteStrings.contains(bytes, 0) && !(column.isDescending() && bytes[0] == (byte) 0xFF);
  }

  private static List<ValueRange> ranges() {
    List<ValueRange> ranges = new ArrayList<>(List.of(ValueRange.NULL, ValueRange.NOT_NULL));
    for (ValueBound lower : BOUNDS) {
      ranges.add(ValueRange.above(lower));
      ranges.add(ValueRange.below(lower));
      for (ValueBound upper : BOUNDS) {
        ranges.add(ValueRange.between(lower, upper));
      }
    }
    return ranges;
  }

  private static boolean has(ByteRange tokens, byte[] token) {
    return tokens != null
        && ByteStrings.compare(tokens.lower(), token) <= 0
        && (tokens.upper() == null || ByteStrings.compare(token, tokens.upper()) < 0);
  }

  @Test
  public void tokensAreThoseOfTheValuesInTheRange() {
    List<byte[]> values = values(3);
    for (ValueRange range : ranges()) {
      ByteRange tokens = encoder.encode(range);
      for (byte[] value : values) {
        boolean found = has(tokens, column.token(value));
        if (found != ByteStrings.holds(range, value) && !(found && column.isLast())) {
          throw new AssertionError(
              "%s: %s is %s, and has %s: %s"
                  .formatted(column, range, tokens, KeyBytes.toText(value), found));
        }
      }
      if (nullable && !column.isLast()) {
        assertThat(has(tokens, column.nullToken()))
            .as("%s has null", range)
            .isEqualTo(range.isNull());
      }
    }
    assertThat(encoder.encode(ValueRange.NULL) != null).isEqualTo(nullable);
  }

  @Test
  public void tokensOfAdjacentRangesAreAdjacent() {
    for (ValueBound bound : BOUNDS) {
      ValueRange less = ValueRange.below(bound);
      ValueRange greater = ValueRange.above(bound);
      ByteRange below = encoder.encode(column.isDescending() ? greater : less);
      ByteRange above = encoder.encode(column.isDescending() ? less : greater);
      if (below != null && above != null && !column.isLast()) {
        assertThat(below.upper()).as("%s", bound).isEqualTo(above.lower());
      }
      if (below == null && !nullable) {
        assertThat(above).as("%s", bound).isEqualTo(ByteRange.of(bytes(), null));
      }
      if (above != null && above.lower().length > 0 && !descendingString && !column.isLast()) {
        assertThat(column.tokenLength(above.lower()))
            .as("%s is a token", above)
            .isEqualTo(above.lower().length);
      }
    }
    if (!nullable) {
      assertThat(encoder.encode(ValueRange.NOT_NULL)).isEqualTo(ByteRange.of(bytes(), null));
    }
  }

  @Test
  public void findsTheSmallestTokenFromBytes() {
    List<byte[]> tokens = new ArrayList<>();
    if (nullable) {
      tokens.add(column.nullToken());
    }
    for (byte[] value : values(4)) {
      if (!column.isLast() || isText(value) || descendingString) {
        tokens.add(column.token(value));
      }
    }
    tokens.sort(Arrays::compareUnsigned);
    for (byte[] from : FROM) {
      byte[] expected =
          tokens.stream().filter(t -> ByteStrings.compare(t, from) >= 0).findFirst().orElse(null);
      SmallestToken smallest = SmallestToken.from(column, from);
      String what = KeyBytes.toText(from);
      if (smallest == null) {
        assertThat(expected).as(what).isNull();
      } else if (descendingString && !column.isLast() && from.length > 1 && from[0] == 0) {
        // No value of a descending column begins with FF, so no token begins with 0.
        assertThat(ByteStrings.compare(from, smallest.bytes())).as(what).isNotPositive();
        assertThat(ByteStrings.compare(smallest.bytes(), expected)).as(what).isNegative();
      } else if (smallest.isWhole()) {
        assertThat(smallest.bytes()).as(what).isEqualTo(expected);
      } else if (column.isLast()) {
        assertThat(descendingString).as(what).isTrue();
        assertThat(ByteStrings.compare(from, smallest.bytes())).as(what).isNotPositive();
        if (expected != null) {
          assertThat(ByteStrings.compare(smallest.bytes(), expected)).as(what).isNotPositive();
        }
      } else {
        assertThat(descendingString).as(what).isTrue();
        assertThat(ByteStrings.compare(from, smallest.bytes())).as(what).isNotPositive();
        assertThat(ByteStrings.compare(smallest.bytes(), expected)).as(what).isNegative();
        assertThat(
                Arrays.equals(from, bytes(0)) || ByteStrings.startsWith(expected, smallest.bytes()))
            .as("%s: %s", what, smallest.bytes())
            .isTrue();
      }
    }
  }

  @Test
  public void tokenEndsWhereTheNextColumnStarts() {
    for (byte[] value : values(2)) {
      if (column.isLast() && !isText(value)) {
        continue;
      }
      byte[] token = column.token(value);
      for (byte[] rest : ByteStrings.upTo(1, ALPHABET)) {
        byte[] key = ByteStrings.join(token, rest);
        assertThat(column.tokenLength(key))
            .as("%s", key)
            .isEqualTo(column.isTrailing() ? key.length : token.length);
      }
      if (!column.isTrailing()) {
        byte[] cut = Arrays.copyOf(token, token.length - 1);
        boolean none = cut.length > 0 || column.isFixed();
        assertThat(!none || column.tokenLength(cut) < 0).as("no token: %s", cut).isTrue();
      }
    }
  }

  @Test
  public void hasAnEmptyTokenForNull() {
    boolean separated = !column.isFixed() && !column.isTrailing();
    assertThat(column.nullToken()).isEqualTo(separated ? bytes(0) : bytes());
    if (separated) {
      assertThat(column.tokenLength(bytes(0, 5))).isEqualTo(nullable ? 1 : -1);
      assertThat(column.tokenLength(bytes(0))).isEqualTo(nullable ? 1 : -1);
    }
  }

  @Test
  public void theLastSeparatorOfAnAscendingColumnIsNotStored() {
    boolean dropped = !column.isFixed() && !column.isTrailing();
    assertThat(column.lengthAtEnd(bytes(5, 0))).isEqualTo(dropped ? 1 : 2);
    assertThat(column.lengthAtEnd(bytes(0))).isEqualTo(dropped ? 0 : 1);
    assertThat(column.lengthAtEnd(bytes(5, 0xFF))).isEqualTo(2);
    assertThat(column.lengthAtEnd(bytes())).isZero();
  }

  @Test
  public void anOptionalColumnHasTheSameTokens() {
    KeyColumn optional = column.optional();
    assertThat(optional.isOptional()).isTrue();
    assertThat(column.isOptional()).isFalse();
    assertThat(optional).hasToString(column.toString());
    assertThat(optional.isLast()).isEqualTo(column.isLast());
    assertThat(optional.isTrailing()).isEqualTo(column.isTrailing());
    assertThat(optional.name()).isEqualTo(column.name());
    if (column.isLast()) {
      assertThat(optional.last().isOptional()).isTrue();
    }
  }

  @Test
  public void printsItsTypeAndOrder() {
    assertThat(column)
        .hasToString(
            column.name()
                + (column.isFixed() ? "(" + column.width() + ")" : "")
                + (column.isDescending() ? " DESC" : "")
                + (nullable ? "" : " NOT NULL"));
    assertThat(column.isFixedDescending()).isEqualTo(column.isFixed() && column.isDescending());
  }
}

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
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.key.TestKeys.Column;
import org.apache.phoenix.pruning.key.TestKeys.Kind;
import org.apache.phoenix.pruning.key.TestKeys.Row;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Compares {@link KeySpace#next} with all keys of small tables, for conditions that are drawn with
 * a fixed seed.
 */
@RunWith(Parameterized.class)
public class KeySpaceSearchTest {

  private static final int CONDITIONS = 60;
  private static final int STARTS = 30;
  private static final int BUCKETS = 3;

  private static final RowKeyLayout.Salt SALT =
      (key, offset, length) -> {
        int sum = 0;
        for (int i = offset; i < offset + length; i++) {
          sum += key[i] & 0xFF;
        }
        return (byte) (sum % BUCKETS);
      };

  private static final Column FIXED = fixed(false);
  private static final Column FIXED_DESC = fixed(true);
  private static final Column TEXT = text(false, false);
  private static final Column TEXT_OR_NULL = text(false, true);
  private static final Column TEXT_DESC = text(true, false);
  private static final Column TEXT_DESC_OR_NULL = text(true, true);
  private static final Column BINARY =
      new Column(
          KeyColumn.trailingBinary("BINARY", true),
          Kind.BINARY,
          false,
          values(ByteStrings.upTo(3, 0, 1, 0xFF), true));
  private static final Column LAST = last(false);
  private static final Column LAST_DESC = last(true);

  private static Column fixed(boolean descending) {
    return new Column(
        KeyColumn.fixed(descending ? "FIXED_DESC" : "FIXED", 1, descending),
        Kind.FIXED,
        descending,
        List.of(bytes(0), bytes(1), bytes(2), bytes(3), bytes(0xFD), bytes(0xFE), bytes(0xFF)));
  }

  private static Column last(boolean descending) {
    return new Column(
        KeyColumn.variable(descending ? "LAST_DESC" : "LAST", descending, true).last(),
        Kind.TEXT,
        descending,
        values(ByteStrings.upTo(3, 0, 1, 'x'), true));
  }

  private static Column text(boolean descending, boolean nullable) {
    String name = "TEXT" + (descending ? "_DESC" : "") + (nullable ? "_NULL" : "");
    int[] alphabet = descending ? new int[] {1, 2, 0xFE} : new int[] {1, 2, 0xFF};
    return new Column(
        KeyColumn.variable(name, descending, nullable),
        Kind.TEXT,
        descending,
        values(ByteStrings.upTo(3, alphabet), nullable));
  }

  /** Returns {@code all} without the empty string, which Phoenix stores as null. */
  private static List<byte[]> values(List<byte[]> all, boolean nullable) {
    List<byte[]> values = new ArrayList<>(all.subList(1, all.size()));
    if (nullable) {
      values.add(null);
    }
    return values;
  }

  @Parameters(name = "{0}")
  public static List<Object[]> layouts() {
    List<Object[]> layouts = new ArrayList<>();
    for (boolean salted : new boolean[] {false, true}) {
      for (List<Column> columns :
          List.of(
              List.of(FIXED, FIXED),
              List.of(FIXED_DESC, FIXED),
              List.of(TEXT, FIXED),
              List.of(TEXT_OR_NULL, FIXED_DESC),
              List.of(TEXT, TEXT_OR_NULL),
              List.of(FIXED, TEXT_OR_NULL),
              List.of(TEXT_DESC, FIXED),
              List.of(FIXED, TEXT_DESC_OR_NULL),
              List.of(TEXT_OR_NULL, TEXT_DESC_OR_NULL),
              List.of(FIXED, BINARY),
              List.of(FIXED, LAST),
              List.of(FIXED, LAST_DESC),
              List.of(FIXED, FIXED_DESC, FIXED))) {
        String names = columns.stream().map(c -> c.key().name()).collect(Collectors.joining(" "));
        layouts.add(new Object[] {salted ? "SALT " + names : names, columns, salted});
      }
    }
    return layouts;
  }

  private final List<Column> columns;
  private final boolean salted;
  private final RowKeyLayout layout;
  private final TestKeys keys;
  private final List<Row> rows;
  private final Random random = new Random(7);

  public KeySpaceSearchTest(String names, List<Column> columns, boolean salted) {
    List<KeyColumn> keyColumns = columns.stream().map(Column::key).toList();
    this.columns = columns;
    this.salted = salted;
    layout = salted ? RowKeyLayout.salted(keyColumns, BUCKETS, SALT) : RowKeyLayout.of(keyColumns);
    keys = new TestKeys(columns, salted ? SALT : null);
    rows = keys.rows();
  }

  /** Conditions on some columns, all of which must be true. */
  private record Condition(List<List<ValueRange>> ranges) {

    boolean test(byte[][] values) {
      for (int i = 0; i < ranges.size(); i++) {
        byte[] value = values[i];
        if (ranges.get(i) != null
            && ranges.get(i).stream().noneMatch(range -> ByteStrings.holds(range, value))) {
          return false;
        }
      }
      return true;
    }

    KeySpace keys(RowKeyLayout layout) {
      List<KeySpace> all = new ArrayList<>();
      for (int i = 0; i < ranges.size(); i++) {
        if (ranges.get(i) != null) {
          all.add(KeySpace.of(layout, i, ranges.get(i)));
        }
      }
      return KeySpace.allOf(layout, all);
    }
  }

  private Condition condition() {
    List<List<ValueRange>> ranges = new ArrayList<>();
    for (Column column : columns) {
      List<ValueRange> some = new ArrayList<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        some.add(range(column));
      }
      ranges.add(random.nextInt(4) == 0 ? null : some);
    }
    return new Condition(ranges);
  }

  private ValueRange range(Column column) {
    switch (random.nextInt(8)) {
      case 0:
        return ValueRange.NULL;
      case 1:
        return ValueRange.NOT_NULL;
      case 2:
        return ValueRange.below(bound(column));
      case 3:
        return ValueRange.above(bound(column));
      case 4:
        return ValueRange.between(bound(column), bound(column));
      default:
        return ValueRange.point(value(column));
    }
  }

  private ValueBound bound(Column column) {
    byte[] value = value(column);
    return switch (random.nextInt(3)) {
      case 0 -> ValueBound.before(value);
      case 1 -> ValueBound.after(value);
      default -> ValueBound.afterPrefix(value);
    };
  }

  /** Returns a short value, so that the values around it are also values of the table. */
  private byte[] value(Column column) {
    List<byte[]> values =
        column.values().stream().filter(value -> value != null && value.length <= 1).toList();
    return values.get(random.nextInt(values.size()));
  }

  /** Returns bytes at or near a key. */
  private byte[] start() {
    Row row = rows.get(random.nextInt(rows.size()));
    byte[] start = random.nextBoolean() ? row.key() : row.tokens();
    start = Arrays.copyOf(start, random.nextInt(start.length + 1));
    int[] more = {0, 0, 1, 0xFF};
    for (int i = random.nextInt(3); i > 0; i--) {
      start = ByteStrings.join(start, bytes(more[random.nextInt(more.length)]));
    }
    return start;
  }

  /**
   * Returns whether the result must be a matching key. It can be less if values have no smallest
   * successor, and if many keys with a wrong salt follow each other.
   */
  private boolean isExact() {
    return columns.stream()
        .noneMatch(
            column ->
                column.key().isLast()
                    || (column.kind() == Kind.TEXT && column.descending())
                    || (column.kind() == Kind.BINARY && salted));
  }

  @Test
  public void nextIsTheFirstKeyThatMatches() {
    for (int i = 0; i < CONDITIONS; i++) {
      Condition left = condition();
      Condition right = random.nextInt(3) == 0 ? condition() : left;
      Predicate<byte[][]> either = values -> left.test(values) || right.test(values);
      KeySpace space = left.keys(layout).or(right.keys(layout));
      List<Row> matching = rows.stream().filter(row -> either.test(row.values())).toList();
      for (int j = 0; j < STARTS; j++) {
        byte[] from = start();
        byte[] next = space.next(from);
        byte[] known = known(matching, from);
        String what =
            "%s, %s: next(%s) is %s; a match is %s"
                .formatted(layout, space, text(from), text(next), text(known));
        if (next == null) {
          assertThat(known).as(what).isNull();
          continue;
        }
        assertThat(ByteStrings.compare(from, next)).as(what).isNotPositive();
        if (known != null) {
          assertThat(ByteStrings.compare(next, known)).as(what).isNotPositive();
        }
        if (isExact() && !(Arrays.equals(next, from) && mayEndInNulls(matching, from))) {
          byte[][] values = keys.values(next, salted ? SALT : null);
          assertThat(values != null && either.test(values)).as(what).isTrue();
        }
      }
    }
  }

  private static String text(byte[] bytes) {
    return bytes == null ? "none" : KeyBytes.toText(bytes);
  }

  /** Returns the first known key of {@code matching}, or of a view, at or above {@code from}. */
  private byte[] known(List<Row> matching, byte[] from) {
    boolean endsInBinary = columns.get(columns.size() - 1).kind() == Kind.BINARY;
    byte[] known = null;
    for (Row row : matching) {
      byte[] key = ByteStrings.compare(row.key(), from) >= 0 ? row.key() : null;
      if (key == null && !salted && !endsInBinary) {
        key = keyOfView(row.tokens(), from);
      }
      if (key != null && (known == null || ByteStrings.compare(key, known) < 0)) {
        known = key;
      }
    }
    return known;
  }

  /** Returns the first key at or above {@code from} with further columns, or null. */
  private static byte[] keyOfView(byte[] tokens, byte[] from) {
    if (ByteStrings.startsWith(from, tokens) && from.length > tokens.length) {
      return from;
    }
    byte[] first = ByteStrings.join(tokens, bytes(0));
    return ByteStrings.compare(first, from) >= 0 ? first : null;
  }

  /**
   * Returns whether {@code from} may be a key with some of its trailing nulls, which Phoenix leaves
   * out unless further columns follow.
   */
  private static boolean mayEndInNulls(List<Row> matching, byte[] from) {
    return matching.stream()
        .anyMatch(
            row ->
                ByteStrings.compare(row.key(), from) < 0
                    && ByteStrings.compare(from, row.tokens()) <= 0);
  }
}

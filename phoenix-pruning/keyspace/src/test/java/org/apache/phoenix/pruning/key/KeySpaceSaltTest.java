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

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** Tests keys of salted tables. */
public class KeySpaceSaltTest {

  private static final KeyColumn WIDE = KeyColumn.fixed("A", 4, false);
  private static final KeyColumn LAST = KeyColumn.variable("L", false, true).last();

  @Test
  public void aKeyWithAWrongSaltIsReturnedAfterManyOthers() {
    AtomicInteger salts = new AtomicInteger();
    RowKeyLayout layout =
        RowKeyLayout.salted(
            List.of(WIDE),
            2,
            (key, offset, length) -> {
              salts.incrementAndGet();
              return 1;
            });
    byte[] next = KeySpace.everywhere(layout).next(bytes());
    assertThat(salts).hasValue(2 * 16);
    assertThat(next).isEqualTo(bytes(0, 0, 0, 0, 2 * 16 - 1));
  }

  @Test
  public void keysWithAWrongSaltAreSkipped() {
    RowKeyLayout layout =
        RowKeyLayout.salted(List.of(WIDE), 2, (key, offset, length) -> (byte) (key[4] / 7 % 2));
    KeySpace all = KeySpace.everywhere(layout);
    assertThat(all.next(bytes(1))).isEqualTo(bytes(1, 0, 0, 0, 7));
    assertThat(all.next(bytes(0, 0, 0, 0, 7))).isEqualTo(bytes(0, 0, 0, 0, 14));
    assertThat(all.next(bytes(0, 0, 0, 0, 14))).isEqualTo(bytes(0, 0, 0, 0, 14));
    assertThat(all.next(bytes(2))).isNull();
  }

  /** Descending values have no smallest key, so the result is bytes below all of their keys. */
  @Test
  public void bytesBelowDescendingKeysMayHaveAnySalt() {
    RowKeyLayout layout =
        RowKeyLayout.salted(
            List.of(KeyColumn.variable("A", true, false)), 2, (key, offset, length) -> 1);
    KeySpace space = below(layout, 'x');
    assertThat(space.next(bytes(0))).as("wrong salt").isEqualTo(bytes(0, 0xFF - 'x' + 1));
    assertThat(space.next(bytes(1))).as("right salt").isEqualTo(bytes(1, 0xFF - 'x' + 1));
  }

  private static RowKeyLayout lastWithSalt(int salt) {
    return RowKeyLayout.salted(
        List.of(LAST),
        2,
        (key, offset, length) -> (byte) (length > 0 && key[offset] == 'x' ? salt : 1 - salt));
  }

  private static KeySpace below(RowKeyLayout layout, int value) {
    return KeySpace.of(layout, 0, List.of(ValueRange.below(ValueBound.before(bytes(value)))));
  }

  /** The salt of a value with a zero byte is not computed. */
  @Test
  public void valuesThatContinueWithAZeroMayHaveAnySalt() {
    KeySpace space = below(lastWithSalt(1), 'z');
    assertThat(space.next(bytes(1, 'x'))).isEqualTo(bytes(1, 'x'));
    assertThat(space.next(bytes(1, 'x', 0))).isEqualTo(bytes(1, 'x', 0));
    assertThat(space.next(bytes(0, 'x'))).isEqualTo(bytes(0, 'x'));
  }

  @Test
  public void theFirstValueThatContinuesWithAZeroIsFound() {
    RowKeyLayout layout = lastWithSalt(1);
    KeySpace space =
        KeySpace.of(layout, 0, List.of(ValueRange.above(ValueBound.before(bytes('x')))));
    assertThat(space.next(bytes(0))).as("wrong salt").isEqualTo(bytes(0, 'x'));
    assertThat(space.next(bytes(1))).as("right salt").isEqualTo(bytes(1, 'x'));
  }

  /** A bound with a zero byte includes all values that continue with a zero byte. */
  @Test
  public void boundsWithZerosIncludeValuesThatContinue() {
    TokenRangeEncoder encoder = new TokenRangeEncoder(LAST);
    ByteRange above = encoder.encode(ValueRange.above(ValueBound.before(bytes('a', 0, 'b'))));
    assertThat(above.lower()).isEqualTo(bytes('a', 0));
    ByteRange below = encoder.encode(ValueRange.below(ValueBound.after(bytes('a', 0, 'b'))));
    assertThat(below.upper()).isEqualTo(bytes('b', 0));
    assertThat(encoder.encode(ValueRange.below(ValueBound.before(bytes(0, 'b')))).upper()).isNull();
    assertThat(encoder.encode(ValueRange.above(ValueBound.before(bytes(0, 'b')))).lower())
        .isEmpty();
  }

  /** A region can start within values that continue with a zero byte. */
  @Test
  public void aStartWithinAValueThatContinuesWithAZeroIsKept() {
    KeySpace space = below(lastWithSalt(1), 'z');
    for (byte[] start : List.of(bytes(1, 'x', 0, 'a'), bytes(1, 'x', 0, 0), bytes(1, 0, 'a'))) {
      assertThat(space.next(start)).as(KeyBytes.toText(start)).isEqualTo(start);
    }
  }

  /** A value that continues with a zero sorts before the value that continues with a one. */
  @Test
  public void aBoundBeforeAOneIncludesValuesThatContinueWithAZero() {
    RowKeyLayout layout = lastWithSalt(1);
    for (byte[] bound : List.of(bytes('x', 1), bytes('x', 1, 1))) {
      KeySpace space = KeySpace.of(layout, 0, List.of(ValueRange.below(ValueBound.before(bound))));
      byte[] start = bytes(1, 'x', 0, 'a');
      assertThat(space.next(start)).as("below %s", KeyBytes.toText(bound)).isEqualTo(start);
    }
    KeySpace space = below(layout, 1);
    assertThat(space.next(bytes(1, 0, 'a'))).isEqualTo(bytes(1, 0, 'a'));
  }

  /** The value alone matches, and no value that continues with a zero. */
  @Test
  public void aSingleValueDoesNotContinue() {
    RowKeyLayout layout = lastWithSalt(1);
    KeySpace x = KeySpace.of(layout, 0, List.of(ValueRange.point(bytes('x'))));
    assertThat(x.next(bytes(1))).isEqualTo(bytes(1, 'x'));
    assertThat(x.next(bytes(1, 'x', 0))).isNull();
    assertThat(x.next(bytes(1, 'x', 0, 'a'))).isNull();
  }
}

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

import java.util.Arrays;
import java.util.List;
import org.junit.Test;

/** Tests keys that end before an optional column. */
public class KeySpaceNullsTest {

  private static final KeyColumn A = KeyColumn.variable("A", false, false);
  private static final KeyColumn B = KeyColumn.variable("B", false, true).optional();
  private static final KeyColumn C = KeyColumn.fixed("C", 1, false);
  private static final RowKeyLayout LAYOUT = RowKeyLayout.of(A, B, C);

  private static KeySpace point(RowKeyLayout layout, int column, int... value) {
    return KeySpace.of(layout, column, List.of(ValueRange.point(bytes(value))));
  }

  private static KeySpace isNull(RowKeyLayout layout, int column) {
    return KeySpace.of(layout, column, List.of(ValueRange.NULL));
  }

  @Test
  public void aKeyMayEndBeforeAnOptionalColumn() {
    KeySpace space = point(LAYOUT, 0, 'a').and(isNull(LAYOUT, 1));
    assertThat(space.next(bytes())).isEqualTo(bytes('a'));
    assertThat(space.next(bytes('a'))).isEqualTo(bytes('a'));
    assertThat(space.next(bytes('a', 0))).isEqualTo(bytes('a', 0, 0, 0));
    assertThat(space.next(bytes('b'))).isNull();
  }

  @Test
  public void aConditionOnALaterColumnExcludesShortKeys() {
    KeySpace space = point(LAYOUT, 0, 'a').and(isNull(LAYOUT, 1)).and(point(LAYOUT, 2, 5));
    assertThat(space.next(bytes('a'))).isEqualTo(bytes('a', 0, 0, 5));
  }

  @Test
  public void aValueExcludesShortKeys() {
    KeySpace space = point(LAYOUT, 0, 'a').and(point(LAYOUT, 1, 'b'));
    assertThat(space.next(bytes('a'))).isEqualTo(bytes('a', 0, 'b', 0, 0));
  }

  @Test
  public void withoutAnOptionalColumnKeysAreWhole() {
    RowKeyLayout layout = RowKeyLayout.of(A, KeyColumn.variable("B", false, true), C);
    KeySpace space = point(layout, 0, 'a').and(isNull(layout, 1));
    assertThat(space.next(bytes('a'))).isEqualTo(bytes('a', 0, 0, 0));
  }

  /**
   * Tests a condition that excludes the greatest value. In a descending column, its bytes are the
   * smallest bytes, next to null. The condition must not exclude null.
   */
  @Test
  public void aDescendingFixedColumnMayBeNull() {
    RowKeyLayout layout = RowKeyLayout.of(A, B, KeyColumn.fixed("C", 1, true));
    KeySpace space =
        point(layout, 0, 'a')
            .and(isNull(layout, 1))
            .and(KeySpace.of(layout, 2, List.of(ValueRange.below(ValueBound.after(bytes(0xFE))))));
    assertThat(space.next(bytes('a'))).isEqualTo(bytes('a'));
  }

  @Test
  public void aDescendingFixedColumnAfterANullMayBeNull() {
    RowKeyLayout layout =
        RowKeyLayout.of(A, B, KeyColumn.variable("C", false, true), KeyColumn.fixed("D", 1, true));
    KeySpace space =
        point(layout, 0, 'a')
            .and(isNull(layout, 1))
            .and(isNull(layout, 2))
            .and(KeySpace.of(layout, 3, List.of(ValueRange.below(ValueBound.after(bytes(0xFE))))));
    assertThat(space.next(bytes('a'))).isEqualTo(bytes('a'));
  }

  @Test
  public void severalOptionalColumns() {
    KeyColumn c = KeyColumn.variable("C", false, true).optional();
    RowKeyLayout layout = RowKeyLayout.of(A, B, c, KeyColumn.fixed("D", 1, false));
    KeySpace a = point(layout, 0, 'a');
    assertThat(a.next(bytes('a'))).isEqualTo(bytes('a'));
    assertThat(a.and(point(layout, 1, 'b')).next(bytes('a'))).isEqualTo(bytes('a', 0, 'b'));
    assertThat(a.and(point(layout, 2, 'c')).next(bytes('a')))
        .isEqualTo(bytes('a', 0, 0, 'c', 0, 0));
    assertThat(a.and(isNull(layout, 1)).and(point(layout, 3, 9)).next(bytes('a')))
        .isEqualTo(bytes('a', 0, 0, 0, 9));
  }

  @Test
  public void aSaltAloneIsNoKey() {
    RowKeyLayout layout = RowKeyLayout.saltedPrefix(List.of(B, C), 2);
    assertThat(isNull(layout, 0).next(bytes(1))).isEqualTo(bytes(1, 0, 0));
    RowKeyLayout withA = RowKeyLayout.saltedPrefix(List.of(A, B, C), 2);
    KeySpace nulls = point(withA, 0, 'a').and(isNull(withA, 1));
    assertThat(nulls.next(bytes(1))).isEqualTo(bytes(1, 'a'));
  }

  @Test
  public void aLaterDescendingTextExcludesShortKeysUnlessItMayBeNull() {
    KeyColumn text = KeyColumn.variable("D", true, true);
    RowKeyLayout layout = RowKeyLayout.of(A, B, text);
    KeySpace space = point(layout, 0, 'a').and(isNull(layout, 1));
    assertThat(space.next(bytes('a'))).isEqualTo(bytes('a'));
    KeySpace below =
        space.and(KeySpace.of(layout, 2, List.of(ValueRange.below(ValueBound.before(bytes('x'))))));
    assertThat(below.next(bytes('a'))).isEqualTo(bytes('a', 0, 0, ('x' ^ 0xFF) + 1));
  }

  @Test
  public void longKeysAreFound() {
    byte[] value = new byte[200];
    Arrays.fill(value, (byte) 'v');
    KeySpace space = KeySpace.of(LAYOUT, 0, List.of(ValueRange.point(value)));
    KeySpace both = space.and(KeySpace.of(LAYOUT, 1, List.of(ValueRange.point(value))));
    byte[] separator = {0};
    byte[] expected = ByteStrings.join(ByteStrings.join(value, separator), value);
    expected = ByteStrings.join(ByteStrings.join(expected, separator), separator);
    assertThat(both.next(bytes())).isEqualTo(expected);
  }
}

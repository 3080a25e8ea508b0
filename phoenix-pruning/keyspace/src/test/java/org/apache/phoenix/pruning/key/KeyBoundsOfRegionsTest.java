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
import static org.apache.phoenix.pruning.key.ByteStrings.compare;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.phoenix.pruning.key.KeyBounds.Bounds;
import org.apache.phoenix.pruning.key.TestKeys.Column;
import org.apache.phoenix.pruning.key.TestKeys.Kind;
import org.junit.Test;

/** Compares the bounds of columns with the values of all keys in a region. */
public class KeyBoundsOfRegionsTest {

  private static final List<byte[]> BOUNDARIES = ByteStrings.upTo(3, 0, 1, 0xFF);

  /** Tests two columns of one byte. Keys may have further columns. */
  @Test
  public void boundsOfFixedColumnsAreTheLeastAndTheGreatestValue() {
    for (boolean descending : new boolean[] {false, true}) {
      RowKeyLayout layout =
          RowKeyLayout.of(KeyColumn.fixed("A", 1, descending), KeyColumn.fixed("B", 1, descending));
      for (byte[] start : BOUNDARIES) {
        for (byte[] end : BOUNDARIES) {
          List<Integer> first = bytesAt(0, start, end);
          if (first.isEmpty()) {
            continue;
          }
          String what = layout + " in " + Arrays.toString(start) + ", " + Arrays.toString(end);
          KeyBounds bounds = KeyBounds.of(layout, start, end);
          assertBounds(bounds.column(0), first, descending, what);
          if (first.size() == 1) {
            assertBounds(bounds.column(1), bytesAt(1, start, end), descending, what);
          } else {
            assertThat(bounds.column(1).count()).as(what).isInfinite();
            assertThat(bounds.column(1).isNullable()).as(what).isTrue();
          }
          assertThat(bounds.column(2).lower()).as(what).isNull();
        }
      }
    }
  }

  private static void assertBounds(
      Bounds bounds, List<Integer> encoded, boolean descending, String what) {
    int least = encoded.get(descending ? encoded.size() - 1 : 0);
    int greatest = encoded.get(descending ? 0 : encoded.size() - 1);
    int inverted = descending ? 0xFF : 0;
    assertThat(bounds.lower()).as(what).isEqualTo(bytes(least ^ inverted));
    assertThat(bounds.upper()).as(what).isEqualTo(bytes(greatest ^ inverted));
    assertThat(bounds.isNullable()).as(what).isFalse();
    assertThat(bounds.isSingleValue()).as(what).isEqualTo(encoded.size() == 1);
    assertThat(bounds.count()).as(what).isEqualTo(encoded.size());
  }

  /**
   * Returns the bytes that keys of a region can have at {@code index}. If {@code index} is 1, all
   * of these keys must have the same first byte.
   */
  private static List<Integer> bytesAt(int index, byte[] start, byte[] end) {
    List<Integer> all = new ArrayList<>();
    for (int first = 0; first <= 0xFF; first++) {
      if (index == 0) {
        if (isBeforeEnd(smallest(start, first, 0, 0xFF), end)) {
          all.add(first);
        }
      } else if (isBeforeEnd(smallest(start, first, 0, 0xFF), end)) {
        for (int second = 0; second <= 0xFF; second++) {
          if (isBeforeEnd(smallest(start, first, second, second), end)) {
            all.add(second);
          }
        }
      }
    }
    return all;
  }

  private static boolean isBeforeEnd(byte[] key, byte[] end) {
    return key != null && (end.length == 0 || compare(key, end) < 0);
  }

  /**
   * Returns the smallest key at or above {@code start} with this first byte, and a second byte from
   * {@code second} to {@code greatestSecond}. Returns null if there is none.
   */
  private static byte[] smallest(byte[] start, int first, int second, int greatestSecond) {
    byte[] smallest = bytes(first, second);
    if (compare(smallest, start) >= 0) {
      return smallest;
    }
    byte[] padded = start.length < 2 ? Arrays.copyOf(start, 2) : start;
    boolean starts =
        (padded[0] & 0xFF) == first
            && (padded[1] & 0xFF) >= second
            && (padded[1] & 0xFF) <= greatestSecond;
    return starts ? padded : null;
  }

  @Test
  public void boundsOfTextsContainTheValuesOfAllKeys() {
    for (boolean descending : new boolean[] {false, true}) {
      List<byte[]> texts = new ArrayList<>(ByteStrings.upTo(2, 1, 2, 0xFE));
      texts.set(0, null);
      Column text =
          new Column(KeyColumn.variable("T", descending, true), Kind.TEXT, descending, texts);
      Column fixed =
          new Column(
              KeyColumn.fixed("F", 1, false), Kind.FIXED, false, List.of(bytes(0), bytes(7)));
      TestKeys keys = new TestKeys(List.of(text, fixed), null);
      RowKeyLayout layout = RowKeyLayout.of(text.key(), fixed.key());
      List<byte[]> boundaries = ByteStrings.upTo(3, 0, 1, 2, 0xFE, 0xFF);
      for (byte[] start : boundaries) {
        for (int i = 0; i < boundaries.size(); i += 5) {
          byte[] end = boundaries.get(i);
          KeyBounds bounds = KeyBounds.of(layout, start, end);
          for (TestKeys.Row row : keys.rows()) {
            if (compare(row.key(), start) >= 0 && isBeforeEnd(row.key(), end)) {
              String what = layout + " in " + Arrays.toString(start) + ", " + Arrays.toString(end);
              assertContains(bounds.column(0), row.values()[0], what);
              assertContains(bounds.column(1), row.values()[1], what);
            }
          }
        }
      }
    }
  }

  private static void assertContains(Bounds bounds, byte[] value, String what) {
    boolean contained =
        value == null
            ? bounds.isNullable()
            : (bounds.lower() == null || compare(bounds.lower(), value) <= 0)
                && (bounds.upper() == null || compare(value, bounds.upper()) <= 0);
    if (!contained) {
      throw new AssertionError(
          what
              + ": "
              + Arrays.toString(value)
              + " is not in "
              + Arrays.toString(bounds.lower())
              + ", "
              + Arrays.toString(bounds.upper()));
    }
  }

  @Test
  public void boundsOfATextEndAtItsSeparator() {
    RowKeyLayout layout =
        RowKeyLayout.of(KeyColumn.variable("T", false, true), KeyColumn.fixed("F", 1, false));
    assertText(layout, bytes('b', 0, 9), bytes('d', 0, 9), bytes('b'), bytes('d'), false);
    assertText(layout, bytes('b', 'c'), bytes('d', 'e'), bytes('b', 'c'), bytes('d', 'e'), false);
    assertText(layout, bytes(), bytes(), null, null, true);
    assertText(layout, bytes(0), bytes(0, 9), null, null, true);
    assertText(layout, bytes(0, 9), bytes('a'), null, bytes('a'), true);
  }

  /** A value sorts after all longer values that begin with it, so an open start is no bound. */
  @Test
  public void boundsOfADescendingTextNeedItsSeparator() {
    RowKeyLayout layout =
        RowKeyLayout.of(KeyColumn.variable("T", true, false), KeyColumn.fixed("F", 1, false));
    byte[] start = bytes('b' ^ 0xFF, 0xFF, 9);
    byte[] end = bytes('a' ^ 0xFF, 0xFF, 9);
    assertText(layout, start, end, bytes('a'), bytes('b'), false);
    assertText(layout, bytes('b' ^ 0xFF), bytes('a' ^ 0xFF), bytes('a'), null, false);
  }

  private static void assertText(
      RowKeyLayout layout, byte[] start, byte[] end, byte[] lower, byte[] upper, boolean nullable) {
    Bounds bounds = KeyBounds.of(layout, start, end).column(0);
    assertThat(bounds.lower()).isEqualTo(lower);
    assertThat(bounds.upper()).isEqualTo(upper);
    assertThat(bounds.isNullable()).isEqualTo(nullable);
    assertThat(bounds.isSingleValue()).isFalse();
    assertThat(bounds.count()).isInfinite();
  }

  @Test
  public void aTextWithOneValueBoundsTheNextColumn() {
    RowKeyLayout layout =
        RowKeyLayout.of(KeyColumn.variable("T", false, false), KeyColumn.fixed("F", 1, false));
    KeyBounds bounds = KeyBounds.of(layout, bytes('b', 0, 3), bytes('b', 0, 9));
    assertThat(bounds.column(0).isSingleValue()).isTrue();
    assertThat(bounds.column(0).count()).isEqualTo(1);
    assertThat(bounds.column(1).lower()).isEqualTo(bytes(3));
    assertThat(bounds.column(1).upper()).isEqualTo(bytes(8));
  }

  @Test
  public void columnsThatTakeTheRestOfAKeyHaveNoBounds() {
    for (KeyColumn column :
        List.of(
            KeyColumn.trailingBinary("B", false), KeyColumn.variable("L", false, true).last())) {
      Bounds bounds = KeyBounds.of(RowKeyLayout.of(column), bytes('a'), bytes('c')).column(0);
      assertThat(bounds.lower()).as("%s", column).isNull();
      assertThat(bounds.upper()).as("%s", column).isNull();
      assertThat(bounds.isNullable()).as("%s", column).isTrue();
    }
  }

  @Test
  public void theSaltIsNotCounted() {
    RowKeyLayout layout = RowKeyLayout.saltedPrefix(List.of(KeyColumn.fixed("A", 1, false)), 4);
    Bounds inOneBucket = KeyBounds.of(layout, bytes(1, 5), bytes(1, 9)).column(0);
    assertThat(inOneBucket.lower()).isEqualTo(bytes(5));
    assertThat(inOneBucket.upper()).isEqualTo(bytes(8));
    Bounds inTwo = KeyBounds.of(layout, bytes(1, 5), bytes(2, 9)).column(0);
    assertThat(inTwo.count()).isInfinite();
    assertThat(inTwo.isNullable()).isTrue();
  }
}

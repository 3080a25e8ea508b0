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

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

public class KeyBoundsTest {

  private static final RowKeyLayout LAYOUT =
      RowKeyLayout.of(
          KeyColumn.fixed("A", 2, false),
          KeyColumn.fixed("B", 1, true),
          KeyColumn.variable("C", false, true));

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static double count(int column, byte[] start, byte[] end) {
    return KeyBounds.of(LAYOUT, start, end).column(column).count();
  }

  @Test
  public void countsTheValuesBetweenTheBoundariesOfARegion() {
    assertThat(count(0, bytes(0, 250), bytes(1, 4))).isEqualTo(10);
    assertThat(count(0, bytes(0, 250), bytes(1, 4, 1))).as("1, 4 with B").isEqualTo(11);
    assertThat(count(0, bytes(), bytes())).isEqualTo(65_536);
    assertThat(count(0, bytes(0, 250), bytes(0, 251))).isEqualTo(1);
  }

  @Test
  public void countsTheValuesAfterASingleValue() {
    assertThat(count(1, bytes(0, 250), bytes(0, 251))).isEqualTo(256);
    assertThat(count(1, bytes(0, 250, 7), bytes(0, 250, 9))).as("descending").isEqualTo(2);
    assertThat(count(1, bytes(0, 250), bytes(0, 252))).as("behind two").isInfinite();
  }

  @Test
  public void doesNotCountValuesOfAnyLength() {
    assertThat(count(2, bytes(0, 250, 7, 'a'), bytes(0, 250, 7, 'c'))).isInfinite();
  }
}

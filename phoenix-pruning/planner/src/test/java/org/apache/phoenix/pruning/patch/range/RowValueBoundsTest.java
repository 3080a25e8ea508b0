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
package org.apache.phoenix.pruning.patch.range;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Test;

public class RowValueBoundsTest {

  private static final byte[] ONE = Bytes.toBytes(1);
  private static final byte[] A = Bytes.toBytes("a");
  private static final byte[] A_AND_B = Bytes.toBytes("a\u0000b");

  private final RowValueBounds bounds = new RowValueBounds(KeySchemas.of("I S S"));

  @Test
  public void haveColumns() {
    byte[] all = Bytes.add(ONE, A_AND_B);
    assertThat(bounds.columnCount(0, new byte[0])).as("unbounded").isZero();
    assertThat(bounds.columnCount(0, ONE)).isEqualTo(1);
    assertThat(bounds.columnCount(0, all)).isEqualTo(3);
    assertThat(bounds.columnCount(1, A_AND_B)).isEqualTo(2);
    assertThat(bounds.column(0, all, 1)).isEqualTo(A);
    assertThat(bounds.column(0, all, 2)).isEqualTo(Bytes.toBytes("b"));
    assertThat(bounds.column(0, all, 3)).isNull();
  }

  @Test
  public void areCutBetweenColumns() {
    byte[] all = Bytes.add(ONE, A_AND_B);
    assertThat(bounds.firstColumns(0, all, 1)).isEqualTo(ONE);
    assertThat(bounds.firstColumns(0, all, 2)).isEqualTo(Bytes.add(ONE, A));
    assertThat(bounds.firstColumns(0, all, 3)).isSameAs(all);
    assertThat(bounds.afterColumns(0, all, 1)).isEqualTo(A_AND_B);
    assertThat(bounds.afterColumns(0, all, 2)).isEqualTo(Bytes.toBytes("b"));
    assertThat(bounds.afterColumns(0, all, 3)).isEmpty();
  }

  @Test
  public void areComparedByTheColumnsOfBoth() {
    byte[] oneAndA = Bytes.add(ONE, A);
    byte[] oneAndB = Bytes.add(ONE, Bytes.toBytes("b"));
    assertThat(bounds.comparePrefix(0, ONE, oneAndA)).isZero();
    assertThat(bounds.comparePrefix(0, oneAndA, oneAndB)).isNegative();
    assertThat(bounds.comparePrefix(0, Bytes.toBytes(2), oneAndB)).isPositive();
    assertThat(bounds.commonColumns(0, oneAndA, oneAndB)).isEqualTo(1);
    assertThat(bounds.commonColumns(0, oneAndA, oneAndA)).isEqualTo(2);
    assertThat(bounds.commonColumns(0, Bytes.toBytes(2), oneAndA)).isZero();
  }

  /**
   * Tests the first key after all keys that begin with a value. The text {@code a} ends with the
   * separator 0, so the next key is {@code a} with the byte 1.
   */
  @Test
  public void endAllKeysThatBeginWithThem() {
    assertThat(bounds.nextKey(0, ONE)).isEqualTo(Bytes.toBytes(2));
    assertThat(bounds.nextKey(1, A)).isEqualTo(Bytes.toBytes("a\u0001"));
    assertThat(bounds.nextKey(0, Bytes.toBytes(-1))).as("all bytes are 0xFF").isNull();
  }

  @Test
  public void areExtendedByTheLeastValuesOfFixedWidth() {
    RowValueBounds numbers = new RowValueBounds(KeySchemas.of("S I I S"));
    assertThat(numbers.pad(0, A, 2)).isEqualTo(Bytes.add(A, new byte[5]));
    assertThat(numbers.pad(1, ONE, 2)).isEqualTo(Bytes.add(ONE, new byte[4]));
    assertThat(numbers.pad(1, ONE, 3)).as("a text").isEqualTo(Bytes.add(ONE, new byte[4]));
  }
}

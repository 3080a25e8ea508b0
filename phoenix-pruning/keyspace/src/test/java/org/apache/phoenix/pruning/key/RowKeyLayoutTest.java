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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.Test;

public class RowKeyLayoutTest {

  private static final KeyColumn A = KeyColumn.fixed("A", 1, false);
  private static final KeyColumn B = KeyColumn.variable("B", false, true);

  /** Computes the sum of the bytes. */
  private static final RowKeyLayout.Salt SUM =
      (key, offset, length) -> {
        int sum = 0;
        for (int i = offset; i < offset + length; i++) {
          sum += key[i];
        }
        return (byte) sum;
      };

  @Test
  public void aSaltComesFirst() {
    RowKeyLayout layout = RowKeyLayout.salted(List.of(A, B), 3, SUM);
    assertThat(layout).hasToString("[_SALT(1) NOT NULL, A(1) NOT NULL, B]");
    assertThat(layout.size()).isEqualTo(3);
    assertThat(layout.firstColumn()).isEqualTo(1);
    assertThat(layout.buckets()).isEqualTo(3);
    assertThat(layout.column(1)).isSameAs(A);
    assertThat(RowKeyLayout.of(A, B).firstColumn()).isZero();
    assertThat(RowKeyLayout.of(A, B).buckets()).isZero();
    assertThat(RowKeyLayout.salted(List.of(A), 1, SUM).firstColumn()).isEqualTo(1);
  }

  @Test
  public void onlyALayoutWithSaltsIsClosed() {
    assertThat(RowKeyLayout.salted(List.of(A, B), 3, SUM).isOpen()).isFalse();
    assertThat(RowKeyLayout.saltedPrefix(List.of(A), 3).isOpen()).isTrue();
    assertThat(RowKeyLayout.of(A, B).isOpen()).isTrue();
  }

  @Test
  public void theSaltIsComputedFromTheRestOfTheKey() {
    RowKeyLayout layout = RowKeyLayout.salted(List.of(A, B), 3, SUM);
    assertThat(layout.hasValidSalt(bytes(2, 1, 1))).isTrue();
    assertThat(layout.hasValidSalt(bytes(0, 1, 1))).isFalse();
    assertThat(RowKeyLayout.saltedPrefix(List.of(A), 3).hasValidSalt(bytes(0, 1)))
        .as("not known")
        .isTrue();
  }

  @Test
  public void onlyTheLastColumnMayContainZeros() {
    assertThat(RowKeyLayout.of(A, B.last()).endsInZeros()).isTrue();
    assertThat(RowKeyLayout.of(A, B).endsInZeros()).isFalse();
    assertThat(RowKeyLayout.of(B.last(), A).endsInZeros()).isFalse();
  }

  @Test
  public void onlyNullableTextMayContainZeros() {
    for (KeyColumn column :
        List.of(A, KeyColumn.variable("B", false, false), KeyColumn.trailingBinary("B", true))) {
      assertThatThrownBy(column::last)
          .as("%s", column)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(column.name() + " must be nullable and of variable width");
    }
  }

  @Test
  public void trailingBinaryCanBeTheLastColumn() {
    RowKeyLayout layout = RowKeyLayout.of(A, KeyColumn.trailingBinary("V", false));
    assertThat(layout).hasToString("[A(1) NOT NULL, V NOT NULL]");
  }
}

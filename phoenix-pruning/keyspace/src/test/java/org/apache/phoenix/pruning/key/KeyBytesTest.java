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
import org.junit.Test;

public class KeyBytesTest {

  private static final List<byte[]> STRINGS = ByteStrings.upTo(2, 0, 1, 0x7F, 0x80, 0xFF);

  @Test
  public void bytesAreUnsignedAndAPrefixIsLess() {
    for (byte[] left : STRINGS) {
      for (byte[] right : STRINGS) {
        assertThat(Integer.signum(KeyBytes.compare(left, right)))
            .as("%s, %s", left, right)
            .isEqualTo(Integer.signum(ByteStrings.compare(left, right)));
      }
    }
  }

  @Test
  public void noEndIsAboveEveryEnd() {
    assertThat(KeyBytes.compareEnds(null, null)).isZero();
    assertThat(KeyBytes.compareEnds(null, bytes(0xFF))).isPositive();
    assertThat(KeyBytes.compareEnds(bytes(0xFF), null)).isNegative();
    assertThat(KeyBytes.compareEnds(bytes(1), bytes(2))).isNegative();
    assertThat(KeyBytes.compareEnds(bytes(2), bytes(1))).isPositive();
    assertThat(KeyBytes.compareEnds(bytes(1), bytes(1))).isZero();
  }

  @Test
  public void concatenatesInOrder() {
    assertThat(KeyBytes.concat(bytes(1, 2), bytes(3, 4, 5))).containsExactly(1, 2, 3, 4, 5);
    assertThat(KeyBytes.concat(bytes(), bytes(3))).containsExactly(3);
    assertThat(KeyBytes.append(bytes(1, 2), 0xFF)).containsExactly(1, 2, -1);
  }

  @Test
  public void invertsEachByte() {
    assertThat(KeyBytes.invert(bytes(0, 1, 0x80, 0xFF))).isEqualTo(bytes(0xFF, 0xFE, 0x7F, 0));
  }

  @Test
  public void afterPrefixIsTheFirstStringAboveAllThatStartWithIt() {
    assertThat(KeyBytes.afterPrefix(bytes())).isNull();
    assertThat(KeyBytes.afterPrefix(bytes(0xFF, 0xFF))).isNull();
    assertThat(KeyBytes.afterPrefix(bytes(1))).isEqualTo(bytes(2));
    assertThat(KeyBytes.afterPrefix(bytes(0))).isEqualTo(bytes(1));
    assertThat(KeyBytes.afterPrefix(bytes(1, 0x7F))).isEqualTo(bytes(1, 0x80));
    assertThat(KeyBytes.afterPrefix(bytes(1, 0xFF, 0xFF))).isEqualTo(bytes(2));
    byte[] prefix = bytes(1, 2);
    assertThat(KeyBytes.afterPrefix(prefix)).isNotSameAs(prefix);
    assertThat(prefix).as("unchanged").containsExactly(1, 2);
  }

  @Test
  public void findsAByte() {
    assertThat(KeyBytes.indexOf(bytes(7, 8, 7), (byte) 7)).isZero();
    assertThat(KeyBytes.indexOf(bytes(7, 8, 7), (byte) 8)).isOne();
    assertThat(KeyBytes.indexOf(bytes(7, 8, 7), (byte) 9)).isEqualTo(-1);
    assertThat(KeyBytes.indexOf(bytes(), (byte) 9)).isEqualTo(-1);
  }

  @Test
  public void formatsOnlyPrintableAsciiAsText() {
    assertThat(KeyBytes.toText(bytes('a', '!', '~'))).isEqualTo("a!~");
    assertThat(KeyBytes.toText(bytes(' ', 0x7F, '\\', 0, 0xFF)))
        .isEqualTo("\\x20\\x7F\\x5C\\x00\\xFF");
  }
}

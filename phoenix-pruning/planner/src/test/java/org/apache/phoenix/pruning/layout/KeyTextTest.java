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
package org.apache.phoenix.pruning.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Test;

public class KeyTextTest {

  @Test
  public void writesShortKeysInFull() {
    assertThat(KeyText.of(Bytes.toBytes("ab\u0000"))).isEqualTo("'ab\\x00'");
    assertThat(KeyText.of(new byte[0])).isEqualTo("''");
    assertThat(KeyText.of(null)).isEqualTo("missing");
    assertThat(KeyText.of(Bytes.toBytes("x".repeat(KeyText.MAX_FULL_LENGTH))))
        .isEqualTo("'" + "x".repeat(KeyText.MAX_FULL_LENGTH) + "'");
  }

  @Test
  public void writesTheEndsOfLongKeys() {
    assertThat(KeyText.of(Bytes.toBytes("a".repeat(100) + "zzzzzzzz")))
        .isEqualTo("'aaaaaaaaaaaaaaaa...zzzzzzzz (108 bytes)'");
    byte[] longest = new byte[30_000_000];
    Arrays.fill(longest, (byte) 0xFF);
    assertThat(KeyText.of(longest)).hasSizeLessThan(130);
  }
}

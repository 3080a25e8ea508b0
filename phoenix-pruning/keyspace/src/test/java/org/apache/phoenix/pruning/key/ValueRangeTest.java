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

public class ValueRangeTest {

  private static final ValueBound END = ValueBound.before(bytes('x'));

  @Test
  public void fromBeginningStartsBeforeTheFirstZero() {
    assertThat(from(ValueBound.before(bytes('a', 0, 'b')))).hasToString("[before a, before x)");
    assertThat(from(ValueBound.after(bytes('a', 0)))).hasToString("[before a, before x)");
    assertThat(from(ValueBound.before(bytes(0, 'b')))).hasToString("[before , before x)");
  }

  @Test
  public void fromBeginningStartsBeforeAValueWithoutZero() {
    assertThat(from(ValueBound.after(bytes('a', 'b')))).hasToString("[before ab, before x)");
    assertThat(from(ValueBound.before(bytes('a', 'b')))).hasToString("[before ab, before x)");
  }

  @Test
  public void fromBeginningKeepsARangeThatStartsAboveAPrefix() {
    ValueRange range = ValueRange.between(ValueBound.afterPrefix(bytes('a', 'b')), END);
    assertThat(range.fromBeginning()).isSameAs(range);
    assertThat(from(ValueBound.afterPrefix(bytes('a', 0)))).hasToString("[before a, before x)");
    ValueRange below = ValueRange.below(END);
    assertThat(below.fromBeginning()).isSameAs(below);
    assertThat(ValueRange.NULL.fromBeginning()).isSameAs(ValueRange.NULL);
  }

  private static ValueRange from(ValueBound lower) {
    return ValueRange.between(lower, END).fromBeginning();
  }

  @Test
  public void aPointHasOneValue() {
    assertThat(ValueRange.point(bytes('a')).point()).isEqualTo(bytes('a'));
    ValueBound before = ValueBound.before(bytes('a'));
    for (ValueRange range :
        List.of(
            ValueRange.NULL,
            ValueRange.NOT_NULL,
            ValueRange.above(before),
            ValueRange.between(before, ValueBound.after(bytes('b'))),
            ValueRange.between(before, ValueBound.afterPrefix(bytes('a'))),
            ValueRange.between(ValueBound.after(bytes('a')), ValueBound.after(bytes('a'))))) {
      assertThat(range.point()).as(range.toString()).isNull();
    }
  }

  @Test
  public void printsItsBounds() {
    assertThat(ValueRange.NULL).hasToString("null");
    assertThat(ValueRange.NOT_NULL).hasToString("[null, null)");
    assertThat(ValueRange.point(bytes('a'))).hasToString("[before a, after_value a)");
    assertThat(ValueRange.above(ValueBound.afterPrefix(bytes('a'))))
        .hasToString("[after_prefix a, null)");
  }
}

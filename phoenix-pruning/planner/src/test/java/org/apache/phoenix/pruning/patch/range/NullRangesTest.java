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
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;
import org.junit.Test;

public class NullRangesTest {

  private static final byte[] B = Bytes.toBytes("b");

  private static final KeyRange BELOW = KeyRange.getKeyRange(KeyRange.UNBOUND, false, B, false);

  private static final KeyRange ABOVE = KeyRange.getKeyRange(B, false, KeyRange.UNBOUND, false);

  private static List<List<KeyRange>> slots(KeyRange... ranges) {
    return List.of(Arrays.asList(ranges));
  }

  private static List<List<KeyRange>> withNulls(String column, KeyRange... ranges) {
    return NullRanges.withNulls(slots(ranges), new int[] {0}, KeySchemas.of(column));
  }

  private static List<List<KeyRange>> withoutNulls(String column, KeyRange... ranges) {
    return NullRanges.withoutNulls(slots(ranges), new int[] {0}, KeySchemas.of(column));
  }

  @Test
  public void beginAtTheNulls() {
    List<KeyRange> ranges = withNulls("S", BELOW, KeyRange.IS_NULL_RANGE, ABOVE).get(0);
    assertThat(ranges).hasSize(2);
    assertThat(ranges.get(0).lowerUnbound()).isFalse();
    assertThat(ranges.get(0).isLowerInclusive()).isTrue();
    assertThat(ranges.get(0).getLowerRange()).isEmpty();
    assertThat(ranges.get(0).getUpperRange()).isEqualTo(B);
    assertThat(ranges.get(1)).isSameAs(ABOVE);
    assertThat(withNulls("S", BELOW, ABOVE)).isEqualTo(slots(BELOW, ABOVE));
    assertThat(withNulls("I", BELOW, KeyRange.IS_NULL_RANGE))
        .as("a key always has a column of fixed width")
        .isEqualTo(slots(BELOW, KeyRange.IS_NULL_RANGE));
  }

  @Test
  public void beginAfterTheNulls() {
    List<KeyRange> ranges = withoutNulls("S", BELOW, ABOVE).get(0);
    assertThat(ranges).hasSize(2);
    assertThat(ranges.get(0).getLowerRange()).isEqualTo(KeyRange.IS_NOT_NULL_RANGE.getLowerRange());
    assertThat(ranges.get(0).getUpperRange()).isEqualTo(B);
    assertThat(ranges.get(0).isUpperInclusive()).isFalse();
    assertThat(ranges.get(1)).isSameAs(ABOVE);
    assertThat(withoutNulls("B", BELOW))
        .as("a binary value can begin with a zero byte")
        .isEqualTo(slots(BELOW));
    assertThat(withoutNulls("S", KeyRange.EVERYTHING_RANGE))
        .isEqualTo(slots(KeyRange.EVERYTHING_RANGE));
  }

  private static byte[] startOfRowValue(String columns) {
    return NullRanges.withNulls(
            List.of(List.of(BELOW), List.of(ABOVE)), new int[] {1, 0}, KeySchemas.of(columns))
        .get(0)
        .get(0)
        .getLowerRange();
  }

  @Test
  public void ofRowValuesBeginAtTheLeastKeyBeforeOtherColumns() {
    assertThat(startOfRowValue("I S I")).isEqualTo(new byte[4]);
    assertThat(startOfRowValue("I Sd I")).as("before the least value").isEqualTo(new byte[5]);
    assertThat(startOfRowValue("I Sd? I")).as("a null sorts before").isEmpty();
    assertThat(startOfRowValue("I I I")).as("Phoenix starts at the least value").isEmpty();
    assertThat(
            NullRanges.withNulls(slots(BELOW), new int[] {1}, KeySchemas.of("I S"))
                .get(0)
                .get(0)
                .getLowerRange())
        .as("no column follows")
        .isEmpty();
  }

  @Test
  public void ofRowValuesStay() {
    assertThat(NullRanges.withoutNulls(slots(BELOW), new int[] {1}, KeySchemas.of("S S")))
        .isEqualTo(slots(BELOW));
  }

  private static PColumn column(String text) {
    PColumn column = mock(PColumn.class);
    doReturn(text.startsWith("S") ? PVarchar.INSTANCE : PInteger.INSTANCE)
        .when(column)
        .getDataType();
    doReturn(text.contains("d") ? SortOrder.DESC : SortOrder.ASC).when(column).getSortOrder();
    doReturn(text.endsWith("?")).when(column).isNullable();
    return column;
  }

  private static boolean canEndBeforeDescending(String columns, int column) {
    return NullRanges.canEndBeforeDescending(
        Arrays.stream(columns.split(" ")).map(NullRangesTest::column).toList(), column);
  }

  @Test
  public void endBeforeADescendingColumn() {
    assertThat(canEndBeforeDescending("I Sd?", 1)).isTrue();
    assertThat(canEndBeforeDescending("I Sd? S?", 2)).isTrue();
    assertThat(canEndBeforeDescending("I S? Sd?", 1)).as("the descending one is later").isFalse();
    assertThat(canEndBeforeDescending("I S?", 1)).isFalse();
    assertThat(canEndBeforeDescending("Sd S?", 1)).as("the descending one is never null").isFalse();
    assertThat(canEndBeforeDescending("I Sd? I", 1)).as("a column follows").isFalse();
  }
}

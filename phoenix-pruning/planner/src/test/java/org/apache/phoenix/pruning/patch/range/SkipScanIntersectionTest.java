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

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.patch.range.KeySchemas.Column;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.RowKeySchema;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests which ranges of a skip scan remain for a region. */
@RunWith(JUnitParamsRunner.class)
public class SkipScanIntersectionTest {

  private static final int KEYS = 10_000;
  private static final int REGIONS = 1_000;

  private static final Column NUMBER = new Column(PInteger.INSTANCE, SortOrder.ASC);
  private static final Column TEXT = new Column(PVarchar.INSTANCE, SortOrder.ASC);
  private static final Column DESCENDING_TEXT = new Column(PVarchar.INSTANCE, SortOrder.DESC);

  /** List that counts how often a range is read. */
  private static final class CountingRanges extends AbstractList<KeyRange> {

    private final List<KeyRange> ranges;
    private int reads;

    CountingRanges(List<KeyRange> ranges) {
      this.ranges = ranges;
    }

    @Override
    public KeyRange get(int index) {
      reads++;
      return ranges.get(index);
    }

    @Override
    public int size() {
      return ranges.size();
    }
  }

  private static List<KeyRange> keys(List<byte[]> values) {
    return values.stream()
        .sorted(Bytes.BYTES_COMPARATOR)
        .map(KeyRange::getKeyRange)
        .collect(Collectors.toList());
  }

  private static List<byte[]> values(Column column) {
    return IntStream.range(0, KEYS).mapToObj(column::bytes).collect(Collectors.toList());
  }

  private static List<Column> columns() {
    return List.of(NUMBER, TEXT, DESCENDING_TEXT);
  }

  @Test
  @Parameters(method = "columns")
  public void readsFewRangesForEachRegion(Column column) {
    List<KeyRange> few = keys(List.of(NUMBER.bytes(3), NUMBER.bytes(5)));
    assertFewReads(
        KeySchemas.of(column, NUMBER, NUMBER),
        new int[] {0, 0},
        List.of(keys(values(column)), few),
        column);
  }

  @Test
  @Parameters(method = "columns")
  public void readsFewRangesOfRowValuesForEachRegion(Column column) {
    List<KeyRange> few = keys(List.of(NUMBER.bytes(3), NUMBER.bytes(5)));
    List<KeyRange> rowValues =
        keys(
            values(column).stream()
                .map(value -> Bytes.add(value, column.separator(), NUMBER.bytes(7)))
                .collect(Collectors.toList()));
    assertFewReads(
        KeySchemas.of(column, NUMBER, NUMBER), new int[] {1, 0}, List.of(rowValues, few), column);
  }

  @Test
  @Parameters(method = "columns")
  public void readsFewRangesOfTwoLongListsForEachRegion(Column column) {
    List<KeyRange> all = keys(values(column));
    assertFewReads(
        KeySchemas.of(column, column, NUMBER), new int[] {0, 0}, List.of(all, all), column);
  }

  /** Asserts that few ranges are read for each region. Regions begin and end at whole row keys. */
  private static void assertFewReads(
      RowKeySchema schema, int[] furtherColumns, List<List<KeyRange>> slots, Column first) {
    List<CountingRanges> counting = slots.stream().map(CountingRanges::new).toList();
    SkipScanIntersection intersection =
        new SkipScanIntersection(new ArrayList<>(counting), furtherColumns, schema);
    List<byte[]> boundaries = new ArrayList<>(List.of(HConstants.EMPTY_START_ROW));
    IntStream.range(1, REGIONS)
        .mapToObj(
            i ->
                Bytes.add(
                    first.bytes(i * KEYS / REGIONS), first.separator(), new byte[] {1, 2, 3, 4}))
        .sorted(Bytes.BYTES_COMPARATOR)
        .forEach(boundaries::add);
    boundaries.add(HConstants.EMPTY_END_ROW);
    int found = 0;
    for (int i = 0; i < REGIONS; i++) {
      List<List<KeyRange>> part = intersection.between(boundaries.get(i), boundaries.get(i + 1));
      found += part.get(0).size();
    }
    // If a boundary divides the rows of a value, the value is in both regions.
    assertThat(found).isBetween(KEYS, KEYS + REGIONS);
    int reads = counting.stream().mapToInt(ranges -> ranges.reads).sum();
    int once = slots.stream().mapToInt(ranges -> 3 * ranges.size()).sum();
    assertThat(reads).isLessThan(once + REGIONS * 50);
  }

  @Test
  public void leavesOutRegionsWithoutMatchingRows() {
    List<List<KeyRange>> slots =
        List.of(
            keys(List.of(NUMBER.bytes(1), NUMBER.bytes(4))),
            keys(List.of(TEXT.bytes("b"), TEXT.bytes("d"))));
    RowKeySchema schema = KeySchemas.of(NUMBER, TEXT, NUMBER);
    // The region is after (1, d) and before (4, b).
    assertThat(between(schema, slots, key(1, "e"), key(4, "b"))).isNull();
    assertThat(between(schema, slots, key(2, "a"), key(3, "z"))).isNull();
    assertThat(between(schema, slots, key(1, "c"), key(1, "d"))).isNull();
    assertThat(between(schema, slots, key(1, "e"), Bytes.add(key(4, "b"), new byte[] {0})))
        .isEqualTo(List.of(slots.get(0), slots.get(1)));
    assertThat(between(schema, slots, key(1, "b"), key(1, "c")))
        .isEqualTo(List.of(slots.get(0).subList(0, 1), slots.get(1).subList(0, 1)));
    assertThat(between(schema, slots, key(1, "d"), key(4, "a"))).isNotNull();
    assertThat(between(schema, slots, HConstants.EMPTY_START_ROW, key(1, "b"))).isNull();
    assertThat(between(schema, slots, key(4, "e"), HConstants.EMPTY_END_ROW)).isNull();
  }

  /** A descending value sorts before its own prefixes. */
  @Test
  public void keepsDescendingValuesThatABoundaryCutsOff() {
    List<KeyRange> texts =
        List.of(
            KeyRange.getKeyRange(DESCENDING_TEXT.bytes("ab")),
            KeyRange.getKeyRange(DESCENDING_TEXT.bytes("a")));
    List<List<KeyRange>> slots = List.of(texts, keys(List.of(NUMBER.bytes(1))));
    RowKeySchema schema = KeySchemas.of(DESCENDING_TEXT, NUMBER, NUMBER);
    byte[] cutOff = DESCENDING_TEXT.bytes("a");
    assertThat(between(schema, slots, cutOff, HConstants.EMPTY_END_ROW).get(0)).isEqualTo(texts);
    assertThat(between(schema, slots, HConstants.EMPTY_START_ROW, cutOff)).isNull();
    byte[] behind = Bytes.add(cutOff, DESCENDING_TEXT.separator());
    assertThat(between(schema, slots, HConstants.EMPTY_START_ROW, behind).get(0))
        .isEqualTo(texts.subList(0, 1));
    assertThat(between(schema, slots, behind, HConstants.EMPTY_END_ROW).get(0))
        .isEqualTo(texts.subList(1, 2));
  }

  private static byte[] key(int number, String text) {
    return Bytes.add(NUMBER.bytes(number), TEXT.bytes(text));
  }

  private static List<List<KeyRange>> between(
      RowKeySchema schema, List<List<KeyRange>> slots, byte[] lower, byte[] upper) {
    return new SkipScanIntersection(slots, new int[slots.size()], schema).between(lower, upper);
  }
}

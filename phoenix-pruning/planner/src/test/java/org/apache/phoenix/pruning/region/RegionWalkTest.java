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
package org.apache.phoenix.pruning.region;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.apache.hadoop.hbase.util.Bytes.toBytesBinary;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.key.KeyColumn;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.RowKeyLayout;
import org.apache.phoenix.pruning.key.ValueBound;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.schema.SaltingUtil;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class RegionWalkTest {

  /** {@code PRIMARY KEY (pk1, pk2)}, both INTEGER NOT NULL. */
  private static final RowKeyLayout TWO_INTEGERS =
      RowKeyLayout.of(KeyColumn.fixed("PK1", 4, false), KeyColumn.fixed("PK2", 4, false));

  /** {@code SPLIT ON (1, ..., 99)}, which Phoenix pads to the shortest key. */
  private static final List<byte[]> BY_PK1 =
      IntStream.range(1, 100).mapToObj(pk1 -> Bytes.add(toBytes(pk1), new byte[4])).toList();

  // Predicates for which stock plans more regions than can match

  @Test
  public void paddedSplitPointsCostNothing() throws SQLException {
    assertThat(planned(pk1(25), BY_PK1)).containsExactly(25);
    assertThat(planned(pk1(1, 25, 50, 75), BY_PK1)).containsExactly(1, 25, 50, 75);
    assertThat(planned(pk1Between(10, 19), BY_PK1)).hasSize(10);
    assertThat(planned(pk1Above(90), BY_PK1)).hasSize(9);
    assertThat(planned(pk1(1).or(pk1(25)), BY_PK1)).containsExactly(1, 25);
    assertThat(planned(pk1Between(10, 11).or(pk1Between(30, 31)), BY_PK1))
        .containsExactly(10, 11, 30, 31);
    assertThat(planned(pk1Between(10, 12), BY_PK1)).containsExactly(10, 11, 12);
  }

  @Test
  public void paddedSplitPointsOfStringsCostNothing() throws SQLException {
    RowKeyLayout layout =
        RowKeyLayout.of(KeyColumn.variable("PK1", false, false), KeyColumn.fixed("PK2", 4, false));
    List<byte[]> padded =
        IntStream.range(1, 100)
            .mapToObj(i -> Bytes.add(toBytes("k%05d".formatted(i)), new byte[5]))
            .toList();
    assertThat(planned(point(layout, 0, "k00025"), padded)).containsExactly(25);
    KeySpace like =
        KeySpace.of(
            layout,
            0,
            List.of(
                ValueRange.between(
                    ValueBound.before(toBytes("k0002")),
                    ValueBound.afterPrefix(toBytes("k0002")))));
    assertThat(planned(like, padded)).as("k0002 is before k00020, in region 19").hasSize(11);
  }

  @Test
  public void orAcrossColumns() throws SQLException {
    KeySpace either = pk1(25).and(pk2(5)).or(pk1(30).and(pk2(6)));
    assertThat(planned(either, BY_PK1)).containsExactly(25, 30);
    assertThat(planned(pk1(25).or(pk2(5)), BY_PK1)).as("pk2=5 can be anywhere").hasSize(100);
  }

  @Test
  public void regionInsideOneLeadingValueBoundsTheNextColumn() throws SQLException {
    List<byte[]> inside =
        List.of(key(10, 0), key(10, 3), key(10, 7), key(11, 0), key(12, 0), key(12, 5));
    assertThat(planned(pk2(5), inside))
        .as("not in [(10,0), (10,3)), not in [(10,7), (11,0))")
        .containsExactly(0, 2, 4, 6);
    assertThat(planned(pk1Above(9).and(pk2(5)), inside))
        .as("a range, then an equality")
        .containsExactly(2, 4, 6);
    assertThat(planned(pk1(10).and(pk2(5)), inside)).containsExactly(2);
  }

  @Test
  public void nowhereLooksUpNothing() throws SQLException {
    assertThat(planned(pk1(1).and(pk1(2)), BY_PK1)).isEmpty();
    assertThat(planned(KeySpace.of(TWO_INTEGERS, 0, List.of()), BY_PK1)).isEmpty();
    assertThat(planned(KeySpace.anyOf(TWO_INTEGERS, List.of()), BY_PK1)).isEmpty();
  }

  @Test
  public void everywhereIsEveryRegion() throws SQLException {
    assertThat(planned(KeySpace.everywhere(TWO_INTEGERS), BY_PK1)).hasSize(100);
    assertThat(planned(KeySpace.everywhere(TWO_INTEGERS), List.of())).containsExactly(0);
  }

  // Row keys that are not the concatenation of their values

  @Test
  public void boundariesShorterAndLongerThanKeys() throws SQLException {
    List<byte[]> boundaries =
        List.of(
            toBytesBinary("\\x00"),
            toBytesBinary("\\x00\\x00\\x00\\x05"),
            toBytesBinary("\\x00\\x00\\x00\\x05\\x00\\x00\\x00\\x07\\x00\\x00"),
            toBytesBinary("\\x00\\x00\\x00\\x06\\x00"));
    assertThat(planned(pk1(5), boundaries)).containsExactly(2, 3);
    assertThat(planned(pk1(5).and(pk2(7)), boundaries))
        .as("a longer key of a view can lie behind the boundary")
        .containsExactly(2, 3);
    assertThat(planned(pk1(5).and(pk2(8)), boundaries)).containsExactly(3);
    assertThat(planned(pk1(6), boundaries)).containsExactly(4);
  }

  @Test
  public void trailingNullsAreNotStored() throws SQLException {
    RowKeyLayout layout =
        RowKeyLayout.of(
            KeyColumn.variable("A", false, false),
            KeyColumn.variable("B", false, true),
            KeyColumn.variable("C", false, true));
    KeySpace a = point(layout, 0, "a");
    List<byte[]> boundaries = List.of(toBytesBinary("a"), toBytesBinary("a\\x00b"));
    KeySpace nulls = a.and(isNull(layout, 1)).and(isNull(layout, 2));
    assertThat(planned(nulls, boundaries)).as("stored as 'a'").containsExactly(1);
    List<byte[]> behind = List.of(toBytesBinary("a\\x00"), toBytesBinary("a\\x00\\x00"));
    assertThat(planned(nulls, behind))
        .as("'a', or 'a 00' if a column has a DEFAULT, or more if a view has more columns")
        .containsExactly(0, 1, 2);
    assertThat(planned(a.and(isNull(layout, 1)).and(point(layout, 2, "c")), behind))
        .as("stored as 'a 00 00 c'")
        .containsExactly(2);
  }

  @Test
  public void descendingNullsComeFirst() throws SQLException {
    RowKeyLayout layout =
        RowKeyLayout.of(KeyColumn.variable("A", true, true), KeyColumn.fixed("B", 1, false));
    List<byte[]> boundaries = List.of(toBytesBinary("\\x01"), toBytesBinary("\\x9E"));
    assertThat(planned(isNull(layout, 0), boundaries)).containsExactly(0);
    assertThat(planned(point(layout, 0, "b"), boundaries)).as("9D").containsExactly(1);
    assertThat(planned(point(layout, 0, "a"), boundaries)).as("9E FF").containsExactly(2);
    assertThat(planned(point(layout, 0, "aa"), boundaries)).as("9E 9E FF").containsExactly(2);
  }

  // Salts

  @Test
  @Parameters({"2", "16", "128", "129", "200", "255", "256"})
  public void saltOfAWholeKeyIsKnown(int buckets) throws SQLException {
    RowKeyLayout layout = salted(buckets);
    List<byte[]> byBucket = List.of(SaltingUtil.getSalteByteSplitPoints(buckets));
    assertThat(IntStream.range(0, 50))
        .allSatisfy(
            value -> {
              byte[] key = Bytes.add(toBytes(value), toBytes(7));
              int salt = 0xFF & SaltingUtil.getSaltingByte(key, 0, key.length, buckets);
              KeySpace point = integer(layout, 0, value).and(integer(layout, 1, 7));
              assertThat(planned(point, byBucket)).containsExactly(salt);
            });
    assertThat(planned(KeySpace.everywhere(layout), byBucket)).hasSize(buckets);
  }

  @Test
  public void saltedPrefixIsOneRangeABucket() throws SQLException {
    int buckets = 200;
    List<byte[]> boundaries = new ArrayList<>();
    for (int salt = 0; salt < buckets; salt++) {
      for (int value = salt == 0 ? 1 : 0; value < 4; value++) {
        boundaries.add(Bytes.add(new byte[] {(byte) salt}, toBytes(value * 10), new byte[4]));
      }
    }
    assertThat(planned(integer(salted(buckets), 0, 25), boundaries))
        .hasSize(buckets)
        .allMatch(region -> region == 2 || region % 4 == 2);
    RowKeyLayout prefix =
        RowKeyLayout.saltedPrefix(List.of(KeyColumn.fixed("PK1", 4, false)), buckets);
    assertThat(planned(integer(prefix, 0, 25), boundaries)).hasSize(buckets);
  }

  @Test
  public void manyKeysOfOtherBucketsInARowAreTakenAsTheyAre() throws SQLException {
    int buckets = 4;
    RowKeyLayout layout =
        RowKeyLayout.salted(
            List.of(KeyColumn.fixed("PK1", 4, false)), buckets, (key, offset, length) -> (byte) 3);
    List<byte[]> byBucket = List.of(SaltingUtil.getSalteByteSplitPoints(buckets));
    KeySpace few = integers(layout, 0, IntStream.range(0, 10).map(i -> 2 * i).boxed().toList());
    assertThat(planned(few, byBucket)).containsExactly(3);
    KeySpace many = integers(layout, 0, IntStream.range(0, 900).map(i -> 2 * i).boxed().toList());
    assertThat(planned(many, byBucket)).as("more than can match, never less").contains(3);
  }

  // Large IN lists

  @Test
  public void productOfInListsIsWalkedLazily() throws SQLException {
    List<Integer> thousand = IntStream.range(0, 1000).map(i -> 3 * i).boxed().toList();
    KeySpace product = integers(TWO_INTEGERS, 0, thousand).and(integers(TWO_INTEGERS, 1, thousand));
    List<byte[]> boundaries = IntStream.range(1, 3000).mapToObj(pk1 -> key(pk1, 0)).toList();
    assertThat(planned(product, boundaries)).hasSize(1000).allMatch(region -> region % 3 == 0);
    assertThat(product.next(key(2997, 2997))).isEqualTo(key(2997, 2997));
    assertThat(product.next(key(5, 0))).isEqualTo(key(6, 0));
    assertThat(product.next(key(6, 4))).isEqualTo(key(6, 6));
    assertThat(product.next(key(6, 2998))).isEqualTo(key(9, 0));
    assertThat(product.next(key(2997, 2998))).isNull();
  }

  // The walk

  @Test
  public void partOfTheTable() throws SQLException {
    TestRegions regions = new TestRegions(BY_PK1);
    KeySpace all = KeySpace.everywhere(TWO_INTEGERS);
    assertThat(regions.indexesOf(RegionWalk.plan(all, key(10, 0), key(12, 0), regions)))
        .as("to is exclusive")
        .containsExactly(10, 11);
    assertThat(regions.indexesOf(RegionWalk.plan(all, key(10, 5), key(12, 1), regions)))
        .containsExactly(10, 11, 12);
    assertThat(regions.indexesOf(RegionWalk.plan(pk1(1, 11, 50), key(10, 0), key(12, 0), regions)))
        .containsExactly(11);
    assertThat(regions.indexesOf(RegionWalk.plan(all, key(98, 0), new byte[0], regions)))
        .containsExactly(98, 99);
    assertThat(RegionWalk.plan(pk1(12), key(10, 0), key(12, 0), regions)).isEmpty();
  }

  @Test
  public void holeBetweenRegionsIsReported() {
    HRegionLocation first = new TestRegions(BY_PK1).locate(new byte[0]);
    assertThatThrownBy(() -> RegionWalk.plan(pk1(25), key -> first))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("\\x00\\x00\\x00\\x19")
        .hasMessageContaining("\\x00\\x00\\x00\\x01");
  }

  @Test
  public void listHasRegions() {
    assertThatThrownBy(() -> new RegionList(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // Helpers

  /** Returns the planned regions, and asserts that one location was looked up for each. */
  private static List<Integer> planned(KeySpace space, List<byte[]> boundaries)
      throws SQLException {
    TestRegions regions = new TestRegions(boundaries);
    List<Integer> planned = regions.indexesOf(RegionWalk.plan(space, regions));
    assertThat(regions.lookups()).as("lookups").isEqualTo(planned.size());
    return planned;
  }

  private static RowKeyLayout salted(int buckets) {
    return RowKeyLayout.salted(
        List.of(KeyColumn.fixed("PK1", 4, false), KeyColumn.fixed("PK2", 4, false)),
        buckets,
        (key, offset, length) -> SaltingUtil.getSaltingByte(key, offset, length, buckets));
  }

  private static byte[] key(int pk1, int pk2) {
    return Bytes.add(toBytes(pk1), toBytes(pk2));
  }

  private static KeySpace pk1(Integer... values) {
    return integers(TWO_INTEGERS, 0, List.of(values));
  }

  private static KeySpace pk2(Integer... values) {
    return integers(TWO_INTEGERS, 1, List.of(values));
  }

  private static KeySpace pk1Between(int lower, int upper) {
    return KeySpace.of(
        TWO_INTEGERS,
        0,
        List.of(
            ValueRange.between(
                ValueBound.before(toBytes(lower)), ValueBound.after(toBytes(upper)))));
  }

  private static KeySpace pk1Above(int lower) {
    return KeySpace.of(
        TWO_INTEGERS, 0, List.of(ValueRange.above(ValueBound.after(toBytes(lower)))));
  }

  private static KeySpace integer(RowKeyLayout layout, int column, int value) {
    return integers(layout, column, List.of(value));
  }

  private static KeySpace integers(RowKeyLayout layout, int column, Collection<Integer> values) {
    return KeySpace.of(
        layout, column, values.stream().map(value -> ValueRange.point(toBytes(value))).toList());
  }

  private static KeySpace point(RowKeyLayout layout, int column, String value) {
    return KeySpace.of(layout, column, List.of(ValueRange.point(toBytes(value))));
  }

  private static KeySpace isNull(RowKeyLayout layout, int column) {
    return KeySpace.of(layout, column, List.of(ValueRange.NULL));
  }
}

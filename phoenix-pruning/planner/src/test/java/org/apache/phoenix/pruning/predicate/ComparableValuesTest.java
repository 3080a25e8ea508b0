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
package org.apache.phoenix.pruning.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.Date;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PTime;
import org.apache.phoenix.schema.types.PTimestamp;
import org.apache.phoenix.schema.types.PTinyint;
import org.apache.phoenix.schema.types.PUnsignedDate;
import org.apache.phoenix.schema.types.PUnsignedInt;
import org.apache.phoenix.schema.types.PUnsignedTinyint;
import org.apache.phoenix.schema.types.PVarchar;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class ComparableValuesTest {

  /** Returns null for no bound, and bounds of zero, one and two bytes. */
  private static List<byte[]> bounds() {
    List<byte[]> bounds = new ArrayList<>();
    bounds.add(null);
    bounds.add(new byte[0]);
    for (int first : new int[] {0, 1, 0x7F, 0x80, 0x81, 0xFE, 0xFF}) {
      bounds.add(new byte[] {(byte) first});
      bounds.add(new byte[] {(byte) first, 0});
      bounds.add(new byte[] {(byte) first, (byte) 0xFF});
    }
    return bounds;
  }

  /** The interval has the least and the greatest value whose encoding is between the bounds. */
  @Test
  public void areBetweenTheBoundsOfARegion() {
    for (PDataType<?> type : List.<PDataType<?>>of(PTinyint.INSTANCE, PUnsignedTinyint.INSTANCE)) {
      int least = type == PTinyint.INSTANCE ? Byte.MIN_VALUE : 0;
      for (byte[] lower : bounds()) {
        for (byte[] upper : bounds()) {
          List<Integer> values =
              IntStream.rangeClosed(least, Byte.MAX_VALUE)
                  .filter(value -> isBetween(type.toBytes((byte) value), lower, upper))
                  .boxed()
                  .toList();
          if (!values.isEmpty()) {
            ValueInterval interval = ComparableValues.between(lower, upper, type);
            String what = type + " from " + text(lower) + " to " + text(upper);
            assertThat(interval.isNullable()).as(what).isFalse();
            assertThat(List.<Object>of(interval.lower(), interval.upper()))
                .as(what)
                .isEqualTo(
                    List.of(
                        BigDecimal.valueOf(values.get(0)),
                        BigDecimal.valueOf(values.get(values.size() - 1))));
          }
        }
      }
    }
  }

  private static String text(byte[] bound) {
    return bound == null ? "*" : Bytes.toStringBinary(bound);
  }

  private static boolean isBetween(byte[] encoded, byte[] lower, byte[] upper) {
    return (lower == null || Bytes.compareTo(lower, encoded) <= 0)
        && (upper == null || Bytes.compareTo(encoded, upper) < 0);
  }

  @Test
  public void carryOverBytes() {
    byte[] lower = Bytes.add(PInteger.INSTANCE.toBytes(0x00FF_FFFF), new byte[] {1});
    byte[] upper = PInteger.INSTANCE.toBytes(0x0200_0000);
    assertThat(ComparableValues.between(lower, upper, PInteger.INSTANCE))
        .hasToString("[16777216, 33554431]");
  }

  /** An unsigned type has no values with the first bit, but regions may start or end with it. */
  @Test
  public void endAtTheGreatestValueOfUnsignedTypes() {
    byte[] upper = {(byte) 0x90, 0, 0, 1};
    assertThat(ComparableValues.between(null, upper, PUnsignedInt.INSTANCE))
        .hasToString("[0, " + Integer.MAX_VALUE + "]");
  }

  private static List<PDataType<?>> typesOfMilliseconds() {
    return List.of(PDate.INSTANCE, PTime.INSTANCE, PUnsignedDate.INSTANCE);
  }

  @Test
  @Parameters(method = "typesOfMilliseconds")
  public void areDatesForMilliseconds(PDataType<?> type) {
    byte[] lower = type.toBytes(type.toObject(new Date(5), PDate.INSTANCE));
    byte[] upper = type.toBytes(type.toObject(new Date(9), PDate.INSTANCE));
    ValueInterval interval = ComparableValues.between(lower, upper, type);
    assertThat((Object) interval.lower()).isEqualTo(new java.util.Date(5));
    assertThat((Object) interval.upper()).isEqualTo(new java.util.Date(8));
    assertThat((Object) ComparableValues.of(Constant.of(type.toObject(lower), type)))
        .isEqualTo(new java.util.Date(5));
  }

  @Test
  public void areOfTheTypesWithExactBounds() {
    assertThat(ComparableValues.supports(PTinyint.INSTANCE)).isTrue();
    assertThat(ComparableValues.supports(PDate.INSTANCE)).isTrue();
    assertThat(ComparableValues.supports(PDecimal.INSTANCE)).isFalse();
    assertThat(ComparableValues.supports(PTimestamp.INSTANCE)).isFalse();
    assertThat(ComparableValues.supports(PVarchar.INSTANCE)).isFalse();
  }

  @Test
  public void areMadeOfConstants() {
    assertThat((Object) ComparableValues.of(Constant.of(true, PBoolean.INSTANCE))).isEqualTo(true);
    assertThat((Object) ComparableValues.of(Constant.of(7, PInteger.INSTANCE)))
        .isEqualTo(BigDecimal.valueOf(7));
    assertThat((Object) ComparableValues.of(Constant.of("7", PVarchar.INSTANCE))).isNull();
  }
}

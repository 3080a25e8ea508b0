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
import java.math.BigInteger;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PSmallint;
import org.apache.phoenix.schema.types.PTime;
import org.apache.phoenix.schema.types.PTimestamp;
import org.apache.phoenix.schema.types.PTinyint;
import org.apache.phoenix.schema.types.PUnsignedDate;
import org.apache.phoenix.schema.types.PUnsignedInt;
import org.apache.phoenix.schema.types.PUnsignedLong;
import org.apache.phoenix.schema.types.PUnsignedSmallint;
import org.apache.phoenix.schema.types.PUnsignedTime;
import org.apache.phoenix.schema.types.PUnsignedTimestamp;
import org.apache.phoenix.schema.types.PUnsignedTinyint;
import org.apache.phoenix.schema.types.PVarchar;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class ColumnTypesTest {

  private static final List<PDataType<?>> SIGNED_INTEGERS =
      List.of(PTinyint.INSTANCE, PSmallint.INSTANCE, PInteger.INSTANCE, PLong.INSTANCE);

  private static final List<PDataType<?>> UNSIGNED_INTEGERS =
      List.of(
          PUnsignedTinyint.INSTANCE,
          PUnsignedSmallint.INSTANCE,
          PUnsignedInt.INSTANCE,
          PUnsignedLong.INSTANCE);

  private static final List<PDataType<?>> SIGNED_TIMES =
      List.of(PDate.INSTANCE, PTime.INSTANCE, PTimestamp.INSTANCE);

  private static final List<PDataType<?>> UNSIGNED_TIMES =
      List.of(PUnsignedDate.INSTANCE, PUnsignedTime.INSTANCE, PUnsignedTimestamp.INSTANCE);

  /** Returns each type, and whether it is signed. */
  public static Object[][] types() {
    return List.of(SIGNED_INTEGERS, UNSIGNED_INTEGERS, SIGNED_TIMES, UNSIGNED_TIMES).stream()
        .flatMap(
            types ->
                types.stream()
                    .map(
                        type ->
                            new Object[] {type, types == SIGNED_INTEGERS || types == SIGNED_TIMES}))
        .toArray(Object[][]::new);
  }

  @Test
  @Parameters(method = "types")
  public void knowTheSignInTheEncoding(PDataType<?> type, boolean isSigned) {
    assertThat(ColumnTypes.isSigned(type)).isEqualTo(isSigned);
    byte[] zero = type.toBytes(type.toObject(0L, PLong.INSTANCE));
    assertThat(zero[0]).isEqualTo(isSigned ? Byte.MIN_VALUE : 0);
  }

  /** Returns each integer type, and whether it is signed. */
  public static Object[][] integers() {
    return List.of(types()).stream()
        .filter(of -> !ColumnTypes.isTime((PDataType<?>) of[0]))
        .toArray(Object[][]::new);
  }

  @Test
  @Parameters(method = "integers")
  public void knowTheirDomain(PDataType<?> type, boolean isSigned) {
    BigInteger end = BigInteger.ONE.shiftLeft(Byte.SIZE * type.getByteSize() - 1);
    BigDecimal greatest = new BigDecimal(end.subtract(BigInteger.ONE));
    BigDecimal least = isSigned ? new BigDecimal(end.negate()) : BigDecimal.ZERO;
    assertThat(ColumnTypes.compareWithDomain(type, greatest)).isZero();
    assertThat(ColumnTypes.compareWithDomain(type, greatest.add(BigDecimal.ONE))).isOne();
    assertThat(ColumnTypes.compareWithDomain(type, least)).isZero();
    assertThat(ColumnTypes.compareWithDomain(type, least.subtract(BigDecimal.ONE))).isEqualTo(-1);
  }

  private static List<PDataType<?>> typesWithoutDomain() {
    return List.of(PDecimal.INSTANCE, PDate.INSTANCE, PVarchar.INSTANCE);
  }

  @Test
  @Parameters(method = "typesWithoutDomain")
  public void haveNoDomainOtherwise(PDataType<?> type) {
    BigDecimal large = BigDecimal.TEN.pow(30);
    assertThat(ColumnTypes.compareWithDomain(type, large)).isZero();
    assertThat(ColumnTypes.compareWithDomain(type, large.negate())).isZero();
  }

  @Test
  public void areWholeWithoutFractions() {
    for (PDataType<?> type :
        List.<PDataType<?>>of(
            PInteger.INSTANCE, PUnsignedLong.INSTANCE, PDate.INSTANCE, PUnsignedTime.INSTANCE)) {
      assertThat(ColumnTypes.isWhole(type)).as("%s", type).isTrue();
    }
    for (PDataType<?> type :
        List.<PDataType<?>>of(
            PDecimal.INSTANCE,
            PTimestamp.INSTANCE,
            PUnsignedTimestamp.INSTANCE,
            PVarchar.INSTANCE)) {
      assertThat(ColumnTypes.isWhole(type)).as("%s", type).isFalse();
    }
  }

  private static List<PDataType<?>> signedIntegers() {
    return SIGNED_INTEGERS;
  }

  @Test
  @Parameters(method = "signedIntegers")
  public void keepIntegersIfTheyWidenThem(PDataType<?> from) {
    assertThat(ColumnTypes.keepsValue(from, PLong.INSTANCE)).isTrue();
    assertThat(ColumnTypes.keepsValue(from, PDecimal.INSTANCE)).isTrue();
    assertThat(ColumnTypes.keepsValue(from, PDate.INSTANCE)).isFalse();
    assertThat(ColumnTypes.keepsValue(from, PVarchar.INSTANCE)).isFalse();
  }

  @Test
  public void keepValuesIfTheyWidenThem() {
    assertThat(ColumnTypes.keepsValue(PDecimal.INSTANCE, PLong.INSTANCE)).isFalse();
    assertThat(ColumnTypes.keepsValue(PUnsignedLong.INSTANCE, PLong.INSTANCE)).isFalse();
    assertThat(ColumnTypes.keepsValue(PLong.INSTANCE, PInteger.INSTANCE)).isFalse();
    assertThat(ColumnTypes.keepsValue(PVarchar.INSTANCE, PVarchar.INSTANCE)).isTrue();
    assertThat(ColumnTypes.keepsValue(PVarchar.INSTANCE, PDecimal.INSTANCE)).isFalse();
  }

  @Test
  public void keepTimesThatAreWidenedWithTheirSign() {
    for (List<PDataType<?>> types : List.of(SIGNED_TIMES, UNSIGNED_TIMES)) {
      List<PDataType<?>> others = types == SIGNED_TIMES ? UNSIGNED_TIMES : SIGNED_TIMES;
      for (PDataType<?> from : types) {
        assertThat(ColumnTypes.keepsValue(from, PDecimal.INSTANCE)).as("%s", from).isTrue();
        assertThat(ColumnTypes.keepsValue(from, PLong.INSTANCE)).as("%s", from).isFalse();
        for (PDataType<?> to : types) {
          assertThat(ColumnTypes.keepsValue(from, to))
              .as("%s to %s", from, to)
              .isEqualTo(from == to || from.getByteSize() <= to.getByteSize());
        }
        for (PDataType<?> to : others) {
          assertThat(ColumnTypes.keepsValue(from, to)).as("%s to %s", from, to).isFalse();
        }
      }
    }
  }
}

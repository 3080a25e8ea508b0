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
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PDouble;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class ConstantTest {

  private static List<Constant> texts() {
    return List.of(Constant.of("a", PVarchar.INSTANCE), Constant.of("a ", PChar.INSTANCE));
  }

  @Test
  @Parameters(method = "texts")
  public void textsAreEncodedAsTextsOnly(Constant text) {
    byte[] a = Bytes.toBytes("a");
    assertThat(text.encodedAs(PVarchar.INSTANCE)).isEqualTo(a);
    assertThat(text.encodedAs(PChar.INSTANCE)).isEqualTo(a);
    assertThat(text.encodedAs(PInteger.INSTANCE)).isNull();
    assertThat(text.encodedAs(PDate.INSTANCE)).isNull();
  }

  @Test
  public void spacesOfAVarcharAreEncoded() {
    assertThat(Constant.of("a ", PVarchar.INSTANCE).encodedAs(PChar.INSTANCE))
        .isEqualTo(Bytes.toBytes("a "));
  }

  private static List<PDataType<?>> typesOfBytes() {
    return List.of(PVarbinary.INSTANCE, PBinary.INSTANCE);
  }

  @Test
  @Parameters(method = "typesOfBytes")
  public void bytesAreEncodedAsBytes(PDataType<?> type) {
    byte[] bytes = {1, 0};
    Constant constant = Constant.of(bytes, type);
    assertThat(constant.encodedAs(PVarbinary.INSTANCE)).isEqualTo(bytes);
    assertThat(constant.encodedAs(PBinary.INSTANCE)).isEqualTo(bytes);
  }

  @Test
  public void numbersAreEncodedExactlyOrNotAtAll() {
    Constant five = Constant.of(new BigDecimal("5.0"), PDecimal.INSTANCE);
    assertThat(five.encodedAs(PInteger.INSTANCE)).isEqualTo(PInteger.INSTANCE.toBytes(5));
    assertThat(five.encodedAs(PDouble.INSTANCE)).isNull();
    assertThat(five.encodedAs(PVarchar.INSTANCE)).isNull();
    Constant half = Constant.of(new BigDecimal("5.5"), PDecimal.INSTANCE);
    assertThat(half.encodedAs(PInteger.INSTANCE)).isNull();
    assertThat(Constant.of(1 << 20, PInteger.INSTANCE).encodedAs(PDecimal.INSTANCE))
        .isEqualTo(PDecimal.INSTANCE.toBytes(BigDecimal.valueOf(1 << 20)));
  }
}

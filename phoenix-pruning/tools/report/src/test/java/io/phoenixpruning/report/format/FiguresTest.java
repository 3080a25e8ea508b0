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
package io.phoenixpruning.report.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

public class FiguresTest {

  @Test
  public void bytesAreInTheLargestUnitWithAWholeNumber() {
    assertThat(Figures.bytes(0)).isEqualTo("0 bytes");
    assertThat(Figures.bytes(1)).isEqualTo("1 byte");
    assertThat(Figures.bytes(95.6)).isEqualTo("96 bytes");
    assertThat(Figures.bytes(900)).isEqualTo("900 bytes");
    assertThat(Figures.bytes(1024)).isEqualTo("1.0 KiB");
    assertThat(Figures.bytes(19_760)).isEqualTo("19.3 KiB");
    assertThat(Figures.bytes(5 * 1024 * 1024)).isEqualTo("5.0 MiB");
    assertThat(Figures.bytes(1.5 * (1L << 30))).isEqualTo("1.5 GiB");
    assertThat(Figures.bytes(2048.0 * (1L << 40))).isEqualTo("2,048.0 TiB");
  }

  @Test
  public void noSizeIsShownAsThousandOfAUnitWhereTheNextOneFits() {
    assertThat(Figures.bytes(1023)).isEqualTo("1.0 KiB");
    assertThat(Figures.bytes((1 << 20) - 1)).isEqualTo("1.0 MiB");
  }

  @Test
  public void smallNumbersAreRoundedToThreeDigits() {
    assertThat(Figures.number(0)).isEqualTo("0");
    assertThat(Figures.number(3)).isEqualTo("3");
    assertThat(Figures.number(1_234_567)).isEqualTo("1,234,567");
    assertThat(Figures.number(0.05)).isEqualTo("0.05");
    assertThat(Figures.number(0.1 + 0.2)).isEqualTo("0.3");
    assertThat(Figures.number(12.345)).isEqualTo("12.3");
    assertThat(Figures.number(99.96)).isEqualTo("100");
    assertThat(Figures.number(1240.5)).isEqualTo("1,241");
  }

  @Test
  public void nounsAgreeWithTheirNumbers() {
    assertThat(Figures.plural(1, "row")).isEqualTo("1 row");
    assertThat(Figures.plural(0, "row")).isEqualTo("0 rows");
    assertThat(Figures.plural(2_000, "query", "queries")).isEqualTo("2,000 queries");
  }
}

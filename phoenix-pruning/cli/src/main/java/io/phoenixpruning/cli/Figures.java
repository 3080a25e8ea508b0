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
package io.phoenixpruning.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as people read them. */
public final class Figures {

  /** Enough to compare two figures. */
  private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

  private static final double READ_WHOLE = 100;

  private Figures() {}

  /** With as many digits as are of interest: {@code 1,240}, {@code 12.5}, {@code 0.05}. */
  public static String number(double value) {
    if (value == Math.rint(value) || Math.abs(value) >= READ_WHOLE) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return new BigDecimal(value).round(THREE_DIGITS).stripTrailingZeros().toPlainString();
  }

  /** In the largest unit of which there is one at least: {@code 96 bytes}, {@code 1.5 KiB}. */
  public static String bytes(double bytes) {
    ByteUnit unit = ByteUnit.of(bytes);
    return unit == ByteUnit.BYTES
        ? plural(Math.round(bytes), "byte")
        : String.format(Locale.ROOT, "%,.1f %s", unit.from(bytes), unit);
  }

  /** A number and its noun, with an s unless there is one. */
  public static String plural(long count, String noun) {
    return plural(count, noun, noun + "s");
  }

  /** A number and its noun. */
  public static String plural(long count, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
  }
}

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

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Formats numbers for people. */
public final class Figures {

  /** Enough digits to compare two figures. */
  private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

  private static final double READ_WHOLE = 100;

  private Figures() {}

  /**
   * Formats {@code value} without decimals if it is whole or at least 100. Otherwise, formats it
   * with up to three significant digits. Examples: {@code 1,240}, {@code 12.5}, {@code 0.05}.
   */
  public static String number(double value) {
    if (value == Math.rint(value) || Math.abs(value) >= READ_WHOLE) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return new BigDecimal(value).round(THREE_DIGITS).stripTrailingZeros().toPlainString();
  }

  /**
   * Formats a size in the largest unit in which it is at least 1, such as {@code 96 bytes} or
   * {@code 1.5 KiB}.
   */
  public static String bytes(double bytes) {
    ByteUnit unit = ByteUnit.of(bytes);
    return unit == ByteUnit.BYTES
        ? plural(Math.round(bytes), "byte")
        : String.format(Locale.ROOT, "%,.1f %s", unit.from(bytes), unit);
  }

  /** Formats a count with its noun. Adds an s to the noun unless the count is 1. */
  public static String plural(long count, String noun) {
    return plural(count, noun, noun + "s");
  }

  /** Formats a count with its noun: {@code one} if the count is 1, otherwise {@code many}. */
  public static String plural(long count, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
  }
}

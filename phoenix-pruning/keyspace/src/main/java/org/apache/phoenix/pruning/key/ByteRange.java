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

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The byte strings from {@code lower}, inclusive, to {@code upper}, exclusive. Never empty. */
final class ByteRange {

  private final byte[] lower;

  /** Exclusive upper bound, or null if there is none. */
  private final byte @Nullable [] upper;

  private ByteRange(byte[] lower, byte @Nullable [] upper) {
    this.lower = lower;
    this.upper = upper;
  }

  /**
   * Returns the range between the bounds.
   *
   * @param upper exclusive upper bound, or null if there is none
   * @throws IllegalArgumentException if no string lies between the bounds
   */
  static ByteRange of(byte[] lower, byte @Nullable [] upper) {
    ByteRange range = new ByteRange(lower, upper);
    if (KeyBytes.compareEnds(lower, upper) >= 0) {
      throw new IllegalArgumentException("the lower bound must be below the upper bound: " + range);
    }
    return range;
  }

  byte[] lower() {
    return lower;
  }

  /** Returns the exclusive upper bound, or null if there is none. */
  byte @Nullable [] upper() {
    return upper;
  }

  boolean contains(byte[] bytes) {
    return KeyBytes.compare(lower, bytes) <= 0 && KeyBytes.compareEnds(bytes, upper) < 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteRange
        && Arrays.equals(lower, ((ByteRange) other).lower)
        && Arrays.equals(upper, ((ByteRange) other).upper);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(lower), Arrays.hashCode(upper));
  }

  @Override
  public String toString() {
    return "["
        + KeyBytes.toText(lower)
        + ", "
        + (upper == null ? "" : KeyBytes.toText(upper))
        + ")";
  }
}

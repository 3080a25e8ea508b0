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

import java.util.Objects;

/**
 * A position between the values of a column, in the order of their ascending encodings. The
 * position is before a value, after a value, or after all values that start with given bytes.
 */
public final class ValueBound {

  enum Place {
    BEFORE,
    AFTER_VALUE,
    AFTER_PREFIX
  }

  private final byte[] bytes;
  private final Place place;

  private ValueBound(byte[] bytes, Place place) {
    this.bytes = Objects.requireNonNull(bytes);
    this.place = place;
  }

  /** Returns the position below {@code bytes} and all values that start with these bytes. */
  public static ValueBound before(byte[] bytes) {
    return new ValueBound(bytes, Place.BEFORE);
  }

  /**
   * Returns the position above {@code bytes}, a complete value, and below all longer values that
   * start with this value.
   */
  public static ValueBound after(byte[] bytes) {
    return new ValueBound(bytes, Place.AFTER_VALUE);
  }

  /** Returns the position above {@code bytes} and all values that start with these bytes. */
  public static ValueBound afterPrefix(byte[] bytes) {
    return new ValueBound(bytes, Place.AFTER_PREFIX);
  }

  public byte[] bytes() {
    return bytes;
  }

  Place place() {
    return place;
  }

  @Override
  public String toString() {
    return place.name().toLowerCase(java.util.Locale.ROOT) + ' ' + KeyBytes.toText(bytes);
  }
}

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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Byte strings for tests, with an order that does not depend on the code under test. */
final class ByteStrings {

  private ByteStrings() {}

  static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  /**
   * Returns all strings of at most {@code length} bytes of {@code alphabet}, including the empty
   * one.
   */
  static List<byte[]> upTo(int length, int... alphabet) {
    List<byte[]> all = new ArrayList<>();
    all.add(new byte[0]);
    int shorter = 0;
    for (int i = 0; i < length; i++) {
      int end = all.size();
      for (; shorter < end; shorter++) {
        for (int b : alphabet) {
          all.add(join(all.get(shorter), bytes(b)));
        }
      }
    }
    return all;
  }

  static byte[] join(byte[] head, byte[] tail) {
    byte[] joined = Arrays.copyOf(head, head.length + tail.length);
    System.arraycopy(tail, 0, joined, head.length, tail.length);
    return joined;
  }

  static int compare(byte[] left, byte[] right) {
    return Arrays.compareUnsigned(left, right);
  }

  static boolean startsWith(byte[] bytes, byte[] start) {
    return bytes.length >= start.length
        && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
  }

  static boolean contains(byte[] bytes, int wanted) {
    for (byte b : bytes) {
      if (b == (byte) wanted) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether {@code range} has {@code value}, or null if {@code value} is null. */
  static boolean holds(ValueRange range, byte[] value) {
    if (value == null || range.isNull()) {
      return value == null && range.isNull();
    }
    return (range.lower() == null || !isBelow(value, range.lower()))
        && (range.upper() == null || isBelow(value, range.upper()));
  }

  private static boolean isBelow(byte[] value, ValueBound bound) {
    int comparison = compare(value, bound.bytes());
    return switch (bound.place()) {
      case BEFORE -> comparison < 0;
      case AFTER_VALUE -> comparison <= 0;
      case AFTER_PREFIX -> comparison < 0 || startsWith(value, bound.bytes());
    };
  }
}

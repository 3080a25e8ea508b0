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
import org.jspecify.annotations.Nullable;

/** Compares and changes key bytes. The order is unsigned and lexicographic. */
final class KeyBytes {

  static final byte[] EMPTY = new byte[0];

  private KeyBytes() {}

  static int compare(byte[] left, byte[] right) {
    int length = Math.min(left.length, right.length);
    for (int i = 0; i < length; i++) {
      int difference = (left[i] & 0xFF) - (right[i] & 0xFF);
      if (difference != 0) {
        return difference;
      }
    }
    return left.length - right.length;
  }

  /** Compares exclusive upper bounds. Null is above every key. */
  static int compareEnds(byte @Nullable [] left, byte @Nullable [] right) {
    if (left == null || right == null) {
      return left == right ? 0 : left == null ? 1 : -1;
    }
    return compare(left, right);
  }

  static byte[] concat(byte[] head, byte[] tail) {
    byte[] result = Arrays.copyOf(head, head.length + tail.length);
    System.arraycopy(tail, 0, result, head.length, tail.length);
    return result;
  }

  static byte[] append(byte[] head, int last) {
    byte[] result = Arrays.copyOf(head, head.length + 1);
    result[head.length] = (byte) last;
    return result;
  }

  static byte[] invert(byte[] bytes) {
    byte[] result = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      result[i] = (byte) ~bytes[i];
    }
    return result;
  }

  /**
   * Returns the smallest string above every string that starts with {@code prefix}, or null if
   * there is none.
   */
  static byte @Nullable [] afterPrefix(byte[] prefix) {
    int last = prefix.length - 1;
    while (last >= 0 && prefix[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return null;
    }
    byte[] result = Arrays.copyOf(prefix, last + 1);
    result[last]++;
    return result;
  }

  /** Returns the position of the first {@code wanted}, or -1 if there is none. */
  static int indexOf(byte[] bytes, byte wanted) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  /** Formats {@code bytes}: printable ASCII unchanged, all other bytes as {@code \xHH}. */
  static String toText(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      if (b > ' ' && b < 0x7F && b != '\\') {
        text.append((char) b);
      } else {
        text.append(String.format("\\x%02X", b & 0xFF));
      }
    }
    return text.toString();
  }
}

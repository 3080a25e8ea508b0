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
package org.apache.phoenix.pruning.layout;

import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Formats row keys for messages. A key can have 32 KB, and bytes that a client sends can be longer.
 */
public final class KeyText {

  /** Maximum length of a key that is written in full, in bytes. */
  static final int MAX_FULL_LENGTH = 24;

  private static final int HEAD_LENGTH = 16;
  private static final int TAIL_LENGTH = MAX_FULL_LENGTH - HEAD_LENGTH;

  private KeyText() {}

  /**
   * Returns {@code key} in quotes, as {@link #brief} writes it. Returns {@code missing} for null.
   */
  public static String of(byte @Nullable [] key) {
    return key == null ? "missing" : "'" + brief(key) + "'";
  }

  /**
   * Returns {@code key} in at most about 130 characters. A long key is shortened to its first
   * bytes, its last bytes and its length.
   */
  public static String brief(byte[] key) {
    return key.length <= MAX_FULL_LENGTH
        ? Bytes.toStringBinary(key)
        : Bytes.toStringBinary(key, 0, HEAD_LENGTH)
            + "..."
            + Bytes.toStringBinary(key, key.length - TAIL_LENGTH, TAIL_LENGTH)
            + " ("
            + key.length
            + " bytes)";
  }
}

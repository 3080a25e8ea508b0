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
package org.apache.phoenix.pruning.patch.range;

/** Changes the bytes of a key to which a skip scan seeks. */
public final class SeekKeys {

  private SeekKeys() {}

  /**
   * Returns the exclusive end of the byte that {@code ByteUtil.nextKey} incremented. All bytes
   * after it were 0xFF and are now 0.
   *
   * @param key an incremented key, with at least one byte that is not 0
   */
  public static int endOfIncremented(byte[] key, int length) {
    int end = length;
    while (key[end - 1] == 0) {
      end--;
    }
    return end;
  }

  /**
   * Inserts a zero byte at {@code position}.
   *
   * @return {@code key}, or a longer copy if {@code key} has no room for another byte
   */
  public static byte[] withZeroAt(int position, byte[] key, int length) {
    byte[] result = key;
    if (length == key.length) {
      result = new byte[key.length + 1];
      System.arraycopy(key, 0, result, 0, position);
    }
    System.arraycopy(key, position, result, position + 1, length - position);
    result[position] = 0;
    return result;
  }
}

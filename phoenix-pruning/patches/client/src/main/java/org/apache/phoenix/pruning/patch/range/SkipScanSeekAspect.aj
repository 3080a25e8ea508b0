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

import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.filter.SkipScanFilter;
import org.apache.phoenix.util.ByteUtil;

/**
 * Computes the key to which Phoenix's {@code SkipScanFilter.navigate} seeks, for the patch {@code
 * skip-scan}. Phoenix overwrites the key that it reads, skips longer values, and seeks to wrong
 * keys after the greatest value of a column (not reported).
 *
 * <p>Example: {@code SELECT K1, K2, K3 FROM T WHERE K1 IN ('aa', 'b') AND K2 < 2 AND K3 = 2} loses
 * the row (b, 1, 2).
 */
public privileged aspect SkipScanSeekAspect {

  /**
   * Spare buffer for {@code startKey}. The two buffers alternate, so that a seek allocates none.
   */
  private byte[] SkipScanFilter.otherStartKey;

  /** Length of the key to seek to, or 0 if the filter's own length is right. */
  private int SkipScanFilter.endOfHint;

  /**
   * Switches to the other buffer if the filter still reads from {@code startKey}. Phoenix's {@code
   * SkipScanFilter.navigate} reads the key of a seek in this buffer while it writes the next key
   * there.
   *
   * <p>If the next key begins with a value of another length, the filter reads at wrong offsets:
   * {@code K1 IN ('aa', 'b') AND K2 < 2 AND K3 = 2} loses rows.
   */
  before(SkipScanFilter filter) :
      call(void SkipScanFilter.setStartKey())
      && withincode(* SkipScanFilter.navigate(..))
      && target(filter) {
    byte[] inUse = filter.startKey;
    if (filter.isPatched && filter.ptr.get() == inUse) {
      byte[] other = filter.otherStartKey;
      filter.startKey =
          other == null || other.length < inUse.length ? new byte[inUse.length] : other;
      filter.otherStartKey = inUse;
    }
  }

  /**
   * Computes the next key after a value of variable width and its separator. Phoenix's {@code
   * ByteUtil.nextKey} only increments the separator.
   *
   * <ul>
   *   <li>After an ascending value, the next key is a longer value with its own separator. After
   *       {@code a} and 0x00 comes {@code a}, 0x01 and 0x00.
   *   <li>After a descending value and its separator 0xFF, the next key begins with a value and a
   *       zero byte, but is not a value itself. In descending order, {@code aa} comes between
   *       {@code b} and {@code a}.
   * </ul>
   */
  after(SkipScanFilter filter, byte[] key, int length) returning(boolean hasNext) :
      call(static boolean ByteUtil.nextKey(byte[], int))
      && withincode(* SkipScanFilter.navigate(..))
      && this(filter)
      && args(key, length) {
    if (!filter.isPatched) {
      return;
    }
    if (!hasNext) {
      filter.isDone = true;
      return;
    }
    ImmutableBytesWritable value = filter.ptr;
    boolean isVariable = value.getOffset() + value.getLength() == length - 1;
    int end = SeekKeys.endOfIncremented(key, length);
    boolean isCarried = isVariable ? end <= value.getOffset() : end < length;
    filter.endOfHint = isCarried ? end : 0;
    if (isVariable && !isCarried) {
      if (key[length - 1] == 0) {
        value.set(key, value.getOffset(), value.getLength() + 1);
      } else {
        filter.startKey = SeekKeys.withZeroAt(length, filter.startKey, filter.startKeyLength);
        filter.startKeyLength++;
      }
    }
  }

  /**
   * Seeks past the greatest value of a column. Phoenix's {@code SkipScanFilter.navigate} has two
   * defects here.
   *
   * <ul>
   *   <li>If all bytes of the key are 0xFF, no greater key exists, and the scan must end. Phoenix
   *       seeks to the current row again, and {@code K1 > 0 AND K2 = 5} fails after K1 =
   *       2,147,483,647.
   *   <li>Otherwise the column before, or the separator between the two columns, is incremented.
   *       After {@code a}, 0x00 and the greatest INTEGER comes {@code a} and 0x01. Phoenix appends
   *       the next columns to this key, and {@code K1 >= 'a' AND K2 >= 0 AND K3 = 5} loses rows
   *       whose K1 is {@code a} and 0x01.
   * </ul>
   */
  ReturnCode around(SkipScanFilter filter) :
      execution(ReturnCode SkipScanFilter.navigate(..)) && this(filter) {
    ReturnCode code = proceed(filter);
    if (code == ReturnCode.SEEK_NEXT_USING_HINT) {
      if (filter.isDone) {
        return ReturnCode.NEXT_ROW;
      }
      if (filter.endOfHint > 0) {
        filter.startKeyLength = filter.endOfHint;
        filter.endOfHint = 0;
      }
    }
    return code;
  }
}

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
package org.apache.phoenix.pruning.protocol;

import java.util.Arrays;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.pruning.layout.KeyText;
import org.jspecify.annotations.Nullable;

/** Range of keys that a scan has in two attributes, one for each end. */
abstract class ScanKeyRange {

  final byte[] start;
  final byte[] end;

  ScanKeyRange(byte[] start, byte[] end) {
    this.start = start;
    this.end = end;
  }

  /** Returns the range in two attributes of {@code scan}, or null if an attribute is missing. */
  static <T extends ScanKeyRange> @Nullable T read(
      Scan scan, String startName, String endName, BiFunction<byte[], byte[], T> constructor) {
    byte[] start = scan.getAttribute(startName);
    byte[] end = scan.getAttribute(endName);
    return start == null || end == null ? null : constructor.apply(start, end);
  }

  /** Writes this range to two attributes of {@code scan}. */
  void write(Scan scan, String startName, String endName) {
    scan.setAttribute(startName, start);
    scan.setAttribute(endName, end);
  }

  /** Returns the inclusive start key; empty for the start of the table. */
  public byte[] start() {
    return start;
  }

  /** Returns the exclusive end key; empty for the end of the table. */
  public byte[] end() {
    return end;
  }

  @Override
  @SuppressWarnings("EqualsGetClass") // A region never equals a range of data rows.
  public boolean equals(Object other) {
    return other != null
        && getClass() == other.getClass()
        && Arrays.equals(start, ((ScanKeyRange) other).start)
        && Arrays.equals(end, ((ScanKeyRange) other).end);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(start) + Arrays.hashCode(end);
  }

  @Override
  public String toString() {
    return "[" + KeyText.brief(start) + ", " + KeyText.brief(end) + ")";
  }
}

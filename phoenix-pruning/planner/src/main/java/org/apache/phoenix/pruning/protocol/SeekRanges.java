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

import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.phoenix.filter.SkipScanFilter;

/**
 * Key ranges to which a server can seek, in an attribute of a scan. The format is that of Phoenix's
 * {@code SkipScanFilter}. The scan tests its whole condition itself, so a server that ignores the
 * attribute returns the same rows.
 */
public final class SeekRanges {

  /** Scan attribute that holds a serialized {@link SkipScanFilter}. */
  public static final String ATTRIBUTE = "_PhoenixPruningLooseIndexScan";

  /** Maximum number of ranges that a client sends. Each scan carries all ranges. */
  public static final int MAX_SENT_RANGES = 10_000;

  /** Maximum number of ranges that a server accepts. */
  private static final int MAX_ACCEPTED_RANGES = 10 * MAX_SENT_RANGES;

  private static final int BITS_OF_RANGES = (1 << 21) - 1;

  private SeekRanges() {}

  /**
   * Parses the value of {@link #ATTRIBUTE}.
   *
   * @throws IOException if the bytes do not describe key ranges
   */
  public static SkipScanFilter read(byte[] serialized) throws IOException {
    try {
      check(new BoundedInput("ranges of keys", serialized));
      return SkipScanFilter.parseFrom(serialized);
    } catch (EOFException | DeserializationException | RuntimeException e) {
      throw new IOException("These bytes do not describe ranges of keys: " + e, e);
    }
  }

  /** Checks all counts and lengths, because {@code SkipScanFilter} allocates memory for them. */
  private static void check(BoundedInput in) throws IOException {
    in.skipRowKeySchema();
    int slots = in.readInt();
    in.requireWithin("the number of slots", slots, 1, in.available());
    int remaining = MAX_ACCEPTED_RANGES;
    for (int i = 0; i < slots; i++) {
      // Encoded as -(n + 1). The low 21 bits of n are the number of ranges, the bits above are the
      // number of columns after the first.
      int columnsAndRanges = in.readInt();
      in.requireWithin("the columns of a slot", columnsAndRanges, Integer.MIN_VALUE, -1);
      int ranges = -(columnsAndRanges + 1) & BITS_OF_RANGES;
      in.requireWithin("the number of ranges", ranges, 1, Math.min(remaining, in.available()));
      remaining -= ranges;
      for (int bound = 0; bound < 2 * ranges; bound++) {
        // The length is negative for an exclusive bound, and 0 for no bound.
        long length = Math.abs((long) in.readVInt());
        in.readBytes("the length of a bound", Math.max(0, length - 1));
      }
    }
  }
}

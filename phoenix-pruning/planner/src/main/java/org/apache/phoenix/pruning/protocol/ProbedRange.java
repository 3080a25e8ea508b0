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

import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.HConstants;
import org.apache.phoenix.pruning.layout.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Range of local index keys in one region that one scan reads.
 *
 * <p>Both keys are without the region start key that prefixes index rows, as Phoenix sends them
 * with a scan. The range is therefore usually the same for all regions.
 */
public final class ProbedRange {

  private final String region;
  private final byte[] start;
  private final byte[] stop;

  /**
   * Creates a range in a region.
   *
   * @param region encoded name of the region, which is never used for another region
   * @param start inclusive; empty for the start of the region
   * @param stop exclusive; empty for the end of the region
   */
  public ProbedRange(String region, byte[] start, byte[] stop) {
    this.region = region;
    this.start = start;
    this.stop = stop;
  }

  /**
   * Returns a range as {@link #ProbedRange(String, byte[], byte[])} does, but reuses the key arrays
   * of {@code previous} if they are equal. Thousands of consecutive ranges usually have equal keys.
   *
   * @param previous the range before this one, or null if there is none
   */
  public static ProbedRange sharingKeys(
      @Nullable ProbedRange previous, String region, byte[] start, byte[] stop) {
    return previous != null
            && Arrays.equals(start, previous.start)
            && Arrays.equals(stop, previous.stop)
        ? new ProbedRange(region, previous.start, previous.stop)
        : new ProbedRange(region, start, stop);
  }

  /** Returns the encoded name of the region. */
  public String region() {
    return region;
  }

  /** Returns the start key, inclusive; empty for the start of the region. */
  public byte[] start() {
    return start;
  }

  /** Returns the stop key, exclusive; empty for the end of the region. */
  public byte[] stop() {
    return stop;
  }

  private boolean hasSameKeys(@Nullable ProbedRange other) {
    return other != null && Arrays.equals(start, other.start) && Arrays.equals(stop, other.stop);
  }

  /**
   * Writes this range.
   *
   * @param previous the range that was written before, or null if this is the first
   */
  void write(DataOutput out, @Nullable ProbedRange previous) throws IOException {
    out.writeUTF(region);
    boolean sameKeys = hasSameKeys(previous);
    out.writeBoolean(sameKeys);
    if (!sameKeys) {
      WireFormat.write(out, start);
      WireFormat.write(out, stop);
    }
  }

  /** Reads a range that {@link #write} wrote after {@code previous}. */
  static ProbedRange read(DataInputStream in, @Nullable ProbedRange previous) throws IOException {
    String region = in.readUTF();
    if (!in.readBoolean()) {
      return new ProbedRange(region, readKey(in), readKey(in));
    }
    if (previous == null) {
      throw new IOException("the first range refers to a previous range");
    }
    return new ProbedRange(region, previous.start, previous.stop);
  }

  private static byte[] readKey(DataInputStream in) throws IOException {
    byte[] key = WireFormat.read(in);
    if (key.length > HConstants.MAX_ROW_LENGTH) {
      throw new IOException(
          "a key has "
              + key.length
              + " bytes, but at most "
              + HConstants.MAX_ROW_LENGTH
              + " are allowed");
    }
    return key;
  }

  @Override
  public String toString() {
    return "[" + KeyText.brief(start) + ", " + KeyText.brief(stop) + ") of " + region;
  }
}

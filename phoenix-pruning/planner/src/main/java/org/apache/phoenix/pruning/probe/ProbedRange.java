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
package org.apache.phoenix.pruning.probe;

import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.HConstants;
import org.apache.phoenix.pruning.layout.KeyText;

/**
 * A range of the keys of a local index in one region: what one of its scans reads.
 *
 * <p>Both ends come without the prefix that index rows have from their region, as Phoenix sends
 * them with a scan: the same range for all regions, as a rule.
 */
public final class ProbedRange {

  private final String region;
  private final byte[] start;
  private final byte[] stop;

  /**
   * A range in a region.
   *
   * @param region its encoded name, which no other region has, before or after
   * @param start inclusive; empty for the start of the region
   * @param stop exclusive; empty for the end of the region
   */
  public ProbedRange(String region, byte[] start, byte[] stop) {
    this.region = region;
    this.start = start;
    this.stop = stop;
  }

  /**
   * As {@link #ProbedRange(String, byte[], byte[])}, with the keys of {@code previous} if they are
   * the same: thousands of ranges that follow one another share them, as a rule.
   *
   * @param previous null if there is none
   */
  public static ProbedRange behind(ProbedRange previous, String region, byte[] start, byte[] stop) {
    return previous != null
            && Arrays.equals(start, previous.start)
            && Arrays.equals(stop, previous.stop)
        ? new ProbedRange(region, previous.start, previous.stop)
        : new ProbedRange(region, start, stop);
  }

  /** The encoded name of the region. */
  public String region() {
    return region;
  }

  /** Inclusive; empty for the start of the region. */
  public byte[] start() {
    return start;
  }

  /** Exclusive; empty for the end of the region. */
  public byte[] stop() {
    return stop;
  }

  private boolean hasKeysOf(ProbedRange other) {
    return other != null && Arrays.equals(start, other.start) && Arrays.equals(stop, other.stop);
  }

  /**
   * Writes this range.
   *
   * @param previous the one that was written before; null if this is the first
   */
  void write(DataOutput out, ProbedRange previous) throws IOException {
    out.writeUTF(region);
    boolean sameKeys = hasKeysOf(previous);
    out.writeBoolean(sameKeys);
    if (!sameKeys) {
      WireFormat.write(out, start);
      WireFormat.write(out, stop);
    }
  }

  /** Reads what {@link #write} wrote behind {@code previous}. */
  static ProbedRange read(DataInputStream in, ProbedRange previous) throws IOException {
    String region = in.readUTF();
    if (!in.readBoolean()) {
      return new ProbedRange(region, readKey(in), readKey(in));
    }
    if (previous == null) {
      throw new IOException("the first range refers to one before it");
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

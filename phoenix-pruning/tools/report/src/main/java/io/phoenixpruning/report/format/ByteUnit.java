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
package io.phoenixpruning.report.format;

/** A unit of data size. Each unit is 1,024 times the previous one. */
public enum ByteUnit {
  BYTES("bytes", 1),
  KIB("KiB", 1L << 10),
  MIB("MiB", 1L << 20),
  GIB("GiB", 1L << 30),
  TIB("TiB", 1L << 40);

  private final String written;
  private final long size;

  ByteUnit(String written, long size) {
    this.written = written;
    this.size = size;
  }

  /**
   * Returns the largest unit in which {@code bytes}, rounded to one decimal, is at least 1. Returns
   * {@link #BYTES} for smaller sizes.
   */
  public static ByteUnit of(double bytes) {
    ByteUnit unit = BYTES;
    for (ByteUnit larger : values()) {
      if (Math.round(10 * larger.from(bytes)) >= 10) {
        unit = larger;
      }
    }
    return unit;
  }

  /** Converts {@code bytes} to this unit. */
  public double from(double bytes) {
    return bytes / size;
  }

  /** Converts {@code amount} of this unit to bytes. */
  public double toBytes(double amount) {
    return amount * size;
  }

  @Override
  public String toString() {
    return written;
  }
}

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
package org.apache.phoenix.pruning.stats;

/** Minimum and maximum number of rows in a range, and the number of parallel scans that read it. */
public final class RowCountBounds {

  /** Zero rows and zero scans. */
  public static final RowCountBounds NONE = new RowCountBounds(0, 0, 0);

  private final long min;
  private final long max;
  private final long scans;

  RowCountBounds(long min, long max, long scans) {
    this.min = min;
    this.max = max;
    this.scans = scans;
  }

  /** Returns the bounds of both ranges together. */
  public RowCountBounds plus(RowCountBounds other) {
    return new RowCountBounds(min + other.min, max + other.max, scans + other.scans);
  }

  /** Returns the bounds of {@code factor} ranges like this range. */
  public RowCountBounds times(double factor) {
    return new RowCountBounds(
        Math.round(min * factor), Math.round(max * factor), Math.round(scans * factor));
  }

  public long min() {
    return min;
  }

  public long max() {
    return max;
  }

  /** Returns the number of parallel scans, which is one more than the number of guideposts. */
  public long scans() {
    return scans;
  }
}

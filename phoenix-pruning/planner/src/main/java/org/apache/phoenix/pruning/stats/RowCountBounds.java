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

  private final long least;
  private final long most;
  private final long scans;

  RowCountBounds(long least, long most, long scans) {
    this.least = least;
    this.most = most;
    this.scans = scans;
  }

  /** Returns the bounds of both ranges together. */
  public RowCountBounds plus(RowCountBounds other) {
    return new RowCountBounds(least + other.least, most + other.most, scans + other.scans);
  }

  /** Returns the bounds of {@code factor} ranges like this range. */
  public RowCountBounds times(double factor) {
    return new RowCountBounds(
        Math.round(least * factor), Math.round(most * factor), Math.round(scans * factor));
  }

  public long least() {
    return least;
  }

  public long most() {
    return most;
  }

  /** Returns the number of parallel scans, which is one more than the number of guideposts. */
  public long scans() {
    return scans;
  }
}

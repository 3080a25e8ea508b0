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
package org.apache.phoenix.pruning.server.seek;

/**
 * Decides for each gap between matching rows whether to seek over the gap or to step through it.
 *
 * <p>A seek takes as long as a few steps, so it pays off only for a longer gap. The length of a gap
 * can be found only by stepping. So some gaps are measured with up to {@value #STEPS_PER_SEEK}
 * steps. After a long gap, the scan seeks over the next gaps. After a short gap, the scan includes
 * the next rows without a test. The number of these gaps or rows doubles each time that the
 * measurement has the same result. (By contrast, RocksDB's option {@code
 * max_sequential_skip_in_iterations} sets one number of steps for all gaps.)
 */
final class SeekPace {

  /** Number of steps that take as long as a seek. */
  static final int STEPS_PER_SEEK = 3;

  private static final int MIN_RUN = 8;
  private static final int MAX_SEEKS = 128;

  private final int maxRows;
  private int seeks;
  private int remainingSeeks;
  private int rows;
  private int remainingRows;

  /**
   * Creates a pace for one scanner.
   *
   * @param maxRows maximum number of rows to include without a test between two measurements; 0 if
   *     each row has to be tested
   */
  SeekPace(int maxRows) {
    this.maxRows = maxRows;
  }

  /** Returns true, and counts the row, if the next row is included without a test. */
  boolean takeUntestedRow() {
    if (remainingRows > 0) {
      remainingRows--;
      return true;
    }
    return false;
  }

  /**
   * Returns true, and counts the seek, if the scan seeks over the new gap without stepping first.
   */
  boolean takeSeek() {
    if (remainingSeeks > 0) {
      remainingSeeks--;
      return true;
    }
    return false;
  }

  /** Records that a gap was stepped through to its end. */
  void recordShortGap() {
    seeks = 0;
    rows = Math.min(maxRows, Math.max(MIN_RUN, 2 * rows));
    remainingRows = rows;
  }

  /** Records that a gap has more than {@value #STEPS_PER_SEEK} rows. */
  void recordLongGap() {
    rows = 0;
    seeks = Math.min(MAX_SEEKS, Math.max(MIN_RUN, 2 * seeks));
    remainingSeeks = seeks;
  }
}

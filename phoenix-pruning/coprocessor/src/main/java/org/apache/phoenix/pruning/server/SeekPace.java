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
package org.apache.phoenix.pruning.server;

/**
 * Decides for each gap between rows that can match whether to seek over it or to step through it. A
 * seek takes the time of a few steps, so it pays only for a longer gap, and how long a gap is can
 * be known only by stepping. So now and then one is measured, by up to {@value #STEPS_OF_SEEK}
 * steps: after a long gap some are sought over, after a short one some rows are read on without a
 * test, twice as many each time that the answer is the same. (RocksDB's {@code
 * max_sequential_skip_in_iterations} steps so often in each gap.)
 */
final class SeekPace {

  /** So many steps take the time of a seek. */
  static final int STEPS_OF_SEEK = 3;

  private static final int FEWEST = 8;
  private static final int MOST_SEEKS = 128;

  private final int mostRows;
  private int seeks;
  private int seeksLeft;
  private int rows;
  private int rowsLeft;

  /**
   * A pace for one scanner.
   *
   * @param mostRows how many rows may be read on at most, between two measurements; 0 where each
   *     row has to be tested
   */
  SeekPace(int mostRows) {
    this.mostRows = mostRows;
  }

  /** Whether the next row is read on, without a test; counts it. */
  boolean readsOn() {
    if (rowsLeft > 0) {
      rowsLeft--;
      return true;
    }
    return false;
  }

  /** Whether to seek over the gap that begins now, without a step; counts it. */
  boolean seeks() {
    if (seeksLeft > 0) {
      seeksLeft--;
      return true;
    }
    return false;
  }

  /** A gap was stepped through to its end. */
  void gapWasShort() {
    seeks = 0;
    rows = Math.min(mostRows, Math.max(FEWEST, 2 * rows));
    rowsLeft = rows;
  }

  /** A gap has more than {@value #STEPS_OF_SEEK} rows. */
  void gapIsLong() {
    rows = 0;
    seeks = Math.min(MOST_SEEKS, Math.max(FEWEST, 2 * seeks));
    seeksLeft = seeks;
  }
}

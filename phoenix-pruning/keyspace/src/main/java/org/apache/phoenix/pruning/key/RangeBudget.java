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
package org.apache.phoenix.pruning.key;

/**
 * Limits the number of ranges that a sequence of operations on {@link KeySpace} creates, and thus
 * their time and memory. Once the budget is spent, AND returns one of its sides, and OR returns all
 * keys.
 */
public final class RangeBudget {

  /** Maximum number of ranges of one operation, or of one projection of a WHERE. */
  public static final int DEFAULT_RANGES = 200_000;

  private int remaining;

  /** Creates a budget of {@value #DEFAULT_RANGES} ranges. */
  public RangeBudget() {
    this(DEFAULT_RANGES);
  }

  /** Creates a budget of {@code ranges} ranges. */
  public RangeBudget(int ranges) {
    this.remaining = ranges;
  }

  /** Returns whether an operation needed more ranges than were left. */
  public boolean isSpent() {
    return remaining < 0;
  }

  /** Spends one range. Returns false if the budget is spent. */
  boolean spend() {
    if (remaining >= 0) {
      remaining--;
    }
    return remaining >= 0;
  }
}

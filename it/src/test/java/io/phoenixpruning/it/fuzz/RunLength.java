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
package io.phoenixpruning.it.fuzz;

import java.time.Duration;

/**
 * Length of a random run. Without a time limit, a run has a fixed number of seeds, so each run does
 * the same. With a time limit, a run takes new seeds until the time is over.
 */
final class RunLength {

  private final int seeds;
  private final long nanos;

  private RunLength(int seeds, long nanos) {
    this.seeds = seeds;
    this.nanos = nanos;
  }

  /**
   * Reads the length from a system property.
   *
   * @param property name of the property that has a number of minutes. If it is not set or empty,
   *     there is no time limit
   * @param seeds number of seeds without a time limit
   */
  static RunLength of(String property, int seeds) {
    String minutes = System.getProperty(property, "");
    return new RunLength(
        seeds,
        minutes.isEmpty()
            ? 0
            : (long) (Duration.ofMinutes(1).toNanos() * Double.parseDouble(minutes)));
  }

  boolean isTimed() {
    return nanos > 0;
  }

  /** Starts a run with {@code part} of the time, or with all seeds if there is no time limit. */
  Run start(double part) {
    return new Run(System.nanoTime(), (long) (nanos * part));
  }

  /** A run that has started. */
  final class Run {

    private final long start;
    private final long limit;

    private Run(long start, long limit) {
      this.start = start;
      this.limit = limit;
    }

    /** Returns whether the run ends before the next seed. */
    boolean isOver(long seedsDone) {
      return isTimed() ? isTimeOver() : seedsDone >= seeds;
    }

    /** Returns whether the time is over. Without a time limit, it never is. */
    boolean isTimeOver() {
      return isTimed() && System.nanoTime() - start >= limit;
    }
  }
}

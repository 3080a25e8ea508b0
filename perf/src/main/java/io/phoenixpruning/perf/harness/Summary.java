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
package io.phoenixpruning.perf.harness;

import java.util.function.DoubleUnaryOperator;
import org.HdrHistogram.DoubleHistogram;
import org.openjdk.jmh.util.Statistics;

/**
 * Summary of the values of many runs.
 *
 * @param count number of values; at least 1
 */
public record Summary(
    long count,
    double min,
    double p5,
    double median,
    double p95,
    double p99,
    double p999,
    double max) {

  private static final int DIGITS = 3;

  /** Summarizes values that are all known. */
  public static Summary of(Statistics values) {
    if (values.getN() == 0) {
      throw new IllegalArgumentException("Expected at least one value");
    }
    return of(values.getN(), values.getMin(), values::getPercentile, values.getMax());
  }

  /** Summarizes values that are too many to keep each. The result is exact to three digits. */
  public static Summary of(DoubleHistogram values) {
    if (values.getTotalCount() == 0) {
      throw new IllegalArgumentException("Expected at least one value");
    }
    return of(
        values.getTotalCount(),
        values.getMinValue(),
        values::getValueAtPercentile,
        values.getMaxValue());
  }

  private static Summary of(long count, double min, DoubleUnaryOperator percentile, double max) {
    return new Summary(
        count,
        min,
        percentile.applyAsDouble(5),
        percentile.applyAsDouble(50),
        percentile.applyAsDouble(95),
        percentile.applyAsDouble(99),
        percentile.applyAsDouble(99.9),
        max);
  }

  /** Returns an empty histogram for {@link #of(DoubleHistogram)}. */
  public static DoubleHistogram histogram() {
    return new DoubleHistogram(DIGITS);
  }

  /** Summarizes a single value. */
  public static Summary of(double value) {
    return new Summary(1, value, value, value, value, value, value, value);
  }
}

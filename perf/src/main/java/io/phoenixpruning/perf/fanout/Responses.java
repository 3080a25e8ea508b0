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
package io.phoenixpruning.perf.fanout;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Response times of queries, counted from when they were due, and the number of failures. */
final class Responses {

  private static final int DIGITS = 3;

  private final Histogram micros = new Histogram(DIGITS);
  private long failures;
  private String firstFailure = "";

  void add(long nanos) {
    micros.recordValue(TimeUnit.NANOSECONDS.toMicros(nanos));
  }

  void fail(String reason) {
    if (failures == 0) {
      firstFailure = reason;
    }
    failures++;
  }

  void add(Responses other) {
    micros.add(other.micros);
    if (failures == 0) {
      firstFailure = other.firstFailure;
    }
    failures += other.failures;
  }

  /** Returns whether there was no query. */
  boolean isEmpty() {
    return micros.getTotalCount() == 0 && failures == 0;
  }

  /** Returns a percentile, in milliseconds, of the response times of successful queries. */
  double percentile(double percent) {
    return micros.getValueAtPercentile(percent) / 1e3;
  }

  /**
   * Returns cells of a Markdown table: percentiles and maximum in milliseconds, number of answered
   * queries, number of failed queries.
   */
  String cells() {
    return "%.1f | %.1f | %.1f | %.1f | %,d | %s"
        .formatted(
            percentile(50),
            percentile(95),
            percentile(99),
            micros.getMaxValue() / 1e3,
            micros.getTotalCount(),
            failures == 0 ? "0" : "%,d: %s".formatted(failures, firstFailure));
  }
}

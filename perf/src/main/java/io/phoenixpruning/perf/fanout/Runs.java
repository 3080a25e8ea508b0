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

import java.util.Optional;
import org.openjdk.jmh.util.ListStatistics;

/** The runs of one query in one way. */
final class Runs {

  private final ListStatistics millis = new ListStatistics();
  private final ListStatistics rpcs = new ListStatistics();
  private final ListStatistics blockMisses = new ListStatistics();
  private String failure;

  /**
   * Adds a run, with its scan RPCs and the number of data blocks that were not in a block cache.
   */
  void add(double elapsedMillis, long scanRpcs, long misses) {
    millis.addValue(elapsedMillis);
    rpcs.addValue((double) scanRpcs);
    blockMisses.addValue((double) misses);
  }

  /** Records a failure, after which the query does not run again. */
  void fail(String reason) {
    failure = reason;
  }

  /** Returns the reason why there are no further runs, or empty if none failed. */
  Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  double median() {
    return millis.getPercentile(50);
  }

  /** Returns milliseconds, and their ratio to {@code base}, or the failure. */
  String times(Runs base) {
    if (failure != null) {
      return failure;
    }
    String times =
        "%.1f (%.1f to %.1f)"
            .formatted(median(), millis.getPercentile(5), millis.getPercentile(95));
    return base == this || base.failure != null
        ? times
        : times + ", **%.2f**".formatted(median() / base.median());
  }

  /** Returns the number of scan RPCs, or the failure. */
  String rpcs() {
    return failure != null ? failure : counts(rpcs);
  }

  /** Returns the number of data blocks that were not in a block cache, or the failure. */
  String blockMisses() {
    return failure != null ? failure : counts(blockMisses);
  }

  private static String counts(ListStatistics counts) {
    String median = "%,.0f".formatted(counts.getPercentile(50));
    return counts.getMin() == counts.getMax()
        ? median
        : median + " (%,.0f to %,.0f)".formatted(counts.getMin(), counts.getMax());
  }
}

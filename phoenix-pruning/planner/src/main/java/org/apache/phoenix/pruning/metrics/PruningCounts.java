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
package org.apache.phoenix.pruning.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts of each {@link PruningMetric}, for one statement or for all statements. Thread-safe. */
public final class PruningCounts {

  /** An object that has counts. */
  public interface Holder {

    PruningCounts getPruningCounts();
  }

  private static final PruningMetric[] METRICS = PruningMetric.values();

  /** Counts, by the ordinal of the metric. */
  private final AtomicLongArray counts = new AtomicLongArray(METRICS.length);

  /** Adds {@code amount} to the count of {@code metric}. */
  public void add(PruningMetric metric, long amount) {
    counts.addAndGet(metric.ordinal(), amount);
  }

  /** Adds all counts of {@code others}. */
  public void addAll(PruningCounts others) {
    for (PruningMetric metric : METRICS) {
      add(metric, others.value(metric));
    }
  }

  public long value(PruningMetric metric) {
    return counts.get(metric.ordinal());
  }

  /** Sets all counts to zero. */
  public void reset() {
    for (PruningMetric metric : METRICS) {
      counts.set(metric.ordinal(), 0);
    }
  }

  /** Returns all current counts. */
  public Map<PruningMetric, Long> snapshot() {
    Map<PruningMetric, Long> values = new EnumMap<>(PruningMetric.class);
    for (PruningMetric metric : METRICS) {
      values.put(metric, value(metric));
    }
    return values;
  }

  @Override
  public String toString() {
    return snapshot().toString();
  }
}

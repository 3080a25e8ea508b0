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
import java.util.concurrent.atomic.LongAdder;

/** Counts of each {@link PruningMetric}: of one statement, or of all. Threads may share them. */
public final class PruningCounts {

  /** What has counts. */
  public interface Holder {

    PruningCounts getPruningCounts();
  }

  private final Map<PruningMetric, LongAdder> counts = new EnumMap<>(PruningMetric.class);

  /** All zero. */
  public PruningCounts() {
    for (PruningMetric metric : PruningMetric.values()) {
      counts.put(metric, new LongAdder());
    }
  }

  /** Counts {@code amount} more. */
  public void add(PruningMetric metric, long amount) {
    counts.get(metric).add(amount);
  }

  /** Counts what {@code others} have counted. */
  public void addAll(PruningCounts others) {
    counts.forEach((metric, count) -> count.add(others.value(metric)));
  }

  public long value(PruningMetric metric) {
    return counts.get(metric).sum();
  }

  /** Sets all to zero. */
  public void reset() {
    counts.values().forEach(LongAdder::reset);
  }

  /** All counts as they are now. */
  public Map<PruningMetric, Long> snapshot() {
    Map<PruningMetric, Long> values = new EnumMap<>(PruningMetric.class);
    counts.forEach((metric, count) -> values.put(metric, count.sum()));
    return values;
  }

  @Override
  public String toString() {
    return snapshot().toString();
  }
}

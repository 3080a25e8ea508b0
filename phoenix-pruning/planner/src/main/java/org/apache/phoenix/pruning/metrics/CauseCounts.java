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

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts events by their cause, and recognizes the first event of each cause. Remembers a limited
 * number of causes. Thread-safe.
 */
final class CauseCounts {

  private final int maxCauses;
  private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();

  /**
   * Creates counts without causes.
   *
   * @param maxCauses number of causes after which no other cause is counted
   */
  CauseCounts(int maxCauses) {
    this.maxCauses = maxCauses;
  }

  /**
   * Counts an event. Returns true if this is the first event of its cause. Returns false for a
   * cause that is not counted.
   */
  boolean countAndCheckFirst(String cause) {
    if (counts.size() >= maxCauses && !counts.containsKey(cause)) {
      return false;
    }
    return counts.computeIfAbsent(cause, key -> new AtomicLong()).incrementAndGet() == 1;
  }

  /** Returns how often each cause occurred, sorted by cause. */
  Map<String, Long> snapshot() {
    Map<String, Long> snapshot = new TreeMap<>();
    counts.forEach((cause, count) -> snapshot.put(cause, count.get()));
    return snapshot;
  }
}

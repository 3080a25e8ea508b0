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
package io.phoenixpruning.perf.storage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Measures the rate at which several threads read memory sequentially. The threads read far more
 * memory than fits into all caches.
 */
final class MemoryBandwidth {

  /**
   * Number of values of all threads together; far more than fits into the last-level cache of any
   * processor that we know.
   */
  static final int LONGS = 1 << 26;

  private static final int PASSES = 4;

  private MemoryBandwidth() {}

  /**
   * Returns the megabytes per second of all threads together. One round before {@code rounds} only
   * warms up.
   *
   * @param longs number of values of all threads together, usually {@link #LONGS}
   */
  static ListStatistics measure(int longs, int threads, int rounds) throws Exception {
    int ofThread = longs / threads;
    ListStatistics rates = new ListStatistics();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Long>> reads = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        long[] values = new long[ofThread];
        Arrays.fill(values, i);
        reads.add(() -> sum(values));
      }
      for (int round = 0; round <= rounds; round++) {
        long start = System.nanoTime();
        long sum = 0;
        for (Future<Long> read : pool.invokeAll(reads)) {
          sum += read.get();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        long expected = (long) PASSES * ofThread * threads * (threads - 1) / 2;
        if (sum != expected) {
          throw new IllegalStateException("The sum is " + sum + ". Expected " + expected);
        }
        if (round > 0) {
          rates.addValue((double) PASSES * ofThread * Long.BYTES * threads / seconds / 1e6);
        }
      }
    } finally {
      pool.shutdownNow();
    }
    return rates;
  }

  private static long sum(long[] values) {
    long sum = 0;
    for (int pass = 0; pass < PASSES; pass++) {
      for (long value : values) {
        sum += value;
      }
    }
    return sum;
  }
}

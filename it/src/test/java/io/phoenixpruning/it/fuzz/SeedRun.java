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

import com.google.common.base.Throwables;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Tests the tables of consecutive seeds, several at the same time, until the run is over or a test
 * fails.
 */
final class SeedRun {

  private final RunLength.Run length;
  private final long firstSeed;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicBoolean failed = new AtomicBoolean();

  SeedRun(RunLength.Run length, long firstSeed) {
    this.length = length;
    this.firstSeed = firstSeed;
  }

  /**
   * Tests the table of one seed.
   *
   * @param <R> what the tests of a thread share
   */
  interface TableTest<R> {
    void run(long seed, R shared) throws Exception;
  }

  /** Returns whether a test has to end, because the time is over or another test has failed. */
  boolean isStopped() {
    return failed.get() || length.isTimeOver();
  }

  /**
   * Runs {@code test} in {@code threads} threads. Throws the first failure.
   *
   * @param shared creates what the tests of a thread share
   */
  <R extends AutoCloseable> void run(int threads, Supplier<R> shared, TableTest<R> test)
      throws Exception {
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Void>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(
            workers.submit(
                () -> {
                  work(shared.get(), test);
                  return null;
                }));
      }
      for (Future<Void> worker : running) {
        worker.get();
      }
    } catch (ExecutionException e) {
      Throwables.throwIfInstanceOf(e.getCause(), Exception.class);
      Throwables.throwIfUnchecked(e.getCause());
      throw e;
    } finally {
      workers.shutdown();
    }
  }

  private <R extends AutoCloseable> void work(R ofThread, TableTest<R> test) throws Exception {
    try (ofThread) {
      for (long seed = taken.getAndIncrement();
          !length.isOver(seed) && !failed.get();
          seed = taken.getAndIncrement()) {
        test.run(firstSeed + seed, ofThread);
      }
    } catch (Exception | Error e) {
      failed.set(true);
      throw e;
    }
  }
}

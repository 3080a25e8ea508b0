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
package io.phoenixpruning.it;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;

/** Occupies threads of a pool until it is closed. */
final class OccupiedThreads implements AutoCloseable {

  private final CountDownLatch end = new CountDownLatch(1);

  /** Occupies {@code threads} threads, and waits until they are occupied. */
  OccupiedThreads(ExecutorService pool, int threads) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      pool.submit(
          () -> {
            begun.countDown();
            end.await();
            return null;
          });
    }
    begun.await();
  }

  @Override
  public void close() {
    end.countDown();
  }
}

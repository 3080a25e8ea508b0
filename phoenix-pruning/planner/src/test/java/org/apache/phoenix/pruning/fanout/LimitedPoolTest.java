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
package org.apache.phoenix.pruning.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.apache.phoenix.job.JobManager;
import org.junit.After;
import org.junit.Rule;
import org.junit.rules.Timeout;

/** Base of the tests of {@link ScanConcurrencyLimiter}: thread pools, and tasks that tests hold. */
abstract class LimitedPoolTest {

  /** Fails a test that hangs. */
  @Rule public final Timeout timeout = Timeout.seconds(60);

  final List<ThreadPoolExecutor> pools = new ArrayList<>();
  final List<Object> closedResults = Collections.synchronizedList(new ArrayList<>());
  final CountDownLatch gate = new CountDownLatch(1);
  final Semaphore started = new Semaphore(0);
  final AtomicInteger runs = new AtomicInteger();

  @After
  public void closePools() {
    gate.countDown();
    pools.forEach(ThreadPoolExecutor::shutdownNow);
  }

  ThreadPoolExecutor pool(int threads, int queue) {
    ThreadPoolExecutor pool = JobManager.createThreadPoolExec(60_000, threads, queue, true);
    pools.add(pool);
    return pool;
  }

  <T> ScanConcurrencyLimiter<T> limiter(ThreadPoolExecutor pool, int limit) {
    return limiter(pool, () -> limit);
  }

  <T> ScanConcurrencyLimiter<T> limiter(ThreadPoolExecutor pool, IntSupplier limit) {
    return new ScanConcurrencyLimiter<>(
        pool, limit, IllegalStateException.class::isInstance, closedResults::add);
  }

  /** Returns a task that signals its start and then waits for the gate. */
  <T> Callable<T> atGate(T result) {
    return () -> {
      runs.incrementAndGet();
      started.release();
      gate.await();
      return result;
    };
  }

  /** Returns a task whose result is the thread that runs it. */
  Callable<Thread> thread() {
    return () -> {
      runs.incrementAndGet();
      return Thread.currentThread();
    };
  }

  /** Occupies all threads and the queue of {@code pool}. */
  void fill(ThreadPoolExecutor pool, int threads, int queue) throws Exception {
    for (int i = 0; i < threads; i++) {
      pool.submit(atGate("other"));
    }
    started.acquire(threads);
    for (int i = 0; i < queue; i++) {
      pool.submit(() -> "other");
    }
    assertThatThrownBy(() -> pool.submit(() -> "one more"))
        .isInstanceOf(RejectedExecutionException.class);
    runs.set(0);
  }

  void awaitEnd() throws InterruptedException {
    for (ThreadPoolExecutor pool : pools) {
      pool.shutdown();
      assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
  }
}

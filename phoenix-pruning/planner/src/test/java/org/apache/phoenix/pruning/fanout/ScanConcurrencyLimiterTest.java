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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.phoenix.job.JobManager.JobCallable;
import org.apache.phoenix.log.LogLevel;
import org.apache.phoenix.monitoring.MetricType;
import org.apache.phoenix.monitoring.ReadMetricQueue;
import org.apache.phoenix.monitoring.TaskExecutionMetricsHolder;
import org.junit.Test;

/** Tests which tasks run, when, and in which thread, on Phoenix's own thread pool. */
public class ScanConcurrencyLimiterTest extends LimitedPoolTest {

  @Test
  public void keepsFewTasksInThePool() throws Exception {
    ThreadPoolExecutor pool = pool(8, 100);
    ScanConcurrencyLimiter<Integer> limiter = limiter(pool, 3);
    List<Future<Integer>> futures = new ArrayList<>();
    AtomicInteger inPool = new AtomicInteger();
    AtomicInteger maxInPool = new AtomicInteger();
    for (int i = 0; i < 50; i++) {
      int result = i;
      futures.add(
          limiter.submit(
              () -> {
                maxInPool.accumulateAndGet(inPool.incrementAndGet(), Math::max);
                started.release();
                gate.await();
                inPool.decrementAndGet();
                return result;
              }));
    }
    started.acquire(3);
    assertThat(pool.getActiveCount()).isEqualTo(3);
    assertThat(pool.getQueue()).isEmpty();
    assertThat(limiter).hasToString("47 tasks wait, 3 of 3 are in the pool");
    gate.countDown();
    for (int i = 0; i < futures.size(); i++) {
      assertThat(futures.get(i).get()).as("task %s", i).isEqualTo(i);
    }
    assertThat(maxInPool).hasValue(3);
    assertThat(closedResults).isEmpty();
  }

  @Test
  public void runsARefusedTaskInAnExtraThreadWhenAwaited() throws Exception {
    ThreadPoolExecutor pool = pool(2, 1);
    fill(pool, 2, 1);
    ScanConcurrencyLimiter<Thread> limiter = limiter(pool, 1);
    List<Future<Thread>> futures = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      futures.add(limiter.submit(thread()));
    }
    assertThat(runs).hasValue(0);
    for (int i = 0; i < 10; i++) {
      Future<Thread> future = futures.get(i);
      // A timed wait also runs the task.
      Thread ran = i % 2 == 0 ? future.get() : future.get(1, TimeUnit.MINUTES);
      assertThat(ran).as("task %s", i).isNotEqualTo(Thread.currentThread());
      assertThat(future.isDone()).as("task %s", i).isTrue();
      assertThat(future.get(1, TimeUnit.NANOSECONDS)).as("task %s", i).isEqualTo(ran);
      assertThat(runs).as("task %s", i).hasValue(i + 1);
    }
  }

  @Test
  public void aGetWithoutWaitingStartsNoTask() throws Exception {
    ThreadPoolExecutor pool = pool(2, 1);
    fill(pool, 2, 1);
    Future<Thread> future = this.<Thread>limiter(pool, 1).submit(thread());
    assertThatThrownBy(() -> future.get(0, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    assertThatThrownBy(() -> future.get(-1, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    assertThat(future.isDone()).isFalse();
    assertThat(runs).hasValue(0);
  }

  /** Nobody waits for these tasks. A thread that has run one task continues with the next task. */
  @Test
  public void continuesInAFullPool() throws Exception {
    ThreadPoolExecutor pool = pool(1, 1);
    ScanConcurrencyLimiter<Thread> limiter = limiter(pool, 1);
    limiter.submit(atGate(null));
    started.acquire();
    CountDownLatch all = new CountDownLatch(5);
    List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 5; i++) {
      limiter.submit(
          () -> {
            threads.add(Thread.currentThread());
            all.countDown();
            return null;
          });
    }
    Future<Integer> other = pool.submit(threads::size);
    gate.countDown();
    all.await();
    // The queue was full until all tasks had started.
    assertThat(other.get()).isEqualTo(5);
    assertThat(threads).hasSize(5).containsOnly(threads.get(0));
  }

  @Test
  public void yieldsToOtherStatements() throws Exception {
    ThreadPoolExecutor pool = pool(2, 10);
    ScanConcurrencyLimiter<Integer> limiter = limiter(pool, 2);
    CountDownLatch first = new CountDownLatch(1);
    limiter.submit(
        () -> {
          started.release();
          first.await();
          return 0;
        });
    limiter.submit(atGate(0));
    started.acquire(2);
    AtomicInteger own = new AtomicInteger();
    List<Future<Integer>> futures = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      futures.add(limiter.submit(own::incrementAndGet));
    }
    Future<Integer> other = pool.submit(own::get);
    first.countDown();
    assertThat(other.get()).isEqualTo(0);
    gate.countDown();
    for (Future<Integer> future : futures) {
      future.get();
    }
    assertThat(own).hasValue(5);
  }

  @Test
  public void threadsOfThePoolMayWaitForTheirOwnTasks() throws Exception {
    ThreadPoolExecutor pool = pool(4, 1_000);
    CyclicBarrier allThreads = new CyclicBarrier(4);
    List<Future<Integer>> outer = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      outer.add(
          pool.submit(
              () -> {
                allThreads.await();
                ScanConcurrencyLimiter<Integer> limiter = limiter(pool, 2);
                List<Future<Integer>> inner = new ArrayList<>();
                for (int j = 0; j < 100; j++) {
                  inner.add(limiter.submit(() -> 1));
                }
                int sum = 0;
                for (Future<Integer> future : inner) {
                  sum += future.get();
                }
                return sum;
              }));
    }
    assertThat(outer).allSatisfy(future -> assertThat(future.get()).isEqualTo(100));
  }

  @Test
  public void failsWhenThePoolIsShutDown() {
    ThreadPoolExecutor pool = pool(2, 10);
    pool.shutdown();
    Future<Thread> future = this.<Thread>limiter(pool, 1).submit(thread());
    assertThatThrownBy(future::get).hasCauseInstanceOf(RejectedExecutionException.class);
    assertThat(runs).hasValue(0);
  }

  @Test
  public void countsTasksLikePhoenix() throws Exception {
    ReadMetricQueue metrics = new ReadMetricQueue(true, LogLevel.OFF);
    // Has a thread for each task, so that no task gets an extra thread because a caller waits for
    // it.
    ScanConcurrencyLimiter<String> limiter = limiter(pool(20, 100), 2);
    List<Future<String>> futures = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      // As in Phoenix, each task has its own metrics, because these are not thread-safe.
      TaskExecutionMetricsHolder ofTask = new TaskExecutionMetricsHolder(metrics, "T");
      futures.add(
          limiter.submit(
              new JobCallable<String>() {
                @Override
                public String call() {
                  return "";
                }

                @Override
                public Object getJobId() {
                  return ScanConcurrencyLimiterTest.this;
                }

                @Override
                public TaskExecutionMetricsHolder getTaskExecutionMetric() {
                  return ofTask;
                }
              }));
    }
    for (Future<String> future : futures) {
      future.get();
    }
    // Phoenix counts a task after its result is set.
    awaitEnd();
    assertThat(metrics.aggregate().get("T")).containsEntry(MetricType.TASK_EXECUTED_COUNTER, 20L);
  }

  @Test
  public void followsALimitThatChanges() throws Exception {
    AtomicInteger limit = new AtomicInteger(3);
    ScanConcurrencyLimiter<Integer> limiter = limiter(pool(8, 100), limit::get);
    Semaphore ends = new Semaphore(0);
    List<Future<Integer>> futures = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      int result = i;
      futures.add(
          limiter.submit(
              () -> {
                started.release();
                ends.acquire();
                return result;
              }));
    }
    started.acquire(3);
    limit.set(1);
    ends.release(2);
    while (!limiter.toString().equals("7 tasks wait, 1 of 1 are in the pool")) {
      Thread.onSpinWait();
    }
    assertThat(started.availablePermits()).isZero();
    limit.set(4);
    ends.release();
    started.acquire(4);
    ends.release(7);
    for (int i = 0; i < futures.size(); i++) {
      assertThat(futures.get(i).get()).as("task %s", i).isEqualTo(i);
    }
  }
}

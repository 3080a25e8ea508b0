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
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.job.JobManager;
import org.apache.phoenix.job.JobManager.JobCallable;
import org.apache.phoenix.log.LogLevel;
import org.apache.phoenix.monitoring.MetricType;
import org.apache.phoenix.monitoring.ReadMetricQueue;
import org.apache.phoenix.monitoring.TaskExecutionMetricsHolder;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;

/** Tests which tasks run, when, and in which thread, on Phoenix's own thread pool. */
@RunWith(JUnitParamsRunner.class)
public class ScanConcurrencyLimiterTest {

  /** Fails a test that hangs. */
  @Rule public final Timeout timeout = Timeout.seconds(60);

  private final List<ThreadPoolExecutor> pools = new ArrayList<>();
  private final List<Object> closedResults = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch gate = new CountDownLatch(1);
  private final Semaphore started = new Semaphore(0);
  private final AtomicInteger runs = new AtomicInteger();

  @After
  public void closePools() {
    gate.countDown();
    pools.forEach(ThreadPoolExecutor::shutdownNow);
  }

  private ThreadPoolExecutor pool(int threads, int queue) {
    ThreadPoolExecutor pool = JobManager.createThreadPoolExec(60_000, threads, queue, true);
    pools.add(pool);
    return pool;
  }

  private <T> ScanConcurrencyLimiter<T> limiter(ThreadPoolExecutor pool, int limit) {
    return limiter(pool, () -> limit);
  }

  private <T> ScanConcurrencyLimiter<T> limiter(ThreadPoolExecutor pool, IntSupplier limit) {
    return new ScanConcurrencyLimiter<>(
        pool, limit, IllegalStateException.class::isInstance, closedResults::add);
  }

  /** Returns a task that signals its start and then waits for the gate. */
  private <T> Callable<T> atGate(T result) {
    return () -> {
      runs.incrementAndGet();
      started.release();
      gate.await();
      return result;
    };
  }

  /** Returns a task whose result is the thread that runs it. */
  private Callable<Thread> thread() {
    return () -> {
      runs.incrementAndGet();
      return Thread.currentThread();
    };
  }

  /** Occupies all threads and the queue of {@code pool}. */
  private void fill(ThreadPoolExecutor pool, int threads, int queue) throws Exception {
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

  /** A task that starts because a caller waits for it may run longer than the caller's timeout. */
  @Test
  public void waitTimesOutInAFullPool() throws Exception {
    ThreadPoolExecutor pool = pool(2, 1);
    fill(pool, 2, 1);
    ScanConcurrencyLimiter<String> limiter = limiter(pool, 1);
    CountDownLatch end = new CountDownLatch(1);
    Future<String> slow =
        limiter.submit(
            () -> {
              started.release();
              end.await();
              return "slow";
            });
    try {
      assertThatThrownBy(() -> slow.get(20, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      started.acquire();
      assertThat(slow.isDone()).isFalse();
      assertThatThrownBy(() -> slow.get(0, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
    } finally {
      end.countDown();
    }
    assertThat(slow.get(1, TimeUnit.MINUTES)).isEqualTo("slow");
    assertThat(slow.isDone()).isTrue();
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

  /** Starts a thread that waits for {@code task}. The pool has no free thread for the task. */
  private Thread waiter(Future<?> task, BlockingQueue<Exception> failures, boolean isTimed) {
    Thread waiter =
        new Thread(
            () -> {
              try {
                if (isTimed) {
                  task.get(1, TimeUnit.HOURS);
                } else {
                  task.get();
                }
              } catch (Exception e) {
                failures.add(e);
              }
            });
    waiter.start();
    return waiter;
  }

  @Test
  @Parameters({"true", "false"})
  public void interruptsTheWaitingThreadAndNotTheTask(boolean isTimed) throws Exception {
    ThreadPoolExecutor pool = pool(2, 1);
    fill(pool, 2, 1);
    BlockingQueue<Exception> failures = new LinkedBlockingQueue<>();
    CountDownLatch end = new CountDownLatch(1);
    Future<String> task =
        this.<String>limiter(pool, 1)
            .submit(
                () -> {
                  started.release();
                  end.await();
                  return "result";
                });
    Thread waiter = waiter(task, failures, isTimed);
    started.acquire();
    waiter.interrupt();
    assertThat(failures.take()).isInstanceOf(InterruptedException.class);
    assertThat(task.isDone()).isFalse();
    end.countDown();
    assertThat(task.get()).isEqualTo("result");
    waiter.join();
  }

  @Test
  @Parameters({"true", "false"})
  public void cancellingATaskWakesTheWaitingThreadAtOnce(boolean isTimed) throws Exception {
    ThreadPoolExecutor pool = pool(2, 1);
    fill(pool, 2, 1);
    BlockingQueue<Exception> failures = new LinkedBlockingQueue<>();
    Future<String> task = this.<String>limiter(pool, 1).submit(atGate("too late"));
    Thread waiter = waiter(task, failures, isTimed);
    started.acquire();
    assertThat(task.cancel(false)).isTrue();
    // The task still runs.
    assertThat(failures.take()).isInstanceOf(CancellationException.class);
    assertThat(task.isDone()).isTrue();
    waiter.join();
  }

  @Test
  public void interruptsACancelledTaskIfRequested() throws Exception {
    ThreadPoolExecutor pool = pool(2, 10);
    BlockingQueue<String> interrupted = new LinkedBlockingQueue<>();
    Future<String> task =
        this.<String>limiter(pool, 1)
            .submit(
                () -> {
                  started.release();
                  try {
                    gate.await();
                  } catch (InterruptedException e) {
                    interrupted.add("interrupted");
                  }
                  return null;
                });
    started.acquire();
    assertThat(task.cancel(true)).isTrue();
    assertThat(interrupted.take()).isEqualTo("interrupted");
  }

  @Test
  public void doesNotPassAnInterruptToTheNextTask() throws Exception {
    ScanConcurrencyLimiter<Boolean> limiter = limiter(pool(1, 10), 1);
    Future<Boolean> first =
        limiter.submit(
            () -> {
              started.release();
              gate.await();
              Thread.currentThread().interrupt();
              return true;
            });
    Future<Boolean> next = limiter.submit(() -> Thread.currentThread().isInterrupted());
    started.acquire();
    gate.countDown();
    assertThat(first.get()).isTrue();
    assertThat(next.get()).isFalse();
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
  public void beginsNothingAfterATaskIsCancelled() throws Exception {
    ScanConcurrencyLimiter<String> limiter = limiter(pool(2, 10), 1);
    Future<String> running = limiter.submit(atGate("too late"));
    List<Future<String>> others = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      others.add(limiter.submit(atGate("never")));
    }
    started.acquire();
    assertThat(running.cancel(false)).isTrue();
    others.add(limiter.submit(atGate("never")));
    assertThat(others)
        .allSatisfy(
            future -> {
              assertThat(future.isCancelled()).isTrue();
              // If a future cannot be cancelled, stock assumes that it has a result.
              assertThat(future.cancel(false)).isTrue();
              assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
            });
    assertThat(closedResults).isEmpty();
    gate.countDown();
    awaitEnd();
    assertThat(runs).hasValue(1);
    assertThat(closedResults).containsExactly("too late");
  }

  private void awaitEnd() throws InterruptedException {
    for (ThreadPoolExecutor pool : pools) {
      pool.shutdown();
      assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  public void doesNotCancelAnEndedTask() throws Exception {
    ScanConcurrencyLimiter<String> limiter = limiter(pool(2, 10), 1);
    Future<String> ended = limiter.submit(() -> "result");
    assertThat(ended.get()).isEqualTo("result");
    assertThat(ended.cancel(false)).isFalse();
    assertThat(ended.get()).isEqualTo("result");
    assertThat(closedResults).isEmpty();
  }

  @Test
  public void continuesAfterAnEndedTaskIsCancelled() throws Exception {
    ScanConcurrencyLimiter<String> limiter = limiter(pool(1, 10), 1);
    Future<String> ended = limiter.submit(() -> "result");
    assertThat(ended.get()).isEqualTo("result");
    Future<String> running = limiter.submit(atGate("running"));
    Future<String> waiting = limiter.submit(atGate("waiting"));
    started.acquire();
    assertThat(ended.cancel(true)).isFalse();
    gate.countDown();
    assertThat(running.get()).isEqualTo("running");
    assertThat(waiting.get()).isEqualTo("waiting");
    assertThat(limiter.submit(() -> "later").get()).isEqualTo("later");
  }

  /**
   * A task must end even if the check of its failure throws. If not, the statement would
   * permanently run one task less at a time.
   */
  @Test
  public void endsATaskWhoseFailureCheckThrows() throws Exception {
    IllegalArgumentException unknown = new IllegalArgumentException("what is this?");
    ScanConcurrencyLimiter<String> limiter =
        new ScanConcurrencyLimiter<>(
            pool(2, 10),
            () -> 1,
            failure -> {
              throw unknown;
            },
            closedResults::add);
    Exception cause = new Exception("one failed");
    Future<String> failed =
        limiter.submit(
            () -> {
              started.release();
              gate.await();
              throw cause;
            });
    Future<String> waiting = limiter.submit(atGate("never"));
    started.acquire();
    gate.countDown();
    assertThat(List.of(failed, waiting))
        .allSatisfy(
            future ->
                assertThatThrownBy(future::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCause(cause));
    assertThat(cause).hasSuppressedException(unknown);
    awaitEnd();
    assertThat(runs).hasValue(0);
    assertThat(limiter).hasToString("0 tasks wait, 0 of 1 are in the pool");
  }

  @Test
  public void endsATaskWhoseResultCannotBeClosed() throws Exception {
    ScanConcurrencyLimiter<String> limiter =
        new ScanConcurrencyLimiter<>(
            pool(2, 10),
            () -> 1,
            failure -> false,
            result -> {
              closedResults.add(result);
              throw new IllegalArgumentException("cannot be closed");
            });
    Future<String> running = limiter.submit(atGate("too late"));
    started.acquire();
    running.cancel(false);
    gate.countDown();
    awaitEnd();
    assertThat(closedResults).containsExactly("too late");
    assertThat(limiter).hasToString("0 tasks wait, 0 of 1 are in the pool");
  }

  /** Simulates a client that is out of memory. The next tasks still start. */
  @Test
  public void endsATaskWhoseThreadEndsWithAnError() throws Exception {
    ThreadPoolExecutor pool = pool(1, 10);
    ScanConcurrencyLimiter<String> limiter =
        new ScanConcurrencyLimiter<>(
            pool,
            () -> 1,
            failure -> {
              throw new StackOverflowError("on purpose");
            },
            closedResults::add);
    limiter.submit(
        () -> {
          started.release();
          gate.await();
          throw new Exception("one failed");
        });
    Future<String> next = limiter.submit(() -> "next");
    started.acquire();
    gate.countDown();
    assertThat(next.get()).isEqualTo("next");
    awaitEnd();
    assertThat(limiter).hasToString("0 tasks wait, 0 of 1 are in the pool");
  }

  /** Simulates a system that cannot create another thread. */
  @Test
  public void releasesAPermitIfThePoolCannotCreateAThread() throws Exception {
    AtomicBoolean hasThreads = new AtomicBoolean();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(1),
            work -> {
              if (!hasThreads.get()) {
                throw new OutOfMemoryError("on purpose");
              }
              return new Thread(work);
            });
    pools.add(pool);
    ScanConcurrencyLimiter<String> limiter = limiter(pool, 1);
    assertThatThrownBy(() -> limiter.submit(() -> "never")).isInstanceOf(OutOfMemoryError.class);
    assertThat(limiter).hasToString("0 tasks wait, 0 of 1 are in the pool");
    assertThatThrownBy(limiter.submit(() -> "never")::get)
        .hasCauseInstanceOf(OutOfMemoryError.class);
    hasThreads.set(true);
    assertThat(this.<String>limiter(pool, 1).submit(() -> "again").get()).isEqualTo("again");
  }

  @Test
  public void failsAllWhenOneFails() throws Exception {
    ScanConcurrencyLimiter<String> limiter = limiter(pool(2, 10), 1);
    Exception cause = new Exception("one failed");
    List<Future<String>> futures = new ArrayList<>();
    futures.add(
        limiter.submit(
            () -> {
              started.release();
              gate.await();
              throw cause;
            }));
    for (int i = 0; i < 5; i++) {
      futures.add(limiter.submit(atGate("never")));
    }
    started.acquire();
    gate.countDown();
    assertThatThrownBy(futures.get(0)::get).isInstanceOf(ExecutionException.class);
    awaitEnd();
    futures.add(limiter.submit(atGate("never")));
    assertThat(futures)
        .allSatisfy(
            future ->
                assertThatThrownBy(future::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCause(cause));
    assertThat(runs).hasValue(0);
  }

  @Test
  public void continuesAfterARecoverableFailure() throws Exception {
    ScanConcurrencyLimiter<String> limiter = limiter(pool(2, 10), 1);
    Future<String> failed =
        limiter.submit(
            () -> {
              throw new IllegalStateException("the region was split");
            });
    Future<String> next = limiter.submit(() -> "next");
    assertThatThrownBy(failed::get).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(next.get()).isEqualTo("next");
    assertThat(limiter.submit(() -> "again").get()).isEqualTo("again");
  }

  @Test
  public void waitTimesOut() throws Exception {
    ScanConcurrencyLimiter<String> limiter = limiter(pool(2, 10), 1);
    Future<String> running = limiter.submit(atGate("too late"));
    Future<String> waiting = limiter.submit(atGate("never"));
    started.acquire();
    assertThatThrownBy(() -> running.get(1, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    assertThatThrownBy(() -> waiting.get(1, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    running.cancel(false);
    gate.countDown();
    awaitEnd();
    assertThat(runs).hasValue(1);
    assertThat(closedResults).containsExactly("too late");
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

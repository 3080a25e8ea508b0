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
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests the contract of {@link Future}: timeouts, interrupts and cancelling. */
@RunWith(JUnitParamsRunner.class)
public class CancelledTasksTest extends LimitedPoolTest {

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
}

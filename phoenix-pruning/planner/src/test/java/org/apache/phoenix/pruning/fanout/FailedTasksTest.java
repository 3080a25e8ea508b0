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
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;

/** Tests what happens to the other tasks of a statement after a task has failed. */
public class FailedTasksTest extends LimitedPoolTest {

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
}

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
package org.apache.phoenix.pruning.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

public class ProbeThrottleTest {

  private static final int MAX_IN_FLIGHT = 4;

  private final ProbeThrottle throttle = new ProbeThrottle();
  private final List<Integer> started = new ArrayList<>();

  private void submit(int job) {
    throttle.submit(
        () -> {
          started.add(job);
          return true;
        });
  }

  /**
   * Submits a job that does not start, because it was cancelled while it waited or no thread takes
   * it.
   */
  private void submitUnneeded() {
    throttle.submit(() -> false);
  }

  private void assertIdle() {
    assertThat(throttle).hasToString("0 in flight, 0 pending");
  }

  @Test
  public void startsFewJobsAtATimeAndTheOthersInOrder() {
    for (int job = 0; job < 10; job++) {
      submit(job);
    }
    assertThat(started).containsExactly(0, 1, 2, 3);
    assertThat(throttle).hasToString("4 in flight, 6 pending");
    for (int ended = 1; ended <= 6; ended++) {
      throttle.complete();
      assertThat(started)
          .as("after %s jobs", ended)
          .hasSize(MAX_IN_FLIGHT + ended)
          .endsWith(MAX_IN_FLIGHT + ended - 1);
    }
    for (int ended = 0; ended < MAX_IN_FLIGHT; ended++) {
      throttle.complete();
    }
    assertThat(started).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertIdle();
  }

  @Test
  public void skipsJobsThatAreNotNeededAnyMore() {
    for (int job = 0; job < MAX_IN_FLIGHT; job++) {
      submit(job);
    }
    for (int i = 0; i < 20; i++) {
      submitUnneeded();
    }
    submit(100);
    submitUnneeded();
    throttle.complete();
    assertThat(started).endsWith(100);
    assertThat(throttle).hasToString("4 in flight, 1 pending");
    for (int ended = 0; ended < MAX_IN_FLIGHT; ended++) {
      throttle.complete();
    }
    assertIdle();
  }

  @Test
  public void countsNoJobThatDoesNotStart() {
    for (int i = 0; i < 20; i++) {
      submitUnneeded();
      assertThat(throttle).as("job %s", i).hasToString("0 in flight, 0 pending");
    }
    submit(1);
    assertThat(started).containsExactly(1);
  }

  /**
   * The throttle must not keep removed jobs. If it did, the jobs of many statements would be kept
   * while a server does not answer.
   */
  @Test
  public void forgetsRemovedJobs() {
    for (int job = 0; job < MAX_IN_FLIGHT; job++) {
      submit(job);
    }
    ProbeThrottle.Job removed = () -> started.add(200);
    throttle.submit(removed);
    submit(100);
    assertThat(throttle).hasToString("4 in flight, 2 pending");
    throttle.remove(removed);
    throttle.remove(removed);
    assertThat(throttle).hasToString("4 in flight, 1 pending");
    for (int ended = 0; ended < MAX_IN_FLIGHT + 1; ended++) {
      throttle.complete();
    }
    assertThat(started).containsExactly(0, 1, 2, 3, 100);
    assertIdle();
  }

  /**
   * The throttle reports that it is stuck, so that other statements do not wait for their turn
   * until their deadline.
   */
  @Test
  public void isStuckWhileTheServerAnswersNothing() {
    for (int job = 0; job < MAX_IN_FLIGHT; job++) {
      submit(job);
      assertThat(throttle.isStuck()).as("job %s", job).isFalse();
      throttle.markOverdue();
    }
    assertThat(throttle.isStuck()).isTrue();
    throttle.unmarkOverdue();
    throttle.complete();
    assertThat(throttle.isStuck()).isFalse();
    submit(100);
    assertThat(started).endsWith(100);
    assertThat(throttle.isStuck()).isFalse();
  }

  /** A thread pool may run a job in the caller's thread, so that the job ends at once. */
  @Test
  public void acceptsJobsThatEndAtOnce() {
    for (int job = 0; job < 1_000; job++) {
      int number = job;
      throttle.submit(
          () -> {
            started.add(number);
            throttle.complete();
            return true;
          });
    }
    assertThat(started).hasSize(1_000).isSorted();
    assertIdle();
  }

  @Test
  public void keepsItsLimitWithManyThreads() throws Exception {
    int jobs = 2_000;
    AtomicInteger inFlight = new AtomicInteger();
    AtomicInteger maxInFlight = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(jobs);
    ExecutorService statements = Executors.newFixedThreadPool(8);
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      for (int i = 0; i < jobs; i++) {
        boolean isNeeded = i % 3 > 0;
        statements.execute(
            () ->
                throttle.submit(
                    () -> {
                      if (!isNeeded) {
                        done.countDown();
                        return false;
                      }
                      pool.execute(
                          () -> {
                            maxInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                            inFlight.decrementAndGet();
                            throttle.complete();
                            done.countDown();
                          });
                      return true;
                    }));
      }
      assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
      statements.shutdown();
      assertThat(statements.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    } finally {
      statements.shutdownNow();
      pool.shutdownNow();
    }
    assertThat(maxInFlight.get()).isBetween(1, MAX_IN_FLIGHT);
    assertIdle();
  }
}

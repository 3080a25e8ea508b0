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

  private static final int AT_A_TIME = 4;

  private final ProbeThrottle lane = new ProbeThrottle();
  private final List<Integer> started = new ArrayList<>();

  private void enter(int job) {
    lane.submit(
        () -> {
          started.add(job);
          return true;
        });
  }

  /**
   * Submits a job that does not start, because it was cancelled while it waited or no thread takes
   * it.
   */
  private void enterUnneeded() {
    lane.submit(() -> false);
  }

  private void isIdle() {
    assertThat(lane).hasToString("0 in flight, 0 pending");
  }

  @Test
  public void letsFewJobsStartAtATimeAndTheOthersInTurn() {
    for (int job = 0; job < 10; job++) {
      enter(job);
    }
    assertThat(started).containsExactly(0, 1, 2, 3);
    assertThat(lane).hasToString("4 in flight, 6 pending");
    for (int ended = 1; ended <= 6; ended++) {
      lane.complete();
      assertThat(started).hasSize(AT_A_TIME + ended).endsWith(AT_A_TIME + ended - 1);
    }
    for (int ended = 0; ended < AT_A_TIME; ended++) {
      lane.complete();
    }
    assertThat(started).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    isIdle();
  }

  @Test
  public void skipsJobsThatAreNotNeededAnyMore() {
    for (int job = 0; job < AT_A_TIME; job++) {
      enter(job);
    }
    for (int i = 0; i < 20; i++) {
      enterUnneeded();
    }
    enter(100);
    enterUnneeded();
    lane.complete();
    assertThat(started).endsWith(100);
    assertThat(lane).hasToString("4 in flight, 1 pending");
    for (int ended = 0; ended < AT_A_TIME; ended++) {
      lane.complete();
    }
    isIdle();
  }

  @Test
  public void keepsNoPlaceForAJobThatDoesNotStart() {
    for (int i = 0; i < 20; i++) {
      enterUnneeded();
      isIdle();
    }
    enter(1);
    assertThat(started).containsExactly(1);
  }

  /**
   * The throttle must not keep removed jobs. If it did, the jobs of many statements would be kept
   * while a server does not answer.
   */
  @Test
  public void forgetsJobsThatAreTakenBack() {
    for (int job = 0; job < AT_A_TIME; job++) {
      enter(job);
    }
    ProbeThrottle.Job taken = () -> started.add(200);
    lane.submit(taken);
    enter(100);
    assertThat(lane).hasToString("4 in flight, 2 pending");
    lane.remove(taken);
    lane.remove(taken);
    assertThat(lane).hasToString("4 in flight, 1 pending");
    for (int ended = 0; ended < AT_A_TIME + 1; ended++) {
      lane.complete();
    }
    assertThat(started).containsExactly(0, 1, 2, 3, 100);
    isIdle();
  }

  /**
   * The throttle reports that it is stuck, so that other statements do not wait for their turn
   * until their deadline.
   */
  @Test
  public void isStuckWhileTheServerAnswersNothing() {
    for (int job = 0; job < AT_A_TIME; job++) {
      enter(job);
      assertThat(lane.isStuck()).isFalse();
      lane.markOverdue();
    }
    assertThat(lane.isStuck()).isTrue();
    lane.unmarkOverdue();
    lane.complete();
    assertThat(lane.isStuck()).isFalse();
    enter(100);
    assertThat(started).endsWith(100);
    assertThat(lane.isStuck()).isFalse();
  }

  /** A thread pool may run a job in the caller's thread, so that the job ends at once. */
  @Test
  public void takesJobsThatEndAtOnce() {
    for (int job = 0; job < 1_000; job++) {
      int number = job;
      lane.submit(
          () -> {
            started.add(number);
            lane.complete();
            return true;
          });
    }
    assertThat(started).hasSize(1_000).isSorted();
    isIdle();
  }

  @Test
  public void keepsItsLimitAmongThreads() throws Exception {
    int jobs = 2_000;
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(jobs);
    ExecutorService statements = Executors.newFixedThreadPool(8);
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      for (int i = 0; i < jobs; i++) {
        boolean isNeeded = i % 3 > 0;
        statements.execute(
            () ->
                lane.submit(
                    () -> {
                      if (!isNeeded) {
                        done.countDown();
                        return false;
                      }
                      pool.execute(
                          () -> {
                            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                            underWay.decrementAndGet();
                            lane.complete();
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
    assertThat(most.get()).isBetween(1, AT_A_TIME);
    isIdle();
  }
}

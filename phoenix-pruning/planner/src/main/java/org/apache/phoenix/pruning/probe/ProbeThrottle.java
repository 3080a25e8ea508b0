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

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many requests of a client to one server are in progress at a time. The server answers
 * the requests of all clients with only a share of its handlers. Further requests wait in a queue,
 * without a thread.
 */
final class ProbeThrottle {

  private static final int MAX_IN_FLIGHT = 4;

  /** A request to the server. */
  interface Job {

    /**
     * Starts the request.
     *
     * @return false if the request is no longer needed or cannot be started. If true, {@link
     *     #complete} must be called when the request ends.
     */
    boolean start();
  }

  private final Queue<Job> pending = new ArrayDeque<>();
  private int inFlight;

  /**
   * Number of jobs in progress whose answer is no longer awaited, because the server took too long.
   */
  private int overdue;

  /** Starts {@code job} now, or when an earlier job has ended. */
  void submit(Job job) {
    synchronized (this) {
      if (inFlight == MAX_IN_FLIGHT) {
        pending.add(job);
        return;
      }
      inFlight++;
    }
    startFirst(job);
  }

  /** Removes {@code job} from the queue if it still waits. */
  synchronized void remove(Job job) {
    pending.remove(job);
  }

  /**
   * Records that the answer to a started job is no longer awaited, although the job has not ended.
   */
  synchronized void markOverdue() {
    overdue++;
  }

  /** Records that a job for which {@link #markOverdue} was called is about to {@link #complete}. */
  synchronized void unmarkOverdue() {
    overdue--;
  }

  /**
   * Returns whether a new job would never be sent, because the server answers none of the jobs in
   * progress.
   */
  synchronized boolean isStuck() {
    return overdue == MAX_IN_FLIGHT;
  }

  /** Ends a started job, and starts the next one. */
  void complete() {
    startFirst(pollOrRelease());
  }

  private void startFirst(@Nullable Job first) {
    Job job = first;
    while (job != null && !job.start()) {
      job = pollOrRelease();
    }
  }

  /**
   * Returns the next waiting job, or null if none waits. In that case, the number of jobs in
   * progress decreases by one.
   */
  private synchronized @Nullable Job pollOrRelease() {
    Job job = pending.poll();
    if (job == null) {
      inFlight--;
    }
    return job;
  }

  @Override
  public synchronized String toString() {
    return inFlight + " in flight, " + pending.size() + " pending";
  }
}

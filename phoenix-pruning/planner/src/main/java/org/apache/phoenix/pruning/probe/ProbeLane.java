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

/**
 * Lets a client have few questions at a time under way to a server, which has only a share of its
 * handlers for those of all clients. The others wait in turn, without a thread.
 */
final class ProbeLane {

  private static final int AT_A_TIME = 4;

  /** A question. */
  interface Job {

    /**
     * Begins.
     *
     * @return false if it is not needed any more, or cannot; if true, it has to {@link #leave}
     */
    boolean start();
  }

  private final Queue<Job> waiting = new ArrayDeque<>();
  private int underWay;

  /** Number of jobs under way that nobody waits for any more, since the server took too long. */
  private int overdue;

  /** Starts {@code job} now, or when one before it has left. */
  void enter(Job job) {
    synchronized (this) {
      if (underWay == AT_A_TIME) {
        waiting.add(job);
        return;
      }
      underWay++;
    }
    startFrom(job);
  }

  /** Takes back {@code job} if it still waits. */
  synchronized void withdraw(Job job) {
    waiting.remove(job);
  }

  /** Nobody waits any more for a job that was started, and has not ended. */
  synchronized void overdue() {
    overdue++;
  }

  /** A job for which {@link #overdue} was called is about to {@link #leave}. */
  synchronized void overdueEnded() {
    overdue--;
  }

  /** Returns whether a job would wait in vain, as the server answers none of those under way. */
  synchronized boolean isStuck() {
    return overdue == AT_A_TIME;
  }

  /** A job that was started has ended. */
  void leave() {
    startFrom(next());
  }

  private void startFrom(Job first) {
    Job job = first;
    while (job != null && !job.start()) {
      job = next();
    }
  }

  /** Null if none waits; then one less is under way. */
  private synchronized Job next() {
    Job job = waiting.poll();
    if (job == null) {
      underWay--;
    }
    return job;
  }

  @Override
  public synchronized String toString() {
    return underWay + " under way, " + waiting.size() + " waiting";
  }
}

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
import java.util.concurrent.Semaphore;

/** Holds scans on a server while the gate is shut, and counts them. The gate starts open. */
final class ScanGate {

  private final Semaphore arrived = new Semaphore(0);
  private volatile CountDownLatch gate = new CountDownLatch(0);

  /** Holds all scans that arrive from now on. */
  void shut() {
    arrived.drainPermits();
    gate = new CountDownLatch(1);
  }

  void open() {
    gate.countDown();
  }

  boolean isShut() {
    return gate.getCount() > 0;
  }

  /** Waits until the gate is open. Called by the thread of a scan. */
  void pass() {
    arrived.release();
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until {@code scans} more scans have arrived. */
  void await(int scans) throws InterruptedException {
    arrived.acquire(scans);
  }

  /** Returns how many scans have arrived for which {@link #await} has not waited. */
  int arrived() {
    return arrived.availablePermits();
  }
}

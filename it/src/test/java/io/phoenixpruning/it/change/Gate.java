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
package io.phoenixpruning.it.change;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;

/**
 * Holds one statement at one point of its scans of a local index until the gate is opened. All
 * scans of the statement wait at the gate, so faults can be injected at this point.
 */
final class Gate {

  /** Point at which a scan can be held. */
  enum Place {
    /** The scan is planned and not yet sent to a region server. */
    OPENING,
    /** The region server has returned a row that the statement has not seen yet. */
    ROW
  }

  private enum State {
    ARMED,
    HELD,
    OPEN
  }

  private final Place place;
  private final int nth;

  private int passed;
  private State state = State.ARMED;
  private boolean reading;
  private boolean heldWhileReading;

  /**
   * Creates a gate that holds the statement when its scans reach {@code place} for the {@code nth}
   * time, counting all scans.
   */
  Gate(Place place, int nth) {
    this.place = place;
    this.nth = nth;
  }

  /** Returns when the calling scan may continue. */
  synchronized void pass(Place here) throws InterruptedIOException {
    if (here == place) {
      passed++;
      if (state == State.ARMED && passed == nth) {
        state = State.HELD;
        heldWhileReading = reading;
      }
    }
    awaitOpen();
  }

  /**
   * Waits while the statement is held, and records that the calling scan requests rows from a
   * region server.
   */
  synchronized void read() throws InterruptedIOException {
    awaitOpen();
    reading = true;
  }

  private synchronized void awaitOpen() throws InterruptedIOException {
    try {
      while (state == State.HELD) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException("held at a gate").initCause(e);
    }
  }

  /**
   * Waits until the statement is held, or has ended without reaching the point.
   *
   * @return whether the statement is held
   */
  boolean awaitHeld(Future<?> statement, Duration timeout) {
    Awaitility.await()
        .atMost(timeout)
        .pollInterval(Duration.ofMillis(2))
        .until(() -> isHeld() || statement.isDone());
    return isHeld();
  }

  private synchronized boolean isHeld() {
    return state == State.HELD;
  }

  /** Returns whether a scan of the statement had begun to read before the statement was held. */
  synchronized boolean heldWhileReading() {
    return heldWhileReading;
  }

  /** Lets the statement continue, without holding it again. */
  synchronized void open() {
    state = State.OPEN;
    notifyAll();
  }

  @Override
  public synchronized String toString() {
    return place + " " + nth + " (came there " + passed + " times)";
  }
}

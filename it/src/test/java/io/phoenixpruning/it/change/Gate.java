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
 * Holds one statement at one place of its scans of a local index, until it is opened: all its scans
 * wait there, so what happens meanwhile happens at this place.
 */
final class Gate {

  /** Where a scan can be held. */
  enum Place {
    /** Planned, and not yet sent to a region server. */
    OPENING,
    /** A row has come from the region server, and the statement has not seen it. */
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

  /** Holds when scans come to {@code place} for the {@code nth} time, counting all of them. */
  Gate(Place place, int nth) {
    this.place = place;
    this.nth = nth;
  }

  /** Called by a scan; returns when it may go on. */
  synchronized void pass(Place here) throws InterruptedIOException {
    if (here == place) {
      passed++;
      if (state == State.ARMED && passed == nth) {
        state = State.HELD;
        heldWhileReading = reading;
      }
    }
    try {
      while (state == State.HELD) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException("held at a gate").initCause(e);
    }
  }

  /** Called by a scan that asks a region server for rows. */
  synchronized void read() {
    reading = true;
  }

  /**
   * Waits until the statement is held, or has ended without coming to the place.
   *
   * @return whether it is held
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

  /** Whether a scan of the statement had begun to read before the statement was held. */
  synchronized boolean heldWhileReading() {
    return heldWhileReading;
  }

  /** Lets the statement go on, and holds it no more. */
  synchronized void open() {
    state = State.OPEN;
    notifyAll();
  }

  @Override
  public synchronized String toString() {
    return place + " " + nth + " (came there " + passed + " times)";
  }
}

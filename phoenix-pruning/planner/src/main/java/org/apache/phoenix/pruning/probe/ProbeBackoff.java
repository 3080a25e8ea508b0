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

/**
 * Decides whether to probe servers for an index, by the share of scans that recent requests saved.
 * The last statement has the same weight as all statements before it together.
 *
 * <p>If the share is too small, because most regions had rows or did not answer in time, scans are
 * sent without a probe for a number of statements. This back-off doubles each time.
 */
final class ProbeBackoff {

  /** Minimum share of saved scans. Checking a region takes a fraction of the time of a scan. */
  private static final double WORTH = 0.25;

  private static final int FIRST_REST = 8;
  private static final int LONGEST_REST = 1_024;

  private final ServerBackoff servers = new ServerBackoff();

  private double saved = 1;
  private int rest;
  private int remaining;

  /** Returns the back-off of the servers of the index. */
  ServerBackoff servers() {
    return servers;
  }

  /**
   * Returns whether to probe now. Each call that returns false counts as one statement of the
   * back-off.
   */
  synchronized boolean take() {
    if (remaining == 0) {
      return true;
    }
    remaining--;
    return false;
  }

  /** Returns whether {@link #take} would return false. */
  synchronized boolean isResting() {
    return remaining > 0;
  }

  /**
   * Records the result of one statement.
   *
   * @param asked number of scans for which servers were probed
   * @param notSent number of these scans that need not be sent
   */
  synchronized void record(int asked, int notSent) {
    if (asked == 0) {
      return;
    }
    saved = (saved + (double) notSent / asked) / 2;
    if (saved >= WORTH) {
      rest = 0;
    } else {
      rest = Math.min(LONGEST_REST, Math.max(FIRST_REST, rest * 2));
    }
    remaining = rest;
  }

  @Override
  public synchronized String toString() {
    return remaining == 0 ? "asks" : "rests for " + remaining + " statements";
  }
}

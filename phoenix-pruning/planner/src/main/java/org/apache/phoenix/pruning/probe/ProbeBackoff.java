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
 * <p>If the share is too small, the scans of the next statements are sent without a probe. This
 * back-off doubles each time. The share is small if most regions had rows or did not answer in
 * time.
 */
final class ProbeBackoff {

  /** Minimum share of saved scans. Checking a region takes a fraction of the time of a scan. */
  private static final double MIN_SAVED_SHARE = 0.25;

  private static final int MIN_BACKOFF = 8;
  private static final int MAX_BACKOFF = 1_024;

  private final ServerBackoff servers = new ServerBackoff();

  private double savedShare = 1;
  private int backoff;
  private int remaining;

  /** Returns the back-off of the servers of the index. */
  ServerBackoff servers() {
    return servers;
  }

  /**
   * Returns whether to probe now. Each call that returns false counts as one statement of the
   * back-off.
   */
  synchronized boolean tryProbe() {
    if (remaining == 0) {
      return true;
    }
    remaining--;
    return false;
  }

  /** Returns whether {@link #tryProbe} would return false. */
  synchronized boolean isBackingOff() {
    return remaining > 0;
  }

  /**
   * Records the result of one statement.
   *
   * @param probed number of scans for which servers were probed
   * @param notSent number of these scans that need not be sent
   */
  synchronized void record(int probed, int notSent) {
    if (probed == 0) {
      return;
    }
    savedShare = (savedShare + (double) notSent / probed) / 2;
    if (savedShare >= MIN_SAVED_SHARE) {
      backoff = 0;
    } else {
      backoff = Math.min(MAX_BACKOFF, Math.max(MIN_BACKOFF, backoff * 2));
    }
    remaining = backoff;
  }

  @Override
  public synchronized String toString() {
    return remaining == 0 ? "probes" : "backs off for " + remaining + " statements";
  }
}

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
 * Whether asking has paid lately for an index: which share of scans it saved, the last statement
 * counting as much as all before. Where it was too little, because most regions had rows or did not
 * answer in time, scans are sent without asking for a while, which doubles each time.
 */
final class ProbeHistory {

  /** To look at a region takes a fraction of the time of a scan. */
  private static final double WORTH = 0.25;

  private static final int FIRST_REST = 8;
  private static final int LONGEST_REST = 1_024;

  private final ProbedServers servers = new ProbedServers();

  private double saved = 1;
  private int rest;
  private int remaining;

  /** The servers of the index. */
  ProbedServers servers() {
    return servers;
  }

  /** Whether to ask now. Each call that says no counts as a statement that did not. */
  synchronized boolean take() {
    if (remaining == 0) {
      return true;
    }
    remaining--;
    return false;
  }

  /** Whether {@link #take} would say no. */
  synchronized boolean isResting() {
    return remaining > 0;
  }

  /** Servers were asked for {@code asked} scans; {@code notSent} of them need not be sent. */
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

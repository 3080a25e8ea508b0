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
 * Whether asking has paid lately for an index. Where it has not, because most regions had rows or
 * did not answer in time, scans are sent without asking for a while, which doubles each time.
 */
final class ProbeHistory {

  /** A look takes about a fifth of the time of a scan, both by this project's benchmark. */
  private static final int WORTH = 4;

  private static final int FIRST_REST = 8;
  private static final int LONGEST_REST = 1_024;

  private final ProbedServers servers = new ProbedServers();

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

  /** Servers were asked for {@code asked} scans; {@code saved} of them need not be sent. */
  synchronized void record(int asked, int saved) {
    if ((long) saved * WORTH >= asked) {
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

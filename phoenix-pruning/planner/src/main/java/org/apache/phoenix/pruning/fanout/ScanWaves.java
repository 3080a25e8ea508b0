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
package org.apache.phoenix.pruning.fanout;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.util.EnvironmentEdgeManager;

/**
 * Opens the scans of a statement in waves, for a consumer that reads one wave after the other. Each
 * wave is opened when its first row is needed. A few later waves are started ahead. So the client's
 * memory use does not grow with the number of regions. No scan is opened after the last row that is
 * needed.
 *
 * <p>Phoenix's code opens a wave as it opens all scans. Phoenix plans scans again if their region
 * has changed, and waits no longer than the query timeout. The time in which nobody waits for a
 * wave does not count towards the timeout. Likewise, stock Phoenix does not count the time between
 * the rows of a result.
 */
public final class ScanWaves {

  /** Owner of the scans, which opens the waves. */
  public interface Opener {

    /** Starts to open the scans of {@code wave}. Does not wait. */
    void start(Wave wave, long deadlineMillis) throws SQLException;

    /**
     * Waits until the scans of {@code wave}, which was started, are open.
     *
     * @param started the waves that were started but not opened; all other waves have been read
     */
    List<PeekingResultIterator> open(Wave wave, Collection<Wave> started, long deadlineMillis)
        throws SQLException;
  }

  private final Opener opener;
  private final Deque<Wave> notStarted;
  private final int ahead;
  private final int count;
  private final Deque<Wave> started = new ArrayDeque<>();
  private long remainingMillis;

  private ScanWaves(Opener opener, Deque<Wave> waves, int ahead, long timeoutMillis) {
    this.opener = opener;
    this.notStarted = waves;
    this.ahead = ahead;
    this.count = waves.size();
    this.remainingMillis = timeoutMillis;
  }

  /**
   * Divides scans into waves of {@code size} scans each.
   *
   * @param scans scans in key order; each inner list has scans whose rows follow each other
   * @param reversed true if the last scan is read first
   * @param ahead number of waves to start ahead
   * @param timeoutMillis maximum time to wait for all waves together, in milliseconds
   */
  public static ScanWaves of(
      Opener opener,
      List<List<Scan>> scans,
      int size,
      boolean reversed,
      int ahead,
      long timeoutMillis) {
    Deque<Wave> waves = new ArrayDeque<>();
    List<List<Scan>> wave = new ArrayList<>();
    int remaining = size;
    for (List<Scan> group : BaseResultIterators.reverseIfNecessary(scans, reversed)) {
      int from = 0;
      while (from < group.size()) {
        int to = Math.min(group.size(), from + remaining);
        // A reversed scan reads the last scans first.
        wave.add(
            new ArrayList<>(
                reversed
                    ? group.subList(group.size() - to, group.size() - from)
                    : group.subList(from, to)));
        remaining -= to - from;
        from = to;
        if (remaining == 0) {
          waves.add(newWave(wave, reversed));
          wave = new ArrayList<>();
          remaining = size;
        }
      }
    }
    if (!wave.isEmpty()) {
      waves.add(newWave(wave, reversed));
    }
    return new ScanWaves(opener, waves, ahead, timeoutMillis);
  }

  private static Wave newWave(List<List<Scan>> scans, boolean reversed) {
    if (reversed) {
      Collections.reverse(scans);
    }
    return new Wave(scans);
  }

  /** Returns whether there are scans that {@link #open} has not opened. */
  public boolean hasNext() {
    return !started.isEmpty() || !notStarted.isEmpty();
  }

  /** Returns the iterators of the next wave, or an empty list if no wave is left. */
  public List<PeekingResultIterator> open() throws SQLException {
    List<PeekingResultIterator> opened = Collections.emptyList();
    long start = EnvironmentEdgeManager.currentTimeMillis();
    try {
      while (opened.isEmpty() && hasNext()) {
        while (started.size() <= ahead && !notStarted.isEmpty()) {
          Wave wave = notStarted.remove();
          started.add(wave);
          opener.start(wave, start + remainingMillis);
        }
        opened = opener.open(started.remove(), started, start + remainingMillis);
      }
      return opened;
    } finally {
      remainingMillis -= EnvironmentEdgeManager.currentTimeMillis() - start;
    }
  }

  @Override
  public String toString() {
    return String.format(
        "%d waves, %d of them not opened, %d ahead",
        count, started.size() + notStarted.size(), ahead);
  }
}

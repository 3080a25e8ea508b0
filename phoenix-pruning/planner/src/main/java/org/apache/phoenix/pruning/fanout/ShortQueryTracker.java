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

import java.lang.ref.WeakReference;
import org.apache.phoenix.pruning.config.ClientScoped;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.util.EnvironmentEdgeManager;

/**
 * Records when short statements, which have few scans, last began in a client. For some time after
 * that, statements with many scans run fewer scans at a time. The next short statement then finds
 * free servers.
 */
final class ShortQueryTracker {

  static final long RECENT_MILLIS = 1_000;

  private static final int MAX_SCANS = 4;

  private static final ClientScoped<ShortQueryTracker> BY_CLIENT =
      new ClientScoped<>(ShortQueryTracker::new);

  /** The connection of the last short statement. */
  private WeakReference<Object> lastConnection = new WeakReference<>(null);

  private long lastMillis = Long.MIN_VALUE;

  /**
   * Start time of the last short statement of a connection other than {@link #lastConnection}, in
   * milliseconds.
   */
  private long lastMillisOfOthers = Long.MIN_VALUE;

  ShortQueryTracker() {}

  static ShortQueryTracker of(ConnectionQueryServices services) {
    return BY_CLIENT.get(services);
  }

  /** Records that a statement of {@code connection} has begun to send {@code scans} scans. */
  synchronized void recordStart(Object connection, int scans) {
    if (scans > MAX_SCANS) {
      return;
    }
    if (lastConnection.get() != connection) {
      lastMillisOfOthers = lastMillis;
      lastConnection = new WeakReference<>(connection);
    }
    lastMillis = EnvironmentEdgeManager.currentTimeMillis();
  }

  /**
   * Returns whether a short statement of another connection began within the last {@value
   * #RECENT_MILLIS} milliseconds.
   */
  synchronized boolean hasRecentOfOthers(Object connection) {
    long millis = lastConnection.get() == connection ? lastMillisOfOthers : lastMillis;
    return millis > EnvironmentEdgeManager.currentTimeMillis() - RECENT_MILLIS;
  }

  @Override
  public synchronized String toString() {
    return lastMillis == Long.MIN_VALUE ? "none" : "the last one at " + lastMillis;
  }
}

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
import org.apache.phoenix.pruning.plan.PerClient;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.util.EnvironmentEdgeManager;

/**
 * When statements with few scans have last begun in a client. One with many scans leaves the
 * servers to them, as it cannot know when the next one comes.
 */
final class ShortStatements {

  static final long RECENT_MILLIS = 1_000;

  private static final int MOST_SCANS = 4;

  private static final PerClient<ShortStatements> ALL = new PerClient<>(ShortStatements::new);

  /** Of which connection the last one was. */
  private WeakReference<Object> last = new WeakReference<>(null);

  private long lastMillis = Long.MIN_VALUE;

  /** When the last one of another connection than {@link #last} has begun. */
  private long otherMillis = Long.MIN_VALUE;

  ShortStatements() {}

  static ShortStatements of(ConnectionQueryServices services) {
    return ALL.of(services);
  }

  /** A statement of {@code connection} has begun to send {@code scans} scans. */
  synchronized void begins(Object connection, int scans) {
    if (scans > MOST_SCANS) {
      return;
    }
    if (last.get() != connection) {
      otherMillis = lastMillis;
      last = new WeakReference<>(connection);
    }
    lastMillis = EnvironmentEdgeManager.currentTimeMillis();
  }

  /** Whether a short one of another connection than {@code connection} has begun lately. */
  synchronized boolean areBeside(Object connection) {
    long millis = last.get() == connection ? otherMillis : lastMillis;
    return millis > EnvironmentEdgeManager.currentTimeMillis() - RECENT_MILLIS;
  }

  @Override
  public synchronized String toString() {
    return lastMillis == Long.MIN_VALUE ? "none" : "the last one at " + lastMillis;
  }
}

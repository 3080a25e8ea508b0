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

import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.phoenix.util.EnvironmentEdgeManager;

/** Servers that are not probed for some time, because they did not answer. */
final class ServerBackoff {

  /**
   * Back-off for a server that does not know the request. A server that restarts, for example with
   * other jars, has a new name and is probed at once.
   */
  static final long NOT_UNDERSTOOD_MILLIS = 600_000;

  static final long TOO_SLOW_MILLIS = 10_000;

  private final Map<ServerName, Long> backoffEnds = new ConcurrentHashMap<>();

  /** Returns whether {@code server} may be probed now. */
  boolean mayProbe(ServerName server) {
    Long end = backoffEnds.get(server);
    return end == null || EnvironmentEdgeManager.currentTimeMillis() >= end;
  }

  /**
   * Starts a back-off of {@code millis} milliseconds for {@code server}. Forgets servers whose
   * back-off has ended, because they may no longer exist.
   */
  void backOff(ServerName server, long millis) {
    long now = EnvironmentEdgeManager.currentTimeMillis();
    backoffEnds.values().removeIf(end -> now >= end);
    backoffEnds.put(server, now + millis);
  }

  @Override
  public String toString() {
    return "backing off from " + new TreeSet<>(backoffEnds.keySet());
  }
}

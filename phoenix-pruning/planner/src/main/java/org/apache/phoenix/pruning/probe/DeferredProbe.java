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

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * Probes servers at most once for a list of scans, when the first of these scans is about to be
 * sent.
 */
final class DeferredProbe {

  /** Probes servers. */
  interface Probe {

    /**
     * Probes the servers. Returns all scans, but replaces each scan that need not be sent: by null,
     * or by a scan that has its rows.
     */
    List<@Nullable Scan> probe() throws SQLException;
  }

  private final Probe probe;
  private @Nullable List<@Nullable Scan> remaining;

  DeferredProbe(Probe probe) {
    this.probe = probe;
  }

  /**
   * Returns the scan at {@code index} after the servers have answered, or null if it need not be
   * sent.
   */
  synchronized @Nullable Scan remainingScan(int index) throws IOException {
    if (remaining == null) {
      try {
        remaining = probe.probe();
      } catch (SQLException e) {
        throw new IOException(e);
      }
    }
    return remaining.get(index);
  }
}

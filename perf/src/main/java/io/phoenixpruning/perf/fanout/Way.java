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
package io.phoenixpruning.perf.fanout;

import java.util.HashMap;
import java.util.Map;
import org.apache.phoenix.pruning.config.PruningOptions;

/**
 * A way in which the client finds the regions that a query has to scan, set by connection
 * properties.
 */
enum Way {
  /** Scans all regions, as stock's client does. */
  STOCK("stock", Map.of(PruningOptions.MODE, "stock")),
  /**
   * Scans the regions whose boundaries allow a match. For a condition on V alone, these are all
   * regions.
   */
  EXACT("exact", Map.of(PruningOptions.PROBE, "false")),
  /** Asks the servers which regions have a match, and scans these regions. */
  PROBE("probe", Map.of(PruningOptions.PROBE, "true", PruningOptions.PROBE_ROWS_KB, "0")),
  /** Asks the servers for the matching rows. */
  ROWS("probe with rows", Map.of(PruningOptions.PROBE, "true"));

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // Map.of()
  private final Map<String, String> properties;

  Way(String title, Map<String, String> properties) {
    this.title = title;
    this.properties = properties;
  }

  /** Returns the name of the way in a table. */
  String title() {
    return title;
  }

  /**
   * Returns the connection properties of this way.
   *
   * @param chunk maximum number of regions in one probe request
   */
  Map<String, String> properties(int chunk) {
    Map<String, String> all = new HashMap<>(properties);
    if (Boolean.parseBoolean(properties.get(PruningOptions.PROBE))) {
      all.put(PruningOptions.PROBE_BATCH_REGIONS, Integer.toString(chunk));
      // A quick run has few regions.
      all.put(PruningOptions.PROBE_MIN_REGIONS, "2");
    }
    return all;
  }
}

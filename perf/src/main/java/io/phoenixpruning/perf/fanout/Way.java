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
import org.apache.phoenix.pruning.plan.PruningOptions;

/** A way for the client to find the regions that a query has to scan, by connection properties. */
enum Way {
  /** As stock's client does: all of them. */
  STOCK("stock", Map.of(PruningOptions.MODE, "stock")),
  /** Those that can match by their boundaries: all of them, for a condition on V alone. */
  EXACT("exact", Map.of(PruningOptions.PROBE, "false")),
  /** The servers are asked which regions have a match, and those are scanned. */
  PROBE("probe", Map.of(PruningOptions.PROBE, "true", PruningOptions.PROBE_ROWS_KB, "0")),
  /** The servers are asked for the matches. */
  ROWS("probe with rows", Map.of(PruningOptions.PROBE, "true"));

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // Map.of()
  private final Map<String, String> properties;

  Way(String title, Map<String, String> properties) {
    this.title = title;
    this.properties = properties;
  }

  /** The name in a table. */
  String title() {
    return title;
  }

  /**
   * What to connect with.
   *
   * @param chunk of how many regions a server is asked at a time
   */
  Map<String, String> properties(int chunk) {
    Map<String, String> all = new HashMap<>(properties);
    if (Boolean.parseBoolean(properties.get(PruningOptions.PROBE))) {
      all.put(PruningOptions.PROBE_CHUNK_REGIONS, Integer.toString(chunk));
      // A quick run has few regions.
      all.put(PruningOptions.PROBE_MIN_REGIONS, "2");
    }
    return all;
  }
}

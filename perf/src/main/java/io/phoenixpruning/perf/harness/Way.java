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
package io.phoenixpruning.perf.harness;

import java.util.Locale;
import java.util.Map;
import org.apache.phoenix.pruning.config.PruningOptions;

/** Way in which the regions of a query are found. */
public enum Way {
  NONE(Map.of(PruningOptions.MODE, "none", PruningOptions.PROBE, "false")),
  /** Uses stock's own jars. */
  STOCK(Map.of()),
  EXACT(Map.of(PruningOptions.MODE, "exact", PruningOptions.PROBE, "false")),
  PROBE(Map.of(PruningOptions.MODE, "exact", PruningOptions.PROBE_MIN_REGIONS, "2"));

  @SuppressWarnings("ImmutableEnumChecker") // Map.of()
  private final Map<String, String> properties;

  Way(Map<String, String> properties) {
    this.properties = properties;
  }

  /** Returns the properties of the connections. */
  public Map<String, String> properties() {
    return properties;
  }

  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}

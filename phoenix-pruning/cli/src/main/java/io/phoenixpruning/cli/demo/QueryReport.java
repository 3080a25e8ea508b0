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
package io.phoenixpruning.cli.demo;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.apache.phoenix.pruning.config.PruningMode;

/**
 * Cost of a query in each mode.
 *
 * @param expectedRows number of matching rows in the data table
 */
record QueryReport(DemoQuery query, int expectedRows, Map<PruningMode, Measurement> byMode) {

  QueryReport {
    byMode = Collections.unmodifiableMap(new EnumMap<>(byMode));
  }

  Measurement measurement(PruningMode mode) {
    return Objects.requireNonNull(byMode.get(mode));
  }
}

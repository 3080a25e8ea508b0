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

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A figure of a benchmark.
 *
 * @param at value of each dimension of the benchmark, in the order of the dimensions
 * @param measure name of the measure, such as {@code latency}
 * @param unit unit, such as {@code ms}
 * @param summary summary of the measured values
 */
public record Result(Map<String, String> at, String measure, String unit, Summary summary) {

  public Result {
    at = Collections.unmodifiableMap(new LinkedHashMap<>(at));
  }
}

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
package io.phoenixpruning.perf.bench;

import io.phoenixpruning.perf.harness.cluster.ProcessUsage;
import io.phoenixpruning.perf.harness.cluster.Turn;
import java.util.Locale;

/** A measure of a turn. */
enum PlainCost {
  TIME("ms"),
  CPU("ms"),
  CLIENT_CPU("ms"),
  SERVER_CPU("ms"),
  ALLOCATION("KiB"),
  CLIENT_ALLOCATION("KiB"),
  SERVER_ALLOCATION("KiB");

  private final String unit;

  PlainCost(String unit) {
    this.unit = unit;
  }

  String unit() {
    return unit;
  }

  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ').replace("cpu", "CPU");
  }

  /** Returns this measure of a turn on a client, and of its server meanwhile. */
  double of(Turn turn, ProcessUsage server) {
    return switch (this) {
      case TIME -> turn.getMillis();
      case CPU -> CLIENT_CPU.of(turn, server) + SERVER_CPU.of(turn, server);
      case CLIENT_CPU -> turn.getUsage().getCpuNanos() / 1e6;
      case SERVER_CPU -> server.getCpuNanos() / 1e6;
      case ALLOCATION -> CLIENT_ALLOCATION.of(turn, server) + SERVER_ALLOCATION.of(turn, server);
      case CLIENT_ALLOCATION -> turn.getUsage().getAllocatedBytes() / 1024.0;
      case SERVER_ALLOCATION -> server.getAllocatedBytes() / 1024.0;
    };
  }
}

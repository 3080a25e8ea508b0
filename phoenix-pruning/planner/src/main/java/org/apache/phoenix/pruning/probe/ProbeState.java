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
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.phoenix.pruning.plan.PerClient;
import org.apache.phoenix.query.ConnectionQueryServices;

/** What an HBase client has learnt of asking. */
final class ProbeState {

  private static final PerClient<ProbeState> ALL = new PerClient<>(ProbeState::new);

  private final Map<String, ProbeHistory> histories = new ConcurrentHashMap<>();
  private final Map<ServerName, ProbeLane> lanes = new ConcurrentHashMap<>();

  private ProbeState() {}

  static ProbeState of(ConnectionQueryServices services) {
    return ALL.of(services);
  }

  ProbeHistory history(String index) {
    return histories.computeIfAbsent(index, key -> new ProbeHistory());
  }

  /** The way to {@code server} for the questions of all statements. */
  ProbeLane lane(ServerName server) {
    return lanes.computeIfAbsent(server, key -> new ProbeLane());
  }
}

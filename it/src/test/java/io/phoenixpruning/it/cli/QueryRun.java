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
package io.phoenixpruning.it.cli;

import io.phoenixpruning.cli.cluster.ScanRpcCounts;
import java.util.List;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.explain.PlanSummary;

/**
 * What a query was planned to read, and what it read.
 *
 * @param plan made before it ran
 * @param rows sorted, unless the query says in which order they are
 * @param scanRpcs for the tables of the workload, not for Phoenix's and HBase's own
 */
record QueryRun(PlanSummary plan, List<List<Object>> rows, ScanRpcCounts scanRpcs) {

  static long rpcs(List<QueryRun> runs) {
    return runs.stream().mapToLong(run -> run.scanRpcs().rpcs()).sum();
  }

  static long clientScans(List<QueryRun> runs) {
    return runs.stream().mapToLong(run -> run.plan().clientScans()).sum();
  }

  /**
   * Whether all its scans were known before it ran. They are not where keys that a join reads leave
   * some out, where a condition has the value of a subquery, and where a LIMIT may be reached
   * before the last one.
   */
  boolean isPlannedInFull() {
    return plan.steps().stream()
        .noneMatch(
            step ->
                Stream.of("DYNAMIC ", "EXECUTE SINGLE-ROW SUBQUERY", "CLIENT SERIAL ")
                    .anyMatch(step::contains));
  }
}

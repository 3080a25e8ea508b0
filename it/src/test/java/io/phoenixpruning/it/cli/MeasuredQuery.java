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

import io.phoenixpruning.testing.ScanRpcCounts;
import java.util.List;
import java.util.stream.Stream;
import org.apache.phoenix.pruning.explain.PlanSummary;

/**
 * The plan of a query, and the work that it actually did.
 *
 * @param plan plan before the query ran
 * @param rows rows, sorted unless the query determines their order
 * @param scanRpcs scan RPCs for the tables of the workload, without those for system tables of
 *     Phoenix and HBase
 */
record MeasuredQuery(PlanSummary plan, List<List<Object>> rows, ScanRpcCounts scanRpcs) {

  static long rpcs(List<MeasuredQuery> runs) {
    return runs.stream().mapToLong(run -> run.scanRpcs().rpcs()).sum();
  }

  static long clientScans(List<MeasuredQuery> runs) {
    return runs.stream().mapToLong(run -> run.plan().clientScans()).sum();
  }

  /**
   * Returns whether all scans were known before the query ran. Returns false in three cases:
   *
   * <ul>
   *   <li>A join finds keys that exclude scans.
   *   <li>A condition has the value of a subquery.
   *   <li>A LIMIT can end the query before its last scan.
   * </ul>
   */
  boolean isPlannedInFull() {
    return plan.steps().stream()
        .noneMatch(
            step ->
                Stream.of("DYNAMIC ", "EXECUTE SINGLE-ROW SUBQUERY", "CLIENT SERIAL ")
                    .anyMatch(step::contains));
  }
}

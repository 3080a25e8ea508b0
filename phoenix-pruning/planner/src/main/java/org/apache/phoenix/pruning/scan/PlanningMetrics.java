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
package org.apache.phoenix.pruning.scan;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.pruning.metrics.ClientPruningMetrics;
import org.apache.phoenix.pruning.metrics.PruningCounts;
import org.apache.phoenix.pruning.metrics.PruningMetric;
import org.apache.phoenix.pruning.region.TableRegions;

/** Adds the planned regions of a statement to the metrics of the statement and of the client. */
final class PlanningMetrics {

  private PlanningMetrics() {}

  /** Returns the counts of the client and those of the statement that {@code plan} belongs to. */
  static List<PruningCounts> countsFor(QueryPlan plan) {
    return Arrays.asList(
        ClientPruningMetrics.global(),
        ((PruningCounts.Holder) (Object) plan.getContext().getOverallQueryMetrics())
            .getPruningCounts());
  }

  /**
   * Adds {@code planned} to {@code counts}.
   *
   * @param table the regions of the table, with the number of lookups of their locations
   */
  static void add(LocalIndexScanPlan planned, TableRegions table, PruningCounts counts) {
    int regions = planned.regions().size();
    int total = Math.max(regions, table.knownCount().orElse(0));
    counts.add(PruningMetric.REGIONS_PLANNED, regions);
    counts.add(PruningMetric.REGIONS_TOTAL, total);
    counts.add(PruningMetric.REGIONS_PRUNED_BY_PRIMARY_KEY, total - regions);
    counts.add(PruningMetric.REGION_LOCATION_LOOKUPS, table.lookups());
    counts.add(PruningMetric.PLANNING_TIME_MICROS, TimeUnit.NANOSECONDS.toMicros(planned.nanos()));
  }
}

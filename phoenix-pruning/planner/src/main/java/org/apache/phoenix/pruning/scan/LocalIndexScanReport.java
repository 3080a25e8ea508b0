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

import java.sql.SQLException;
import java.util.Optional;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.probe.ProbePlan;
import org.apache.phoenix.pruning.probe.RegionProbe;
import org.apache.phoenix.pruning.prune.LocalIndexRegions;
import org.apache.phoenix.pruning.prune.RegionReport;
import org.apache.phoenix.pruning.where.JoinConditions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Describes the planned scans of a local index for EXPLAIN: their regions, how they seek, and which
 * servers are probed first.
 */
public final class LocalIndexScanReport {

  private static final Logger LOGGER = LoggerFactory.getLogger(LocalIndexScanReport.class);

  private final QueryPlan plan;
  private final PruningOptions options;
  private final LocalIndexRegions regions;
  private final Optional<LooseIndexScan> loose;

  /** Planned regions and scans, or null if only stale scans were planned again. */
  private final @Nullable LocalIndexScanPlan planned;

  LocalIndexScanReport(
      QueryPlan plan,
      PruningOptions options,
      LocalIndexRegions regions,
      Optional<LooseIndexScan> loose,
      @Nullable LocalIndexScanPlan planned) {
    this.plan = plan;
    this.options = options;
    this.regions = regions;
    this.loose = loose;
    this.planned = planned;
  }

  /**
   * Returns the report on the scans of {@code iterators}. Returns null if {@link
   * LocalIndexScanPlanner} did not plan their scans, or if {@code phoenix.pruning.explain.regions}
   * is false.
   */
  public static @Nullable LocalIndexScanReport of(Object iterators) {
    if (!(iterators instanceof LocalIndexScanPlanner.Holder)) {
      return null;
    }
    LocalIndexScanPlanner planner =
        ((LocalIndexScanPlanner.Holder) iterators).getLocalIndexScanPlanner();
    return planner == null ? null : planner.report();
  }

  /**
   * Returns the numbers of planned and of all regions. Returns null if only stale scans were
   * planned again, or if counting the regions fails. Looks up all regions.
   */
  public @Nullable RegionReport regions() {
    try {
      return planned == null ? null : count(planned.regions().size());
    } catch (SQLException e) {
      LOGGER.warn("EXPLAIN does not show the planned regions: counting the regions failed", e);
      return null;
    }
  }

  private RegionReport count(int regionsPlanned) throws SQLException {
    return new RegionReport(
        regionsPlanned,
        Math.max(regionsPlanned, regions.ofTable().all().size()),
        JoinConditions.of(plan.getContext()).dynamicColumns());
  }

  /** Returns the loose index scan, or null if the scans do not seek. */
  public @Nullable LooseIndexScan looseScan() {
    return loose.orElse(null);
  }

  /**
   * Returns the servers that an execution of the statement would probe, or null if it would probe
   * none.
   */
  public @Nullable ProbePlan probe() {
    return planned == null || options.mode() != PruningMode.EXACT
        ? null
        : RegionProbe.plan(plan, options.probe(), planned.scans().locations()).orElse(null);
  }
}

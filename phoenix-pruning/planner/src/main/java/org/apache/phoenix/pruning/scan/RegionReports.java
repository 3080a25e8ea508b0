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
import org.apache.phoenix.pruning.probe.ProbePlan;
import org.apache.phoenix.pruning.prune.RegionReport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the planning reports of result iterators for EXPLAIN. */
public final class RegionReports {

  private static final Logger LOGGER = LoggerFactory.getLogger(RegionReports.class);

  private RegionReports() {}

  /**
   * Returns the report of {@code iterators}. Returns null if {@link LocalIndexScanPlanner} did not
   * plan their scans, if {@code phoenix.pruning.explain.regions} is false, or if counting the
   * regions fails.
   */
  public static @Nullable RegionReport of(Object iterators) {
    LocalIndexScanPlanner planning = planning(iterators);
    if (planning == null) {
      return null;
    }
    try {
      return planning.report();
    } catch (SQLException e) {
      LOGGER.warn("EXPLAIN does not show the planned regions: counting the regions failed", e);
      return null;
    }
  }

  /** Returns the loose index scan of {@code iterators}, or null if they do not seek. */
  public static @Nullable LooseIndexScan looseScanOf(Object iterators) {
    LocalIndexScanPlanner planning = planning(iterators);
    return planning == null ? null : planning.looseScan().orElse(null);
  }

  /**
   * Returns the servers that {@code iterators} probe before they scan, or null if they probe none.
   */
  public static @Nullable ProbePlan probeOf(Object iterators) {
    LocalIndexScanPlanner planning = planning(iterators);
    return planning == null ? null : planning.probePlan().orElse(null);
  }

  private static @Nullable LocalIndexScanPlanner planning(Object iterators) {
    if (!(iterators instanceof LocalIndexScanPlanner.Holder)) {
      return null;
    }
    LocalIndexScanPlanner planning =
        ((LocalIndexScanPlanner.Holder) iterators).getLocalIndexPlanning();
    return planning != null && planning.isExplained() ? planning : null;
  }
}

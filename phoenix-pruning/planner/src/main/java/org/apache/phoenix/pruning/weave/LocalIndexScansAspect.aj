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
package org.apache.phoenix.pruning.weave;

import java.sql.SQLException;
import java.util.List;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.iterate.ScansWithRegionLocations;
import org.apache.phoenix.pruning.optimize.PlanPinning;
import org.apache.phoenix.pruning.prune.RegionLimit;
import org.apache.phoenix.pruning.scan.LocalIndexScanPlanner;
import org.apache.phoenix.pruning.scan.PlannedScans;
import org.apache.phoenix.schema.stats.GuidePostsInfo;

/** Replaces the planning in Phoenix's {@code BaseResultIterators} for scans of local indexes. */
public privileged aspect LocalIndexScansAspect {

  declare parents : BaseResultIterators implements LocalIndexScanPlanner.Holder;

  LocalIndexScanPlanner BaseResultIterators.localIndexScanPlanner;

  public LocalIndexScanPlanner BaseResultIterators.getLocalIndexScanPlanner() {
    return localIndexScanPlanner;
  }

  public void BaseResultIterators.setLocalIndexScanPlanner(LocalIndexScanPlanner planner) {
    this.localIndexScanPlanner = planner;
  }

  ScansWithRegionLocations BaseResultIterators.withLocations(PlannedScans planned) {
    numRegionLocationLookups = planned.lookups();
    return new ScansWithRegionLocations(planned.scans(), planned.locations());
  }

  private ScansWithRegionLocations BaseResultIterators.planFirst() throws SQLException {
    GuidePostsInfo guideposts = getGuidePosts();
    hasGuidePosts = guideposts != GuidePostsInfo.NO_GUIDEPOST;
    PlannedScans planned = localIndexScanPlanner.plan(guideposts, useStatsForParallelization);
    BaseResultIterators.GuidePostEstimate estimate = new BaseResultIterators.GuidePostEstimate();
    estimate.rowsEstimate = planned.estimate().rows();
    estimate.bytesEstimate = planned.estimate().bytes();
    estimate.lastUpdated = planned.estimate().oldestTimestamp();
    generateEstimates(
        context.getScanRanges(),
        getTable(),
        guideposts,
        guideposts.isEmptyGuidePost(),
        planned.scans(),
        estimate,
        Long.MAX_VALUE,
        planned.estimate().coversEveryRegion());
    sampleScans(planned.scans(), plan.getStatement().getTableSamplingRate());
    return withLocations(planned);
  }

  ScansWithRegionLocations around(BaseResultIterators iterators) throws SQLException :
      execution(private ScansWithRegionLocations BaseResultIterators.getParallelScans(
          byte[], byte[])) && this(iterators) {
    PlanPinning.mark(iterators.plan, iterators.scan, iterators.scanGrouper);
    iterators.localIndexScanPlanner =
        LocalIndexScanPlanner.of(
            iterators.plan, iterators.dataPlan, iterators.scan, iterators.scanGrouper);
    return iterators.localIndexScanPlanner == null
        ? proceed(iterators)
        : iterators.planFirst();
  }

  before(BaseResultIterators iterators) throws SQLException :
      execution(public List BaseResultIterators.getIterators()) && this(iterators) {
    RegionLimit.check(iterators.plan, iterators.regionLocations);
    if (iterators.localIndexScanPlanner != null) {
      iterators.localIndexScanPlanner.verify();
    }
  }
}

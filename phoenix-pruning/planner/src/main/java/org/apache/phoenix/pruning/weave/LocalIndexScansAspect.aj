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

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.iterate.ScansWithRegionLocations;
import org.apache.phoenix.iterate.TableResultIterator;
import org.apache.phoenix.pruning.optimize.PlanPinning;
import org.apache.phoenix.pruning.probe.PrefetchedScan;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.pruning.prune.RegionLimit;
import org.apache.phoenix.pruning.scan.LocalIndexScanPlanner;
import org.apache.phoenix.pruning.scan.PlannedScans;
import org.apache.phoenix.schema.stats.GuidePostsInfo;

/** Replaces the planning in Phoenix's {@code BaseResultIterators} for scans of local indexes. */
public privileged aspect LocalIndexScansAspect {

  declare parents : BaseResultIterators implements LocalIndexScanPlanner.Holder;

  private LocalIndexScanPlanner BaseResultIterators.localIndexPlanning;

  /** Scan that is planned again, or null for the first plan. */
  private Scan BaseResultIterators.staleScan;

  public LocalIndexScanPlanner BaseResultIterators.getLocalIndexPlanning() {
    return localIndexPlanning;
  }

  public void BaseResultIterators.setLocalIndexPlanning(LocalIndexScanPlanner planning) {
    this.localIndexPlanning = planning;
  }

  private ScansWithRegionLocations BaseResultIterators.withLocations(PlannedScans planned) {
    numRegionLocationLookups = planned.lookups();
    return new ScansWithRegionLocations(planned.scans(), planned.locations());
  }

  private ScansWithRegionLocations BaseResultIterators.planFirst() throws SQLException {
    GuidePostsInfo guideposts = getGuidePosts();
    hasGuidePosts = guideposts != GuidePostsInfo.NO_GUIDEPOST;
    PlannedScans planned = localIndexPlanning.plan(guideposts, useStatsForParallelization);
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
    Scan stale = iterators.staleScan;
    iterators.staleScan = null;
    if (stale != null && PlannedRegion.of(stale) != null) {
      return iterators.withLocations(iterators.localIndexPlanning.replan(stale));
    }
    PlanPinning.mark(iterators.plan, iterators.scan, iterators.scanGrouper);
    iterators.localIndexPlanning =
        LocalIndexScanPlanner.of(
            iterators.plan, iterators.dataPlan, iterators.scan, iterators.scanGrouper);
    return iterators.localIndexPlanning == null
        ? proceed(iterators)
        : iterators.planFirst();
  }

  ScansWithRegionLocations around(BaseResultIterators iterators, Scan scan) throws SQLException :
      execution(private ScansWithRegionLocations BaseResultIterators.getParallelScans(Scan))
      && this(iterators) && args(scan) {
    if (PlannedRegion.of(scan) == null) {
      return proceed(iterators, scan);
    }
    iterators.localIndexPlanning =
        LocalIndexScanPlanner.of(
            iterators.plan, iterators.dataPlan, iterators.scan, iterators.scanGrouper);
    return iterators.withLocations(iterators.localIndexPlanning.replan(scan));
  }

  /** Probes the servers before the scans are sent for the first time. */
  List around(BaseResultIterators iterators, List scans) throws SQLException :
      call(private List BaseResultIterators.getIterators(List, ..))
      && withincode(public List BaseResultIterators.getIterators())
      && this(iterators) && args(scans, ..) {
    return proceed(
        iterators,
        iterators.localIndexPlanning == null
            ? scans
            : iterators.localIndexPlanning.probe(
                iterators.scan, scans, iterators.regionLocations, iterators.isSerial()));
  }

  /** Returns the rows that the answer to a probe contained, instead of opening a scanner. */
  ResultScanner around(Scan scan) throws IOException :
      call(ResultScanner Table.getScanner(Scan))
      && withincode(void TableResultIterator.initScanner()) && args(scan) {
    Optional<ResultScanner> prefetched = PrefetchedScan.prefetchedRows(scan);
    return prefetched.isPresent() ? prefetched.get() : proceed(scan);
  }

  before(BaseResultIterators iterators, Pair<Scan, ?> scanAndIterator) :
      execution(private List BaseResultIterators.recreateIterators(..))
      && this(iterators) && args(.., scanAndIterator, int) {
    iterators.staleScan = scanAndIterator.getFirst();
  }

  /**
   * Keeps every scan that is planned again. After a merge, Phoenix's {@code BaseResultIterators}
   * plans the merged region again for each of its former parts. Phoenix therefore skips a scan
   * whose region starts before the previous scan ended. Here, each scan that is planned again reads
   * only its own part.
   */
  void around(Scan scan) :
      execution(void BaseResultIterators.ScanWrapper.setScan(Scan)) && args(scan) {
    if (PlannedRegion.of(scan) == null) {
      proceed(scan);
    }
  }

  before(BaseResultIterators iterators) throws SQLException :
      execution(public List BaseResultIterators.getIterators()) && this(iterators) {
    RegionLimit.check(iterators.plan, iterators.regionLocations);
    if (iterators.localIndexPlanning != null) {
      iterators.localIndexPlanning.verify();
    }
  }
}

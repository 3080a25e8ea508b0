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

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.pruning.config.ProbeOptions;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.metrics.PruningCounts;
import org.apache.phoenix.pruning.protocol.ProbeAnswer;
import org.apache.phoenix.pruning.protocol.ProbeRequest;
import org.apache.phoenix.pruning.protocol.ProbedRange;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/**
 * Asks each server, in one request per batch, which of the planned scans of a local index can
 * return a row. Leaves out the scans that cannot. Probes only if many scans are planned.
 *
 * <p>Phoenix has no snapshot across regions: it scans each region at a different time. A check of
 * the primary replica after the start of the statement gives the same result as a scan at that
 * moment. In all other cases the scan is sent. Examples are a region that has moved, split or
 * merged, and an answer that is late or has failed.
 */
public final class RegionProbe {

  /** Number of serial scans that are sent before servers are probed for the others. */
  private static final int SCANS_BEFORE_PROBE = 4;

  private final QueryPlan plan;
  private final ProbeOptions options;
  private final List<PruningCounts> counts;
  private final ExclusionCheck check;
  private final ProbeState state;
  private final ProbeBackoff backoff;
  private final ProbeReport report = new ProbeReport();

  /** True if the scans look up keys, and several of the scans read the same region. */
  private boolean isDividedLookup;

  /**
   * Creates a probe for the scans of one execution of {@code plan}.
   *
   * @param counts counters to which the results are added
   * @param check checks the scans that are not to be sent
   */
  public RegionProbe(
      QueryPlan plan, ProbeOptions options, List<PruningCounts> counts, ExclusionCheck check) {
    this.plan = plan;
    this.options = options;
    this.counts = counts;
    this.check = check;
    this.state = state(plan);
    this.backoff = backoff(plan);
  }

  private static ProbeState state(QueryPlan plan) {
    return ProbeState.of(plan.getContext().getConnection().getQueryServices());
  }

  private static ProbeBackoff backoff(QueryPlan plan) {
    return state(plan).backoff(plan.getTableRef().getTable().getName().getString());
  }

  /**
   * Returns the servers and regions for which requests would be sent if {@code plan} were executed
   * now. Returns empty if no requests would be sent.
   *
   * @param regions the region of each scan
   */
  public static Optional<ProbePlan> plan(
      QueryPlan plan, ProbeOptions options, List<HRegionLocation> regions) {
    return options.isEnabledFor(regions.size()) && !backoff(plan).isBackingOff()
        ? Optional.of(ProbePlan.of(regions))
        : Optional.empty();
  }

  /**
   * Returns the scans that have to be sent, and those that have been answered with rows.
   *
   * @param template the scan from which the scans were planned
   * @param scans planned scans in key order; the rows of different inner lists may have to be
   *     merged
   * @param regions the region of each scan
   * @param ranges the range that each scan reads
   * @param isSerial whether the scans are sent one after the other until there are enough rows.
   *     Servers are then probed only if the first few scans have not returned enough.
   * @return lists as in {@code scans}, without empty ones
   */
  public List<List<Scan>> probe(
      Scan template,
      List<List<Scan>> scans,
      List<HRegionLocation> regions,
      List<ProbedRange> ranges,
      boolean isSerial)
      throws SQLException {
    List<Scan> flat = scans.stream().flatMap(List::stream).collect(Collectors.toList());
    // TABLESAMPLE removes scans, but not their regions.
    if (!options.isEnabledFor(flat.size() - (isSerial ? SCANS_BEFORE_PROBE : 0))
        || flat.size() != regions.size()
        || template.getConsistency() != Consistency.STRONG) {
      return scans;
    }
    ProbeCandidates candidates = new ProbeCandidates(template, flat, regions, ranges);
    isDividedLookup =
        ProbeScan.isPointLookup(template.getFilter()) && candidates.hasDividedRegion();
    return regroup(
        scans, isSerial ? probeLater(candidates) : probeNow(candidates).toArray(new Scan[0]));
  }

  private Scan[] probeLater(ProbeCandidates candidates) {
    int count = candidates.size();
    boolean isReversed = ScanUtil.isReversed(candidates.template());
    int from = isReversed ? 0 : SCANS_BEFORE_PROBE;
    int to = isReversed ? count - SCANS_BEFORE_PROBE : count;
    DeferredProbe probe = new DeferredProbe(() -> probeNow(candidates.subList(from, to)));
    Scan[] deferred = candidates.scans().toArray(new Scan[0]);
    for (int i = from; i < to; i++) {
      deferred[i] = PrefetchedScan.deferred(deferred[i], probe, i - from);
    }
    return deferred;
  }

  /** Returns the scans, with null for each scan that need not be sent. */
  private List<@Nullable Scan> probeNow(ProbeCandidates candidates) throws SQLException {
    if (!backoff.tryProbe()) {
      report.addSentScans(ProbeCause.INDEX_BACKOFF, candidates.size());
      counts.forEach(report::addTo);
      return candidates.scans();
    }
    long start = System.nanoTime();
    @Nullable Scan[] remaining;
    try {
      remaining = probeServers(candidates);
    } catch (RuntimeException e) {
      Fallbacks.GLOBAL.probingFailed(plan.getTableRef().getTable().getName().getString(), e);
      return candidates.scans();
    }
    report.addMicros(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start));
    backoff.record(report.scansNotFailed(), report.scansWithoutRow() + report.scansWithRows());
    counts.forEach(report::addTo);
    if (check != ExclusionCheck.NONE) {
      checkExcluded(candidates, remaining);
    }
    return Arrays.asList(remaining);
  }

  private void checkExcluded(ProbeCandidates candidates, @Nullable Scan[] remaining)
      throws SQLException {
    for (int i = 0; i < remaining.length; i++) {
      if (remaining[i] == null) {
        int index = i;
        check.check(candidates.scans().get(i), () -> isExcluded(candidates, index));
      }
    }
  }

  private boolean isExcluded(ProbeCandidates candidates, int index) throws SQLException {
    ProbeBatch batch = candidates.batch(Collections.singletonList(index));
    try (ProbeDispatcher dispatcher =
        new ProbeDispatcher(plan, scan(candidates, index), options, state, 1)) {
      dispatcher.send(batch);
      return dispatcher.await(batch, backoff.servers()).finding(0) == ProbeAnswer.Finding.NO_ROW;
    }
  }

  private ProbeScan scan(ProbeCandidates candidates, int index) throws SQLException {
    return ProbeScan.of(
        plan, candidates.template(), candidates.scans().get(index), isDividedLookup);
  }

  private @Nullable Scan[] probeServers(ProbeCandidates candidates) throws SQLException {
    List<ProbeBatch> batches = batches(candidates);
    @Nullable Scan[] remaining = candidates.scans().toArray(new Scan[0]);
    if (!batches.isEmpty()) {
      try (ProbeDispatcher dispatcher =
          new ProbeDispatcher(plan, scan(candidates, 0), options, state, batches.size())) {
        batches.forEach(dispatcher::send);
        for (ProbeBatch batch : batches) {
          ProbeOutcome outcome = dispatcher.await(batch, backoff.servers());
          if (outcome.isSent()) {
            report.addProbe(batch.size());
          }
          batch.apply(outcome, remaining, report);
        }
      }
    }
    return remaining;
  }

  private boolean mayProbe(ServerName server) {
    return backoff.servers().mayProbe(server) && !state.throttle(server).isStuck();
  }

  /**
   * Groups the scans by server, in batches of at most the size that the options allow. Leaves out
   * scans whose server must not be probed, and batches of one scan.
   */
  private List<ProbeBatch> batches(ProbeCandidates candidates) {
    Map<ServerName, List<Integer>> byServer = new LinkedHashMap<>();
    Map<ServerName, Boolean> mayProbe = new HashMap<>();
    for (int i = 0; i < candidates.size(); i++) {
      HRegionLocation region = candidates.region(i);
      if (region.getServerName() == null
          || !mayProbe.computeIfAbsent(region.getServerName(), this::mayProbe)) {
        report.addSentScans(ProbeCause.SERVER_BACKOFF, 1);
      } else if (region.getRegion().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID) {
        byServer.computeIfAbsent(region.getServerName(), key -> new ArrayList<>()).add(i);
      }
    }
    // Servers refuse a request with more ranges.
    int batchSize = Math.min(options.batchRegions(), ProbeRequest.MAX_RANGES);
    List<ProbeBatch> batches = new ArrayList<>();
    for (List<Integer> indexes : byServer.values()) {
      batches.addAll(candidates.batches(indexes, batchSize));
    }
    // A request about one scan costs as much as the scan.
    batches.removeIf(batch -> batch.size() < 2);
    return batches;
  }

  private static List<List<Scan>> regroup(List<List<Scan>> scans, @Nullable Scan[] remaining) {
    List<List<Scan>> groups = new ArrayList<>();
    int index = 0;
    for (List<Scan> planned : scans) {
      List<Scan> group = new ArrayList<>();
      for (int i = 0; i < planned.size(); i++, index++) {
        if (remaining[index] != null) {
          group.add(remaining[index]);
        }
      }
      if (!group.isEmpty()) {
        groups.add(group);
      }
    }
    return groups;
  }
}

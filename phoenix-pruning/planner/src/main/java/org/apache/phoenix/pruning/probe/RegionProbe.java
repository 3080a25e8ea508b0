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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;

/**
 * Asks each server once which of the planned scans of a local index can return a row, where many
 * are planned, and leaves out those that cannot.
 *
 * <p>Phoenix has no snapshot over regions: a scan reads its region when it comes to it. A region
 * that the server of its primary looks at after the statement has begun is as one that is scanned
 * at that moment. All else, such as a region that has moved, split or merged, an answer that is
 * late or that fails, leaves the scan in.
 */
public final class RegionProbe {

  private final QueryPlan plan;
  private final ProbeOptions options;
  private final ProbeState state;
  private final ProbeHistory history;
  private final ProbeReport report = new ProbeReport();

  /** Asks for the scans of {@code plan}. */
  public RegionProbe(QueryPlan plan, ProbeOptions options) {
    this.plan = plan;
    this.options = options;
    this.state = ProbeState.of(plan.getContext().getConnection().getQueryServices());
    this.history = state.history(plan.getTableRef().getTable().getName().getString());
  }

  /** What the servers would be asked, if the statement were executed now. */
  public Optional<ProbePlan> planned(List<HRegionLocation> regions) {
    return options.isFor(regions.size()) && !history.isResting()
        ? Optional.of(ProbePlan.of(regions))
        : Optional.empty();
  }

  /**
   * The scans that have to be sent, with those that have been answered with rows.
   *
   * @param template what all scans have in common
   * @param scans in key order, as planned; the outer lists may have to be merged
   * @param regions the region of each of them
   * @return as {@code scans}, without empty lists
   */
  public List<List<Scan>> ask(Scan template, List<List<Scan>> scans, List<HRegionLocation> regions)
      throws SQLException {
    int count = scans.stream().mapToInt(List::size).sum();
    // TABLESAMPLE leaves out scans, but not their regions.
    if (!options.isFor(count)
        || count != regions.size()
        || template.getConsistency() != Consistency.STRONG) {
      return scans;
    }
    if (!history.take()) {
      report.addSent(ProbeCause.INDEX_RESTS, count);
      return scans;
    }
    List<Scan> flat = new ArrayList<>(count);
    scans.forEach(flat::addAll);
    long start = System.nanoTime();
    Scan[] remaining = askServers(template, flat, regions);
    report.addMicros(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start));
    history.record(report.asked(), report.withoutRow() + report.withRows());
    return remaining(scans, remaining);
  }

  private Scan[] askServers(Scan template, List<Scan> scans, List<HRegionLocation> regions)
      throws SQLException {
    List<ProbeChunk> chunks = chunks(scans, regions);
    Scan[] remaining = scans.toArray(new Scan[0]);
    if (!chunks.isEmpty()) {
      ProbeScan scan = ProbeScan.of(plan, template, scans.get(0));
      try (ProbeSending sending = new ProbeSending(plan, scan, options, state, chunks.size())) {
        chunks.forEach(sending::send);
        for (ProbeChunk chunk : chunks) {
          report.addProbe(chunk.size());
          chunk.apply(sending.await(chunk, history.servers()), remaining, report);
        }
      }
    }
    return remaining;
  }

  /** The scans by server, as many at once as the options allow. */
  private List<ProbeChunk> chunks(List<Scan> scans, List<HRegionLocation> regions) {
    Map<ServerName, List<Integer>> byServer = new LinkedHashMap<>();
    for (int i = 0; i < scans.size(); i++) {
      HRegionLocation region = regions.get(i);
      if (region.getServerName() == null || !history.servers().asks(region.getServerName())) {
        report.addSent(ProbeCause.SERVER_RESTS, 1);
      } else if (region.getRegion().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID) {
        byServer.computeIfAbsent(region.getServerName(), key -> new ArrayList<>()).add(i);
      }
    }
    List<ProbeChunk> chunks = new ArrayList<>();
    byServer.forEach(
        (server, ofServer) -> {
          int parts = (ofServer.size() + options.chunkRegions() - 1) / options.chunkRegions();
          for (int part = 0; part < parts; part++) {
            List<Integer> indexes =
                ofServer.subList(
                    (int) ((long) ofServer.size() * part / parts),
                    (int) ((long) ofServer.size() * (part + 1) / parts));
            chunks.add(ProbeChunk.of(server, indexes, scans, regions));
          }
        });
    // To ask for one scan is no cheaper than to send it.
    chunks.removeIf(chunk -> chunk.size() < 2);
    return chunks;
  }

  private static List<List<Scan>> remaining(List<List<Scan>> scans, Scan[] remaining) {
    List<List<Scan>> outer = new ArrayList<>();
    int index = 0;
    for (List<Scan> planned : scans) {
      List<Scan> inner = new ArrayList<>();
      for (int i = 0; i < planned.size(); i++, index++) {
        if (remaining[index] != null) {
          inner.add(remaining[index]);
        }
      }
      if (!inner.isEmpty()) {
        outer.add(inner);
      }
    }
    return outer;
  }

  /** What asking gave; all zero before. */
  public ProbeReport report() {
    return report;
  }
}

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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.pruning.protocol.ProbedRange;
import org.jspecify.annotations.Nullable;

/** Batch of scans for which a server is probed in one request. */
final class ProbeBatch {

  private final ServerName server;
  private final List<Integer> indexes;
  private final List<ProbedRange> ranges;
  private final byte[] lastRegionStart;

  private ProbeBatch(
      ServerName server, List<Integer> indexes, List<ProbedRange> ranges, byte[] lastRegionStart) {
    this.server = server;
    this.indexes = indexes;
    this.ranges = ranges;
    this.lastRegionStart = lastRegionStart;
  }

  /**
   * Returns the batch of the planned scans at {@code indexes}.
   *
   * @param indexes indexes of scans in key order, all of regions on {@code server}
   * @param regions the region of each planned scan
   * @param plannedRanges the range that each planned scan reads
   */
  static ProbeBatch of(
      ServerName server,
      List<Integer> indexes,
      List<HRegionLocation> regions,
      List<ProbedRange> plannedRanges) {
    List<ProbedRange> ranges = new ArrayList<>(indexes.size());
    for (int index : indexes) {
      ranges.add(plannedRanges.get(index));
    }
    byte[] lastRegionStart = regions.get(indexes.get(indexes.size() - 1)).getRegion().getStartKey();
    return new ProbeBatch(server, indexes, ranges, lastRegionStart);
  }

  ServerName server() {
    return server;
  }

  int size() {
    return indexes.size();
  }

  List<ProbedRange> ranges() {
    return ranges;
  }

  /** Returns the start key of a region of the batch, by which the client locates the server. */
  byte[] lastRegionStart() {
    return lastRegionStart;
  }

  /**
   * Applies the answer of the server to {@code scans}: removes the scans that have no row, and
   * replaces the scans whose rows are in the answer.
   *
   * @param scans all planned scans; a scan that need not be sent becomes null
   */
  void apply(ProbeOutcome outcome, @Nullable Scan[] scans, ProbeReport report) {
    for (int i = 0; i < indexes.size(); i++) {
      int index = indexes.get(i);
      switch (outcome.finding(i)) {
        case NO_ROW:
          scans[index] = null;
          report.addScanWithoutRow();
          break;
        case ROWS:
          scans[index] = PrefetchedScan.withRows(scans[index], outcome.rows(i));
          report.addScanWithRows();
          break;
        case MAY_MATCH:
          report.addSentScans(outcome.cause(), 1);
          break;
      }
    }
  }

  @Override
  public String toString() {
    return ranges.size() + " ranges on " + server;
  }
}

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
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.pruning.protocol.ProbedRange;

/** Planned scans of one statement for which servers may be probed, with what a probe needs. */
final class ProbeCandidates {

  private final Scan template;
  private final List<Scan> scans;
  private final List<HRegionLocation> regions;
  private final List<ProbedRange> ranges;

  /**
   * Creates a list of scans.
   *
   * @param template the scan from which the scans were planned
   * @param scans in key order
   * @param regions the region of each scan
   * @param ranges the range that each scan reads
   */
  ProbeCandidates(
      Scan template, List<Scan> scans, List<HRegionLocation> regions, List<ProbedRange> ranges) {
    this.template = template;
    this.scans = scans;
    this.regions = regions;
    this.ranges = ranges;
  }

  /**
   * Returns some of the scans.
   *
   * @param from inclusive index
   * @param to exclusive index
   */
  ProbeCandidates subList(int from, int to) {
    return new ProbeCandidates(
        template, scans.subList(from, to), regions.subList(from, to), ranges.subList(from, to));
  }

  int size() {
    return scans.size();
  }

  /** Returns the scan from which the scans were planned. */
  Scan template() {
    return template;
  }

  List<Scan> scans() {
    return scans;
  }

  HRegionLocation region(int index) {
    return regions.get(index);
  }

  /**
   * Returns whether several scans read the same region. The scans of a region follow each other.
   */
  boolean hasDividedRegion() {
    for (int i = 1; i < regions.size(); i++) {
      if (regions.get(i).getRegion().equals(regions.get(i - 1).getRegion())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Divides scans into as few batches as possible, of about the same size.
   *
   * @param indexes indexes of scans in key order, all of regions on the same server
   * @param maxSize maximum number of scans in a batch
   */
  List<ProbeBatch> batches(List<Integer> indexes, int maxSize) {
    int parts = (indexes.size() + maxSize - 1) / maxSize;
    List<ProbeBatch> batches = new ArrayList<>(parts);
    for (int part = 0; part < parts; part++) {
      batches.add(
          batch(
              indexes.subList(
                  (int) ((long) indexes.size() * part / parts),
                  (int) ((long) indexes.size() * (part + 1) / parts))));
    }
    return batches;
  }

  /**
   * Returns the batch of some scans.
   *
   * @param indexes indexes of scans in key order, all of regions on the same server
   */
  ProbeBatch batch(List<Integer> indexes) {
    return ProbeBatch.of(region(indexes.get(0)).getServerName(), indexes, regions, ranges);
  }
}

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
package io.phoenixpruning.cli.advise;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import org.apache.phoenix.pruning.explain.ScanEstimate;
import org.apache.phoenix.pruning.optimize.PlanEstimate;

/**
 * Estimated cost of one run of a query, over all its scans.
 *
 * @param regions number of planned regions
 * @param rpcs number of scans that the client sends; each scan takes one RPC, or more if it returns
 *     much data
 * @param bytes size of keys and values before encoding and compression
 * @param cost cost in units of the time to read a row without values
 * @param reads the tables and indexes that are scanned, in the order of EXPLAIN
 */
public record QueryCost(
    int regions, int rpcs, double rows, double bytes, double cost, List<String> reads) {

  public QueryCost {
    reads = List.copyOf(reads);
  }

  /**
   * Returns the sum of the costs of all scans of a query.
   *
   * @param rpcs function from an estimate to the number of scans that the client sends
   */
  static QueryCost of(List<ScanEstimate> scans, ToIntFunction<ScanEstimate> rpcs) {
    return new QueryCost(
        scans.stream().mapToInt(scan -> scan.summary().regionsPlanned().orElse(0)).sum(),
        scans.stream().mapToInt(rpcs).sum(),
        sum(scans, PlanEstimate::rows),
        sum(scans, PlanEstimate::bytes),
        sum(scans, PlanEstimate::cost),
        scans.stream().map(scan -> scan.summary().index().orElse(scan.summary().table())).toList());
  }

  /** Sums a part of the cost over the scans whose WHERE is known. */
  private static double sum(List<ScanEstimate> scans, ToDoubleFunction<PlanEstimate> part) {
    return scans.stream()
        .filter(ScanEstimate::isWhereKnown)
        .map(ScanEstimate::cost)
        .mapToDouble(part)
        .sum();
  }
}

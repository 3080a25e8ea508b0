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
 * What one run of a query is estimated to read, over all its scans.
 *
 * @param regions how many are planned
 * @param rpcs how many scans the client sends; each takes one RPC unless it returns much
 * @param bytes of keys and values, as they are before encoding and compression
 * @param cost in the time that it takes to read a row without values
 * @param reads the tables and indexes that are scanned, in the order of EXPLAIN
 */
public record QueryCost(
    int regions, int rpcs, double rows, double bytes, double cost, List<String> reads) {

  public QueryCost {
    reads = List.copyOf(reads);
  }

  /**
   * The sums over all scans of a query.
   *
   * @param rpcs how many scans the client sends for one of them
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

  /** Over the scans of which it is known which rows they read. */
  private static double sum(List<ScanEstimate> scans, ToDoubleFunction<PlanEstimate> part) {
    return scans.stream()
        .filter(ScanEstimate::isWhereKnown)
        .map(ScanEstimate::cost)
        .mapToDouble(part)
        .sum();
  }
}

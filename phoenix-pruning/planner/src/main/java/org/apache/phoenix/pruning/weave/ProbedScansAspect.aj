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
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.iterate.TableResultIterator;
import org.apache.phoenix.pruning.probe.PrefetchedScan;

/** Asks the servers which scans of a local index can return a row, before the scans are sent. */
public privileged aspect ProbedScansAspect {

  /** Probes the servers first, because scans that a probe has answered need not be opened. */
  declare precedence : LocalIndexScansAspect, ProbedScansAspect, ScanWavesAspect;

  /** Probes the servers before the scans are sent for the first time. */
  List around(BaseResultIterators iterators, List scans) throws SQLException :
      call(private List BaseResultIterators.getIterators(List, ..))
      && withincode(public List BaseResultIterators.getIterators())
      && this(iterators) && args(scans, ..) {
    return proceed(
        iterators,
        iterators.localIndexScanPlanner == null
            ? scans
            : iterators.localIndexScanPlanner.probe(
                iterators.scan, scans, iterators.regionLocations, iterators.isSerial()));
  }

  /** Returns the rows that the answer to a probe contained, instead of opening a scanner. */
  ResultScanner around(Scan scan) throws IOException :
      call(ResultScanner Table.getScanner(Scan))
      && withincode(void TableResultIterator.initScanner()) && args(scan) {
    Optional<ResultScanner> prefetched = PrefetchedScan.prefetchedRows(scan);
    return prefetched.isPresent() ? prefetched.get() : proceed(scan);
  }
}

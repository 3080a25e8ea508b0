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
package org.apache.phoenix.pruning.patch.index;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionObserver;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionScanner;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.pruning.protocol.RebuildRequest;

/**
 * Writes the rows of a rebuilt local index with timestamps after those of the delete markers.
 *
 * <p>{@code ALTER INDEX I ON T REBUILD} first deletes the rows of the index, with the time of the
 * server. Then {@code UngroupedAggregateRegionScanner.buildLocalIndex} writes them again with the
 * timestamps of the data rows. These are earlier, so HBase hides the rows (not reported).
 */
public privileged aspect LocalIndexRebuildAspect {

  // Each aspect sets its own field.
  declare precedence :
      LocalIndexRebuildAspect, org.apache.phoenix.pruning.patch.scan.ClosingRegionAspect;

  /** Timestamp of the rebuilt rows, or 0. */
  private long UngroupedAggregateRegionScanner.rebuildTimestamp;

  before(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) throws IOException :
      execution(void UngroupedAggregateRegionObserver.preScannerOpen(ObserverContext, Scan))
      && args(context, scan) {
    LocalIndexRebuild.prepare(context.getEnvironment().getRegion(), scan);
  }

  after(UngroupedAggregateRegionScanner scanner) returning :
      execution(UngroupedAggregateRegionScanner.new(..))
      && this(scanner) {
    if (scanner.buildLocalIndex) {
      scanner.rebuildTimestamp = RebuildRequest.timestamp(scanner.scan);
    }
  }

  Put around(UngroupedAggregateRegionScanner scanner, long timestamp) :
      call(Put IndexMaintainer.buildUpdateMutation(..))
      && withincode(void UngroupedAggregateRegionScanner.buildLocalIndex(..))
      && this(scanner)
      && args(*, *, *, timestamp, *, *, *) {
    if (scanner.rebuildTimestamp <= timestamp) {
      return proceed(scanner, timestamp);
    }
    Put put = proceed(scanner, scanner.rebuildTimestamp);
    LocalIndexRebuild.limitLifetime(
        put, scanner.region.getTableDescriptor(), timestamp, scanner.rebuildTimestamp);
    return put;
  }
}

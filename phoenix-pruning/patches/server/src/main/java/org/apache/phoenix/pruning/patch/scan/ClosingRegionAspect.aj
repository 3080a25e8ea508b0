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
package org.apache.phoenix.pruning.patch.scan;

import java.io.IOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionObserver;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionScanner;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Lets aggregates read a region that waits for statements before it closes. Phoenix's {@code
 * UngroupedAggregateRegionObserver} makes a region wait for statements that write to it
 * (PHOENIX-3111). Meanwhile all aggregates fail, including those that only read (not reported).
 * HBase's client repeats such a scan at once, until it has no retries left.
 *
 * <p>Example: {@code SELECT COUNT(*) FROM T WHERE V > 0} fails while a region waits for a DELETE.
 */
public privileged aspect ClosingRegionAspect {

  private boolean UngroupedAggregateRegionScanner.readsClosingRegion;

  after(UngroupedAggregateRegionScanner scanner) returning :
      execution(UngroupedAggregateRegionScanner.new(..)) && this(scanner) {
    scanner.readsClosingRegion =
        !scanner.needToWrite && !scanner.isUpsert && Patches.isOn(Patch.CLOSING_REGION);
  }

  /** Ends the scan when the region no longer waits, so that the scan does not delay the closing. */
  void around(UngroupedAggregateRegionScanner scanner) throws IOException :
      call(void UngroupedAggregateRegionObserver.checkForRegionClosingOrSplitting())
      && withincode(boolean UngroupedAggregateRegionScanner.next(..))
      && this(scanner) {
    if (!scanner.readsClosingRegion) {
      proceed(scanner);
    } else if (scanner.region.isClosing()) {
      throw new NotServingRegionException(
          scanner.region.getRegionInfo().getRegionNameAsString() + " is closing");
    }
  }
}

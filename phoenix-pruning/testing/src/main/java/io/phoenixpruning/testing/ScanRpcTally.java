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
package io.phoenixpruning.testing;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongFunction;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.jspecify.annotations.Nullable;

/** Counts the Scan RPCs that arrive at one region server. */
final class ScanRpcTally {

  /** Key for RPCs whose table is unknown. No table can have this name. */
  private static final String UNKNOWN = "";

  private final ConcurrentMap<String, Table> tables = new ConcurrentHashMap<>();
  private final LongFunction<@Nullable TableName> tableOfScanner;

  /**
   * @param tableOfScanner returns the table of a scanner by its id, or null if the scanner is not
   *     open
   */
  ScanRpcTally(LongFunction<@Nullable TableName> tableOfScanner) {
    this.tableOfScanner = tableOfScanner;
  }

  /** Counts {@code request}, which has arrived but has not been served. */
  void add(ScanRequest request) {
    if (request.hasScannerId()) {
      TableName scanned = tableOfScanner.apply(request.getScannerId());
      table(scanned == null ? UNKNOWN : scanned.getNameAsString()).addFurther(request);
    } else {
      addOpen(request.getRegion());
    }
  }

  private void addOpen(RegionSpecifier region) {
    if (region.getType() == RegionSpecifierType.REGION_NAME) {
      byte[] name = region.getValue().toByteArray();
      table(RegionInfo.getTable(name).getNameAsString()).addOpen(RegionInfo.encodeRegionName(name));
    } else {
      table(UNKNOWN).addOpen(region.getValue().toStringUtf8());
    }
  }

  private Table table(String name) {
    return tables.computeIfAbsent(name, key -> new Table());
  }

  /** Returns the RPCs that have arrived for {@code table} so far. */
  ScanRpcCounts counts(TableName table) {
    return counts(table.getNameAsString());
  }

  /** Returns the RPCs that have arrived so far for unknown tables. */
  ScanRpcCounts unknown() {
    return counts(UNKNOWN);
  }

  private ScanRpcCounts counts(String name) {
    Table table = tables.get(name);
    return table == null ? ScanRpcCounts.NONE : table.counts();
  }

  private static final class Table {
    private final ConcurrentMap<String, LongAdder> opensByRegion = new ConcurrentHashMap<>();
    private final LongAdder nexts = new LongAdder();
    private final LongAdder closes = new LongAdder();
    private final LongAdder renewals = new LongAdder();

    void addOpen(String region) {
      opensByRegion.computeIfAbsent(region, key -> new LongAdder()).increment();
    }

    void addFurther(ScanRequest request) {
      if (request.getRenew()) {
        renewals.increment();
      } else if (request.getCloseScanner()) {
        closes.increment();
      } else {
        nexts.increment();
      }
    }

    ScanRpcCounts counts() {
      Map<String, Long> opens = new TreeMap<>();
      opensByRegion.forEach((region, count) -> opens.put(region, count.sum()));
      return new ScanRpcCounts(opens, nexts.sum(), closes.sum(), renewals.sum());
    }
  }
}

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

import java.util.Collection;
import java.util.Map;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.coprocessor.UncoveredGlobalIndexRegionScanner;
import org.apache.phoenix.hbase.index.covered.update.ColumnReference;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Reads the columns of an uncovered global index from each data row. For each index row, Phoenix's
 * {@code UncoveredIndexRegionScanner} computes the index key of its data row. If the keys differ,
 * it drops the index row, and deletes it if it is old enough.
 *
 * <p>If the query names columns that the index lacks, Phoenix reads only these columns. Its client
 * names the columns of the index too, but not in joins, and not those in the condition of a partial
 * index. The computed key then has nulls instead of values (not reported).
 *
 * <p>Example: {@code SELECT T.K FROM T JOIN R ON T.N = R.N} along an uncovered global index on A
 * returns no rows, and deletes old rows of the index.
 */
public privileged aspect UncoveredIndexAspect {

  after(UncoveredGlobalIndexRegionScanner scanner) returning :
      execution(UncoveredGlobalIndexRegionScanner.new(..)) && this(scanner) {
    if (scanner.indexMaintainer.isUncovered() && Patches.isOn(Patch.UNCOVERED_INDEX)) {
      addColumns(scanner.dataTableScan, scanner.indexMaintainer.getAllColumnsForDataTable());
    }
  }

  /**
   * Adds columns to a scan. A scan without families reads all columns. A family without columns
   * reads all its columns.
   */
  private static void addColumns(Scan scan, Collection<ColumnReference> columns) {
    Map<byte[], NavigableSet<byte[]>> families = scan.getFamilyMap();
    if (families.isEmpty()) {
      return;
    }
    for (ColumnReference column : columns) {
      NavigableSet<byte[]> ofFamily = families.get(column.getFamily());
      boolean isWhole = ofFamily == null || ofFamily.isEmpty();
      if (!isWhole || !families.containsKey(column.getFamily())) {
        scan.addColumn(column.getFamily(), column.getQualifier());
      }
    }
  }
}

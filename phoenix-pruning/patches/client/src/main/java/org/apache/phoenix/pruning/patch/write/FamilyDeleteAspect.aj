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
package org.apache.phoenix.pruning.patch.write;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.phoenix.hbase.index.scanner.ScannerBuilder.CoveredDeleteScanner;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Applies the delete markers of each family when a region server reads a data row to maintain its
 * local indexes.
 *
 * <p>A DELETE writes a marker at the start of each family. Phoenix's {@code
 * ApplyAndFilterDeletesFilter} goes on to the next family at the first cell that the marker covers,
 * and misses newer cells in later columns. A seek to a column passes over the marker of its family,
 * so that deleted cells are returned (not reported).
 *
 * <p>Example: {@code UPSERT INTO T (K, W) VALUES (1, 8)} after {@code DELETE FROM T WHERE K = 1}
 * writes the deleted V into a local index on W that includes V, if V and W have different families.
 */
public aspect FamilyDeleteAspect {

  Cell around(Cell covered) :
      execution(
          Cell org.apache.phoenix.hbase.index.covered.filter..*DeleteFamilyHinter.getHint(Cell))
      && args(covered) {
    return Patches.isOn(Patch.FAMILY_DELETE) ? FamilySeeks.afterColumn(covered) : proceed(covered);
  }

  boolean around(CoveredDeleteScanner scanner, Cell column) throws IOException :
      execution(boolean CoveredDeleteScanner+.seek(Cell)) && this(scanner) && args(column) {
    if (!Patches.isOn(Patch.FAMILY_DELETE)) {
      return proceed(scanner, column);
    }
    if (!proceed(scanner, FamilySeeks.startOfFamily(column))) {
      return false;
    }
    Cell found = scanner.peek();
    boolean isBefore = found != null && CellComparator.getInstance().compare(found, column) < 0;
    return isBefore ? proceed(scanner, column) : found != null;
  }
}

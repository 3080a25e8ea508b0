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

import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.phoenix.coprocessor.UncoveredIndexRegionScanner;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.protocol.PatchRequest;

/**
 * Returns an empty row for a data row that has none of the looked-up columns, for the patch {@code
 * data-row-lookup}. If all of these columns are null, HBase returns no row. Phoenix's {@code
 * UncoveredIndexRegionScanner} then leaves the columns out of the index row, but the query still
 * reads them from this row and fails (not reported).
 *
 * <p>A scan of an uncovered global index is not affected: it also looks up the empty column, so
 * HBase returns each data row.
 *
 * <p>Example: {@code SELECT DISTINCT C, W FROM T WHERE V = 1 ORDER BY C, W} fails for a row whose C
 * and W are null.
 */
public privileged aspect EmptyDataRowAspect {

  private static final Result NO_COLUMNS = Result.create(new Cell[0]);

  /** Set when the scanner is created. The advice for each row only reads this field. */
  boolean UncoveredIndexRegionScanner.isPatched;

  after(UncoveredIndexRegionScanner scanner) returning :
      execution(UncoveredIndexRegionScanner.new(..)) && this(scanner) {
    scanner.isPatched = PatchRequest.of(scanner.scan).has(Patch.DATA_ROW_LOOKUP);
  }

  Object around(UncoveredIndexRegionScanner scanner, Map rows) :
      call(Object Map.get(Object))
      && withincode(boolean UncoveredIndexRegionScanner.getNextCoveredIndexRow(..))
      && this(scanner)
      && target(rows) {
    Object row = proceed(scanner, rows);
    return row == null
            && rows == scanner.dataRows
            && scanner.isPatched
            && !scanner.indexMaintainer.isUncovered()
        ? NO_COLUMNS
        : row;
  }
}

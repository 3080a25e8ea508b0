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
package org.apache.phoenix.pruning.server.seek;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.phoenix.pruning.layout.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Filter of a loose index scan. Skips rows outside of a set of key ranges: seeks to the next row
 * that can match, or steps row by row if that is faster. May include rows that do not match,
 * because the scan's own conditions are evaluated after this filter.
 */
final class LooseIndexScanFilter extends FilterBase {

  private final Filter ranges;
  private final SeekPace pace;

  private boolean isUntestedRow;

  /** True if a row of the current gap was included without a test since the gap began. */
  private boolean hadUntestedRow;

  /** Earliest possible key of the next row that can match; null outside of a gap. */
  private @Nullable Cell hint;

  /** Number of rows of the current gap that were stepped over, if the gap is measured. */
  private int steppedRows;

  private boolean seeksGap;

  /**
   * Creates a filter for one scanner.
   *
   * @param ranges filter that decides whether a row can match, and hints at the next row that can;
   *     not called for rows before the hint
   */
  LooseIndexScanFilter(Filter ranges, SeekPace pace) {
    this.ranges = ranges;
    this.pace = pace;
  }

  @Override
  public void reset() throws IOException {
    isUntestedRow = pace.takeUntestedRow();
    ranges.reset();
  }

  @Override
  public boolean filterAllRemaining() throws IOException {
    return ranges.filterAllRemaining();
  }

  @Override
  public ReturnCode filterCell(Cell cell) throws IOException {
    if (isUntestedRow) {
      hadUntestedRow = true;
      return ReturnCode.INCLUDE;
    }
    if (hint != null) {
      if (CellComparator.getInstance().compareRows(cell, hint) < 0) {
        return hadUntestedRow ? beginGap() : continueGap();
      }
      endGap();
    }
    ReturnCode code = filterByRanges(cell);
    if (code != ReturnCode.SEEK_NEXT_USING_HINT) {
      return code;
    }
    hint = ranges.getNextCellHint(cell);
    return beginGap();
  }

  /** Begins a gap. A gap also begins anew after some of its rows were included without a test. */
  private ReturnCode beginGap() {
    hadUntestedRow = false;
    steppedRows = 0;
    seeksGap = pace.takeSeek();
    return continueGap();
  }

  private ReturnCode filterByRanges(Cell cell) throws IOException {
    try {
      return ranges.filterCell(cell);
    } catch (RuntimeException e) {
      throw new DoNotRetryIOException(
          "The key ranges of the scan do not match the row key "
              + KeyText.of(CellUtil.cloneRow(cell)),
          e);
    }
  }

  private ReturnCode continueGap() {
    steppedRows++;
    if (!seeksGap && steppedRows > SeekPace.STEPS_PER_SEEK) {
      seeksGap = true;
      pace.recordLongGap();
    }
    return seeksGap ? ReturnCode.SEEK_NEXT_USING_HINT : ReturnCode.NEXT_ROW;
  }

  private void endGap() {
    hint = null;
    if (!seeksGap && !hadUntestedRow) {
      pace.recordShortGap();
    }
  }

  @Override
  public @Nullable Cell getNextCellHint(Cell cell) {
    return hint;
  }
}

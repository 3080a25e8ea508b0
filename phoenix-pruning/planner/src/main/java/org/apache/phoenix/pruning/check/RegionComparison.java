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
package org.apache.phoenix.pruning.check;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.phoenix.pruning.protocol.CheckAnswer;
import org.apache.phoenix.pruning.protocol.CheckAnswer.Status;
import org.apache.phoenix.pruning.protocol.CheckRequest;

/**
 * Compares the local indexes of a {@link CheckRequest} with their table, in one region.
 *
 * <p>All rows come from one scan, which sees data rows and entries at the same point in time.
 * Phoenix writes a data row and its entries atomically. So a row that is written during the scan is
 * not a difference.
 */
public final class RegionComparison {

  private final IndexEntries entries;
  private final EntryComparison comparison;
  private final long[] counts;
  private long rows;

  /**
   * Prepares the comparison.
   *
   * @throws IOException if an index of the request cannot be read
   */
  public RegionComparison(CheckRequest request) throws IOException {
    this.entries = new IndexEntries(request);
    this.comparison =
        request.buckets().isEmpty() ? new BucketSums(request) : new DifferingEntries(request);
    this.counts = new long[request.indexes().size()];
  }

  /**
   * Reads one row.
   *
   * @param row all cells of the row, in HBase's order
   */
  public void add(List<Cell> row) throws IOException {
    boolean isData =
        entries.read(
            row,
            comparison::addRequired,
            stored -> {
              counts[stored.index()]++;
              comparison.addStored(stored);
            });
    if (isData) {
      rows++;
    }
  }

  /** Returns an answer before all rows were read. */
  public CheckAnswer progress() {
    return CheckAnswer.of(Status.PROGRESS, rows);
  }

  /** Returns the result, after all rows were read. */
  public CheckAnswer answer() {
    return CheckAnswer.compared(rows, counts, comparison.buckets(), comparison.differences());
  }
}

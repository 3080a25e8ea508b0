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
package org.apache.phoenix.pruning.server;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.RegionInternals;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.phoenix.util.ScanUtil;

/**
 * Stops HBase's scanner when its time is up, also among rows that are filtered or deleted.
 * Phoenix's scanners call it without a limit of their own.
 *
 * <p>It then returns a dummy row, as Phoenix's {@code PagingRegionScanner} does at the end of a
 * page, and is of no more use. Rows before the dummy are complete.
 */
final class TimeLimitedScanner implements RegionScanner {

  private static final byte[] ROW_OF_DUMMY = {0};

  private final RegionScanner scanner;
  private final ScannerContext context;
  private final long deadline;

  private boolean isOver;

  /** The time starts now. */
  TimeLimitedScanner(RegionScanner scanner, long millis) {
    this.scanner = scanner;
    // The clock of HBase's limit.
    this.deadline = EnvironmentEdgeManager.currentTime() + millis;
    this.context =
        ScannerContext.newBuilder()
            .setBatchLimit(scanner.getBatch())
            .setTimeLimit(LimitScope.BETWEEN_CELLS, deadline)
            .build();
  }

  /** Returns whether it has stopped because its time is up. */
  boolean isOver() {
    return isOver;
  }

  @Override
  public boolean nextRaw(List<Cell> cells) throws IOException {
    start();
    return end(cells, scanner.nextRaw(cells, context));
  }

  @Override
  public boolean nextRaw(List<Cell> cells, ScannerContext unused) throws IOException {
    return nextRaw(cells);
  }

  @Override
  public boolean next(List<Cell> cells) throws IOException {
    start();
    return end(cells, scanner.next(cells, context));
  }

  @Override
  public boolean next(List<Cell> cells, ScannerContext unused) throws IOException {
    return next(cells);
  }

  private void start() throws IOException {
    if (isOver) {
      throw new IOException("the time to read a region for a probe is up");
    }
  }

  private boolean end(List<Cell> cells, boolean hasMore) {
    if (hasMore
        && (RegionInternals.isWithinRow(context)
            || EnvironmentEdgeManager.currentTime() >= deadline)) {
      isOver = true;
      cells.clear();
      ScanUtil.getDummyResult(ROW_OF_DUMMY, cells);
    }
    return hasMore;
  }

  @Override
  public RegionInfo getRegionInfo() {
    return scanner.getRegionInfo();
  }

  @Override
  public boolean isFilterDone() throws IOException {
    return scanner.isFilterDone();
  }

  @Override
  public boolean reseek(byte[] row) throws IOException {
    return scanner.reseek(row);
  }

  @Override
  public long getMaxResultSize() {
    return scanner.getMaxResultSize();
  }

  @Override
  public long getMvccReadPoint() {
    return scanner.getMvccReadPoint();
  }

  @Override
  public int getBatch() {
    return scanner.getBatch();
  }

  @Override
  public void close() throws IOException {
    scanner.close();
  }
}

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
package org.apache.phoenix.pruning.server.probe;

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
 * Scanner that stops HBase's scanner at a time limit, even while it skips filtered or deleted rows.
 * Phoenix's scanners call HBase's scanner without a time limit.
 *
 * <p>When the time is up, this scanner returns a dummy row, as Phoenix's {@code
 * PagingRegionScanner} does at the end of a page. After that, the scanner cannot be used any more.
 * Rows before the dummy row are complete.
 */
final class TimeLimitedScanner implements RegionScanner {

  private static final byte[] ROW_OF_DUMMY = {0};

  private final RegionScanner scanner;
  private final ScannerContext context;
  private final long deadline;

  private boolean isTimeUp;

  /** Creates a scanner whose time limit starts now. */
  TimeLimitedScanner(RegionScanner scanner, long millis) {
    this.scanner = scanner;
    // HBase's time limit uses this clock.
    this.deadline = EnvironmentEdgeManager.currentTime() + millis;
    this.context =
        ScannerContext.newBuilder()
            .setBatchLimit(scanner.getBatch())
            .setTimeLimit(LimitScope.BETWEEN_CELLS, deadline)
            .build();
  }

  /** Returns whether the scanner has stopped because its time is up. */
  boolean isTimeUp() {
    return isTimeUp;
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
    if (isTimeUp) {
      throw new IOException("the time limit for reading a region for a probe has expired");
    }
  }

  private boolean end(List<Cell> cells, boolean hasMore) {
    if (hasMore
        && (RegionInternals.isWithinRow(context)
            || EnvironmentEdgeManager.currentTime() >= deadline)) {
      isTimeUp = true;
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

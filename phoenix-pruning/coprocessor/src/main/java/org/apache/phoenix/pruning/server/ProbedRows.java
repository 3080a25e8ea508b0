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

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionInternals;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.phoenix.util.ScanUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all rows that a client's scan of a region would return, through the hooks of the region's
 * coprocessors, which are called in the order and with the arguments of {@code RSRpcServices}.
 * Unlike that class, it does not wait for the lock of the region.
 */
final class ProbedRows {

  private static final Logger LOGGER = LoggerFactory.getLogger(ProbedRows.class);

  private final HRegion region;
  private final RegionCoprocessorHost host;
  private final Scan scan;
  private final int maxBytes;
  private final long millis;
  private final long deadlineNanos;

  private TimeLimitedScanner core;
  private long bytes;

  /**
   * Reads {@code region} by {@code scan}. The time starts now.
   *
   * @param maxBytes maximum size of the cells
   * @param millis maximum time to read
   */
  ProbedRows(HRegion region, Scan scan, int maxBytes, long millis) {
    this.region = region;
    this.host = region.getCoprocessorHost();
    this.scan = scan;
    this.maxBytes = maxBytes;
    this.millis = millis;
    this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Returns the rows; null if they are too many, or reading them takes too long. */
  List<Result> read() throws IOException {
    if (scan.getBatch() > 0) {
      // A client puts the parts of a row together.
      return null;
    }
    host.preScannerOpen(scan);
    core = open();
    RegionScanner scanner;
    try {
      scanner = host.postScannerOpen(scan, core);
    } catch (IOException | RuntimeException e) {
      core.close();
      throw e;
    }
    try (Closeable closing = () -> close(scanner)) {
      List<Result> rows = readInTime(scanner);
      // The cells may be in memory that is used anew when the scanner is closed.
      return rows == null ? null : rows.stream().map(ProbedRows::copy).collect(Collectors.toList());
    }
  }

  private List<Result> readInTime(RegionScanner scanner) throws IOException {
    try {
      return read(scanner);
    } catch (IOException e) {
      if (core.isOver()) {
        LOGGER.debug("Reading {} took too long", region, e);
        return null;
      }
      throw e;
    }
  }

  private TimeLimitedScanner open() throws IOException {
    enter();
    try {
      return new TimeLimitedScanner(region.getScanner(scan), millis);
    } finally {
      RegionInternals.leave(region);
    }
  }

  private void enter() throws RegionTooBusyException {
    if (!RegionInternals.tryEnter(region)) {
      throw new RegionTooBusyException("the lock of " + region + " is not free");
    }
  }

  private void close(RegionScanner scanner) throws IOException {
    boolean isBypassed;
    try {
      isBypassed = host.preScannerClose(scanner);
    } catch (IOException | RuntimeException e) {
      scanner.close();
      throw e;
    }
    if (!isBypassed) {
      scanner.close();
      host.postScannerClose(scanner);
    }
  }

  private List<Result> read(RegionScanner scanner) throws IOException {
    int caching =
        scan.getCaching() > 0 ? scan.getCaching() : HConstants.DEFAULT_HBASE_CLIENT_SCANNER_CACHING;
    List<Result> rows = new ArrayList<>();
    long kept = 0;
    boolean hasMore = true;
    while (hasMore) {
      if (isOver()) {
        return null;
      }
      List<Result> batch = new ArrayList<>();
      Boolean isBypassed = host.preScannerNext(scanner, batch, caching);
      if (isBypassed != null && isBypassed) {
        hasMore = !batch.isEmpty();
      } else {
        int limit = scan.getLimit() > 0 ? scan.getLimit() - rows.size() : Integer.MAX_VALUE;
        Batch end = read(scanner, batch, caching, limit);
        if (end == Batch.TOO_MUCH) {
          return null;
        }
        hasMore = end == Batch.HAS_MORE;
        host.postScannerNext(scanner, batch, caching, true);
      }
      // Hooks may have added rows.
      kept += batch.stream().mapToLong(ProbedRows::size).sum();
      if (kept > maxBytes) {
        return null;
      }
      rows.addAll(batch);
      hasMore &= scan.getLimit() <= 0 || rows.size() < scan.getLimit();
    }
    // Hooks that read themselves may not notice that the time was up, and rows are missing.
    return core.isOver() || rows.stream().anyMatch(ScanUtil::isDummy) ? null : rows;
  }

  /** Tells why a batch ended. */
  private enum Batch {
    HAS_MORE,
    LAST,
    TOO_MUCH
  }

  private Batch read(RegionScanner scanner, List<Result> batch, int caching, int limit)
      throws IOException {
    enter();
    try {
      region.startRegionOperation(Region.Operation.SCAN);
    } finally {
      RegionInternals.leave(region);
    }
    try {
      return readInRegion(scanner, batch, Math.min(caching, limit), limit);
    } finally {
      region.closeRegionOperation(Region.Operation.SCAN);
    }
  }

  private Batch readInRegion(RegionScanner scanner, List<Result> batch, int count, int limit)
      throws IOException {
    ScannerContext context = ScannerContext.newBuilder(true).build();
    boolean hasMore = true;
    for (int read = 0; read < count && hasMore; ) {
      List<Cell> cells = new ArrayList<>();
      hasMore = scanner.nextRaw(cells, context);
      if (!cells.isEmpty()) {
        Result row = Result.create(cells);
        bytes += size(row);
        if (ScanUtil.isDummy(row) || bytes > maxBytes) {
          return Batch.TOO_MUCH;
        }
        batch.add(row);
        read++;
      }
      if (hasMore && isOver()) {
        return Batch.TOO_MUCH;
      }
    }
    return hasMore && count < limit ? Batch.HAS_MORE : Batch.LAST;
  }

  private boolean isOver() {
    return core.isOver()
        || System.nanoTime() - deadlineNanos > 0
        || Thread.currentThread().isInterrupted();
  }

  private static Result copy(Result row) {
    List<Cell> cells = new ArrayList<>(row.size());
    for (Cell cell : row.rawCells()) {
      cells.add(KeyValueUtil.copyToNewKeyValue(cell));
    }
    return Result.create(cells);
  }

  /** Returns the size of the cells of {@code row} in bytes. */
  static int size(Result row) {
    return Arrays.stream(row.rawCells()).mapToInt(Cell::getSerializedSize).sum();
  }
}

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

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all rows that a client's scan of a region would return. Calls the hooks of the region's
 * coprocessors in the same order and with the same arguments as {@code RSRpcServices}. Unlike
 * {@code RSRpcServices}, does not wait for the region's lock.
 */
final class ProbedRows {

  private static final Logger LOGGER = LoggerFactory.getLogger(ProbedRows.class);

  private final HRegion region;
  private final RegionCoprocessorHost host;
  private final Scan scan;
  private final int maxBytes;
  private final long millis;
  private final long deadlineNanos;

  private @Nullable TimeLimitedScanner coreScanner;
  private long bytes;

  /**
   * Prepares to read {@code region} with {@code scan}. The time limit starts now.
   *
   * @param maxBytes maximum size of the cells in bytes
   * @param millis maximum time to read, in milliseconds
   */
  ProbedRows(HRegion region, Scan scan, int maxBytes, long millis) {
    this.region = region;
    this.host = region.getCoprocessorHost();
    this.scan = scan;
    this.maxBytes = maxBytes;
    this.millis = millis;
    this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /**
   * Returns the rows. Returns null if there are too many rows, reading takes too long, or {@code
   * scan} returns rows in parts.
   */
  @Nullable List<Result> read() throws IOException {
    if (scan.getBatch() > 0) {
      // Only a client can assemble a row from its parts.
      return null;
    }
    host.preScannerOpen(scan);
    TimeLimitedScanner opened = open();
    coreScanner = opened;
    RegionScanner scanner;
    try {
      scanner = host.postScannerOpen(scan, opened);
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
    try (Closeable closing = () -> close(scanner)) {
      List<Result> rows = readInTime(scanner);
      // HBase may reuse the memory of the cells when the scanner is closed.
      return rows == null ? null : rows.stream().map(ProbedRows::copy).collect(Collectors.toList());
    }
  }

  private @Nullable List<Result> readInTime(RegionScanner scanner) throws IOException {
    try {
      return read(scanner);
    } catch (IOException e) {
      if (coreScanner().isTimeUp()) {
        LOGGER.debug("Reading {} took too long", region, e);
        return null;
      }
      throw e;
    }
  }

  private TimeLimitedScanner open() throws IOException {
    acquireLock();
    try {
      return new TimeLimitedScanner(region.getScanner(scan), millis);
    } finally {
      RegionInternals.readUnlock(region);
    }
  }

  private void acquireLock() throws RegionTooBusyException {
    if (!RegionInternals.tryReadLock(region)) {
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

  private @Nullable List<Result> read(RegionScanner scanner) throws IOException {
    int caching =
        scan.getCaching() > 0 ? scan.getCaching() : HConstants.DEFAULT_HBASE_CLIENT_SCANNER_CACHING;
    List<Result> rows = new ArrayList<>();
    long returnedBytes = 0;
    boolean hasMore = true;
    while (hasMore) {
      if (isTimeUp()) {
        return null;
      }
      List<Result> batch = new ArrayList<>();
      Boolean isBypassed = host.preScannerNext(scanner, batch, caching);
      if (isBypassed != null && isBypassed) {
        hasMore = !batch.isEmpty();
      } else {
        int limit = scan.getLimit() > 0 ? scan.getLimit() - rows.size() : Integer.MAX_VALUE;
        Batch end = read(scanner, batch, caching, limit);
        if (end == Batch.LIMIT_EXCEEDED) {
          return null;
        }
        hasMore = end == Batch.HAS_MORE;
        host.postScannerNext(scanner, batch, caching, true);
      }
      // Hooks may have added rows.
      returnedBytes += batch.stream().mapToLong(ProbedRows::size).sum();
      if (returnedBytes > maxBytes) {
        return null;
      }
      rows.addAll(batch);
      hasMore &= scan.getLimit() <= 0 || rows.size() < scan.getLimit();
    }
    // A hook that reads rows itself may ignore the time limit, so rows may be missing.
    return coreScanner().isTimeUp() || rows.stream().anyMatch(ScanUtil::isDummy) ? null : rows;
  }

  /** Reason why a batch ended. */
  private enum Batch {
    HAS_MORE,
    LAST,
    LIMIT_EXCEEDED
  }

  private Batch read(RegionScanner scanner, List<Result> batch, int caching, int limit)
      throws IOException {
    acquireLock();
    try {
      region.startRegionOperation(Region.Operation.SCAN);
    } finally {
      RegionInternals.readUnlock(region);
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
          return Batch.LIMIT_EXCEEDED;
        }
        batch.add(row);
        read++;
      }
      if (hasMore && isTimeUp()) {
        return Batch.LIMIT_EXCEEDED;
      }
    }
    return hasMore && count < limit ? Batch.HAS_MORE : Batch.LAST;
  }

  private TimeLimitedScanner coreScanner() {
    return Objects.requireNonNull(coreScanner, "not opened");
  }

  private boolean isTimeUp() {
    return coreScanner().isTimeUp()
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

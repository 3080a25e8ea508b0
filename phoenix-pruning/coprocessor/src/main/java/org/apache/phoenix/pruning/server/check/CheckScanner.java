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
package org.apache.phoenix.pruning.server.check;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.phoenix.pruning.check.RegionComparison;
import org.apache.phoenix.pruning.config.ServerMode;
import org.apache.phoenix.pruning.protocol.AnswerCell;
import org.apache.phoenix.pruning.protocol.CheckAnswer;
import org.apache.phoenix.pruning.protocol.CheckAnswer.Status;
import org.apache.phoenix.pruning.protocol.CheckRequest;
import org.apache.phoenix.pruning.server.AnswerScanner;
import org.jspecify.annotations.Nullable;

/**
 * Scanner that returns the answer to a {@link CheckRequest} instead of the rows of the scan that
 * carries the request. HBase has already checked that the user may read the families of that scan.
 * The comparison reads only these families.
 *
 * <p>Each call reads rows for at most {@value #PAGE_MILLIS} ms, and returns an answer. The last
 * answer has the result. Between the calls, the region can close. All calls see the rows at the
 * same point in time.
 */
public final class CheckScanner extends AnswerScanner {

  private static final int PAGE_MILLIS = 1_000;

  /** Number of rows that are read between two checks of the clock. */
  private static final int ROWS_PER_LOOK = 64;

  private final RegionCoprocessorEnvironment environment;
  private final Scan scan;
  private final CheckGate gate;

  /** The comparison, or null before the first call. */
  private @Nullable RegionComparison comparison;

  private boolean isAdmitted;
  private boolean isDone;

  private CheckScanner(
      RegionScanner scanner, RegionCoprocessorEnvironment environment, Scan scan, CheckGate gate) {
    super(scanner);
    this.environment = environment;
    this.scan = scan;
    this.gate = gate;
  }

  /** Returns whether {@code scan} carries a request that this server can read and has to answer. */
  public static boolean hasToAnswer(Scan scan, RegionCoprocessorEnvironment environment) {
    byte[] attribute = scan.getAttribute(CheckRequest.ATTRIBUTE);
    return attribute != null
        && !CheckRequest.isNewer(attribute)
        && !ServerMode.isStock(environment.getConfiguration())
        && CheckGate.of(environment).isEnabled();
  }

  /**
   * Returns a scanner with the answers to the request of {@code scan}.
   *
   * @param scanner scanner of {@code scan}; returned unchanged if another observer has already
   *     replaced it
   */
  public static RegionScanner of(
      RegionCoprocessorEnvironment environment, Scan scan, RegionScanner scanner) {
    return scanner instanceof CheckScanner
        ? scanner
        : new CheckScanner(scanner, environment, scan, CheckGate.of(environment));
  }

  @Override
  public boolean next(List<Cell> cells) throws IOException {
    if (isDone) {
      return false;
    }
    CheckAnswer answer;
    try {
      answer = answer();
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      // HBase would convert the exception to an IOException, and its client would repeat the scan.
      throw new DoNotRetryIOException(CheckRequest.ATTRIBUTE + ": " + e.getMessage(), e);
    }
    isDone = answer.status() != Status.PROGRESS;
    cells.add(answer.toCell(AnswerCell.rowKey(environment.getRegionInfo().getStartKey())));
    return !isDone;
  }

  private CheckAnswer answer() throws IOException {
    if (isClosing()) {
      throw new NotServingRegionException(
          environment.getRegionInfo().getRegionNameAsString() + " is closing");
    }
    if (comparison == null) {
      // Reads the request only after the scanner was admitted, because reading takes memory.
      isAdmitted = isAdmitted || gate.tryAcquire();
      if (!isAdmitted) {
        return CheckAnswer.of(Status.BUSY, 0);
      }
      CheckRequest request = readRequest();
      if (!isForThisRegion(request)) {
        return CheckAnswer.of(Status.OTHER_REGION, 0);
      }
      comparison = newComparison(request);
    }
    return readPage(comparison);
  }

  private CheckRequest readRequest() throws IOException {
    if (scan.getFilter() != null) {
      // HBase adds a filter if the user may not read all cells.
      throw new AccessDeniedException(
          "The check of a local index needs the right to read the whole table "
              + environment.getRegionInfo().getTable());
    }
    try {
      return CheckRequest.read(scan.getAttribute(CheckRequest.ATTRIBUTE));
    } catch (IOException e) {
      throw new DoNotRetryIOException(CheckRequest.ATTRIBUTE + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns whether the scan reads the whole region of the request from its start. HBase's client
   * resumes a scan in the middle of a region if the region has moved.
   */
  private boolean isForThisRegion(CheckRequest request) {
    RegionInfo region = environment.getRegionInfo();
    return region.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID
        && Arrays.equals(region.getStartKey(), request.regionStart())
        && Arrays.equals(region.getEndKey(), request.regionEnd())
        && Arrays.equals(scan.getStartRow(), request.regionStart())
        && scan.includeStartRow()
        && Arrays.equals(scan.getStopRow(), request.regionEnd())
        && !scan.isReversed();
  }

  private static RegionComparison newComparison(CheckRequest request) throws IOException {
    try {
      return new RegionComparison(request);
    } catch (IOException e) {
      throw new DoNotRetryIOException(CheckRequest.ATTRIBUTE + ": " + e.getMessage(), e);
    }
  }

  private CheckAnswer readPage(RegionComparison current) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAGE_MILLIS);
    List<Cell> row = new ArrayList<>();
    boolean hasMore = true;
    for (int rows = 1; hasMore; rows++) {
      hasMore = delegate.nextRaw(row);
      if (!row.isEmpty()) {
        current.add(row);
        row.clear();
      }
      if (rows % ROWS_PER_LOOK == 0 && hasToPause(deadline)) {
        break;
      }
    }
    if (delegate instanceof Shipper) {
      // Releases the blocks that were read. The comparison has copied what it keeps.
      ((Shipper) delegate).shipped();
    }
    return hasMore ? current.progress() : current.answer();
  }

  private boolean hasToPause(long deadline) {
    return System.nanoTime() - deadline > 0
        || Thread.currentThread().isInterrupted()
        || isClosing();
  }

  private boolean isClosing() {
    return environment.getRegion() instanceof HRegion
        && !((HRegion) environment.getRegion()).isAvailable();
  }

  @Override
  public void close() throws IOException {
    isDone = true;
    comparison = null;
    if (isAdmitted) {
      isAdmitted = false;
      gate.release();
    }
    super.close();
  }
}

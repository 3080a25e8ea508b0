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
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.phoenix.pruning.protocol.ProbeAnswer;
import org.apache.phoenix.pruning.protocol.ProbeRequest;
import org.apache.phoenix.pruning.protocol.ProbedRange;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one probe request: checks its key ranges one by one, until the deadline. */
final class ProbeResponder {

  private static final Logger LOGGER = LoggerFactory.getLogger(ProbeResponder.class);

  /**
   * Maximum number of ranges whose rows are too many or take too long to read. After that, the rows
   * of ranges that are not empty are no longer read.
   */
  private static final int MAX_UNREAD_RANGES = 4;

  private final RegionCoprocessorEnvironment environment;
  private final ProbeRequest request;
  private final ProbeGate gate;
  private final ProbeServerMetrics metrics;
  private final long deadlineNanos;

  private int remainingBytes;
  private int unreadRanges;

  /**
   * Prepares to answer {@code request}. Its deadline started when the server received the request.
   *
   * @param gate gives the limits for the answer
   * @param metrics counts failures
   */
  ProbeResponder(
      RegionCoprocessorEnvironment environment,
      ProbeRequest request,
      ProbeGate gate,
      ProbeServerMetrics metrics) {
    this.environment = environment;
    this.request = request;
    this.gate = gate;
    this.metrics = metrics;
    // The lower of the client's and the server's limits applies.
    long millis = Math.min(gate.maxMillis(), request.deadlineMillis());
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    if (call != null) {
      millis =
          remainingMillis(
              millis,
              EnvironmentEdgeManager.currentTime(),
              call.getReceiveTime(),
              call.getDeadline());
    }
    this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    this.remainingBytes = Math.min(gate.maxRowBytes(), request.maxRowBytes());
  }

  /**
   * Returns how many of {@code millis} milliseconds are left.
   *
   * @param receiveTime time at which the request arrived; it may have waited for a handler since
   *     then
   * @param rpcDeadline time at which the client stops waiting for the answer
   */
  static long remainingMillis(long millis, long now, long receiveTime, long rpcDeadline) {
    return Math.min(millis - Math.max(0, now - receiveTime), rpcDeadline - now);
  }

  ProbeAnswer answer() {
    List<ProbedRange> ranges = request.ranges();
    ProbeAnswer answer = ProbeAnswer.of(ranges.size());
    for (int i = 0; i < ranges.size() && canContinue(); i++) {
      try {
        probe(ranges.get(i), i, answer);
      } catch (AccessDeniedException e) {
        // All scans read one table, so the user may not read the other regions either.
        LOGGER.debug("The user may not read {}, so the client scans it", ranges.get(i), e);
        return answer;
      } catch (NotServingRegionException | RegionTooBusyException e) {
        LOGGER.debug("Cannot probe {}, so the client scans it", ranges.get(i), e);
      } catch (Throwable e) {
        if (isInterrupt(e)) {
          Thread.currentThread().interrupt();
          return answer;
        }
        // The scan itself fails in the same way and reports the failure to the user. HBase would
        // stop the server because of an Error, such as a StackOverflowError in a client's filter.
        metrics.countFailed();
        gate.failures().log(ranges.get(i), e);
      }
    }
    return answer;
  }

  /**
   * Returns whether {@code failure} reports an interrupt. HBase or HDFS then cleared the thread's
   * interrupt flag.
   */
  private static boolean isInterrupt(Throwable failure) {
    return (failure instanceof InterruptedIOException
            && !(failure instanceof SocketTimeoutException))
        || failure instanceof ClosedByInterruptException;
  }

  /** Returns whether the next region may be probed. */
  private boolean canContinue() {
    return remainingMillis() > 0
        && !Thread.currentThread().isInterrupted()
        && (!(environment.getRegion() instanceof HRegion)
            || ((HRegion) environment.getRegion()).isAvailable());
  }

  private long remainingMillis() {
    return TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
  }

  private void probe(ProbedRange range, int index, ProbeAnswer answer) throws IOException {
    HRegion region = findRegion(range);
    if (region == null) {
      return;
    }
    ProbedRegion probed = new ProbedRegion(region, range, request);
    if (probed.hasReferences()) {
      // A seek in the file of a parent region may read all rows of the other half.
      return;
    }
    long checkDeadlineNanos =
        Math.min(
            deadlineNanos, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(gate.pageMillis()));
    boolean isEmpty = probed.isEmpty(checkDeadlineNanos);
    if (isEmpty && !probed.canHooksAddRows()) {
      answer.setNoRow(index);
    } else if (System.nanoTime() - checkDeadlineNanos < 0
        && (isEmpty
            ? request.maxRowBytes() > 0
            : remainingBytes > 0 && unreadRanges < MAX_UNREAD_RANGES)) {
      readRows(probed, isEmpty, index, answer);
    }
  }

  private void readRows(ProbedRegion probed, boolean isEmpty, int index, ProbeAnswer answer)
      throws IOException {
    List<Result> rows =
        probed.readRows(remainingBytes, Math.min(gate.pageMillis(), remainingMillis()));
    if (rows == null) {
      unreadRanges++;
    } else if (isEmpty && rows.isEmpty()) {
      answer.setNoRow(index);
    } else {
      rows.forEach(row -> remainingBytes -= ProbedRows.size(row));
      answer.setRows(index, rows);
    }
  }

  /**
   * Returns the region of {@code range}, or null if this server cannot read it as a client would.
   */
  private @Nullable HRegion findRegion(ProbedRange range) {
    Region region = environment.getOnlineRegions().getRegion(range.region());
    if (!(region instanceof HRegion)) {
      return null;
    }
    RegionInfo info = region.getRegionInfo();
    return info.getTable().equals(environment.getRegionInfo().getTable())
            && info.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID
            && ((HRegion) region).getCoprocessorHost() != null
            && ((HRegion) region).isAvailable()
        ? (HRegion) region
        : null;
  }
}

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

import java.util.concurrent.Semaphore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RWQueueRpcExecutor;
import org.apache.hadoop.hbase.ipc.RpcExecutor;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.server.ServerSettings;

/**
 * Limits how many handlers answer probes at a time, and how long a probe may read one region.
 * Probes get only a share of the handlers that serve scans, so that other requests find a free
 * handler. Each region server has one gate.
 */
final class ProbeGate {

  private static final float DEFAULT_SHARE = 0.25f;

  /** Default time limit: about as long as the scan request that an answer saves. */
  static final int DEFAULT_PAGE_MILLIS = 10;

  /**
   * Maximum size in bytes of the rows in an answer. A scanner holds these rows until the client
   * fetches them.
   */
  static final int MAX_ROW_BYTES = 2 << 20;

  private final int handlers;
  private final Semaphore permits;
  private final ProbeFailures failures = new ProbeFailures();
  private final int pageMillis;
  private final int maxMillis;
  private final int maxRowBytes;

  ProbeGate(Configuration configuration) {
    float share =
        ServerSettings.share(configuration, PruningOptions.SERVER_PROBE_SHARE, DEFAULT_SHARE);
    this.handlers = handlers(scanHandlers(configuration), share);
    this.permits = new Semaphore(handlers);
    this.pageMillis =
        ServerSettings.integer(
            configuration, PruningOptions.SERVER_PROBE_PAGE_MS, 1, DEFAULT_PAGE_MILLIS);
    this.maxMillis =
        configuration.getInt(
                HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD,
                HConstants.DEFAULT_HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD)
            / 2;
    this.maxRowBytes =
        (int)
            Math.min(
                MAX_ROW_BYTES,
                configuration.getLong(
                    HConstants.HBASE_SERVER_SCANNER_MAX_RESULT_SIZE_KEY,
                    HConstants.DEFAULT_HBASE_SERVER_SCANNER_MAX_RESULT_SIZE));
  }

  /**
   * Returns the number of handlers for probes, or 0 if {@code share} is 0. Otherwise, probes get at
   * least one handler, but not all handlers if there are two or more.
   */
  private static int handlers(int scanHandlers, float share) {
    return share == 0 ? 0 : Math.max(1, Math.min((int) (scanHandlers * share), scanHandlers - 1));
  }

  /**
   * Returns the number of a region server's handlers that serve scans. {@code
   * hbase.ipc.server.callqueue.read.ratio} reserves some handlers for reads. {@code
   * hbase.ipc.server.callqueue.scan.ratio} reserves some of the read handlers for scans.
   */
  static int scanHandlers(Configuration configuration) {
    int handlers =
        configuration.getInt(
            HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    float readShare = configuration.getFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0);
    if (readShare <= 0) {
      return handlers;
    }
    int readAndWriteHandlers = Math.max(2, handlers);
    // There are at least as many read handlers as read queues.
    float queueFactor =
        configuration.getFloat(RpcExecutor.CALL_QUEUE_HANDLER_FACTOR_CONF_KEY, 0.1f);
    int queues =
        Math.max(2, Math.round(readAndWriteHandlers * Math.max(0, Math.min(1, queueFactor))));
    int readHandlers =
        Math.max(shareForReads(queues, readShare), shareForReads(readAndWriteHandlers, readShare));
    float scanShare = configuration.getFloat(RWQueueRpcExecutor.CALL_QUEUE_SCAN_SHARE_CONF_KEY, 0);
    int scanHandlers = (int) (readHandlers * scanShare);
    // If there are no separate scan handlers, the read handlers serve scans.
    return scanHandlers > 0 ? scanHandlers : readHandlers;
  }

  /** Returns the part of {@code count} for reads. At least one is left for writes. */
  private static int shareForReads(int count, float share) {
    return Math.min(count - 1, Math.max(1, Math.round(count * share)));
  }

  /** Returns the gate of the region server of {@code environment}. */
  static ProbeGate of(RegionCoprocessorEnvironment environment) {
    return (ProbeGate)
        environment
            .getSharedData()
            .computeIfAbsent(
                PruningOptions.SERVER_PROBE_SHARE,
                key -> new ProbeGate(ServerSettings.of(environment)));
  }

  /**
   * Tries to occupy a handler for a probe. If this method returns true, the caller must call {@link
   * #release}.
   */
  boolean tryAcquire() {
    return permits.tryAcquire();
  }

  void release() {
    permits.release();
  }

  /** Returns the maximum time to read the rows of one region, in milliseconds. */
  int pageMillis() {
    return pageMillis;
  }

  /** Returns the maximum time for an answer, in milliseconds: half of the timeout of a scanner. */
  int maxMillis() {
    return maxMillis;
  }

  /** Returns the maximum size of the rows in an answer, in bytes: HBase's own limit, or less. */
  int maxRowBytes() {
    return maxRowBytes;
  }

  /** Returns the log of failed region probes. */
  ProbeFailures failures() {
    return failures;
  }

  @Override
  public String toString() {
    return permits.availablePermits() + " of " + handlers + " handlers free";
  }
}

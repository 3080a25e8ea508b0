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
package org.apache.phoenix.pruning.probe;

import java.io.IOException;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.CallDroppedException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.pruning.config.ProbeOptions;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.protocol.ProbeAnswer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the requests of one statement, and waits for the answers.
 *
 * <p>A request waits in a queue of the client while too many are in progress to its server. If the
 * request is not sent within the deadline, it is dropped. This starts no back-off for the server.
 * The deadline of the answer starts when the request is sent.
 */
final class ProbeDispatcher implements AutoCloseable {

  private static final Logger LOGGER = LoggerFactory.getLogger(ProbeDispatcher.class);

  private static final int BYTES_OF_KILOBYTE = 1_024;

  private final QueryPlan plan;
  private final ProbeScan scan;
  private final int serverDeadlineMillis;
  private final int maxRowBytes;
  private final long timeoutNanos;
  private final long sendDeadline;
  private final ProbeState state;
  private final Map<ProbeBatch, ProbeCall> calls = new IdentityHashMap<>();

  /** Creates a dispatcher. The time within which requests can be sent starts now. */
  ProbeDispatcher(
      QueryPlan plan, ProbeScan scan, ProbeOptions options, ProbeState state, int batches) {
    this.plan = plan;
    this.state = state;
    this.scan = scan;
    int millis =
        Math.min(
            options.deadlineMillis(),
            Math.max(1, plan.getContext().getStatement().getQueryTimeoutInMillis()));
    // Leaves a quarter of the time for the answer to come back.
    this.serverDeadlineMillis = Math.max(1, millis - millis / 4);
    this.maxRowBytes =
        (int)
            Math.min(
                Integer.MAX_VALUE, (long) options.rowsKilobytes() * BYTES_OF_KILOBYTE / batches);
    this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    this.sendDeadline = System.nanoTime() + timeoutNanos;
  }

  void send(ProbeBatch batch) {
    ProbeThrottle throttle = state.throttle(batch.server());
    ProbeCall call =
        new ProbeCall(
            plan,
            this,
            throttle,
            timeoutNanos,
            () ->
                scan.newCarrier(batch, scan.newRequest(batch, serverDeadlineMillis, maxRowBytes)));
    calls.put(batch, call);
    throttle.submit(call);
  }

  private String indexName() {
    return plan.getTableRef().getTable().getName().getString();
  }

  /** Waits for the answer to {@code batch}. Returns the answer, or the reason why there is none. */
  ProbeOutcome await(ProbeBatch batch, ServerBackoff servers) throws SQLException {
    ProbeCall call = Objects.requireNonNull(calls.get(batch), "send was not called");
    try {
      if (!call.awaitSent(sendDeadline)) {
        LOGGER.debug("Probe not sent: too late, or request larger than 2 MiB: {}", batch);
        return ProbeOutcome.unanswered(ProbeCause.NOT_SENT);
      }
      Optional<ProbeAnswer> response = call.awaitAnswer();
      if (response.isPresent()) {
        return ProbeOutcome.of(response.get());
      }
      servers.backOff(batch.server(), ServerBackoff.NOT_UNDERSTOOD_MILLIS);
      return ProbeOutcome.unanswered(ProbeCause.NOT_UNDERSTOOD);
    } catch (TimeoutException e) {
      LOGGER.debug("No answer in time for {}", batch, e);
      call.markOverdue();
      servers.backOff(batch.server(), ServerBackoff.TOO_SLOW_MILLIS);
      return ProbeOutcome.unanswered(ProbeCause.DEADLINE);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      Fallbacks.GLOBAL.probeFailed(indexName(), cause);
      if (isServerFailure(cause)) {
        servers.backOff(batch.server(), ServerBackoff.TOO_SLOW_MILLIS);
      }
      return ProbeOutcome.unanswered(ProbeCause.FAILED);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLExceptionInfo.Builder(SQLExceptionCode.INTERRUPTED_EXCEPTION)
          .setRootCause(e)
          .build()
          .buildException();
    }
  }

  /**
   * Returns whether the next request to the server is likely to fail in the same way. This is so if
   * the server cannot be reached, is starting or stopping, or has a full call queue. Any other
   * exception from the server, such as AccessDeniedException, concerns only this request.
   */
  static boolean isServerFailure(Throwable failure) {
    if (!(failure instanceof IOException) || failure instanceof DoNotRetryIOException) {
      return false;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RegionServerStoppedException
          || cause instanceof ServerNotRunningYetException
          || cause instanceof CallDroppedException) {
        return true;
      }
      // HBase's client wraps an exception from the server in a new one and keeps it as the cause.
      if (cause instanceof RemoteException) {
        return false;
      }
    }
    return true;
  }

  /** Drops the requests that have not been sent. Does not wait for those that have been sent. */
  @Override
  public void close() {
    calls.values().forEach(ProbeCall::cancel);
  }
}

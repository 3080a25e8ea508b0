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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.CallDroppedException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.job.JobManager.JobCallable;
import org.apache.phoenix.monitoring.TaskExecutionMetricsHolder;
import org.apache.phoenix.pruning.config.ProbeOptions;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.protocol.ProbeAnswer;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the requests of one statement, and waits for the answers.
 *
 * <p>A request waits in a queue of the client while too many are in progress to its server. If it
 * is not sent within the deadline, it is dropped; this says nothing about the server. The deadline
 * of the answer starts when the request is sent.
 */
final class ProbeDispatcher implements AutoCloseable {

  private static final Logger LOGGER = LoggerFactory.getLogger(ProbeDispatcher.class);

  private static final int BYTES_OF_KILOBYTE = 1_024;

  private static final long FIRST_PAUSE_NANOS = 4_000_000;

  private final QueryPlan plan;
  private final ProbeScan scan;
  private final int serverDeadlineMillis;
  private final int maxRowBytes;
  private final long timeoutNanos;
  private final long sendDeadline;
  private final ProbeState state;
  private final Map<ProbeBatch, Request> requests = new IdentityHashMap<>();

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
    Request request = new Request(batch);
    requests.put(batch, request);
    request.throttle.submit(request);
  }

  private ConnectionQueryServices services() {
    return plan.getContext().getConnection().getQueryServices();
  }

  private Optional<ProbeAnswer> sendCarrier(Scan carrier) throws IOException, SQLException {
    byte[] name = plan.getTableRef().getTable().getPhysicalName().getBytes();
    // HBase changes the scan that it is given.
    try (Table table = services().getTable(name);
        ResultScanner answers = table.getScanner(new Scan(carrier))) {
      Result row = answers.next();
      return ProbeAnswer.read(row);
    }
  }

  private static long remainingNanos(long deadline) {
    return Math.max(0, deadline - System.nanoTime());
  }

  private String indexName() {
    return plan.getTableRef().getTable().getName().getString();
  }

  /** Waits for the answer to {@code batch}. Returns the answer, or the reason why there is none. */
  ProbeOutcome await(ProbeBatch batch, ServerBackoff servers) throws SQLException {
    Request request = Objects.requireNonNull(requests.get(batch), "send was not called");
    try {
      if (!request.awaitSent(sendDeadline)) {
        LOGGER.debug("Probe not sent: too late, or request larger than 2 MiB: {}", batch);
        return ProbeOutcome.unanswered(ProbeCause.NOT_SENT);
      }
      Optional<ProbeAnswer> response =
          request.answer.get(
              remainingNanos(request.sentNanos() + timeoutNanos), TimeUnit.NANOSECONDS);
      if (response.isPresent()) {
        return ProbeOutcome.of(response.get());
      }
      servers.backOff(batch.server(), ServerBackoff.NOT_UNDERSTOOD_MILLIS);
      return ProbeOutcome.unanswered(ProbeCause.NOT_UNDERSTOOD);
    } catch (TimeoutException e) {
      LOGGER.debug("No answer in time for {}", batch, e);
      request.markOverdue();
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
    requests.values().forEach(Request::cancel);
  }

  /**
   * Request for one batch. It runs as a job of the client's thread pool, in a group with the other
   * jobs of its statement.
   */
  private final class Request implements ProbeThrottle.Job, JobCallable<Void> {

    private final ProbeBatch batch;
    private final ProbeThrottle throttle;
    private final CompletableFuture<Optional<ProbeAnswer>> answer = new CompletableFuture<>();

    /** Completes with the time at which the request was sent, or with null if it was dropped. */
    private final CompletableFuture<Long> sent = new CompletableFuture<>();

    private boolean isOverdue;
    private boolean hasEnded;

    Request(ProbeBatch batch) {
      this.batch = batch;
      this.throttle = state.throttle(batch.server());
    }

    /**
     * Waits until the request is sent, and drops it if it is not sent by {@code deadline}. Returns
     * whether it was sent.
     */
    boolean awaitSent(long deadline) throws InterruptedException, ExecutionException {
      try {
        return sent.get(remainingNanos(deadline), TimeUnit.NANOSECONDS) != null;
      } catch (TimeoutException e) {
        return !drop() && sent.get() != null;
      }
    }

    /** Drops the request. Returns false if it was sent or dropped before. */
    private boolean drop() {
      boolean isDropped = sent.complete(null);
      if (isDropped) {
        throttle.remove(this);
      }
      return isDropped;
    }

    /** Records that the answer to this request, which was sent, is no longer awaited. */
    synchronized void markOverdue() {
      if (!hasEnded) {
        isOverdue = true;
        throttle.markOverdue();
      }
    }

    private synchronized void markEnded() {
      hasEnded = true;
      if (isOverdue) {
        throttle.unmarkOverdue();
      }
    }

    /**
     * Returns the time at which the request was sent. May be called only after the request was
     * sent.
     */
    long sentNanos() {
      return sent.join();
    }

    void cancel() {
      drop();
      answer.cancel(false);
    }

    @Override
    public boolean start() {
      if (sent.isDone()) {
        return false;
      }
      try {
        services().getExecutor().submit(this);
        return true;
      } catch (RejectedExecutionException e) {
        LOGGER.debug("Probe not sent: the thread pool of the client is full: {}", batch, e);
        sent.complete(null);
        return false;
      }
    }

    @Override
    public Void call() {
      try {
        if (!sent.isDone()) {
          Optional<Scan> carrier =
              scan.newCarrier(batch, scan.newRequest(batch, serverDeadlineMillis, maxRowBytes));
          if (!carrier.isPresent()) {
            sent.complete(null);
          } else if (sent.complete(System.nanoTime())) {
            answer.complete(sendUntilAccepted(carrier.get()));
          }
        }
      } catch (Throwable e) {
        // Nobody reads the result of this call. The answer also reports an Error.
        answer.completeExceptionally(e);
        sent.complete(System.nanoTime());
      } finally {
        markEnded();
        throttle.complete();
      }
      return null;
    }

    /**
     * Sends the request, and repeats it with growing pauses while the server is busy with other
     * requests.
     */
    private Optional<ProbeAnswer> sendUntilAccepted(Scan carrier) throws IOException, SQLException {
      long pause = FIRST_PAUSE_NANOS;
      Optional<ProbeAnswer> response = sendCarrier(carrier);
      while (response.isPresent()
          && response.get().isRejected()
          && !answer.isDone()
          && pause < remainingNanos(sentNanos() + timeoutNanos)) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pause / 2, pause));
        pause *= 2;
        response = sendCarrier(carrier);
      }
      return response;
    }

    @Override
    public Object getJobId() {
      return ProbeDispatcher.this;
    }

    @Override
    public TaskExecutionMetricsHolder getTaskExecutionMetric() {
      return TaskExecutionMetricsHolder.NO_OP_INSTANCE;
    }
  }
}

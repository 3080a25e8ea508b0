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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.job.JobManager.JobCallable;
import org.apache.phoenix.monitoring.TaskExecutionMetricsHolder;
import org.apache.phoenix.pruning.protocol.ProbeAnswer;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request to a server, from the queue of the {@link ProbeThrottle} to the answer. It runs as a
 * job of the client's thread pool, in a group with the other jobs of its statement.
 */
final class ProbeCall implements ProbeThrottle.Job, JobCallable<Void> {

  private static final Logger LOGGER = LoggerFactory.getLogger(ProbeCall.class);

  private static final long FIRST_PAUSE_NANOS = 4_000_000;

  /** Creates the scan that carries the request. */
  interface CarrierFactory {

    /** Returns the scan, or empty if the request is too large to be sent. */
    Optional<Scan> newCarrier() throws IOException, SQLException;
  }

  private final QueryPlan plan;
  private final Object jobId;
  private final ProbeThrottle throttle;
  private final long timeoutNanos;
  private final CarrierFactory carrierFactory;
  private final CompletableFuture<Optional<ProbeAnswer>> answer = new CompletableFuture<>();

  /** Completes with the time at which the request was sent, or with null if it was dropped. */
  private final CompletableFuture<Long> sent = new CompletableFuture<>();

  private boolean isOverdue;
  private boolean hasEnded;

  /**
   * Creates a request, which is not yet in a queue.
   *
   * @param plan the plan whose table is scanned
   * @param jobId identifies the statement in the client's thread pool
   * @param throttle limits the requests to the same server
   * @param timeoutNanos time to wait for the answer, from the time at which the request is sent
   */
  ProbeCall(
      QueryPlan plan,
      Object jobId,
      ProbeThrottle throttle,
      long timeoutNanos,
      CarrierFactory carrierFactory) {
    this.plan = plan;
    this.jobId = jobId;
    this.throttle = throttle;
    this.timeoutNanos = timeoutNanos;
    this.carrierFactory = carrierFactory;
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
   * Waits for the answer to the request, which was sent. Returns empty if the server does not know
   * the request.
   */
  Optional<ProbeAnswer> awaitAnswer()
      throws InterruptedException, ExecutionException, TimeoutException {
    return answer.get(remainingNanos(answerDeadline()), TimeUnit.NANOSECONDS);
  }

  /** Returns the deadline of the answer. May be called only after the request was sent. */
  private long answerDeadline() {
    return sent.join() + timeoutNanos;
  }

  /** Drops the request if it has not been sent, and stops repeating it otherwise. */
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
      LOGGER.debug("Probe not sent: the thread pool of the client is full", e);
      sent.complete(null);
      return false;
    }
  }

  @Override
  public Void call() {
    try {
      if (!sent.isDone()) {
        Optional<Scan> carrier = carrierFactory.newCarrier();
        if (!carrier.isPresent()) {
          sent.complete(null);
        } else if (sent.complete(System.nanoTime())) {
          answer.complete(sendUntilAccepted(carrier.get()));
        }
      }
    } catch (Throwable e) {
      // Nobody reads the result of this call, so the answer also reports an Error.
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
        && pause < remainingNanos(answerDeadline())) {
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pause / 2, pause));
      pause *= 2;
      response = sendCarrier(carrier);
    }
    return response;
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

  private ConnectionQueryServices services() {
    return plan.getContext().getConnection().getQueryServices();
  }

  private static long remainingNanos(long deadline) {
    return Math.max(0, deadline - System.nanoTime());
  }

  @Override
  public Object getJobId() {
    return jobId;
  }

  @Override
  public TaskExecutionMetricsHolder getTaskExecutionMetric() {
    return TaskExecutionMetricsHolder.NO_OP_INSTANCE;
  }
}

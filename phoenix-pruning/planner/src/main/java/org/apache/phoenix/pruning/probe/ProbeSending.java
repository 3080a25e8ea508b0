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
import org.apache.hadoop.hbase.client.Table;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.job.JobManager.JobCallable;
import org.apache.phoenix.monitoring.TaskExecutionMetricsHolder;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the questions of one statement, and waits for the answers until its deadline. */
final class ProbeSending implements AutoCloseable {

  private static final Logger LOGGER = LoggerFactory.getLogger(ProbeSending.class);

  private static final int BYTES_OF_KILOBYTE = 1_024;

  private static final long FIRST_PAUSE_NANOS = 4_000_000;

  private final QueryPlan plan;
  private final ProbeScan scan;
  private final int serverMillis;
  private final int maxRowBytes;
  private final long deadlineNanos;
  private final ProbeState state;
  private final Map<ProbeChunk, Question> questions = new IdentityHashMap<>();

  /** The deadline starts now. */
  ProbeSending(QueryPlan plan, ProbeScan scan, ProbeOptions options, ProbeState state, int chunks) {
    this.plan = plan;
    this.state = state;
    this.scan = scan;
    int millis =
        Math.min(
            options.deadlineMillis(),
            Math.max(1, plan.getContext().getStatement().getQueryTimeoutInMillis()));
    // An answer has to come back, too.
    this.serverMillis = Math.max(1, millis - millis / 4);
    this.maxRowBytes =
        (int)
            Math.min(
                Integer.MAX_VALUE, (long) options.rowsKilobytes() * BYTES_OF_KILOBYTE / chunks);
    this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  void send(ProbeChunk chunk) {
    Question question = new Question(chunk);
    questions.put(chunk, question);
    state.lane(chunk.server()).enter(question);
  }

  private ConnectionQueryServices services() {
    return plan.getContext().getConnection().getQueryServices();
  }

  private Optional<ProbeAnswer> ask(ProbeChunk chunk) throws IOException, SQLException {
    byte[] name = plan.getTableRef().getTable().getPhysicalName().getBytes();
    ProbeRequest request = scan.request(chunk, serverMillis, maxRowBytes);
    try (Table table = services().getTable(name);
        ResultScanner answers = table.getScanner(scan.carrier(chunk, request))) {
      Result row = answers.next();
      return ProbeAnswer.read(row);
    }
  }

  private long remainingNanos() {
    return Math.max(0, deadlineNanos - System.nanoTime());
  }

  /** What the server answered that {@code chunk} was sent to, or why it did not. */
  ProbeOutcome await(ProbeChunk chunk, ProbedServers servers) throws SQLException {
    try {
      Optional<ProbeAnswer> answered =
          questions.get(chunk).answer.get(remainingNanos(), TimeUnit.NANOSECONDS);
      if (answered.isPresent()) {
        return ProbeOutcome.of(answered.get());
      }
      servers.rest(chunk.server(), ProbedServers.NOT_UNDERSTOOD_MILLIS);
      return ProbeOutcome.without(ProbeCause.NOT_UNDERSTOOD);
    } catch (TimeoutException e) {
      LOGGER.debug("No answer in time for {}", chunk, e);
      servers.rest(chunk.server(), ProbedServers.TOO_SLOW_MILLIS);
      return ProbeOutcome.without(ProbeCause.DEADLINE);
    } catch (ExecutionException e) {
      LOGGER.debug("Asking for {} failed", chunk, e);
      servers.rest(chunk.server(), ProbedServers.TOO_SLOW_MILLIS);
      return ProbeOutcome.without(ProbeCause.FAILED);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLExceptionInfo.Builder(SQLExceptionCode.INTERRUPTED_EXCEPTION)
          .setRootCause(e)
          .build()
          .buildException();
    }
  }

  /** Takes back what has not been sent. What has been sent is not waited for. */
  @Override
  public void close() {
    questions.values().forEach(question -> question.answer.cancel(false));
  }

  /** One job of the client's pool, in a group with the others of its statement. */
  private final class Question implements ProbeLane.Job, JobCallable<Void> {

    private final ProbeChunk chunk;
    private final CompletableFuture<Optional<ProbeAnswer>> answer = new CompletableFuture<>();

    Question(ProbeChunk chunk) {
      this.chunk = chunk;
    }

    @Override
    public boolean start() {
      if (answer.isDone()) {
        return false;
      }
      try {
        services().getExecutor().submit(this);
        return true;
      } catch (RejectedExecutionException e) {
        LOGGER.debug("The pool of the client has no room to ask for {}", chunk, e);
        answer.complete(Optional.of(ProbeAnswer.rejected()));
        return false;
      }
    }

    @Override
    public Void call() {
      try {
        if (!answer.isDone()) {
          answer.complete(askUntilAccepted());
        }
      } catch (IOException | SQLException | RuntimeException e) {
        answer.completeExceptionally(e);
      } finally {
        state.lane(chunk.server()).leave();
      }
      return null;
    }

    /** A server that is busy with other questions is asked again, ever later. */
    private Optional<ProbeAnswer> askUntilAccepted() throws IOException, SQLException {
      long pause = FIRST_PAUSE_NANOS;
      Optional<ProbeAnswer> answered = ask(chunk);
      while (answered.isPresent()
          && answered.get().isRejected()
          && !answer.isDone()
          && pause < remainingNanos()) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pause / 2, pause));
        pause *= 2;
        answered = ask(chunk);
      }
      return answered;
    }

    @Override
    public Object getJobId() {
      return ProbeSending.this;
    }

    @Override
    public TaskExecutionMetricsHolder getTaskExecutionMetric() {
      return TaskExecutionMetricsHolder.NO_OP_INSTANCE;
    }
  }
}

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
package org.apache.phoenix.pruning.fanout;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs any number of tasks of one statement in a shared thread pool, with only a few tasks in the
 * pool at a time. The other tasks wait here, in the order of their submission.
 *
 * <p>The pool receives permits. A permit begins the first waiting task. When the task ends:
 *
 * <ul>
 *   <li>If nobody waits for a pool thread, the same thread runs the next task.
 *   <li>Otherwise the next permit is submitted, so that the pool chooses between statements.
 *   <li>If the pool is full and refuses the permit, the same thread runs the next task.
 * </ul>
 *
 * <p>A caller can wait for a task while the pool has no permit of the statement, or while all pool
 * threads are busy. Such a task gets an extra thread. So no task is refused. Pool threads that wait
 * for tasks do not deadlock: the last thread that would wait sees that all others are busy.
 *
 * <p>The waiting caller does not run the task, for two reasons. The task may take longer than the
 * caller wants to wait, and must not see interrupts of the caller.
 *
 * <p>If a task is cancelled, all tasks that have not begun are cancelled, too. If a task fails and
 * the failure is not recoverable, all tasks that have not begun fail with the same cause. If a task
 * is cancelled while it runs, its result is closed by {@code resultCloser}.
 *
 * @param <T> the result of a task
 */
public final class ScanConcurrencyLimiter<T> {

  private static final Logger LOGGER = LoggerFactory.getLogger(ScanConcurrencyLimiter.class);

  private final ThreadPoolExecutor pool;
  private final IntSupplier limit;
  private final Predicate<? super Throwable> isRecoverable;
  private final Consumer<? super T> resultCloser;

  /** Tasks that have not begun. This field and all fields below are guarded by {@code this}. */
  private final Set<Task> waiting = new LinkedHashSet<>();

  /** Number of permits in the pool that have not begun a task. */
  private int queued;

  /** Number of permits that are running a task. */
  private int running;

  private boolean stopped;
  private @Nullable Throwable failure;

  /**
   * Creates a limiter without tasks.
   *
   * @param limit current maximum number of tasks in the pool, at least 1
   * @param isRecoverable tests for recoverable failures, after which the other tasks still run
   * @param resultCloser closes the result of a task that was cancelled while it ran
   */
  public ScanConcurrencyLimiter(
      ThreadPoolExecutor pool,
      IntSupplier limit,
      Predicate<? super Throwable> isRecoverable,
      Consumer<? super T> resultCloser) {
    this.pool = pool;
    this.limit = limit;
    this.isRecoverable = isRecoverable;
    this.resultCloser = resultCloser;
  }

  /** Begins {@code work} now or later, but never if this limiter was stopped. Does not wait. */
  public Future<T> submit(Callable<T> work) {
    Task task = new Task(work);
    Throwable failed;
    boolean isStopped;
    synchronized (this) {
      failed = failure;
      isStopped = stopped;
      if (!isStopped) {
        waiting.add(task);
      }
    }
    if (failed != null) {
      task.setException(failed);
    } else if (isStopped) {
      task.withdraw();
    } else {
      start();
    }
    return task;
  }

  /** Stops this limiter: no more tasks begin, and tasks that have not begun are cancelled. */
  public void stop() {
    stop(null).forEach(Task::withdraw);
  }

  private void fail(Throwable cause) {
    stop(cause).forEach(task -> task.setException(cause));
  }

  /** Stops this limiter and returns the tasks that will not begin. */
  private synchronized List<Task> stop(@Nullable Throwable cause) {
    if (!stopped) {
      stopped = true;
      failure = cause;
    }
    List<Task> notBegun = new ArrayList<>(waiting);
    waiting.clear();
    return notBegun;
  }

  /** Submits as many permits as the limit allows, unless the pool is full. */
  private void start() {
    if (!submitPermits(acquirePermit())) {
      releasePermit();
    }
  }

  /**
   * Submits the permit for {@code first}, if not null, and more permits up to the limit.
   *
   * @return false if the pool has refused a permit, which the caller must run or give back
   */
  private boolean submitPermits(@Nullable Task first) {
    for (Task next = first; next != null; next = acquirePermit()) {
      try {
        pool.submit(PoolPermit.wrap(next.work, this::runTasks));
      } catch (RejectedExecutionException full) {
        if (!pool.isShutdown()) {
          return false;
        }
        releasePermit();
        fail(full);
      } catch (RuntimeException | Error e) {
        // For example, the system cannot create another thread.
        releasePermit();
        fail(e);
        throw e;
      }
    }
    return true;
  }

  /**
   * Takes a permit and returns its task, or null if the limit is reached or no task needs a permit.
   * Another permit may begin the task first.
   */
  private synchronized @Nullable Task acquirePermit() {
    if (queued + running >= limit.getAsInt() || queued >= waiting.size()) {
      return null;
    }
    queued++;
    return waiting.iterator().next();
  }

  private synchronized void releasePermit() {
    queued--;
  }

  /**
   * Runs tasks until none is left for this permit. Records the end of each task, even if the task
   * throws.
   */
  private void runTasks() {
    do {
      Task task = beginTask();
      if (task != null) {
        run(task);
      }
    } while (tryContinue());
  }

  private void run(Task task) {
    boolean isDone = false;
    try {
      task.run();
      isDone = true;
    } finally {
      if (!isDone && !submitPermits(endTask())) {
        releasePermit();
      }
    }
  }

  /**
   * Returns whether this thread keeps the next permit. If nobody else waits for a thread, the
   * permit skips the queue of the pool, which would wake another thread for each task.
   */
  private boolean tryContinue() {
    boolean isAwaitedByOthers = !pool.getQueue().isEmpty() || pool.isShutdown();
    Task next = endTask();
    if (next == null || isAwaitedByOthers) {
      return !submitPermits(next);
    }
    PoolPermit.countTask(next.work);
    // An interrupt was meant for the task that has ended. The pool also clears interrupts between
    // tasks.
    Thread.interrupted();
    // Submit more permits in case the limit has risen.
    start();
    return true;
  }

  private synchronized @Nullable Task beginTask() {
    queued--;
    running++;
    Iterator<Task> first = waiting.iterator();
    if (!first.hasNext()) {
      return null;
    }
    Task task = first.next();
    first.remove();
    return task;
  }

  /**
   * Records the end of a task and takes the next permit in the same step. With separate steps, the
   * pool would briefly have no permit, and {@link #ensureThread} would start a thread needlessly.
   *
   * @return the task of the next permit; null if there is none, or if others wait for this thread
   *     and a later permit runs the remaining tasks
   */
  private synchronized @Nullable Task endTask() {
    running--;
    return queued + running == 0 || pool.getQueue().isEmpty() ? acquirePermit() : null;
  }

  /**
   * Starts a thread for {@code task} if the pool has no permit of the statement, or if all pool
   * threads are busy.
   */
  private void ensureThread(Task task) {
    if (task.isDone()) {
      return;
    }
    start();
    if (removeIfPoolIsBusy(task)) {
      Thread extra = new Thread(task, "phoenix-pruning-extra");
      extra.setDaemon(true);
      try {
        extra.start();
      } catch (OutOfMemoryError noThread) {
        task.setException(noThread);
      }
    }
  }

  private synchronized boolean removeIfPoolIsBusy(Task task) {
    boolean isBusy = queued + running == 0 || pool.getActiveCount() >= pool.getMaximumPoolSize();
    return isBusy && waiting.remove(task);
  }

  @Override
  public synchronized String toString() {
    return String.format(
        "%d tasks wait, %d of %d are in the pool",
        waiting.size(), queued + running, limit.getAsInt());
  }

  private final class Task extends FutureTask<T> {

    private final Callable<T> work;

    Task(Callable<T> work) {
      super(work);
      this.work = work;
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
      ensureThread(this);
      return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      if (timeout > 0) {
        ensureThread(this);
      }
      return super.get(timeout, unit);
    }

    /**
     * Cancels this task and all tasks that have not begun. Returns true even if this task was
     * already cancelled along with another task, which a caller cannot know.
     */
    @Override
    public boolean cancel(boolean mayInterrupt) {
      if (isDone()) {
        return isCancelled();
      }
      stop();
      return super.cancel(mayInterrupt) || isCancelled();
    }

    void withdraw() {
      super.cancel(false);
    }

    @Override
    protected void set(T result) {
      super.set(result);
      if (isCancelled()) {
        try {
          resultCloser.accept(result);
        } catch (RuntimeException e) {
          LOGGER.warn("Closing the result of a cancelled task failed", e);
        }
      }
    }

    @Override
    protected void setException(Throwable cause) {
      super.setException(cause);
      if (!isRecoverable(cause)) {
        fail(cause);
      }
    }

    private boolean isRecoverable(Throwable cause) {
      try {
        return isRecoverable.test(cause);
      } catch (RuntimeException e) {
        if (e != cause) {
          cause.addSuppressed(e);
        }
        return false;
      }
    }
  }
}

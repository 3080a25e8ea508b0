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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs any number of tasks of one statement in a pool that others use, too, with only a few of them
 * in the pool at a time. The others wait here, in the order in which they came.
 *
 * <p>What is submitted to the pool is a ticket, which begins the first task that waits. At its end,
 * the same thread goes on with the next task if nobody waits for a thread of the pool; else the
 * next ticket is submitted, so the pool decides between statements after each task. A ticket that
 * the pool refuses, because it is full, is run by the thread that has just run one. Where there is
 * no such thread, or all threads of the pool are busy, a task that somebody waits for gets a thread
 * of its own. So no task is refused, and there is no deadlock where threads of the pool wait for
 * tasks: the last one that would wait sees that all others are busy. Who waits does not run the
 * task, which may take longer than the caller wants to wait, and must not see interrupts of the
 * caller.
 *
 * <p>When a task is cancelled, no other begins any more: those that have not are cancelled. When a
 * task fails, and its failure cannot be mended, they fail as it did. What a task returns that was
 * cancelled after it had begun is handed to {@code unwanted}.
 *
 * @param <T> what a task returns
 */
public final class FanOut<T> {

  private static final Logger LOGGER = LoggerFactory.getLogger(FanOut.class);

  private final ThreadPoolExecutor pool;
  private final IntSupplier limit;
  private final Predicate<? super Throwable> canBeMended;
  private final Consumer<? super T> unwanted;

  /** Tasks that have not begun. Guarded by this, as all that follows. */
  private final Set<Task> waiting = new LinkedHashSet<>();

  /** Tickets that the pool has and that have not begun a task. */
  private int queued;

  /** Tickets that are running a task. */
  private int running;

  private boolean stopped;
  private Throwable failure;

  /**
   * Without tasks.
   *
   * @param limit how many tasks may be in the pool now, from 1 on
   * @param canBeMended failures after which the other tasks are wanted
   * @param unwanted closes what a task returned that was cancelled meanwhile
   */
  public FanOut(
      ThreadPoolExecutor pool,
      IntSupplier limit,
      Predicate<? super Throwable> canBeMended,
      Consumer<? super T> unwanted) {
    this.pool = pool;
    this.limit = limit;
    this.canBeMended = canBeMended;
    this.unwanted = unwanted;
  }

  /** Begins {@code work} now or later; never, if this was stopped. Does not wait. */
  public Future<T> submit(Callable<T> work) {
    Task task = new Task(work);
    Throwable failed;
    boolean refused;
    synchronized (this) {
      failed = failure;
      refused = stopped;
      if (!refused) {
        waiting.add(task);
      }
    }
    if (failed != null) {
      task.setException(failed);
    } else if (refused) {
      task.withdraw();
    } else {
      start();
    }
    return task;
  }

  /** Begins no more tasks; those that have not begun are cancelled. */
  public void stop() {
    stop(null).forEach(Task::withdraw);
  }

  private void fail(Throwable cause) {
    stop(cause).forEach(task -> task.setException(cause));
  }

  /** The tasks that will not begin. */
  private synchronized List<Task> stop(Throwable cause) {
    if (!stopped) {
      stopped = true;
      failure = cause;
    }
    List<Task> notBegun = new ArrayList<>(waiting);
    waiting.clear();
    return notBegun;
  }

  /** Submits as many tickets as may be in the pool, unless it is full. */
  private void start() {
    if (!submitTickets(takeTicket())) {
      giveTicketBack();
    }
  }

  /**
   * Submits the ticket for {@code first}, if that is not null, and others. False if the pool has
   * refused one, which is the caller's then: to run or to give back.
   */
  private boolean submitTickets(Task first) {
    for (Task next = first; next != null; next = takeTicket()) {
      try {
        pool.submit(Ticket.like(next.work, this::runTasks));
      } catch (RejectedExecutionException full) {
        if (!pool.isShutdown()) {
          return false;
        }
        giveTicketBack();
        fail(full);
      } catch (RuntimeException | Error e) {
        // Such as where the system has no thread left.
        giveTicketBack();
        fail(e);
        throw e;
      }
    }
    return true;
  }

  /** The task that a new ticket is for, unless another one begins it; null if there is none. */
  private synchronized Task takeTicket() {
    if (queued + running >= limit.getAsInt() || queued >= waiting.size()) {
      return null;
    }
    queued++;
    return waiting.iterator().next();
  }

  private synchronized void giveTicketBack() {
    queued--;
  }

  /** Runs tasks until none is left for this ticket. Ends each that it began, even if one throws. */
  private void runTasks() {
    do {
      Task task = begin();
      if (task != null) {
        run(task);
      }
    } while (goesOn());
  }

  private void run(Task task) {
    boolean isDone = false;
    try {
      task.run();
      isDone = true;
    } finally {
      if (!isDone && !submitTickets(end())) {
        giveTicketBack();
      }
    }
  }

  /**
   * Whether this thread has the next ticket. Where nobody else waits for a thread, it need not go
   * through the queue of the pool, which would wake another thread for each task.
   */
  private boolean goesOn() {
    boolean isWanted = !pool.getQueue().isEmpty() || pool.isShutdown();
    Task next = end();
    if (next == null || isWanted) {
      return !submitTickets(next);
    }
    Ticket.count(next.work);
    // As the pool does between two tasks: an interrupt was for the one that has ended.
    Thread.interrupted();
    // Others, if there may be more at a time by now.
    start();
    return true;
  }

  private synchronized Task begin() {
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
   * The task that the next ticket is for, which is taken at once: meanwhile there would be none, as
   * if tasks waited in vain. Null if this thread is for others, who wait for one, and tasks are
   * left to a later ticket.
   */
  private synchronized Task end() {
    running--;
    return queued + running == 0 || pool.getQueue().isEmpty() ? takeTicket() : null;
  }

  /** Gives a thread to a task that would be waited for in vain, or while all threads are busy. */
  private void help(Task task) {
    if (task.isDone()) {
      return;
    }
    start();
    if (takeFromPool(task)) {
      Thread extra = new Thread(task, "phoenix-pruning-extra");
      extra.setDaemon(true);
      try {
        extra.start();
      } catch (OutOfMemoryError noThread) {
        task.setException(noThread);
      }
    }
  }

  private synchronized boolean takeFromPool(Task task) {
    boolean busy = queued + running == 0 || pool.getActiveCount() >= pool.getMaximumPoolSize();
    return busy && waiting.remove(task);
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
      help(this);
      return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      if (timeout > 0) {
        help(this);
      }
      return super.get(timeout, unit);
    }

    /** True also if it was cancelled before: with another task, as a caller cannot know. */
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
          unwanted.accept(result);
        } catch (RuntimeException e) {
          LOGGER.warn("Closing the result of a cancelled task failed", e);
        }
      }
    }

    @Override
    protected void setException(Throwable cause) {
      super.setException(cause);
      if (!canBeMended(cause)) {
        fail(cause);
      }
    }

    private boolean canBeMended(Throwable cause) {
      try {
        return canBeMended.test(cause);
      } catch (RuntimeException e) {
        if (e != cause) {
          cause.addSuppressed(e);
        }
        return false;
      }
    }
  }
}

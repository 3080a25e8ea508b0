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
package org.apache.phoenix.pruning.weave;

import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.cache.ServerCacheClient.ServerCache;
import org.apache.phoenix.cache.ServerCacheClient;
import org.apache.phoenix.compile.MutatingParallelIteratorFactory;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.iterate.ParallelIteratorFactory;
import org.apache.phoenix.iterate.ParallelIterators;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.iterate.RoundRobinResultIterator;
import org.apache.phoenix.iterate.SerialIterators;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.fanout.ScanConcurrency;
import org.apache.phoenix.pruning.fanout.ScanConcurrencyLimiter;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * Submits Phoenix's tasks to a {@link ScanConcurrencyLimiter} instead of directly to Phoenix's
 * thread pool.
 */
public privileged aspect FanOutAspect {

  /** Runs the scans of the statement; null in mode stock. */
  private ScanConcurrencyLimiter<PeekingResultIterator> BaseResultIterators.scanLimiter;

  /** Runs the fetches of the next batch; null in mode stock. */
  private ScanConcurrencyLimiter<Tuple> RoundRobinResultIterator.fetchLimiter;

  pointcut submits(Callable task) :
      call(Future ExecutorService.submit(Callable)) && args(task);

  before(BaseResultIterators iterators) throws SQLException :
      execution(public List BaseResultIterators.getIterators()) && this(iterators) {
    iterators.scanLimiter =
        ScanConcurrency.limiterForScans(
            iterators.context.getConnection(),
            iterators.regionLocations,
            writesRows(iterators));
  }

  /** Returns whether the task that reads a scan also writes the rows of the scan. */
  private static boolean writesRows(BaseResultIterators iterators) {
    ParallelIteratorFactory factory =
        iterators instanceof ParallelIterators
            ? ((ParallelIterators) iterators).iteratorFactory
            : iterators instanceof SerialIterators
                ? ((SerialIterators) iterators).iteratorFactory
                : null;
    return factory instanceof MutatingParallelIteratorFactory;
  }

  /**
   * Locks the lists of scans while they change, because another thread may be closing the scans.
   * This also locks lists that only the reader uses, which costs little.
   */
  boolean around(BaseResultIterators iterators) :
      call(boolean List.add(Object))
      && withincode(private List BaseResultIterators.getIterators(List, ..))
      && this(iterators) {
    if (iterators.scanLimiter == null) {
      return proceed(iterators);
    }
    synchronized (iterators.allFutures) {
      return proceed(iterators);
    }
  }

  void around(BaseResultIterators iterators) :
      call(void Iterator.remove())
      && withincode(private List BaseResultIterators.recreateIterators(..))
      && this(iterators) {
    if (iterators.scanLimiter == null) {
      proceed(iterators);
      return;
    }
    synchronized (iterators.allFutures) {
      proceed(iterators);
    }
  }

  /** Submits all scans before another thread can close them, and waits for none of them. */
  void around(BaseResultIterators iterators, List scans) :
      execution(void BaseResultIterators+.submitWork(..))
      && this(iterators) && args(scans, ..) {
    if (iterators.scanLimiter == null) {
      proceed(iterators, scans);
      return;
    }
    ScanConcurrency.recordStart(iterators.context.getConnection(), (List<List<Scan>>) scans);
    synchronized (iterators.allFutures) {
      proceed(iterators, scans);
    }
  }

  Future around(BaseResultIterators iterators, Callable task) :
      submits(task)
      && withincode(void BaseResultIterators+.submitWork(..))
      && this(iterators) {
    return iterators.scanLimiter == null
        ? proceed(iterators, task)
        : iterators.scanLimiter.submit((Callable<PeekingResultIterator>) task);
  }

  /**
   * Fails a statement if one of its scans was cancelled. Phoenix's {@code
   * BaseResultIterators.getIterators} logs the exception and omits the scan (not reported). {@code
   * SELECT COUNT(*) FROM T} returns a smaller number if another thread closes the statement while
   * it runs.
   */
  before(BaseResultIterators iterators, CancellationException cancelled) throws SQLException :
      handler(CancellationException)
      && withincode(private List BaseResultIterators.getIterators(List, ..))
      && this(iterators) && args(cancelled) {
    if (iterators.scanLimiter != null
        && Patches.isOn(Patch.CANCELLED_SCAN, iterators.context.getConnection())) {
      throw ScanConcurrency.cancelled(iterators.getTable().getName().getString(), cancelled);
    }
  }

  /**
   * Closes the scans in one thread at a time. If one thread closes the scans while another thread
   * reads them, the reader fails at the first cancelled scan, and then also closes the scans.
   */
  void around(BaseResultIterators iterators) throws SQLException :
      execution(public void BaseResultIterators.close()) && this(iterators) {
    if (iterators.scanLimiter == null) {
      proceed(iterators);
      return;
    }
    iterators.scanLimiter.stop();
    synchronized (iterators.allFutures) {
      proceed(iterators);
    }
  }

  List around(RoundRobinResultIterator rows) throws SQLException :
      execution(private List RoundRobinResultIterator.fetchNextBatch()) && this(rows) {
    rows.fetchLimiter = ScanConcurrency.limiterForTasks(rows.plan.getContext().getConnection());
    try {
      return proceed(rows);
    } finally {
      if (rows.fetchLimiter != null) {
        rows.fetchLimiter.stop();
      }
    }
  }

  Future around(RoundRobinResultIterator rows, Callable task) :
      submits(task)
      && withincode(private List RoundRobinResultIterator.fetchNextBatch())
      && this(rows) {
    return rows.fetchLimiter == null
        ? proceed(rows, task)
        : rows.fetchLimiter.submit((Callable<Tuple>) task);
  }

  Future around(HashJoinPlan join, Callable task) :
      submits(task)
      && withincode(ResultIterator HashJoinPlan.iterator(ParallelScanGrouper, Scan))
      && this(join) {
    ScanConcurrencyLimiter<Object> limiter =
        ScanConcurrency.limiterForTask(join.getContext().getConnection());
    return limiter == null ? proceed(join, task) : limiter.submit((Callable<Object>) task);
  }

  Future around(ServerCacheClient cache, Callable task) :
      submits(task)
      && withincode(ServerCache ServerCacheClient.addServerCache(ScanRanges, ..))
      && this(cache) {
    ScanConcurrencyLimiter<Object> limiter =
        ScanConcurrency.limiterForTask(cache.getConnection());
    return limiter == null ? proceed(cache, task) : limiter.submit((Callable<Object>) task);
  }
}

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
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.MutatingParallelIteratorFactory;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.iterate.ParallelIteratorFactory;
import org.apache.phoenix.iterate.ParallelIterators;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.iterate.SerialIterators;
import org.apache.phoenix.pruning.fanout.ScanConcurrency;
import org.apache.phoenix.pruning.fanout.ScanConcurrencyLimiter;

/**
 * Submits the scans of a statement to a {@link ScanConcurrencyLimiter} instead of directly to
 * Phoenix's thread pool.
 */
public privileged aspect FanOutAspect {

  // Each aspect prepares the statement for itself, so they only need a fixed order.
  declare precedence : FanOutAspect, LocalIndexScansAspect, ScanWavesAspect;

  /** Runs the scans of the statement; null in mode stock. */
  ScanConcurrencyLimiter<PeekingResultIterator> BaseResultIterators.scanLimiter;

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
}

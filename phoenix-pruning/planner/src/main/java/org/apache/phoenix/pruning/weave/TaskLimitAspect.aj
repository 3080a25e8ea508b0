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
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.cache.ServerCacheClient.ServerCache;
import org.apache.phoenix.cache.ServerCacheClient;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.iterate.RoundRobinResultIterator;
import org.apache.phoenix.pruning.fanout.ScanConcurrency;
import org.apache.phoenix.pruning.fanout.ScanConcurrencyLimiter;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * Submits Phoenix's tasks that open no scan to a {@link ScanConcurrencyLimiter}: fetches of the
 * next batch, build sides of a join, and hash tables for servers.
 */
public privileged aspect TaskLimitAspect {

  /** Runs the fetches of the next batch; null in mode stock. */
  private ScanConcurrencyLimiter<Tuple> RoundRobinResultIterator.fetchLimiter;

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
      FanOutAspect.submits(task)
      && withincode(private List RoundRobinResultIterator.fetchNextBatch())
      && this(rows) {
    return rows.fetchLimiter == null
        ? proceed(rows, task)
        : rows.fetchLimiter.submit((Callable<Tuple>) task);
  }

  Future around(HashJoinPlan join, Callable task) :
      FanOutAspect.submits(task)
      && withincode(ResultIterator HashJoinPlan.iterator(ParallelScanGrouper, Scan))
      && this(join) {
    ScanConcurrencyLimiter<Object> limiter =
        ScanConcurrency.limiterForTask(join.getContext().getConnection());
    return limiter == null ? proceed(join, task) : limiter.submit((Callable<Object>) task);
  }

  Future around(ServerCacheClient cache, Callable task) :
      FanOutAspect.submits(task)
      && withincode(ServerCache ServerCacheClient.addServerCache(ScanRanges, ..))
      && this(cache) {
    ScanConcurrencyLimiter<Object> limiter =
        ScanConcurrency.limiterForTask(cache.getConnection());
    return limiter == null ? proceed(cache, task) : limiter.submit((Callable<Object>) task);
  }
}

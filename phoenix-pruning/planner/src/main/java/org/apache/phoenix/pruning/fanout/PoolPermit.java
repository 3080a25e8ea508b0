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

import java.util.concurrent.Callable;
import org.apache.phoenix.job.JobManager.JobCallable;
import org.apache.phoenix.monitoring.GlobalClientMetrics;
import org.apache.phoenix.monitoring.TaskExecutionMetricsHolder;

/**
 * Permission to run a task, in the form that Phoenix's pool accepts. A permit belongs to a
 * statement and is counted in the metrics of the pool.
 */
final class PoolPermit implements JobCallable<Void> {

  private final JobCallable<?> job;
  private final Runnable work;

  private PoolPermit(JobCallable<?> job, Runnable work) {
    this.job = job;
    this.work = work;
  }

  /** Returns {@code work} as a task that the pool queues and counts like {@code task}. */
  static Callable<Void> wrap(Callable<?> task, Runnable work) {
    if (task instanceof JobCallable) {
      return new PoolPermit((JobCallable<?>) task, work);
    }
    return () -> {
      work.run();
      return null;
    };
  }

  /** Counts {@code task} as the pool would, if a thread runs the task without the pool. */
  static void countTask(Callable<?> task) {
    if (task instanceof JobCallable) {
      TaskExecutionMetricsHolder statementMetrics =
          ((JobCallable<?>) task).getTaskExecutionMetric();
      if (statementMetrics != null) {
        statementMetrics.getNumTasks().increment();
      }
    }
    GlobalClientMetrics.GLOBAL_TASK_EXECUTED_COUNTER.increment();
  }

  @Override
  public Void call() {
    work.run();
    return null;
  }

  @Override
  public Object getJobId() {
    return job.getJobId();
  }

  @Override
  public TaskExecutionMetricsHolder getTaskExecutionMetric() {
    return job.getTaskExecutionMetric();
  }
}

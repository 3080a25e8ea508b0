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

import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.iterate.TableSnapshotResultIterator;
import org.apache.phoenix.mapreduce.PhoenixInputFormat;
import org.apache.phoenix.mapreduce.PhoenixInputSplit;
import org.apache.phoenix.mapreduce.PhoenixRecordReader;
import org.apache.phoenix.mapreduce.util.PhoenixConfigurationUtil;
import org.apache.phoenix.monitoring.ScanMetricsHolder;
import org.apache.phoenix.pruning.mapreduce.SnapshotOfJob;
import org.apache.phoenix.pruning.optimize.PinnedCompilation;
import org.apache.phoenix.pruning.optimize.SnapshotCompilation;

/**
 * Makes MapReduce tasks compile with the table or index that the driver chose when it planned their
 * scans. Phoenix's {@code PhoenixInputFormat} compiles the statement in the driver and again in
 * each task, and a task reads the driver's scans with its own plan. If the plans differ, {@code
 * SELECT PK FROM T WHERE V = 3} returns no row, or keys that do not exist. Not reported.
 */
public privileged aspect InputFormatAspect {

  RecordReader around(InputSplit split) throws IOException :
      execution(public RecordReader PhoenixInputFormat.createRecordReader(
          InputSplit, TaskAttemptContext)) && args(split, *) {
    if (!(split instanceof PhoenixInputSplit)) {
      return proceed(split);
    }
    try (PinnedCompilation compilation =
        PinnedCompilation.begin(((PhoenixInputSplit) split).getScans())) {
      RecordReader reader;
      try {
        reader = proceed(split);
      } catch (RuntimeException e) {
        Optional<SQLException> explained = compilation.explain(e);
        if (explained.isPresent()) {
          throw explained.get();
        }
        throw e;
      }
      if (reader instanceof PhoenixRecordReader) {
        compilation.check(((PhoenixRecordReader) reader).queryPlan);
      }
      return reader;
    } catch (SQLException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Makes jobs that read a snapshot compile for its table, not for an index. A scan of a local
   * index reads whole regions of a snapshot. {@code SELECT K FROM T WHERE V = 3} returns rows
   * several times, and rows that do not match. Not reported.
   */
  QueryPlan around(Configuration configuration) throws IOException :
      execution(QueryPlan PhoenixInputFormat.getQueryPlan(JobContext, Configuration))
      && within(PhoenixInputFormat) && args(*, configuration) {
    String snapshot = configuration.get(PhoenixConfigurationUtil.SNAPSHOT_NAME_KEY);
    if (snapshot == null) {
      return proceed(configuration);
    }
    try (SnapshotCompilation compilation =
        SnapshotCompilation.begin(new SnapshotOfJob(configuration, snapshot))) {
      QueryPlan plan = proceed(configuration);
      compilation.check(plan);
      return plan;
    }
  }

  before(Scan scan, StatementContext context) throws IOException :
      execution(TableSnapshotResultIterator.new(
          Configuration, Scan, ScanMetricsHolder, StatementContext, boolean, long))
      && args(*, scan, *, context, *, *) {
    try {
      SnapshotCompilation.check(scan, context.getConnection());
    } catch (SQLException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}

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
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.phoenix.mapreduce.PhoenixRecordReader;
import org.apache.phoenix.pruning.mapreduce.LocalIndexSplitPlanner;

/**
 * Reads splits of MapReduce in the current regions. Phoenix's {@code PhoenixRecordReader} reads
 * them in the regions that the driver saw. If a region has split, merged or moved since then,
 * {@code SELECT PK FROM T WHERE V = 3} along a local index fails or loses rows. Not reported.
 */
public privileged aspect RecordReaderAspect {

  declare parents : PhoenixRecordReader implements LocalIndexSplitPlanner.Holder;

  private LocalIndexSplitPlanner PhoenixRecordReader.splitPlanner;

  public LocalIndexSplitPlanner PhoenixRecordReader.getSplitPlanner() {
    return splitPlanner;
  }

  public void PhoenixRecordReader.setSplitPlanner(LocalIndexSplitPlanner planner) {
    this.splitPlanner = planner;
  }

  void around(PhoenixRecordReader reader, InputSplit split, TaskAttemptContext context)
      throws IOException :
      execution(public void PhoenixRecordReader.initialize(InputSplit, TaskAttemptContext))
      && within(PhoenixRecordReader) && this(reader) && args(split, context) {
    LocalIndexSplitPlanner planner = reader.getSplitPlanner();
    if (planner == null || !planner.isOf(split)) {
      planner = LocalIndexSplitPlanner.of(reader.queryPlan, split, context);
      reader.setSplitPlanner(planner);
    }
    proceed(reader, planner == null ? split : planner.inCurrentRegions(), context);
  }

  boolean around(PhoenixRecordReader reader) throws IOException, InterruptedException :
      execution(public boolean PhoenixRecordReader.nextKeyValue())
      && within(PhoenixRecordReader) && this(reader) {
    LocalIndexSplitPlanner planner = reader.getSplitPlanner();
    if (planner == null) {
      return proceed(reader);
    }
    while (true) {
      try {
        boolean hasRow = proceed(reader);
        if (hasRow) {
          planner.recordRow();
        }
        return hasRow;
      } catch (RuntimeException e) {
        planner.prepareToPlanAgain(e);
        reader.close();
        reader.initialize(planner.split(), planner.task());
      }
    }
  }
}

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
package io.phoenixpruning.cli.demo;

import io.phoenixpruning.cli.console.Progress;
import io.phoenixpruning.cli.tpch.TpchData;
import io.phoenixpruning.testing.EmbeddedCluster;

/**
 * Loads TPC-H's {@code LINEITEM} into an empty cluster and runs queries on its local indexes, with
 * and without pruning.
 */
public final class Demo {

  /** Approximate number of guideposts that each index has in a region. */
  private static final int GUIDEPOSTS_PER_REGION = 3;

  /** Approximate size in bytes of a row of a local index. */
  private static final int INDEX_BYTES_PER_ROW = 50;

  private final EmbeddedCluster cluster;
  private final Progress progress;
  private final int regions;
  private final TpchData data;

  public Demo(EmbeddedCluster cluster, Progress progress, int regions, TpchData data) {
    this.cluster = cluster;
    this.progress = progress;
    this.regions = regions;
    this.data = data;
  }

  /** Loads the table, runs the queries and reports the results. */
  public DemoReport run() throws Exception {
    LineItemTable table = new LineItemTable(cluster);
    progress.perform("Create LINEITEM and 3 local indexes", -1, done -> table.create());
    progress.perform("Open regions: " + regions, regions, done -> table.split(regions, data, done));
    long rows = progress.run("Load LINEITEM", 4L * data.orders(), done -> table.load(data, done));
    progress.perform(
        "Collect statistics", -1, done -> table.collectStatistics(guidepostBytes(rows)));
    DemoQueries queries = new DemoQueries(data, regions);
    queries.prepare(cluster);
    try (Measuring measuring = new Measuring(cluster)) {
      return new DemoReport(
          progress.run(
              "Run queries",
              Measuring.roundCount(),
              done -> measuring.measure(queries.all(), done)));
    }
  }

  private long guidepostBytes(long rows) {
    return Math.max(100, rows / regions * INDEX_BYTES_PER_ROW / GUIDEPOSTS_PER_REGION);
  }
}

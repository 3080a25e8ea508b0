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
package org.apache.hadoop.hbase;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.PerformanceEvaluation.RunResult;
import org.apache.hadoop.hbase.PerformanceEvaluation.TestOptions;
import org.jspecify.annotations.NullMarked;

/**
 * Runs HBase's {@link PerformanceEvaluation} in threads of this JVM. The class is in HBase's
 * package because the measurements are package-private, and the printed output has no p99.9 of all
 * threads together.
 */
@NullMarked
public final class EvaluationRuns {

  private EvaluationRuns() {}

  /**
   * Writes rows with one value each, in key order, by one client, and without a write-ahead log.
   */
  public static void sequentialWrite(Configuration configuration, TableName table, int rows)
      throws IOException, InterruptedException {
    TestOptions options = options("sequentialWrite", table, rows);
    options.perClientRunRows = rows;
    options.writeToWAL = false;
    run(options, configuration);
  }

  /**
   * Reads random rows among those that were written.
   *
   * @return the times of the reads in microseconds
   */
  public static long[] randomRead(
      Configuration configuration, TableName table, int rows, int clients, int readsOfClient)
      throws IOException, InterruptedException {
    TestOptions options = options("randomRead", table, rows);
    options.numClientThreads = clients;
    options.perClientRunRows = readsOfClient;
    return Arrays.stream(run(options, configuration))
        .flatMapToLong(run -> Arrays.stream(run.hist.getSnapshot().getValues()))
        .toArray();
  }

  private static TestOptions options(String command, TableName table, int rows) {
    TestOptions options = new TestOptions();
    options.cmdName = command;
    options.nomapred = true;
    options.tableName = table.getNameAsString();
    options.totalRows = rows;
    return options;
  }

  private static RunResult[] run(TestOptions options, Configuration configuration)
      throws IOException, InterruptedException {
    try {
      return PerformanceEvaluation.doLocalClients(options, configuration);
    } catch (ExecutionException e) {
      throw new IOException(options.cmdName + " failed", e);
    }
  }
}

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
package io.phoenixpruning.cli;

import io.phoenixpruning.cli.advise.Advice;
import io.phoenixpruning.cli.advise.SampleTables;
import io.phoenixpruning.cli.advise.WriteMeasurement;
import io.phoenixpruning.cli.console.Progress;
import io.phoenixpruning.cli.console.RefusedException;
import java.sql.SQLException;
import org.apache.phoenix.jdbc.PhoenixConnection;
import picocli.CommandLine.Option;

/** Options for measuring the write cost of indexes. */
final class MeasureOption {

  private static final int MAX_ROWS = 100_000;

  @Option(
      names = "--measure",
      required = true,
      description =
          "Measures how much longer UPSERTs take with each index. On the cluster of --url, creates"
              + " tables named "
              + SampleTables.PREFIX
              + "..., copies the first rows of your tables into them, and drops them.")
  private boolean measure;

  @Option(
      names = "--sample-rows",
      paramLabel = "N",
      defaultValue = "2000",
      description =
          "Number of rows of a table that are written, up to 100000. Default: ${DEFAULT-VALUE}.")
  private int rows;

  /**
   * Checks the options before a cluster is contacted.
   *
   * @param onCluster whether the tables are on a cluster
   * @throws RefusedException if writes cannot be measured with these options
   */
  void check(boolean onCluster) {
    if (!onCluster) {
      throw new RefusedException(
          "--measure is given with --ddl, but needs a cluster. Give --url instead of --ddl, or"
              + " leave out --measure");
    }
    if (rows < 1 || rows > MAX_ROWS) {
      throw new RefusedException("--sample-rows is " + rows + ". Expected 1 to " + MAX_ROWS);
    }
  }

  /**
   * Measures the write cost of indexes, and returns {@code advice} with the results.
   *
   * @throws RefusedException if the measurement fails on the cluster
   */
  Advice measure(Advice advice, PhoenixConnection cluster, Cleanup cleanup, Progress progress)
      throws Exception {
    SampleTables samples = new SampleTables(cluster);
    cleanup.add(samples::close);
    try {
      return new WriteMeasurement(cluster, samples, rows, progress).measure(advice);
    } catch (SQLException e) {
      throw new RefusedException(
          "--measure failed on the cluster ("
              + OneLineErrors.messages(e)
              + "). Fix the cause, or leave out --measure",
          e);
    }
  }
}

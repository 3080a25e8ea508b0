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
import java.sql.SQLException;
import org.apache.phoenix.jdbc.PhoenixConnection;
import picocli.CommandLine.Option;

/** Whether and how to measure what writes to indexes cost. */
final class MeasureOption {

  private static final int MOST_ROWS = 100_000;

  @Option(
      names = "--measure",
      required = true,
      description =
          "Measures how much longer UPSERTs take with each index, on the cluster of --url: makes"
              + " tables named "
              + SampleTables.PREFIX
              + "..., writes to them the first rows of your tables, and drops them.")
  private boolean measure;

  @Option(
      names = "--sample-rows",
      paramLabel = "N",
      defaultValue = "2000",
      description =
          "How many rows of a table are written, up to 100000; ${DEFAULT-VALUE} if unset.")
  private int rows;

  /**
   * Checks what can be known before a cluster is asked.
   *
   * @param onCluster whether the tables are on one
   * @throws RefusedException if writes cannot be measured with these options
   */
  void check(boolean onCluster) {
    if (!onCluster) {
      throw new RefusedException(
          "--measure is given with --ddl, but writes to a cluster: give --url instead, or leave out"
              + " --measure");
    }
    if (rows < 1 || rows > MOST_ROWS) {
      throw new RefusedException(
          "--sample-rows is " + rows + ", but has to be from 1 to " + MOST_ROWS + ": mend it");
    }
  }

  /**
   * The same advice, with what was measured.
   *
   * @throws RefusedException if the cluster does not let this command measure
   */
  Advice measure(Advice advice, PhoenixConnection cluster, Cleanup cleanup, Progress progress)
      throws Exception {
    SampleTables samples = new SampleTables(cluster);
    cleanup.add(samples::close);
    try {
      return new WriteMeasurement(cluster, samples, rows, progress).measure(advice);
    } catch (SQLException e) {
      throw new RefusedException(
          "--measure fails on the cluster ("
              + OneLineErrors.messages(e)
              + "): mend that, or leave out --measure",
          e);
    }
  }
}

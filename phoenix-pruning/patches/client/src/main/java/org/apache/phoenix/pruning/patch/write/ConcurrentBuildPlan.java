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
package org.apache.phoenix.pruning.patch.write;

import java.io.IOException;
import java.sql.SQLException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.phoenix.compile.DelegateMutationPlan;
import org.apache.phoenix.compile.MutationPlan;
import org.apache.phoenix.execute.MutationState;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.query.QueryServicesOptions;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.TableRef;
import org.apache.phoenix.util.EnvironmentEdgeManager;

/**
 * Plan that builds a local index with the latest rows of its table.
 *
 * <p>Phoenix executes a plan for a build, waits for {@value
 * QueryServices#INDEX_POPULATION_SLEEP_TIME} milliseconds, and executes it again. This plan does
 * nothing the first time, so it reads the table after the wait. By then, commits that began before
 * the index was created have ended, if they took less than the wait. The index gets no rows of
 * values that these commits replaced.
 */
public final class ConcurrentBuildPlan extends DelegateMutationPlan {

  private final PTable index;
  private final TableRef table;
  private final PhoenixConnection connection;
  private final long waitMillis;

  private boolean isExecutedAgain;

  private ConcurrentBuildPlan(
      MutationPlan plan,
      PTable index,
      TableRef table,
      PhoenixConnection connection,
      long waitMillis) {
    super(plan);
    this.index = index;
    this.table = table;
    this.connection = connection;
    this.waitMillis = waitMillis;
    this.isExecutedAgain = waitMillis > 0;
  }

  /**
   * Returns a plan that executes {@code plan} after Phoenix has waited.
   *
   * @param table the table or view of the index
   */
  public static MutationPlan of(
      MutationPlan plan, PTable index, TableRef table, PhoenixConnection connection) {
    long waitMillis =
        connection
            .getQueryServices()
            .getProps()
            .getLong(
                QueryServices.INDEX_POPULATION_SLEEP_TIME,
                QueryServicesOptions.DEFAULT_INDEX_POPULATION_SLEEP_TIME);
    return new ConcurrentBuildPlan(plan, index, table, connection, waitMillis);
  }

  @Override
  public MutationState execute() throws SQLException {
    if (isExecutedAgain) {
      isExecutedAgain = false;
      return new MutationState(0, 0, connection);
    }
    long start = EnvironmentEdgeManager.currentTimeMillis();
    MutationState built = execute(table.getLowerBoundTimeStamp());
    long millis = EnvironmentEdgeManager.currentTimeMillis() - start;
    if (waitMillis > 0 && millis > waitMillis) {
      // Scans again, as Phoenix does, for commits that took longer than the wait. Their rows may
      // have an earlier time of the client.
      built.join(execute(Math.max(0, index.getTimeStamp() - millis)));
    }
    return built;
  }

  /** Executes the plan for all rows with a cell of the time {@code begin} or later. */
  private MutationState execute(long begin) throws SQLException {
    try {
      getContext().getScan().setTimeRange(begin, HConstants.LATEST_TIMESTAMP);
    } catch (IOException e) {
      throw new SQLException(e);
    }
    return super.execute();
  }
}

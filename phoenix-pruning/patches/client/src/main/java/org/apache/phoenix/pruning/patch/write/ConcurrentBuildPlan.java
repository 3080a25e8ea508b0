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
import org.apache.phoenix.schema.TableRef;

/**
 * Plan that builds a local index with the latest rows of its table.
 *
 * <p>Phoenix executes a plan for a build, waits for {@value
 * QueryServices#INDEX_POPULATION_SLEEP_TIME} milliseconds, and executes it again. This plan writes
 * no row the first time. Statements that began before the index was created have then ended when it
 * reads the table. No index row of an old value can stay, because there are none before.
 */
public final class ConcurrentBuildPlan extends DelegateMutationPlan {

  private final PhoenixConnection connection;
  private final TableRef table;

  private boolean isExecutedAgain;

  private ConcurrentBuildPlan(
      MutationPlan plan, PhoenixConnection connection, TableRef table, boolean isExecutedAgain) {
    super(plan);
    this.connection = connection;
    this.table = table;
    this.isExecutedAgain = isExecutedAgain;
  }

  /**
   * Returns a plan that executes {@code plan} once.
   *
   * @param table the table or view of the index
   */
  public static MutationPlan of(MutationPlan plan, PhoenixConnection connection, TableRef table) {
    long wait =
        connection
            .getQueryServices()
            .getProps()
            .getLong(
                QueryServices.INDEX_POPULATION_SLEEP_TIME,
                QueryServicesOptions.DEFAULT_INDEX_POPULATION_SLEEP_TIME);
    return new ConcurrentBuildPlan(plan, connection, table, wait > 0);
  }

  @Override
  public MutationState execute() throws SQLException {
    if (isExecutedAgain) {
      isExecutedAgain = false;
      return new MutationState(0, 0, connection);
    }
    try {
      getContext()
          .getScan()
          .setTimeRange(table.getLowerBoundTimeStamp(), HConstants.LATEST_TIMESTAMP);
    } catch (IOException e) {
      throw new SQLException(e);
    }
    return super.execute();
  }
}

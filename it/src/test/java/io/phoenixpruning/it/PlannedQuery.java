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
package io.phoenixpruning.it;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.jdbc.PhoenixResultSet;
import org.apache.phoenix.pruning.config.PruningMode;

/** A query whose scans are planned, but have not run yet. Tests make changes in between. */
final class PlannedQuery implements AutoCloseable {

  private final Connection connection;
  private final String sql;
  private final QueryPlan plan;
  private final ResultIterator iterator;

  PlannedQuery(PruningMode mode, String sql) throws SQLException {
    this(sql, ClusterTest.connect(mode));
  }

  PlannedQuery(Map<String, String> options, String sql) throws SQLException {
    this(sql, ClusterTest.connect(options));
  }

  private PlannedQuery(String sql, Connection connection) throws SQLException {
    this.sql = sql;
    this.connection = connection;
    this.plan =
        connection.prepareStatement(sql).unwrap(PhoenixPreparedStatement.class).optimizeQuery();
    this.iterator = plan.iterator();
  }

  /** Returns the number of planned scans. */
  int scans() {
    return plan.getScans().stream().mapToInt(List::size).sum();
  }

  /** Runs the scans and returns the rows, sorted unless the query orders them. */
  List<List<Object>> rows() throws SQLException {
    try (ResultSet result =
        new PhoenixResultSet(iterator, plan.getProjector(), plan.getContext())) {
      return ClusterTest.rows(result, sql.contains("ORDER BY"));
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

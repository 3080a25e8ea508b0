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
package org.apache.phoenix.pruning.prune;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.phoenix.compile.ExplainPlanAttributes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.protocol.PlannedRegion;

/** Plans statements without a cluster. The driver takes the regions from SPLIT ON. */
public final class Connectionless implements AutoCloseable {

  static {
    // DriverManager searches for drivers only once in a JVM, with the class loader of that moment.
    // StockPlansTest may have called it first, with a class loader of its own.
    try {
      Class.forName("org.apache.phoenix.jdbc.PhoenixDriver");
    } catch (ClassNotFoundException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Connection connection;

  public Connectionless(String... options) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("phoenix.index.population.wait.time", "0");
    properties.setProperty("phoenix.stats.enabled", "false");
    for (int i = 0; i < options.length; i += 2) {
      properties.setProperty(options[i], options[i + 1]);
    }
    connection = DriverManager.getConnection("jdbc:phoenix:none", properties);
  }

  public Connection connection() {
    return connection;
  }

  public void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * Creates a table that is split at {@code boundaries}. A boundary is a row key or a prefix of a
   * row key.
   */
  public void createTable(String ddl, byte[]... boundaries) throws SQLException {
    StringBuilder sql = new StringBuilder(ddl);
    for (int i = 0; i < boundaries.length; i++) {
      sql.append(i == 0 ? " SPLIT ON (?" : ", ?");
    }
    sql.append(boundaries.length == 0 ? "" : ")");
    try (PreparedStatement statement = connection.prepareStatement(sql.toString())) {
      for (int i = 0; i < boundaries.length; i++) {
        statement.setBytes(i + 1, boundaries[i]);
      }
      statement.execute();
    }
  }

  public ExplainPlanAttributes explain(String sql, Object... binds) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < binds.length; i++) {
        statement.setObject(i + 1, binds[i]);
      }
      return statement
          .unwrap(PhoenixPreparedStatement.class)
          .optimizeQuery()
          .getExplainPlan()
          .getPlanStepsAsAttributes();
    }
  }

  /** Returns the regions that the scans of a query are planned for. */
  public List<PlannedRegion> plannedRegions(String sql, Object... binds) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < binds.length; i++) {
        statement.setObject(i + 1, binds[i]);
      }
      QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      plan.iterator();
      return plan.getScans().stream()
          .flatMap(Collection::stream)
          .map(PlannedRegion::of)
          .collect(Collectors.toList());
    }
  }

  /** Returns the name of the table or index that a query on one table reads. */
  public String scanned(String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return statement
          .unwrap(PhoenixPreparedStatement.class)
          .optimizeQuery()
          .getTableRef()
          .getTable()
          .getName()
          .getString();
    }
  }

  /** Returns the lines of EXPLAIN. */
  public List<String> steps(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("EXPLAIN " + sql)) {
      List<String> steps = new ArrayList<>();
      while (result.next()) {
        steps.add(result.getString(1));
      }
      return steps;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

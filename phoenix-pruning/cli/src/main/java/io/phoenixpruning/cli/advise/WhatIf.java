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
package io.phoenixpruning.cli.advise;

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.explain.Database;
import io.phoenixpruning.cli.explain.StatementPlanner;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.phoenix.pruning.explain.ScanEstimate;
import org.apache.phoenix.pruning.layout.SqlNames;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.SchemaUtil;

/** Plans statements with indexes that the tables do not have, in a database in this process. */
final class WhatIf {

  private final Database database;
  private final StatementPlanner planner;

  /** Indexes created by this object, which have no statistics. */
  private final Set<IndexDefinition> createdIndexes = new HashSet<>();

  /**
   * @param database database to plan in; must be a copy without rows if {@link #create} or {@link
   *     #drop} is called
   */
  WhatIf(Database database) {
    this.database = database;
    this.planner = new StatementPlanner(database);
  }

  /** Returns an estimate for each scan of a query. */
  List<ScanEstimate> plan(WorkloadQuery query) {
    try {
      return planner.plan(query.sql(), ScanEstimate::of, query.binds().toArray());
    } catch (RefusedException e) {
      throw new IllegalStateException(
          query.place()
              + ": the statement could be planned before, but not with other indexes: "
              + e.getMessage(),
          e);
    }
  }

  QueryCost cost(WorkloadQuery query) {
    return cost(plan(query));
  }

  QueryCost cost(List<ScanEstimate> scans) {
    return QueryCost.of(scans, this::rpcs);
  }

  private int rpcs(ScanEstimate scan) {
    return createdIndexes.stream().anyMatch(index -> index.isReadBy(scan.summary()))
        ? scan.scansWithStatistics()
        : scan.summary().clientScans();
  }

  void create(IndexDefinition index) throws SQLException {
    execute(index.create());
    createdIndexes.add(index);
  }

  void drop(IndexDefinition index) throws SQLException {
    execute(index.drop());
    createdIndexes.remove(index);
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = database.connection().createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * Returns the table {@code name}.
   *
   * @param name full name of the table, as Phoenix stores it
   */
  PTable table(String name) throws SQLException {
    return database.connection().getTable(name);
  }

  /** Returns the number of regions of a table. */
  int regions(PTable table) throws SQLException {
    return database
        .connection()
        .getQueryServices()
        .getAllTableRegions(table.getPhysicalName().getBytes())
        .size();
  }

  /** Returns the approximate number of bytes of a row of an index that currently exists. */
  double bytesPerRow(IndexDefinition index) throws SQLException {
    PTable table = table(SchemaUtil.normalizeFullTableName(index.table()));
    for (PTable candidate : table.getIndexes()) {
      if (SqlNames.plain(candidate.getTableName().getString()).equals(index.name())) {
        return SchemaUtil.estimateRowSize(candidate);
      }
    }
    throw new IllegalStateException("there is no " + index.name() + " on " + index.table());
  }
}

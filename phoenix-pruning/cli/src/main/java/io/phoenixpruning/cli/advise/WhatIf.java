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

import io.phoenixpruning.cli.RefusedException;
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

/** Plans statements as if a table had other indexes: in a database in this process. */
final class WhatIf {

  private final Database database;
  private final StatementPlanner planner;

  /** The indexes that were made here, of which there are no statistics. */
  private final Set<IndexDefinition> made = new HashSet<>();

  /**
   * @param database is changed; it has the tables and their regions, but no rows
   */
  WhatIf(Database database) {
    this.database = database;
    this.planner = new StatementPlanner(database);
  }

  /** What each scan of a query would read. */
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
    return made.stream().anyMatch(index -> index.isReadBy(scan.summary()))
        ? scan.scansWithStatistics()
        : scan.summary().clientScans();
  }

  void create(IndexDefinition index) throws SQLException {
    execute(index.create());
    made.add(index);
  }

  void drop(IndexDefinition index) throws SQLException {
    execute(index.drop());
    made.remove(index);
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = database.connection().createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * The table of that name.
   *
   * @param name the full one, as Phoenix keeps it
   */
  PTable table(String name) throws SQLException {
    return database.connection().getTable(name);
  }

  /** How many regions the table has. */
  int regions(PTable table) throws SQLException {
    return database
        .connection()
        .getQueryServices()
        .getAllTableRegions(table.getPhysicalName().getBytes())
        .size();
  }

  /** How many bytes a row of an index has that is there now, about. */
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

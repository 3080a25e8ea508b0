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
package io.phoenixpruning.it.fuzz;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.protocol.PlannedRegion;

/**
 * A random table without rows and without a cluster. Statements can only be planned. The table has
 * several layouts, which are lists of boundaries, one at a time.
 */
final class ConnectionlessTable extends QueriedTable implements AutoCloseable {

  private final ClusterlessServices services;
  private final List<RandomTable> layouts = new ArrayList<>();
  private RandomTable table;

  /**
   * Creates the table with boundaries that {@code generator} chooses.
   *
   * @param count number of layouts
   */
  ConnectionlessTable(
      ClusterlessServices services,
      String prefix,
      RandomTable wanted,
      TableGenerator generator,
      int count)
      throws SQLException {
    super(prefix);
    this.services = services;
    createTables(wanted, wanted.createTable());
    List<byte[]> rowKeys = rowKeys(wanted);
    layouts.add(wanted.withSplits(generator.splits(wanted, rowKeys)));
    TableGenerator others = new TableGenerator(new Random(prefix.hashCode()));
    while (layouts.size() < count) {
      layouts.add(wanted.withSplits(others.splits(wanted, rowKeys)));
    }
    use(0);
  }

  /** Changes the regions of the table to those of a layout. */
  void use(int layout) {
    table = layouts.get(layout);
    services.setRegions(name("$T"), table.splits());
  }

  @Override
  RandomTable table() {
    return table;
  }

  @Override
  Connection connection(PruningMode mode, boolean ofTenant) throws SQLException {
    return services.connections().get(new Connections.Key(mode, ofTenant));
  }

  /** Prepares a query in mode exact. */
  PreparedStatement prepare(RandomQuery query) throws SQLException {
    return prepare(PruningMode.EXACT, query, query.hinted());
  }

  /** Compiles a prepared query, and chooses a plan. */
  static QueryPlan plan(PreparedStatement statement) throws SQLException {
    return statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
  }

  /**
   * Returns the regions of the current layout that are planned, or null if the plan does not use a
   * local index.
   */
  static List<PlannedRegion> iterate(QueryPlan plan) throws SQLException {
    ResultIterator iterator = plan.iterator();
    try {
      return plannedRegions(plan);
    } finally {
      iterator.close();
    }
  }

  @Override
  List<RegionInfo> regions() throws SQLException {
    List<RegionInfo> regions = new ArrayList<>();
    for (HRegionLocation location :
        services.getAllTableRegions(Bytes.toBytes(name("$T")), Integer.MAX_VALUE)) {
      regions.add(location.getRegion());
    }
    return regions;
  }

  /** Drops the tables. */
  @Override
  public void close() throws SQLException {
    execute(
        connection(PruningMode.EXACT, false), List.of("DROP TABLE $T CASCADE", "DROP TABLE $D"));
  }
}

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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.query.QueryServices;

/** A random table without rows and without a cluster. Statements can only be planned. */
final class ConnectionlessTable extends PlannedTable implements AutoCloseable {

  private final RandomTable table;
  private final Connections connections;

  /** Creates the table with boundaries that {@code generator} chooses. */
  ConnectionlessTable(
      Connections connections, String prefix, RandomTable wanted, TableGenerator generator)
      throws SQLException {
    super(prefix);
    this.connections = connections;
    Connection exact = connection(PruningMode.EXACT, false);
    execute(exact, List.of(wanted.createTable()));
    this.table = wanted.withSplits(generator.splits(wanted, rowKeys(wanted)));
    execute(exact, List.of("DROP TABLE $T"));
    boolean pads = wanted.saltBuckets() == 0 && !table.splits().isEmpty();
    createTables(wanted, wanted.createTable() + (pads ? splitOn() : ""));
  }

  /**
   * Returns connections to a catalog in memory, which one thread can use.
   *
   * @param catalog name of the catalog, as a user: connections of one user share a catalog
   */
  static Connections connections(String catalog) {
    return new Connections(
        "jdbc:phoenix:none:" + catalog,
        Map.of(
            QueryServices.INDEX_POPULATION_SLEEP_TIME,
            "0",
            QueryServices.STATS_COLLECTION_ENABLED,
            "false"));
  }

  /**
   * Returns the regions that are planned for the query in mode exact, or null if the plan does not
   * use a local index.
   */
  List<PlannedRegion> plannedRegions(RandomQuery query) throws SQLException {
    try (PreparedStatement statement = prepare(PruningMode.EXACT, query, query.hinted())) {
      QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      ResultIterator iterator = plan.iterator();
      try {
        return plannedRegions(plan);
      } finally {
        iterator.close();
      }
    }
  }

  private String splitOn() {
    List<String> splits = new ArrayList<>();
    table.splits().forEach(split -> splits.add("X'" + split.toString(16) + "'"));
    return " SPLIT ON (" + String.join(", ", splits) + ")";
  }

  @Override
  RandomTable table() {
    return table;
  }

  @Override
  Connection connection(PruningMode mode, boolean ofTenant) throws SQLException {
    return connections.get(new Connections.Key(mode, ofTenant, false));
  }

  @Override
  List<RegionInfo> regions() throws SQLException {
    List<RegionInfo> regions = new ArrayList<>();
    for (HRegionLocation location :
        connection(PruningMode.EXACT, false)
            .unwrap(PhoenixConnection.class)
            .getQueryServices()
            .getAllTableRegions(Bytes.toBytes(name("$T")), Integer.MAX_VALUE)) {
      regions.add(location.getRegion());
    }
    Collections.sort(regions, RegionInfo.COMPARATOR);
    return regions;
  }

  /** Drops the tables. */
  @Override
  public void close() throws SQLException {
    execute(
        connection(PruningMode.EXACT, false), List.of("DROP TABLE $T CASCADE", "DROP TABLE $D"));
  }
}

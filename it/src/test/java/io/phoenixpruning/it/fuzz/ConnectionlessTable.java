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
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.util.PhoenixRuntime;

/** A random table without rows and without a cluster. Statements can only be planned. */
final class ConnectionlessTable extends PlannedTable implements AutoCloseable {

  private static final String URL = "jdbc:phoenix:none";

  private final RandomTable table;
  private final Map<String, Connection> connections = new HashMap<>();

  /** Creates the table with boundaries that {@code generator} chooses. */
  ConnectionlessTable(String prefix, RandomTable wanted, TableGenerator generator)
      throws SQLException {
    super(prefix);
    createTables(wanted, wanted.createTable());
    this.table = wanted.withSplits(generator.splits(wanted, rowKeys(wanted)));
    if (wanted.saltBuckets() == 0 && !table.splits().isEmpty()) {
      drop();
      createTables(wanted, wanted.createTable() + splitOn());
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
    String key = mode + " " + ofTenant;
    Connection connection = connections.get(key);
    if (connection == null) {
      Properties properties = new Properties();
      properties.setProperty(PruningOptions.MODE, mode.name().toLowerCase(Locale.ROOT));
      properties.setProperty(QueryServices.INDEX_POPULATION_SLEEP_TIME, "0");
      properties.setProperty(QueryServices.STATS_COLLECTION_ENABLED, "false");
      if (ofTenant) {
        properties.setProperty(PhoenixRuntime.TENANT_ID_ATTRIB, RandomTable.TENANT);
      }
      connection = DriverManager.getConnection(URL, properties);
      connections.put(key, connection);
    }
    return connection;
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

  private void drop() throws SQLException {
    execute(
        connection(PruningMode.EXACT, false), List.of("DROP TABLE $T CASCADE", "DROP TABLE $D"));
  }

  @Override
  public void close() throws SQLException {
    drop();
    for (Connection connection : connections.values()) {
      connection.close();
    }
  }
}

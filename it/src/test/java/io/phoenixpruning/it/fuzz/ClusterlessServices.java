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

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.ConnectionInfo;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.query.ConnectionlessQueryServicesImpl;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.util.ReadOnlyProps;

/**
 * Phoenix without a cluster, for one thread. Tables have the regions that a test gives them. SPLIT
 * ON would pad their boundaries, and would need a new table for other regions.
 */
final class ClusterlessServices extends ConnectionlessQueryServicesImpl implements AutoCloseable {

  private static final String URL = "jdbc:phoenix:none";
  private static final ServerName SERVER = ServerName.valueOf("localhost", 16020, 1);

  private final Map<String, List<HRegionLocation>> regions = new HashMap<>();

  private final Connections connections =
      new Connections(
          properties -> connect(URL, properties),
          Map.of(
              QueryServices.INDEX_POPULATION_SLEEP_TIME,
              "0",
              QueryServices.STATS_COLLECTION_ENABLED,
              "false"));

  private ClusterlessServices(QueryServices client) throws SQLException {
    super(
        client,
        ConnectionInfo.createNoLogin(URL, ReadOnlyProps.EMPTY_PROPS, new Properties()),
        new Properties());
    init(URL, new Properties());
  }

  /** Creates a catalog without tables. */
  static ClusterlessServices create() {
    try {
      PhoenixConnection client = DriverManager.getConnection(URL).unwrap(PhoenixConnection.class);
      return new ClusterlessServices(client.getQueryServices());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  Connections connections() {
    return connections;
  }

  /** Replaces the regions of an HBase table. */
  void setRegions(String table, List<ByteString> splits) {
    List<HRegionLocation> locations = new ArrayList<>();
    byte[] start = {};
    for (ByteString split : splits) {
      locations.add(region(table, start, split.getBytes()));
      start = split.getBytes();
    }
    locations.add(region(table, start, new byte[0]));
    regions.put(table, locations);
  }

  private static HRegionLocation region(String table, byte[] start, byte[] end) {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf(table))
            .setStartKey(start)
            .setEndKey(end)
            .build();
    return new HRegionLocation(region, SERVER);
  }

  @Override
  public List<HRegionLocation> getTableRegions(
      byte[] table, byte[] startKey, byte[] endKey, int timeout) throws SQLException {
    List<HRegionLocation> ofTable = regions.get(Bytes.toString(table));
    return ofTable == null ? super.getTableRegions(table, startKey, endKey, timeout) : ofTable;
  }

  /** Closes the connections. Threads and settings belong to all catalogs. */
  @Override
  public void close() throws SQLException {
    connections.close();
  }
}

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
package io.phoenixpruning.cli.explain;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.phoenix.jdbc.ConnectionInfo;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.query.ConnectionlessQueryServicesImpl;
import org.apache.phoenix.query.DelegateQueryServices;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.schema.stats.GuidePostsInfo;
import org.apache.phoenix.schema.stats.GuidePostsKey;
import org.apache.phoenix.util.PhoenixRuntime;
import org.apache.phoenix.util.ReadOnlyProps;

/**
 * Phoenix without a cluster. It has tables, indexes, regions and statistics, but no rows. It can
 * plan statements and run DDL.
 *
 * <p>The driver keeps one schema for all connections to {@code jdbc:phoenix:none} of a process.
 * Each instance of this class has its own schema, which disappears with the instance.
 */
public final class ClusterlessPhoenix implements AutoCloseable {

  private static final String URL =
      PhoenixRuntime.JDBC_PROTOCOL
          + PhoenixRuntime.JDBC_PROTOCOL_SEPARATOR
          + PhoenixRuntime.CONNECTIONLESS;

  /** URL with the registry of ZooKeeper. Without a cluster, any kind of registry works. */
  private static final String REGISTRY_URL =
      PhoenixRuntime.JDBC_PROTOCOL_ZK
          + PhoenixRuntime.JDBC_PROTOCOL_SEPARATOR
          + PhoenixRuntime.CONNECTIONLESS;

  private static final Map<String, String> SETTINGS =
      Map.of(
          // No need to wait for rows when an index is created, and no statistics to collect.
          QueryServices.INDEX_POPULATION_SLEEP_TIME,
          "0",
          QueryServices.STATS_COLLECTION_ENABLED,
          "false",
          // Without a cluster, an entry that these caches evict could not be read again.
          QueryServices.MAX_CLIENT_METADATA_CACHE_SIZE_ATTRIB,
          Long.toString(Long.MAX_VALUE),
          QueryServices.STATS_MAX_CACHE_SIZE,
          Long.toString(Long.MAX_VALUE));

  /** Uses the threads and settings of another client, except for {@link #SETTINGS}. */
  private static final class LocalServices extends DelegateQueryServices {

    private final ReadOnlyProps settings;

    LocalServices(QueryServices others) {
      super(others);
      this.settings = new ReadOnlyProps(others.getProps(), SETTINGS.entrySet().iterator());
    }

    @Override
    public ReadOnlyProps getProps() {
      return settings;
    }

    /** Does nothing, because the client may still use its services. */
    @Override
    public void close() {}
  }

  private final ConnectionlessQueryServicesImpl services;
  private final PhoenixConnection connection;

  private ClusterlessPhoenix(
      ConnectionlessQueryServicesImpl services, PhoenixConnection connection) {
    this.services = services;
    this.connection = connection;
  }

  /**
   * Creates a Phoenix without tables.
   *
   * @param client client whose settings and threads are used; must stay open as long as the new
   *     instance
   */
  public static ClusterlessPhoenix create(QueryServices client) throws SQLException {
    Properties properties = new Properties();
    ConnectionlessQueryServicesImpl services =
        new ConnectionlessQueryServicesImpl(
            new LocalServices(client),
            ConnectionInfo.createNoLogin(REGISTRY_URL, ReadOnlyProps.EMPTY_PROPS, properties),
            properties);
    services.init(URL, properties);
    return new ClusterlessPhoenix(services, services.connect(URL, properties));
  }

  /**
   * Returns the only connection. No other connection sees its tables, including tables that are
   * added or defined later.
   */
  public PhoenixConnection connection() {
    return connection;
  }

  /** Adds a table with its indexes. Call {@link #setRegions} to set their regions. */
  public void addTable(PTable table) throws SQLException {
    connection.addTable(table, table.getTimeStamp());
  }

  /**
   * Sets the regions of an HBase table.
   *
   * @param physicalName name of the table in HBase, with its namespace
   * @param boundaries the start keys of all regions but the first one, in key order
   */
  public void setRegions(byte[] physicalName, List<byte[]> boundaries) throws SQLException {
    services.createTable(
        List.of(),
        physicalName,
        PTableType.TABLE,
        Map.of(),
        List.of(),
        boundaries.toArray(byte[][]::new),
        false,
        false,
        false,
        null);
  }

  /** Sets the statistics of one column family of an HBase table. */
  public void setStatistics(GuidePostsKey family, GuidePostsInfo guideposts) {
    services.addTableStats(family, guideposts);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

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
 * Phoenix without a cluster: tables, indexes, regions and statistics, but no rows. Plans statements
 * and runs definitions.
 *
 * <p>The driver keeps one schema for all connections to {@code jdbc:phoenix:none} of a process.
 * Each instance of this class has one of its own, which is gone with it.
 */
public final class ClusterlessPhoenix implements AutoCloseable {

  private static final String URL =
      PhoenixRuntime.JDBC_PROTOCOL
          + PhoenixRuntime.JDBC_PROTOCOL_SEPARATOR
          + PhoenixRuntime.CONNECTIONLESS;

  /** Which registry a cluster has does not matter here. */
  private static final String REGISTRY_URL =
      PhoenixRuntime.JDBC_PROTOCOL_ZK
          + PhoenixRuntime.JDBC_PROTOCOL_SEPARATOR
          + PhoenixRuntime.CONNECTIONLESS;

  private static final Map<String, String> SETTINGS =
      Map.of(
          // There are no rows to wait for when an index is made, and no statistics to collect.
          QueryServices.INDEX_POPULATION_SLEEP_TIME,
          "0",
          QueryServices.STATS_COLLECTION_ENABLED,
          "false",
          // What these caches let go could not be read again.
          QueryServices.MAX_CLIENT_METADATA_CACHE_SIZE_ATTRIB,
          Long.toString(Long.MAX_VALUE),
          QueryServices.STATS_MAX_CACHE_SIZE,
          Long.toString(Long.MAX_VALUE));

  /** The threads and settings of others, with the settings that are needed here. */
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

    /** The others may still be used. */
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
   * One without tables.
   *
   * @param client whose settings and threads are used; it has to live as long
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
   * The only connection; its tables, with what is added and defined on it, are seen by no other.
   */
  public PhoenixConnection connection() {
    return connection;
  }

  /** Adds a table with its indexes. They have no regions before {@link #setRegions} says them. */
  public void addTable(PTable table) throws SQLException {
    connection.addTable(table, table.getTimeStamp());
  }

  /**
   * Says of which regions an HBase table is made.
   *
   * @param physicalName as HBase has it, with its namespace
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

  /** Says what is known of the rows of one family of an HBase table. */
  public void setStatistics(GuidePostsKey family, GuidePostsInfo guideposts) {
    services.addTableStats(family, guideposts);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

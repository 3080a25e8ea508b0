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

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.commons.lang3.reflect.MethodUtils;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.coprocessorclient.MetaDataProtocol.MetaDataMutationResult;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.jdbc.PhoenixResultSet;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.DelegateConnectionQueryServices;
import org.apache.phoenix.schema.PName;
import org.apache.phoenix.schema.types.PInteger;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Tests which metadata and region locations the client looks up, and which it removes from its
 * cache.
 */
public class LocationsIT extends ClusterTest {

  private static final TableName TABLE = TableName.valueOf("PLACES");
  private static final int REGIONS = 130;

  @BeforeClass
  public static void createTable() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          "CREATE TABLE PLACES (K INTEGER PRIMARY KEY, V INTEGER, X VARCHAR) SPLIT ON ("
              + splits(REGIONS, 10)
              + ")",
          "CREATE LOCAL INDEX PLACES_V ON PLACES (V)");
      for (int k = 0; k < 10 * REGIONS; k += 10) {
        execute(connection, "UPSERT INTO PLACES VALUES (" + k + ", 1, NULL)");
      }
      connection.commit();
    }
  }

  private static String query(int regions) {
    return "SELECT /*+ INDEX(PLACES PLACES_V) */ K FROM PLACES WHERE V = 1 AND K < " + 10 * regions;
  }

  private static ConnectionQueryServices services(Connection connection) throws SQLException {
    return connection.unwrap(PhoenixConnection.class).getQueryServices();
  }

  private static Object hbase(Connection connection) throws Exception {
    ConnectionQueryServices services = services(connection);
    while (services instanceof DelegateConnectionQueryServices wrapper) {
      services = wrapper.getDelegate();
    }
    return FieldUtils.readField(services, "connection", true);
  }

  /** Returns the number of locations of the table that the client has cached. */
  private static int cachedLocations(Connection connection) throws Exception {
    return (Integer)
        MethodUtils.invokeMethod(
            hbase(connection), true, "getNumberOfCachedRegionLocations", TABLE);
  }

  private static void assertCachedLocations(Connection connection, int locations, int planned)
      throws Exception {
    assertThat(rows(connection, query(planned))).as(query(planned)).hasSize(planned);
    assertThat(cachedLocations(connection)).as(query(planned)).isEqualTo(locations);
  }

  @Test
  public void looksUpAFewPlannedRegionsAndReadsManyAtOnce() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      for (int i = 0; i < 2; i++) {
        services(connection).clearTableRegionCache(TABLE);
        assertCachedLocations(connection, 1, 1);
        assertCachedLocations(connection, 10, 10);
        assertCachedLocations(connection, 100, 100);
        assertCachedLocations(connection, regions("PLACES").size(), 101);
      }
    }
  }

  /** Returns how often an execution of a compiled query reads a table from SYSTEM.CATALOG. */
  private static int tablesAskedFor(PruningMode mode, String sql) throws SQLException {
    try (Connection connection = connect(mode)) {
      AtomicInteger asked = new AtomicInteger();
      ConnectionQueryServices counting =
          new DelegateConnectionQueryServices(services(connection)) {
            @Override
            public MetaDataMutationResult getTable(
                PName tenant, byte[] schema, byte[] table, long tableTime, long clientTime)
                throws SQLException {
              asked.incrementAndGet();
              return super.getTable(tenant, schema, table, tableTime, clientTime);
            }
          };
      PhoenixConnection counted =
          new PhoenixConnection(
              connection.unwrap(PhoenixConnection.class), counting, connection.getClientInfo());
      try (PreparedStatement statement = counted.prepareStatement(sql)) {
        QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
        assertThat(asked).as("compiling").hasPositiveValue();
        asked.set(0);
        try (ResultSet result =
            new PhoenixResultSet(plan.iterator(), plan.getProjector(), plan.getContext())) {
          assertThat(rows(result, false)).isEqualTo(List.of(List.of("x")));
        }
        return asked.get();
      }
    }
  }

  @Test
  public void doesNotAskForTheTableWhoseRowsAreLookedUp() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(connection, "UPSERT INTO PLACES (K, X) VALUES (25, 'x')");
      execute(connection, "UPSERT INTO PLACES (K, V) VALUES (25, 7)");
      connection.commit();
    }
    String sql = "SELECT /*+ INDEX(PLACES PLACES_V) */ X FROM PLACES WHERE V = 7";
    assertThat(tablesAskedFor(PruningMode.STOCK, sql)).isEqualTo(1);
    assertThat(tablesAskedFor(PruningMode.EXACT, sql)).isZero();
  }

  @Test
  public void forgetsOnlyTheRegionThatHasChanged() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      List<List<Object>> right = rows(connection, query(REGIONS));
      assertThat(cachedLocations(connection)).isEqualTo(regions("PLACES").size());
      RegionInfo last = regions("PLACES").get(REGIONS - 1);
      split(last, PInteger.INSTANCE.toBytes(10 * REGIONS - 3));
      assertThat(rows(connection, query(REGIONS))).isEqualTo(right);
      assertThat(cachedLocations(connection)).isEqualTo(regions("PLACES").size());
    }
  }
}

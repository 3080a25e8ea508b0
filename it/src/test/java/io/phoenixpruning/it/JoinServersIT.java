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
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.phoenix.cache.GlobalCache;
import org.apache.phoenix.cache.ServerCacheClient.ServerCache;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.config.PruningMode;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Tests which servers receive the keys of a hash join's build side. */
public class JoinServersIT extends ClusterTest {

  private static final int REGIONS = JoinsIT.REGIONS + 2;

  private static List<RegionInfo> regions;
  private static ServerName first;
  private static ServerName second;

  @BeforeClass
  public static void startCluster() throws Exception {
    if (clusterInitialized) {
      tearDownMiniCluster(0);
    }
    startCluster(Map.of(REGION_SERVERS, "2"), Map.of());
    getUtility().getAdmin().balancerSwitch(false, true);
    JoinsIT.createTables();
    regions = regions("T");
    MiniHBaseCluster cluster = getUtility().getHBaseCluster();
    first = cluster.getRegionServer(0).getServerName();
    second = cluster.getRegionServer(1).getServerName();
    for (int i = 0; i < REGIONS; i++) {
      move(regions.get(i), i < REGIONS / 2 ? first : second);
    }
  }

  @AfterClass
  public static void dropTables() {
    tearDownMiniCluster(0);
  }

  private static void move(RegionInfo region, ServerName server) throws Exception {
    getUtility().getAdmin().move(region.getEncodedNameAsBytes(), server);
    getUtility().waitUntilNoRegionsInTransition(60_000);
    getUtility().assertRegionOnServer(region, server, 60_000);
  }

  private static String join(String condition) {
    return """
        SELECT /*+ INDEX(T T_V2) */ T.PK1, T.PK2, D.G FROM T JOIN D ON T.PK1 = D.K
          WHERE T.V2 = 1 AND %s"""
        .formatted(condition);
  }

  private static void forgetRegions(Connection connection) throws SQLException {
    connection
        .unwrap(PhoenixConnection.class)
        .getQueryServices()
        .clearTableRegionCache(TableName.valueOf("T"));
  }

  @Test
  public void sendsKeysToTheServersOfPlannedRegions() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT);
        Connection stock = connect(PruningMode.STOCK)) {
      forgetRegions(connection);
      assertThat(serversWithKeys(connection, join("D.K = 1"))).containsExactly(first);
      assertThat(serversWithKeys(connection, join("D.K = 76"))).containsExactly(second);
      assertThat(serversWithKeys(stock, join("D.K = 76"))).containsExactlyInAnyOrder(first, second);
      assertThat(serversWithKeys(connection, join("D.K IN (1, 76)")))
          .containsExactlyInAnyOrder(first, second);
      assertThat(serversWithKeys(connection, join("D.G = 7"))).isEmpty();
    }
  }

  @Test
  public void sendsKeysAgainWhereARegionMovesToMeanwhile() throws Exception {
    RegionInfo last = regions.get(REGIONS - 5);
    try (Connection connection = connect(PruningMode.EXACT);
        Connection stock = connect(PruningMode.STOCK)) {
      List<List<Object>> right = rows(stock, join("D.K = 76"));
      forgetRegions(connection);
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery(join("D.K = 76"))) {
        move(last, first);
        // Both servers share the cache of their JVM. The cache is cleared, because the other server
        // would not have the keys.
        GlobalCache.getInstance(null).removeAllServerCache();
        assertThat(rows(result, false)).isEqualTo(right).hasSize(9);
      }
    } finally {
      move(last, second);
    }
  }

  /**
   * Returns the servers to which an execution of a hash join has sent the keys of its build side.
   */
  private static Set<ServerName> serversWithKeys(Connection connection, String join)
      throws Exception {
    try (PreparedStatement statement = connection.prepareStatement(join)) {
      QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      plan.iterator();
      Set<ServerName> servers = new HashSet<>();
      for (Object cache : ((Map<?, ?>) FieldUtils.readField(plan, "dependencies", true)).values()) {
        for (Object location :
            ((Map<?, ?>) FieldUtils.readField(cache, "servers", true)).keySet()) {
          servers.add(((HRegionLocation) location).getServerName());
        }
        ((ServerCache) cache).close();
      }
      return servers;
    }
  }
}

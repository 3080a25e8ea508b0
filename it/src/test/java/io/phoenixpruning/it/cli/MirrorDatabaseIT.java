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
package io.phoenixpruning.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.cli.advise.MirrorDatabase;
import io.phoenixpruning.cli.console.RegionLookup;
import io.phoenixpruning.cli.explain.Warning;
import io.phoenixpruning.it.ClusterTest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.explain.PlanSummary;
import org.apache.phoenix.pruning.explain.ScanSummary;
import org.apache.phoenix.schema.PTable;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/** Checks that a copy of tables plans statements like the cluster from which it was copied. */
public class MirrorDatabaseIT extends ClusterTest {

  private static final List<String> TABLES =
      List.of("MIRRORED", "MIRRORED_SALTED", "MIRRORED_DESC", "MIRRORED_NAMES", "mirror.t");

  private static final List<String> QUERIES =
      List.of(
          "SELECT * FROM MIRRORED",
          "SELECT * FROM MIRRORED WHERE K1 = 25 AND K2 = 3",
          "SELECT * FROM MIRRORED WHERE K1 BETWEEN 30 AND 55",
          "SELECT K1 FROM MIRRORED WHERE V = 5",
          "SELECT K1 FROM MIRRORED WHERE V = 5 AND K1 = 25",
          "SELECT K1 FROM MIRRORED WHERE V = 5 AND K1 IN (25, 105, 205)",
          "SELECT W FROM MIRRORED WHERE V < 7 AND K1 > 190",
          "SELECT count(*) FROM MIRRORED WHERE W = 'w3' AND K1 = 105",
          "SELECT count(*) FROM MIRRORED WHERE W = 'w3' AND K1 < 35",
          "SELECT K2 FROM MIRRORED WHERE UPPER(A.S) = 'S4' AND K1 = 75",
          "SELECT X FROM MIRRORED WHERE G = 5",
          "SELECT X FROM MIRRORED WHERE G > 10 AND G < 12",
          "SELECT /*+ NO_INDEX */ K1 FROM MIRRORED WHERE V = 5 AND K1 > 100",
          "SELECT K1 FROM MIRRORED WHERE V = 5 ORDER BY K1 LIMIT 3",
          "SELECT M.K1 FROM MIRRORED M JOIN MIRRORED_SALTED S ON M.K1 = S.K1 WHERE M.V = 5",
          "SELECT K1 FROM MIRRORED_SALTED WHERE V = 5",
          "SELECT K1 FROM MIRRORED_SALTED WHERE V = 5 AND K1 = 25",
          "SELECT K1 FROM MIRRORED_SALTED WHERE V = 5 AND K1 = 25 AND K2 = 7",
          "SELECT K1 FROM MIRRORED_SALTED WHERE K1 = 25 AND K2 = 7",
          "SELECT K1 FROM MIRRORED_DESC WHERE V = 5 AND K1 = 25",
          "SELECT K1 FROM MIRRORED_DESC WHERE V = 5 AND K1 > 25",
          "SELECT K1 FROM MIRRORED_DESC WHERE K1 = 15 AND V > 4 ORDER BY V DESC",
          "SELECT NAME FROM MIRRORED_NAMES WHERE V = 5 AND NAME LIKE 'k1%'",
          "SELECT NAME FROM MIRRORED_NAMES WHERE V = 5 AND NAME = 'k35'",
          "SELECT NAME FROM MIRRORED_NAMES WHERE V = 5 AND NAME < 'k2'",
          "SELECT \"k\" FROM \"mirror\".\"t\" WHERE \"f\".\"v\" = 'v' AND TENANT = 'b'",
          "SELECT \"k\" FROM \"mirror\".\"t\" WHERE \"f\".\"v\" = 'v' AND \"k\" = 4");

  private PhoenixConnection cluster;
  private MirrorDatabase mirror;

  @BeforeClass
  public static void createTables() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          """
          CREATE TABLE MIRRORED (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, A.V INTEGER,
            A.S VARCHAR, B.W VARCHAR, B.G BIGINT, B.X VARCHAR
            CONSTRAINT PK PRIMARY KEY (K1, K2)) B.DATA_BLOCK_ENCODING = 'PREFIX' SPLIT ON (%s)"""
              .formatted(splits(22, 10)),
          "CREATE LOCAL INDEX MIRRORED_NATURAL ON MIRRORED (V) INCLUDE (W)",
          "CREATE LOCAL INDEX MIRRORED_REARRANGED ON MIRRORED (K1, W)",
          "CREATE LOCAL INDEX MIRRORED_UPPER ON MIRRORED (UPPER(A.S))",
          "CREATE INDEX MIRRORED_GLOBAL ON MIRRORED (G) INCLUDE (X) SPLIT ON (5, 10, 11)",
          """
          CREATE TABLE MIRRORED_SALTED (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (K1, K2)) SALT_BUCKETS = 6""",
          "CREATE LOCAL INDEX MIRRORED_OF_SALTED ON MIRRORED_SALTED (V)",
          """
          CREATE TABLE MIRRORED_DESC (K1 INTEGER NOT NULL, K2 VARCHAR NOT NULL,
            V DECIMAL(9, 2)
            CONSTRAINT PK PRIMARY KEY (K1 DESC, K2 DESC)) SPLIT ON (30, 20, 10)""",
          "CREATE LOCAL INDEX MIRRORED_OF_DESC ON MIRRORED_DESC (V DESC)",
          "CREATE LOCAL INDEX MIRRORED_OF_DESC_2 ON MIRRORED_DESC (K1 DESC, V)",
          """
          CREATE TABLE MIRRORED_NAMES (NAME VARCHAR NOT NULL, N INTEGER NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (NAME, N)) SPLIT ON ('k1', 'k2', 'k3')""",
          "CREATE LOCAL INDEX MIRRORED_OF_NAMES ON MIRRORED_NAMES (V)",
          """
          CREATE IMMUTABLE TABLE "mirror"."t" (TENANT VARCHAR NOT NULL, "k" SMALLINT NOT NULL,
            "f"."v" CHAR(3)
            CONSTRAINT PK PRIMARY KEY (TENANT, "k")) MULTI_TENANT = true,
            DEFAULT_COLUMN_FAMILY = 'd' SPLIT ON ('b', 'c')""",
          "CREATE LOCAL INDEX \"by_v\" ON \"mirror\".\"t\" (\"f\".\"v\")");
      load(connection);
      execute(connection, "UPDATE STATISTICS MIRRORED");
    }
    // Boundaries that SPLIT ON cannot create.
    split(regions("MIRRORED_NAMES").get(1), Bytes.toBytes("k15x"));
    List<RegionInfo> salted = regions("MIRRORED_SALTED");
    merge(salted.get(2), salted.get(3));
  }

  private static void load(Connection connection) throws SQLException {
    try (PreparedStatement upsert =
        connection.prepareStatement("UPSERT INTO MIRRORED VALUES (?, ?, ?, ?, ?, ?, ?)")) {
      for (int k1 = 5; k1 < 220; k1 += 10) {
        for (int k2 = 0; k2 < 20; k2++) {
          Object[] values = {k1, k2, k2 % 9, "s" + k2 % 7, "w" + k2 % 5, k2, "x".repeat(20)};
          for (int i = 0; i < values.length; i++) {
            upsert.setObject(i + 1, values[i]);
          }
          upsert.execute();
        }
      }
      connection.commit();
    }
  }

  @Before
  public void copy() throws SQLException {
    cluster = connect(PruningMode.EXACT).unwrap(PhoenixConnection.class);
    mirror = MirrorDatabase.of(cluster, TABLES);
  }

  @After
  public void close() throws SQLException {
    mirror.close();
    cluster.close();
  }

  /**
   * Returns the plan of each query, with its EXPLAIN, which shows the number of chunks between
   * guideposts.
   */
  private static Map<String, String> plans(PhoenixConnection connection) throws SQLException {
    Map<String, String> plans = new LinkedHashMap<>();
    for (String sql : QUERIES) {
      PlanSummary plan = PlanSummary.of(connection, sql);
      plans.put(sql, plan + "\n" + String.join("\n", plan.steps()));
    }
    return plans;
  }

  private static List<String> boundaries(PhoenixConnection connection, String table)
      throws SQLException {
    return RegionLookup.currentRegions(connection.getQueryServices(), Bytes.toBytes(table)).stream()
        .map(region -> Bytes.toStringBinary(region.getStartKey()))
        .toList();
  }

  @Test
  public void plansAreThoseOfTheCluster() throws SQLException {
    assertThat(plans(mirror.connection())).containsExactlyEntriesOf(plans(cluster));

    assertThat(QUERIES.stream().flatMap(sql -> scans(sql).stream()).map(ScanSummary::index))
        .flatExtracting(index -> index.stream().toList())
        .as("each index is read by some query")
        .contains(
            "MIRRORED_NATURAL",
            "MIRRORED_REARRANGED",
            "MIRRORED_UPPER",
            "MIRRORED_GLOBAL",
            "MIRRORED_OF_SALTED",
            "MIRRORED_OF_DESC",
            "MIRRORED_OF_DESC_2",
            "MIRRORED_OF_NAMES",
            "mirror.by_v");
  }

  private List<ScanSummary> scans(String sql) {
    try {
      return PlanSummary.of(mirror.connection(), sql).scans();
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  @Test
  public void regionsAreThoseOfNow() throws SQLException {
    for (String table :
        List.of("MIRRORED", "MIRRORED_GLOBAL", "MIRRORED_SALTED", "MIRRORED_DESC", "mirror.t")) {
      assertThat(boundaries(mirror.connection(), table))
          .as(table)
          .isEqualTo(boundaries(cluster, table));
    }
    assertThat(boundaries(mirror.connection(), "MIRRORED")).hasSize(22);
    assertThat(boundaries(mirror.connection(), "MIRRORED_SALTED")).hasSize(5);
    assertThat(boundaries(mirror.connection(), "MIRRORED_NAMES"))
        .hasSize(5)
        .contains("k15x")
        .isEqualTo(boundaries(cluster, "MIRRORED_NAMES"));
  }

  @Test
  public void anIndexIsTriedInTheCopyOnly() throws SQLException {
    execute(
        mirror.connection(),
        "CREATE LOCAL INDEX MIRRORED_TRIED ON MIRRORED (K1, G) INCLUDE (X)",
        "DROP INDEX MIRRORED_GLOBAL ON MIRRORED");

    assertThat(
            PlanSummary.of(mirror.connection(), "SELECT X FROM MIRRORED WHERE G = 5 AND K1 = 25"))
        .hasToString(
            "range scan of rearranged local index MIRRORED_TRIED of MIRRORED: 1 of 22 regions, 21"
                + " pruned by PRIMARY KEY");
    assertThat(cluster.getTableNoCache("MIRRORED").getIndexes())
        .extracting(index -> index.getName().getString())
        .containsExactlyInAnyOrder(
            "MIRRORED_NATURAL", "MIRRORED_REARRANGED", "MIRRORED_UPPER", "MIRRORED_GLOBAL");
    PTable tried = mirror.connection().getTable("MIRRORED_TRIED");
    assertThat(mirror.encoding(tried, "L#B")).isEqualTo(DataBlockEncoding.FAST_DIFF);
    assertThat(mirror.statisticsWarning(tried)).isEmpty();
  }

  @Test
  public void encodingsAndStatisticsAreThoseOfTheCluster() throws SQLException {
    PTable table = mirror.connection().getTable("MIRRORED");
    assertThat(mirror.encoding(table, "B")).isEqualTo(DataBlockEncoding.PREFIX);
    assertThat(mirror.encoding(table, "A")).isEqualTo(DataBlockEncoding.FAST_DIFF);
    assertThat(mirror.statisticsWarning(table)).isEmpty();
    assertThat(mirror.statisticsWarning(mirror.connection().getTable("MIRRORED_DESC")))
        .hasValueSatisfying(
            warning -> assertThat(warning.kind()).isEqualTo(Warning.Kind.STATISTICS_MISSING));
    assertThat(mirror.whereToDefine()).isEqualTo("on the cluster");
  }
}

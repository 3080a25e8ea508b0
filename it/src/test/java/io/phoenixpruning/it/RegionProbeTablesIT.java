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
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.PhoenixRuntime;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Tests which scans are sent after the server was probed, along indexes of tables of all kinds. */
public class RegionProbeTablesIT extends ClusterTest {

  private static final int ROWS = 200;

  /** Keys of the rows with the value 1000. All other rows have a value from 0 to 4. */
  private static final List<Integer> RARE = List.of(7, 55, 155);

  private static final String[] WHERE = {
    "V = 1001",
    "V = 1000 AND X > 50",
    "V IN (3, 1000)",
    "V > 3 AND K > 20",
    "V IN (1, 1000) ORDER BY V DESC, K DESC",
    "V IN (1, 1000) ORDER BY V, K LIMIT 5",
    "V > 2 AND X < 100 ORDER BY X DESC LIMIT 7 OFFSET 2"
  };

  private String table;
  private String index;
  private Connection connection;

  @Before
  public void connect() throws SQLException {
    table = generateUniqueName();
    index = "I_" + table;
    connection = connect(PruningMode.EXACT);
  }

  @After
  public void close() throws SQLException {
    connection.close();
  }

  private Probing probing() throws SQLException {
    return new Probing(table, "INDEX(" + table + " " + index + ")", Map.of());
  }

  /** Creates a table that is split at {@code boundaries}, which are row keys. */
  private void create(String columns, byte[]... boundaries) throws SQLException {
    StringBuilder sql = new StringBuilder("CREATE TABLE " + table + " (" + columns + " SPLIT ON (");
    for (int i = 0; i < boundaries.length; i++) {
      sql.append(i == 0 ? "?" : ", ?");
    }
    try (PreparedStatement create = connection.prepareStatement(sql.append(")").toString())) {
      for (int i = 0; i < boundaries.length; i++) {
        create.setBytes(i + 1, boundaries[i]);
      }
      create.execute();
    }
  }

  private static int value(int k) {
    return RARE.contains(k) ? 1_000 : k / 10 % 5;
  }

  /** Writes rows with an UPSERT whose parameters are the key, the value, and a number. */
  private void fill(String upsert) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(upsert)) {
      for (int k = 0; k < ROWS; k++) {
        statement.setInt(1, k);
        statement.setInt(2, value(k));
        statement.setInt(3, k);
        statement.execute();
      }
    }
    connection.commit();
  }

  private void fill() throws SQLException {
    fill("UPSERT INTO " + table + " (K, V, X) VALUES (?, ?, ?)");
  }

  private void assertFindsTheRows(Probing probing, String from) throws SQLException {
    Combinations combinations = Combinations.oneOf(3);
    for (String where : WHERE) {
      String of = " FROM " + from + " WHERE " + where;
      probing.assertFindsTheRowsOfTheTable(combinations, "SELECT K" + of, "SELECT K, V, X" + of);
      if (!where.contains("ORDER")) {
        probing.assertFindsTheRowsOfTheTable(
            combinations,
            "SELECT COUNT(*), MAX(X)" + of,
            "SELECT V, COUNT(*), MIN(X)" + of + " GROUP BY V");
      }
    }
  }

  @Test
  public void probesForASaltedTable() throws Exception {
    execute(
        connection,
        "CREATE TABLE "
            + table
            + " (K INTEGER PRIMARY KEY, V INTEGER, X INTEGER) SALT_BUCKETS = 12",
        "CREATE LOCAL INDEX " + index + " ON " + table + " (V)");
    fill();
    try (Probing probing = probing()) {
      probing.assertProbesInsteadOfScanning(12, "SELECT K FROM " + table + " WHERE V = 1000");
      assertFindsTheRows(probing, table);
    }
  }

  @Test
  public void probesForTenants() throws Exception {
    byte[][] boundaries = new byte[11][];
    for (int i = 0; i < boundaries.length; i++) {
      byte[] tenant = Bytes.toBytes("abc".substring((i + 1) / 4, (i + 1) / 4 + 1));
      boundaries[i] =
          ByteUtil.concat(tenant, new byte[1], PInteger.INSTANCE.toBytes((i + 1) % 4 * 50));
    }
    create(
        "T VARCHAR NOT NULL, K INTEGER NOT NULL, V INTEGER, X INTEGER"
            + " CONSTRAINT PK PRIMARY KEY (T, K)) MULTI_TENANT = true",
        boundaries);
    execute(connection, "CREATE LOCAL INDEX " + index + " ON " + table + " (V)");
    for (String tenant : List.of("a", "b", "c")) {
      fill("UPSERT INTO " + table + " (T, K, V, X) VALUES ('" + tenant + "', ?, ?, ?)");
    }
    try (Probing all = probing();
        Probing tenant =
            new Probing(
                table,
                "INDEX(" + table + " " + index + ")",
                Map.of(PhoenixRuntime.TENANT_ID_ATTRIB, "b"))) {
      // The fifth region is the one before. This region starts with another tenant, but could hold
      // a key of the queried tenant below 0.
      all.assertProbesInsteadOfScanning(
          5, "SELECT T, K FROM " + table + " WHERE T = 'c' AND V = 1000");
      tenant.assertProbesInsteadOfScanning(5, "SELECT K FROM " + table + " WHERE V = 1000");
      assertThat(rows(tenant.withRows(), "SELECT K FROM " + table + " WHERE V = 1000"))
          .hasSize(RARE.size());
      assertFindsTheRows(all, table);
      assertFindsTheRows(tenant, table);
    }
  }

  @Test
  public void probesForTheIndexOfAView() throws Exception {
    String view = "V_" + table;
    execute(
        connection,
        """
        CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, X INTEGER, G INTEGER)
          SPLIT ON (%s)"""
            .formatted(table, splits(20, 10)),
        "CREATE VIEW " + view + " AS SELECT * FROM " + table + " WHERE G = 1",
        "CREATE VIEW W_" + view + " AS SELECT * FROM " + table + " WHERE G = 2",
        "CREATE LOCAL INDEX " + index + " ON " + view + " (V)",
        "CREATE LOCAL INDEX W_" + index + " ON W_" + view + " (V) INCLUDE (X)");
    fill("UPSERT INTO " + view + " (K, V, X) VALUES (?, ?, ?)");
    execute(connection, "UPSERT INTO W_" + view + " (K, V, X) VALUES (101, 1000, 1)");
    connection.commit();
    try (Probing one = new Probing(table, "INDEX(" + view + " " + index + ")", Map.of());
        Probing two = new Probing(table, "INDEX(W_" + view + " W_" + index + ")", Map.of())) {
      one.assertProbesInsteadOfScanning(20, "SELECT K FROM " + view + " WHERE V = 1000");
      two.assertProbesInsteadOfScanning(20, "SELECT K, X FROM W_" + view + " WHERE V = 1000");
      assertFindsTheRows(one, view);
      assertFindsTheRows(two, "W_" + view);
    }
  }

  @Test
  public void probesForColumnsThatDescendOrAreNull() throws Exception {
    byte[][] boundaries = new byte[15][];
    for (int i = 0; i < boundaries.length; i++) {
      boundaries[i] = PInteger.INSTANCE.toBytes(150 - i * 10, SortOrder.DESC);
    }
    create(
        "K INTEGER NOT NULL, L VARCHAR, V INTEGER, X INTEGER, S VARCHAR"
            + " CONSTRAINT PK PRIMARY KEY (K DESC, L))",
        boundaries);
    execute(
        connection,
        "CREATE LOCAL INDEX " + index + " ON " + table + " (V DESC, S)",
        "CREATE LOCAL INDEX S_" + index + " ON " + table + " (S DESC)");
    fill();
    execute(
        connection,
        "UPSERT INTO " + table + " (K, L, V, S) VALUES (3, 'l', 1000, 'rare')",
        "UPSERT INTO " + table + " (K, L, S) VALUES (33, '', 'rare')",
        "UPSERT INTO " + table + " (K, L, X) VALUES (133, 'm', 5)",
        """
        UPSERT INTO %s (K, V, S) SELECT K, V, 'often' FROM %s WHERE V < 1000 AND K <> 133
          AND K <> 33"""
            .formatted(table, table));
    connection.commit();
    try (Probing byValue = probing();
        Probing byString = new Probing(table, "INDEX(" + table + " S_" + index + ")", Map.of())) {
      byValue.assertProbesInsteadOfScanning(16, "SELECT K, L FROM " + table + " WHERE V = 1000");
      byValue.assertProbesInsteadOfScanning(16, "SELECT K, L FROM " + table + " WHERE V IS NULL");
      byString.assertProbesInsteadOfScanning(16, "SELECT K, L FROM " + table + " WHERE S = 'rare'");
      assertFindsTheRows(byValue, table);
      byString.assertFindsTheRowsOfTheTable(
          "SELECT K, L, V FROM " + table + " WHERE S IS NULL",
          "SELECT K, S FROM " + table + " WHERE S >= 'p' OR S IS NULL ORDER BY S, K",
          "SELECT K, S FROM " + table + " WHERE S IN ('rare', 'o') ORDER BY S DESC, K DESC");
    }
  }

  @Test
  public void probesForARearrangedIndex() throws Exception {
    execute(
        connection,
        """
        CREATE TABLE %s (P INTEGER NOT NULL, K INTEGER NOT NULL, V INTEGER, X INTEGER
          CONSTRAINT PK PRIMARY KEY (P, K)) SPLIT ON (%s)"""
            .formatted(table, splits(20, 1)),
        "CREATE LOCAL INDEX " + index + " ON " + table + " (P, V)");
    upsertRows(connection, table, ROWS, k -> List.of(k / 10, k, value(k), k));
    String select = "SELECT P, K FROM " + table + " WHERE ";
    try (Probing probing = probing()) {
      assertFindsTheRows(probing, table);
      probing.assertFindsTheRowsOfTheTable(
          select + "P IN (0, 3, 4, 5, 15, 18) AND V = 1000",
          select + "P BETWEEN 3 AND 16 AND V = 1000",
          select + "P BETWEEN 3 AND 16 AND V IN (3, 1000) ORDER BY P DESC, V DESC, K DESC",
          select + "P > 4 AND V = 1001");
    }
  }

  /**
   * Tests boundaries of different lengths. The prefix of an index row is as long as the boundary of
   * its region.
   */
  @Test
  public void probesForRegionsWithBoundariesOfAnyLength() throws Exception {
    create(
        "S VARCHAR NOT NULL, K INTEGER NOT NULL, V INTEGER, X INTEGER"
            + " CONSTRAINT PK PRIMARY KEY (S, K))",
        PVarchar.INSTANCE.toBytes("a"),
        PVarchar.INSTANCE.toBytes("abbbbb"),
        PVarchar.INSTANCE.toBytes("ac"),
        PVarchar.INSTANCE.toBytes("b"),
        PVarchar.INSTANCE.toBytes("bxyzxyzxyz"),
        PVarchar.INSTANCE.toBytes("c"),
        PVarchar.INSTANCE.toBytes("dd"));
    execute(connection, "CREATE LOCAL INDEX " + index + " ON " + table + " (V)");
    String[] strings = {"A", "aa", "abc", "ad", "bb", "bz", "cc", "e"};
    upsertRows(connection, table, ROWS, k -> List.of(strings[k % strings.length], k, value(k), k));
    try (Probing probing = probing()) {
      probing.assertProbesInsteadOfScanning(8, "SELECT S, K FROM " + table + " WHERE V = 1000");
      probing.assertProbesInsteadOfScanning(
          8, "SELECT S, K FROM " + table + " WHERE V IN (900, 1000)");
      assertFindsTheRows(probing, table);
    }
  }

  @Test
  public void probesForTheScansBetweenGuideposts() throws Exception {
    execute(
        connection,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, X INTEGER) SPLIT ON (%s)"
            .formatted(table, splits(10, 20)),
        "CREATE LOCAL INDEX " + index + " ON " + table + " (V)");
    fill();
    execute(connection, "UPDATE STATISTICS " + table);
    try (Probing probing = probing()) {
      String all = "SELECT K FROM " + table + " WHERE V >= 0 AND V < 5000";
      int scans = ForgedScans.planned(probing.withoutProbe(), probing.withIndexHint(all)).size();
      assertThat(scans).as("several a region").isGreaterThan(10);
      assertThat(probing.rpcs(probing.withRows(), all)).isEqualTo(1);
      String some = "SELECT K FROM " + table + " WHERE V >= 4 AND V < 5000";
      scans = ForgedScans.planned(probing.withoutProbe(), probing.withIndexHint(some)).size();
      assertThat(scans).as("several a region").isGreaterThan(10);
      probing.assertProbesInsteadOfScanning(scans, some);
      try (Connection few =
          Probing.connect(Map.of(), PruningOptions.PROBE_MIN_REGIONS, Integer.toString(scans))) {
        assertThat(explain(few, probing.withIndexHint(some)))
            .as("as many scans as it takes, of fewer regions")
            .anyMatch(step -> step.contains("PROBE 10 REGIONS ON 1 SERVER"));
      }
      assertFindsTheRows(probing, table);
      String keys = "SELECT K FROM " + table + " WHERE K IN (1, 7, 12, 18) AND V IN (0, 1, 1000)";
      assertThat(ForgedScans.planned(probing.withoutProbe(), probing.withIndexHint(keys)))
          .as("several scans for keys of one region")
          .hasSizeGreaterThan(1);
      assertThat(rows(probing.withRows(), probing.withIndexHint(keys)))
          .as("each key once")
          .isEqualTo(rows(probing.withoutProbe(), probing.withIndexHint(keys)))
          .hasSize(4);
    }
  }
}

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

import io.phoenixpruning.testing.ScanRpcCounts;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.schema.types.PInteger;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Tests that the regions of a local index on one side of a join are pruned by the keys of the other
 * side.
 */
public class JoinsIT extends ClusterTest {

  static final int REGIONS = 20;

  /**
   * Creates regions of five values of PK1 each. The region that starts at PK1 = 25 is also split at
   * PK2 = 3 and PK2 = 6.
   */
  @BeforeClass
  public static void createTables() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          """
          CREATE TABLE T (PK1 INTEGER NOT NULL, PK2 INTEGER NOT NULL, PK3 VARCHAR, V1 INTEGER,
            V2 INTEGER
            CONSTRAINT PK PRIMARY KEY (PK1, PK2, PK3)) SPLIT ON (%s, %s, %s)"""
              .formatted(
                  IntStream.range(1, REGIONS)
                      .mapToObj(i -> splitPoint(5 * i, Integer.MIN_VALUE))
                      .collect(Collectors.joining(", ")),
                  splitPoint(25, 3),
                  splitPoint(25, 6)),
          "CREATE LOCAL INDEX T_V2 ON T (V2)",
          "CREATE TABLE D (K INTEGER PRIMARY KEY, K2 INTEGER, K3 VARCHAR, G INTEGER)",
          "CREATE TABLE E (ID INTEGER PRIMARY KEY, K BIGINT, G INTEGER)",
          "CREATE TABLE F (ID INTEGER PRIMARY KEY, K BIGINT, K2 INTEGER) IMMUTABLE_ROWS = true");
      try (PreparedStatement upsert =
          connection.prepareStatement("UPSERT INTO T VALUES (?, ?, ?, ?, ?)")) {
        for (int pk1 = 0; pk1 < 5 * REGIONS; pk1++) {
          for (int pk2 = 0; pk2 < 9; pk2++) {
            upsert.setInt(1, pk1);
            upsert.setInt(2, pk2);
            upsert.setString(3, pk2 % 4 == 0 ? null : "t" + pk2);
            upsert.setInt(4, (pk1 + pk2) % 7);
            upsert.setInt(5, pk1 % 3);
            upsert.execute();
          }
        }
      }
      execute(
          connection,
          "UPSERT INTO D VALUES (25, 7, 't7', 1)",
          "UPSERT INTO D VALUES (76, 1, 't1', 1)",
          "UPSERT INTO D VALUES (1, 1, 't1', 2)",
          "UPSERT INTO D VALUES (900, NULL, NULL, 3)",
          "UPSERT INTO F VALUES (1, 25, 7)",
          "UPSERT INTO F VALUES (2, 76, 1)",
          "UPSERT INTO E VALUES (1, 25, 1)",
          "UPSERT INTO E VALUES (2, 40, 1)",
          "UPSERT INTO E VALUES (3, 76, 1)",
          "UPSERT INTO E VALUES (4, NULL, 2)");
      connection.commit();
      createMany(connection);
    }
  }

  private static void createMany(Connection connection) throws SQLException {
    execute(
        connection, "CREATE TABLE MANY (K INTEGER PRIMARY KEY)", "UPSERT INTO MANY VALUES (76)");
    try (PreparedStatement upsert = connection.prepareStatement("UPSERT INTO MANY VALUES (?)")) {
      for (int k = -30_000; k <= 20; k++) {
        upsert.setInt(1, k);
        upsert.execute();
      }
    }
    connection.commit();
  }

  private static String splitPoint(int pk1, int pk2) {
    return "x'"
        + Bytes.toHex(Bytes.add(PInteger.INSTANCE.toBytes(pk1), PInteger.INSTANCE.toBytes(pk2)))
        + "'";
  }

  /**
   * Checks that the query returns the rows of the tables, and scans as many regions of T as it
   * needs.
   */
  private static void assertScans(int regions, String hints, String query) throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT);
        Connection none = connect(PruningMode.NONE);
        Connection verifying = connect(Map.of(PruningOptions.VERIFY, "true"))) {
      List<List<Object>> expected = rows(connection, "SELECT /*+ NO_INDEX */ " + query);
      String along = "SELECT /*+ INDEX(T T_V2) " + hints + " */ " + query;
      assertThat(rows(none, along)).as(along).isEqualTo(expected);
      assertThat(rows(verifying, along)).as(along).isEqualTo(expected);
      ScanRpcCounts before = scanRpcs("T");
      assertThat(rows(connection, along)).as(along).isEqualTo(expected);
      assertThat(scanRpcs("T").minus(before).regions()).as(along).hasSize(regions);
      assertThat(explain(connection, along)).as(along).asString().contains("T_V2");
    }
  }

  private static void assertScans(int regions, String query) throws SQLException {
    assertScans(regions, "", query);
  }

  @Test
  public void prunesTheProbeSideByTheKeysOfTheOther() throws Exception {
    String t = "T.PK1, T.PK2, T.V1 FROM T ";
    assertScans(4, t + "JOIN D ON T.PK1 = D.K WHERE T.V2 = 1 AND D.G = 1");
    assertScans(2, t + "JOIN D ON T.PK1 = D.K AND T.PK2 = D.K2 WHERE T.V2 = 1 AND D.G = 1");
    assertScans(2, t + "JOIN D ON T.PK2 = D.K2 AND T.PK1 = D.K WHERE T.V2 = 1 AND D.G = 1");
    assertScans(
        1, t + "JOIN D ON T.PK2 = D.K2 WHERE T.V2 = 1 AND T.PK1 = 25 AND D.G = 1 AND D.K = 25");
    assertScans(
        2,
        t + "JOIN D ON T.PK3 = D.K3 AND T.PK2 = D.K2 AND T.PK1 = D.K WHERE T.V2 = 1 AND D.G = 1");
    assertScans(5, t + "JOIN E ON T.PK1 = E.K WHERE T.V2 = 1");
    assertScans(
        1, t + "JOIN D ON T.PK1 = D.K JOIN E ON D.G = E.G WHERE T.V2 = 1 AND D.G = 1 AND D.K > 30");
    assertScans(0, t + "JOIN D ON T.PK1 = D.K WHERE T.V2 = 1 AND D.G = 7");
    assertScans(0, "COUNT(*), MAX(T.PK1) FROM T JOIN D ON T.PK1 = D.K WHERE T.V2 = 1 AND D.G = 7");
    assertScans(
        1, "T.V1, COUNT(*) FROM T JOIN D ON T.PK1 = D.K WHERE T.V2 = 1 AND D.G = 2 GROUP BY T.V1");
  }

  /**
   * Tests a local index on the build side. This side is read first, when the keys of the other side
   * are not known yet.
   */
  @Test
  public void prunesTheBuildSideByTheWhereOfTheOtherOnly() throws Exception {
    int all = REGIONS + 2;
    String t = "T.PK1, T.PK2, T.V1 FROM D JOIN T ON T.PK1 = D.K ";
    assertScans(all, t + "WHERE T.V2 = 1");
    assertScans(all, t + "AND T.PK2 = D.K2 WHERE T.V2 = 1");
    assertScans(all, t + "WHERE T.V2 = 1 AND D.G = 1");
    assertScans(4, t + "WHERE T.V2 = 1 AND D.K IN (25, 900)");
    assertScans(1, t + "WHERE T.V2 = 1 AND D.K = 8");
    assertScans(3, t + "WHERE T.V2 = 1 AND D.G = 1 AND T.PK1 = 25 AND D.K = 25");
    assertScans(all, "T.PK1, D.K FROM D LEFT JOIN T ON T.PK1 = D.K AND T.V2 = 1");
    assertScans(all, "T.PK1, T.PK2, F.ID FROM F JOIN T ON F.K = T.PK1 WHERE T.V2 = 1");
    assertScans(
        all, "D.G, COUNT(*) FROM D JOIN T ON T.PK1 = D.K WHERE T.V2 = 1 GROUP BY D.G ORDER BY D.G");
    assertScans(6, "T.PK1, T.PK2, T.V1 FROM T JOIN D ON T.PK1 = D.K WHERE T.V2 = 1");
  }

  /** Runs an action when the next scan of a table ends, before the client gets its rows. */
  public static final class AfterScan extends RegionHook {

    private static final AtomicReference<Callable<Void>> NEXT = new AtomicReference<>();

    @Override
    public void postScannerClose(
        ObserverContext<RegionCoprocessorEnvironment> context, InternalScanner scanner)
        throws IOException {
      Callable<Void> next = NEXT.getAndSet(null);
      if (next != null) {
        try {
          next.call();
        } catch (Exception e) {
          throw new DoNotRetryIOException("The test failed after the scan", e);
        }
      }
    }
  }

  /**
   * Tests a batch that is committed after a scan of the probe side, and replaces key 5 by keys 6
   * and 45. The query must return the rows before or after the batch. A planner might read the
   * probe side twice, and prune the build side by the first read. It would then return key 6
   * without key 45.
   */
  @Test
  public void returnsABatchWholeOrNotAtAll() throws Exception {
    for (boolean isImmutable : List.of(false, true)) {
      String probe = generateUniqueName();
      String build = generateUniqueName();
      try (Connection connection = connect(PruningMode.EXACT)) {
        execute(
            connection,
            "CREATE TABLE " + probe + " (K INTEGER PRIMARY KEY) IMMUTABLE_ROWS = " + isImmutable,
            """
            CREATE TABLE %s (K INTEGER NOT NULL, ID INTEGER NOT NULL, V INTEGER
              CONSTRAINT PK PRIMARY KEY (K, ID)) SPLIT ON (%s)"""
                .formatted(build, splits(REGIONS, 5)),
            "CREATE LOCAL INDEX I_" + build + " ON " + build + " (V)",
            "UPSERT INTO " + probe + " VALUES (5)",
            "UPSERT INTO " + build + " VALUES (5, 1, 1)");
        connection.commit();
        Admin admin = getUtility().getAdmin();
        admin.modifyTable(
            TableDescriptorBuilder.newBuilder(admin.getDescriptor(TableName.valueOf(probe)))
                .setCoprocessor(AfterScan.class.getName())
                .build());
        String sql =
            String.format(
                """
                SELECT /*+ INDEX(%2$s I_%2$s) */ %2$s.K FROM %1$s JOIN %2$s ON %2$s.K = %1$s.K
                  WHERE %2$s.V = 1""",
                probe, build);
        List<List<Object>> before = rows(connection, sql);
        AfterScan.NEXT.set(
            () -> {
              try (Connection writing = connect(PruningMode.EXACT)) {
                execute(writing, "DELETE FROM " + probe + " WHERE K = 5");
                for (int key : new int[] {6, 45}) {
                  execute(
                      writing,
                      "UPSERT INTO " + probe + " VALUES (" + key + ")",
                      "UPSERT INTO " + build + " VALUES (" + key + ", 1, 1)");
                }
                writing.commit();
              }
              return null;
            });
        List<List<Object>> meanwhile = rows(connection, sql);
        assertThat(AfterScan.NEXT.get()).as("the action ran, immutable: %s", isImmutable).isNull();
        List<List<Object>> after = rows(connection, sql);
        assertThat(before).as("immutable: %s", isImmutable).hasSize(1);
        assertThat(after).as("immutable: %s", isImmutable).hasSize(2);
        assertThat(meanwhile).as("immutable: %s", isImmutable).isIn(before, after);
      } finally {
        AfterScan.NEXT.set(null);
      }
    }
  }

  @Test
  public void prunesBySubqueries() throws Exception {
    String t = "PK1, PK2, V1 FROM T WHERE V2 = 1 AND ";
    assertScans(4, t + "PK1 IN (SELECT K FROM D WHERE G = 1)");
    assertScans(2, t + "(PK1, PK2) IN (SELECT K, K2 FROM D WHERE G = 1)");
    assertScans(4, t + "EXISTS (SELECT 1 FROM D WHERE D.K = T.PK1 AND G = 1)");
    assertScans(2, t + "EXISTS (SELECT 1 FROM D WHERE D.K = T.PK1 AND D.K2 = T.PK2 AND G = 1)");
    assertScans(4, t + "PK1 = ANY (SELECT K FROM D WHERE G = 1)");
    assertScans(1, t + "PK1 = (SELECT MAX(K) FROM D WHERE G = 1)");
    assertScans(1, t + "PK1 >= ALL (SELECT K + 20 FROM D WHERE G = 1)");
  }

  @Test
  public void prunesADerivedTable() throws Exception {
    String x = "X.A, X.PK2 FROM (SELECT PK1 AS A, PK2, V1 FROM T WHERE V2 = 1) AS X ";
    assertScans(4, x + "JOIN D ON X.A = D.K WHERE D.G = 1");
    assertScans(2, x + "JOIN D ON X.A = D.K AND X.PK2 = D.K2 WHERE D.G = 1");
    assertScans(
        4,
        "E.ID, Y.PK1, Y.PK2 FROM E JOIN (SELECT T.PK1, T.PK2, D.G FROM T JOIN D ON T.PK1 = D.K"
            + " WHERE T.V2 = 1 AND D.G = 1) AS Y ON E.G = Y.G");
  }

  @Test
  public void keepsTheRegionsOfRowsWithoutPartner() throws Exception {
    String t = "T.PK1, T.PK2, D.G FROM T LEFT JOIN D ON T.PK1 = D.K AND D.G = 1 WHERE T.V2 = 1";
    assertScans(REGIONS + 2, t);
    assertScans(4, t + " AND T.PK1 IN (SELECT K FROM D WHERE G = 1)");
    assertScans(
        REGIONS + 2, "PK1, PK2 FROM T WHERE V2 = 1 AND PK1 NOT IN (SELECT K FROM D WHERE G = 1)");
    assertScans(
        REGIONS + 2,
        "PK1, PK2 FROM T WHERE V2 = 1 AND NOT EXISTS (SELECT 1 FROM D WHERE D.K = T.PK1)");
  }

  /**
   * Tests a join of three tables whose second condition reads the joined row of the first two. The
   * columns of this row have the same positions as the columns that the first table's index lacks.
   */
  @Test
  public void keepsTheRegionsOfColumnsOfAJoinedRow() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      connection.setAutoCommit(true);
      execute(
          connection,
          "CREATE TABLE T3 (K INTEGER PRIMARY KEY, V INTEGER, W1 INTEGER, W2 INTEGER)",
          "CREATE LOCAL INDEX T3_I ON T3 (V)",
          "CREATE TABLE A3 (K INTEGER PRIMARY KEY, Y INTEGER)",
          """
          CREATE TABLE B3 (K INTEGER PRIMARY KEY, V INTEGER, Z INTEGER) SPLIT ON (10, 20, 30)""",
          "CREATE LOCAL INDEX B3_I ON B3 (V)",
          "UPSERT INTO T3 VALUES (1, 1, 5, 7)",
          "UPSERT INTO A3 VALUES (1, 25)",
          "UPSERT INTO B3 VALUES (25, 1, 99)");
      for (String join :
          List.of(
              """
              B3.Z FROM T3 JOIN A3 ON T3.K = A3.K JOIN B3 ON A3.Y = B3.K
                WHERE T3.V = 1 AND T3.W1 = 5 AND T3.W2 = 7 AND B3.V = 1""",
              """
              B3.Z FROM T3 JOIN A3 ON T3.K = A3.K LEFT JOIN B3 ON A3.Y = B3.K AND B3.V = 1
                WHERE T3.V = 1 AND T3.W1 = 5 AND T3.W2 = 7""")) {
        for (String hint : List.of("", "USE_SORT_MERGE_JOIN ")) {
          assertThat(
                  rows(
                      connection,
                      "SELECT /*+ " + hint + "INDEX(T3 T3_I) INDEX(B3 B3_I) */ " + join))
              .as(hint + join)
              .isEqualTo(List.of(List.of(new BigDecimal(99))));
        }
      }
    }
  }

  @Test
  public void enclosesVeryManyKeysInRanges() throws Exception {
    assertScans(6, "T.PK1, T.PK2 FROM T JOIN MANY ON T.PK1 = MANY.K WHERE T.V2 = 1");
    assertScans(6, "PK1, PK2 FROM T WHERE V2 = 1 AND PK1 IN (SELECT K FROM MANY)");
  }

  @Test
  public void changesRowsByAJoin() throws Exception {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          """
          CREATE TABLE SINK (PK1 INTEGER NOT NULL, PK2 INTEGER NOT NULL
            CONSTRAINT PK PRIMARY KEY (PK1, PK2))""");
      String hint = "/*+ INDEX(T T_V2) */ ";
      String keys = "(PK1, PK2) IN (SELECT K, K2 FROM D WHERE G = 1)";
      for (boolean autoCommit : List.of(false, true)) {
        connection.setAutoCommit(autoCommit);
        assertChanges(
            connection,
            2,
            2,
            """
            UPSERT %sINTO SINK SELECT T.PK1, T.PK2 FROM T JOIN D ON T.PK1 = D.K AND T.PK2 = D.K2
              WHERE T.V2 = 1 AND D.G = 1"""
                .formatted(hint));
        assertChanges(
            connection,
            2,
            2,
            "UPSERT " + hint + "INTO SINK SELECT PK1, PK2 FROM T WHERE V2 = 1 AND " + keys);
      }
      connection.setAutoCommit(false);
      assertChanges(connection, 2, 2, "DELETE " + hint + "FROM T WHERE V2 = 1 AND " + keys);
      connection.rollback();
    }
  }

  private static void assertChanges(Connection connection, int regions, int rows, String statement)
      throws SQLException {
    String what = statement + ", auto-commit: " + connection.getAutoCommit();
    ScanRpcCounts before = scanRpcs("T");
    try (Statement changing = connection.createStatement()) {
      assertThat(changing.executeUpdate(statement)).as(what).isEqualTo(rows);
    }
    assertThat(scanRpcs("T").minus(before).regions()).as(what).hasSize(regions);
  }
}

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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.metrics.ClientPruningMetrics;
import org.apache.phoenix.pruning.metrics.PruningMetric;
import org.apache.phoenix.pruning.protocol.ProbeRequest;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.EnvironmentEdgeManager;
import org.apache.phoenix.util.PhoenixRuntime;
import org.awaitility.Awaitility;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Checks that statements of all kinds read and write the right rows after the server was probed.
 */
public class RegionProbeStatementsIT extends ClusterTest {

  private static final int REGIONS = 20;
  private static final int ROWS = 200;
  private static final List<Integer> RARE = List.of(7, 55, 58, 155);
  private static final int REGIONS_WITH_RARE = 3;

  private String table;
  private String index;
  private String rare;
  private Connection connection;
  private Probing probing;

  @Before
  public void createTable() throws SQLException {
    table = generateUniqueName();
    index = "I_" + table;
    rare = " FROM " + table + " WHERE V = 1000";
    connection = connect(PruningMode.EXACT);
    create(table, index);
    probing = new Probing(table, "INDEX(" + table + " " + index + ")", Map.of());
  }

  private void create(String name, String itsIndex) throws SQLException {
    execute(
        connection,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, X INTEGER) SPLIT ON (%s)"
            .formatted(name, splits(REGIONS, ROWS / REGIONS)),
        "CREATE LOCAL INDEX " + itsIndex + " ON " + name + " (V)");
    upsertRows(connection, name, ROWS, k -> List.of(k, RARE.contains(k) ? 1_000 : k / 10 % 5, k));
  }

  @After
  public void close() throws SQLException {
    probing.close();
    connection.close();
  }

  private long rpcs() {
    return scanRpcs(table).rpcs();
  }

  /** Returns the numbers in rows with one number each. */
  private static List<Integer> numbers(List<List<Object>> rows) {
    return rows.stream()
        .map(row -> ((Number) row.get(0)).intValue())
        .sorted()
        .collect(Collectors.toList());
  }

  private List<Integer> keys(Connection by, String where) throws SQLException {
    return numbers(rows(by, "SELECT /*+ NO_INDEX */ K FROM " + table + " WHERE " + where));
  }

  /**
   * Tests answers with joined data columns. Phoenix's scans that look up data columns carry the
   * same attributes as its scans that build an index.
   */
  @Test
  public void answersWithRowsThatJoinDataColumns() throws Exception {
    probing.assertProbesInsteadOfScanning(REGIONS, "SELECT K, X" + rare);
    String[] queries = {
      "SELECT X" + rare + " AND X > 50",
      "SELECT COUNT(*), SUM(X), MIN(X)" + rare,
      "SELECT V, COUNT(*), MAX(X) FROM " + table + " WHERE V IN (3, 1000) GROUP BY V",
      "SELECT K, X FROM " + table + " WHERE V IN (3, 1000) AND X % 3 = 1",
      "SELECT K, X FROM " + table + " WHERE V IN (3, 1000) ORDER BY X DESC LIMIT 7",
      "SELECT K, X FROM " + table + " WHERE V IN (3, 1000) ORDER BY V DESC, K DESC",
      "SELECT K, X FROM " + table + " WHERE V = 1001"
    };
    for (String query : queries) {
      assertThat(probing.rpcs(probing.withRows(), query)).as(query).isEqualTo(1);
    }
    probing.assertFindsTheRowsOfTheTable(queries);
    // A row without a cell for the column, two rows whose value changes, and a row that is deleted.
    execute(
        connection,
        "UPSERT INTO " + table + " (K, V) VALUES (56, 1000)",
        "UPSERT INTO " + table + " (K, X) VALUES (58, -1)",
        "UPSERT INTO " + table + " (K, X) VALUES (55, NULL)",
        "DELETE FROM " + table + " WHERE K = 155");
    connection.commit();
    probing.assertFindsTheRowsOfTheTable("SELECT K, X" + rare);
    probing.assertFindsTheRowsOfTheTable(queries);
  }

  /**
   * Tests joined data columns of regions that change. The data rows belong to the region that was
   * probed. Otherwise a scan detects that it is another region.
   */
  @Test
  public void joinsDataColumnsOfRegionsThatChange() throws Exception {
    String[] queries = {
      "SELECT K, X" + rare,
      "SELECT K, X FROM " + table + " WHERE V IN (3, 1000) ORDER BY V DESC, K DESC",
      "SELECT COUNT(*), SUM(X) FROM " + table + " WHERE V IN (3, 1000)"
    };
    List<List<List<Object>>> expected = new ArrayList<>();
    List<PlannedQuery> planned = new ArrayList<>();
    Map<String, String> options = Map.of(PruningOptions.PROBE_MIN_REGIONS, "2");
    try {
      for (String query : queries) {
        expected.add(probing.rowsOfTable(query));
        planned.add(new PlannedQuery(options, probing.withIndexHint(query)));
      }
      getUtility().getAdmin().flush(TableName.valueOf(table));
      List<RegionInfo> regions = regions(table);
      split(regions.get(5), PInteger.INSTANCE.toBytes(56));
      merge(regions.get(0), regions.get(1));
      merge(regions.get(15), regions.get(16));
      for (int i = 0; i < queries.length; i++) {
        assertThat(planned.get(i).rows()).as(queries[i]).isEqualTo(expected.get(i));
      }
    } finally {
      for (PlannedQuery query : planned) {
        query.close();
      }
    }
    probing.assertFindsTheRowsOfTheTable(queries);
    assertThat(probing.rpcs(probing.withRows(), queries[0])).isEqualTo(1);
    new RegionChanges(getUtility()).compact(TableName.valueOf(table));
    probing.assertFindsTheRowsOfTheTable(queries);
    assertThat(probing.rpcs(probing.withRows(), queries[0])).isEqualTo(1);
  }

  @Test
  public void doesNotProbeInModesNoneAndStock() throws SQLException {
    for (String mode : List.of("none", "stock")) {
      try (Connection by = Probing.connect(Map.of(PruningOptions.MODE, mode))) {
        assertThat(probing.rpcs(by, "SELECT K" + rare)).as(mode).isEqualTo(REGIONS);
        assertThat(rows(by, probing.withIndexHint("SELECT K" + rare)))
            .as(mode)
            .hasSize(RARE.size());
        assertThat(explain(by, probing.withIndexHint("SELECT K" + rare)))
            .as(mode)
            .noneMatch(step -> step.contains("PROBE"));
      }
    }
  }

  @Test
  public void doesNotSendRequestsThatServersDoNotRead() throws SQLException {
    String text = "'" + "x".repeat(ProbeRequest.MAX_BYTES) + "'";
    String query = "SELECT K" + rare + " AND TO_CHAR(X) <> " + text;
    long notSent = ClientPruningMetrics.global().value(PruningMetric.PROBE_NOT_SENT);
    long failed = ClientPruningMetrics.global().value(PruningMetric.PROBE_FAILED);
    assertThat(probing.rpcs(probing.withRows(), query)).isEqualTo(REGIONS);
    assertThat(ClientPruningMetrics.global().value(PruningMetric.PROBE_NOT_SENT) - notSent)
        .isEqualTo(REGIONS);
    assertThat(ClientPruningMetrics.global().value(PruningMetric.PROBE_FAILED)).isEqualTo(failed);
    assertThat(numbers(rows(probing.withRows(), probing.withIndexHint(query)))).isEqualTo(RARE);
    assertThat(probing.rpcs(probing.withRows(), "SELECT K" + rare))
        .as("nobody is blamed")
        .isEqualTo(1);
  }

  @Test
  public void verifiesScansThatAreNotSent() throws Exception {
    Map<String, String> verifying = Map.of(PruningOptions.VERIFY, "true");
    try (Probing verified = new Probing(table, "INDEX(" + table + " " + index + ")", verifying)) {
      verified.assertFindsTheRowsOfTheTable("SELECT K" + rare);
      assertThat(verified.rpcs(verified.withoutRows(), "SELECT K" + rare))
          .as("one that asks, and a scan of each region")
          .isEqualTo(1 + REGIONS);
      verified.assertFindsTheRowsOfTheTable("SELECT K" + rare + " AND K < 100");
    }
  }

  @Test
  public void seesTheRowsOfThePast() throws Exception {
    long before = now();
    execute(
        connection,
        "UPSERT INTO " + table + " VALUES (56, 1000, 0)",
        "UPSERT INTO " + table + " VALUES (58, 1001, 0)",
        "DELETE FROM " + table + " WHERE K = 155");
    connection.commit();
    long after = now();
    String[] queries = {"SELECT K" + rare, "SELECT COUNT(*), SUM(X)" + rare, "SELECT K, X" + rare};
    try (Probing past = at(before);
        Probing present = at(after)) {
      assertThat(numbers(rows(past.withRows(), past.withIndexHint(queries[0])))).isEqualTo(RARE);
      assertThat(numbers(rows(present.withRows(), present.withIndexHint(queries[0]))))
          .containsExactly(7, 55, 56);
      past.assertProbesInsteadOfScanning(REGIONS, queries[0]);
      past.assertFindsTheRowsOfTheTable(queries);
      present.assertFindsTheRowsOfTheTable(queries);
      assertThat(present.rpcs(present.withoutRows(), queries[0]))
          .as("with the region of a deleted row")
          .isEqualTo(1 + REGIONS_WITH_RARE);
    }
    probing.assertFindsTheRowsOfTheTable(queries);
  }

  private Probing at(long time) throws SQLException {
    return new Probing(
        table,
        "INDEX(" + table + " " + index + ")",
        Map.of(PhoenixRuntime.CURRENT_SCN_ATTRIB, Long.toString(time)));
  }

  /**
   * Returns a time after everything that was written, and before everything that will be written.
   */
  private static long now() {
    long written = EnvironmentEdgeManager.currentTimeMillis();
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> EnvironmentEdgeManager.currentTimeMillis() > written + 1);
    long now = written + 1;
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> EnvironmentEdgeManager.currentTimeMillis() > now + 1);
    return now + 1;
  }

  /** Checks that uncommitted writes are not visible to queries, not even of the same connection. */
  @Test
  public void doesNotSeeItsOwnWritesBeforeTheCommit() throws SQLException {
    Connection writer = probing.withRows();
    execute(
        writer,
        "UPSERT INTO " + table + " VALUES (91, 1000, 0)",
        "DELETE FROM " + table + " WHERE K = 7");
    assertThat(numbers(rows(writer, probing.withIndexHint("SELECT K" + rare)))).isEqualTo(RARE);
    probing.assertFindsTheRowsOfTheTable("SELECT K" + rare);
    writer.commit();
    assertThat(numbers(rows(writer, probing.withIndexHint("SELECT K" + rare))))
        .containsExactly(55, 58, 91, 155);
    probing.assertFindsTheRowsOfTheTable("SELECT K" + rare);
  }

  private interface Each {
    void accept(Connection connection) throws SQLException;
  }

  /**
   * Runs an action with some {@link Combinations} of three options. These are rows in the answers
   * of probes, auto-commit, and changes by the server.
   */
  private void forEachWriter(Each each) throws SQLException {
    Combinations combinations = Combinations.oneOf(5);
    for (String rows : List.of("512", "1", "0")) {
      for (boolean auto : new boolean[] {true, false}) {
        for (String server : List.of("true", "false")) {
          if (!combinations.chooseNext()) {
            continue;
          }
          Map<String, String> options = new HashMap<>();
          options.put(PruningOptions.PROBE_ROWS_KB, rows);
          options.put(QueryServices.ENABLE_SERVER_SIDE_UPSERT_MUTATIONS, server);
          options.put(QueryServices.ENABLE_SERVER_SIDE_DELETE_MUTATIONS, server);
          try (Connection writer = Probing.connect(options)) {
            writer.setAutoCommit(auto);
            each.accept(writer);
          }
        }
      }
    }
  }

  private static int update(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      int count = statement.executeUpdate(sql);
      connection.commit();
      return count;
    }
  }

  @Test
  public void deletesTheRows() throws SQLException {
    String hint = "DELETE /*+ INDEX(" + table + " " + index + ") */";
    forEachWriter(
        writer -> {
          long before = rpcs();
          assertThat(update(writer, hint + rare)).isEqualTo(RARE.size());
          assertThat(rpcs() - before).isLessThan(REGIONS);
          assertThat(keys(connection, "V = 1000")).isEmpty();
          assertThat(keys(connection, "V < 1000")).hasSize(ROWS - RARE.size());
          assertThat(rows(writer, probing.withIndexHint("SELECT K" + rare))).isEmpty();
          assertThat(update(writer, hint + rare)).isZero();
          for (int k : RARE) {
            update(writer, "UPSERT INTO " + table + " VALUES (" + k + ", 1000, " + k + ")");
          }
          assertThat(keys(connection, "V = 1000")).isEqualTo(RARE);
        });
  }

  @Test
  public void deletesSomeOfTheRows() throws SQLException {
    String hint = "DELETE /*+ INDEX(" + table + " " + index + ") */";
    int value = 1_100;
    List<Integer> even = List.of(4, 56, 58, 154);
    for (String rows : List.of("512", "0")) {
      try (Connection writer = Probing.connect(Map.of(PruningOptions.PROBE_ROWS_KB, rows))) {
        writer.setAutoCommit(true);
        value++;
        for (int k : even) {
          update(
              writer,
              "UPSERT INTO " + table + " VALUES (" + k + ", " + value + ", " + k % 100 + ")");
        }
        String where = " FROM " + table + " WHERE V = " + value;
        assertThat(update(writer, hint + where + " AND X > 50")).as("%s KB", rows).isEqualTo(3);
        assertThat(keys(connection, "V = " + value)).as("%s KB", rows).containsExactly(4);
        assertThat(update(writer, hint + where + " LIMIT 1")).as("%s KB", rows).isEqualTo(1);
        assertThat(keys(connection, "V = " + value)).as("%s KB", rows).isEmpty();
      }
    }
  }

  @Test
  public void writesTheRowsThatItReads() throws SQLException {
    String target = "T_" + table;
    create(target, "T_" + index);
    forEachWriter(
        writer -> {
          update(writer, "DELETE FROM " + target);
          String select = probing.withIndexHint("SELECT K, V, X + 1000" + rare);
          assertThat(update(writer, "UPSERT INTO " + target + " " + select)).isEqualTo(RARE.size());
          assertThat(numbers(rows(connection, "SELECT X FROM " + target)))
              .containsExactly(1_007, 1_055, 1_058, 1_155);
        });
    forEachWriter(
        writer -> {
          update(writer, "UPSERT INTO " + table + " SELECT K, 1000, X" + rare + " AND K = 7");
          String select = probing.withIndexHint("SELECT K + 500, 1002, X" + rare);
          assertThat(update(writer, "UPSERT INTO " + table + " " + select)).isEqualTo(RARE.size());
          assertThat(keys(connection, "V = 1002")).containsExactly(507, 555, 558, 655);
          assertThat(update(writer, "DELETE FROM " + table + " WHERE V = 1002"))
              .isEqualTo(RARE.size());
        });
  }

  @Test
  public void numbersTheRowsOnce() throws SQLException {
    String sequence = "S_" + table;
    execute(connection, "CREATE SEQUENCE " + sequence);
    String query = "SELECT K, NEXT VALUE FOR " + sequence + rare;
    List<Integer> numbers = new ArrayList<>();
    for (Connection by :
        List.of(probing.withoutProbe(), probing.withRows(), probing.withoutRows())) {
      for (List<Object> row : rows(by, probing.withIndexHint(query))) {
        numbers.add(((Number) row.get(1)).intValue());
      }
    }
    assertThat(numbers)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, 3 * RARE.size()).boxed().collect(Collectors.toList()));
  }

  /**
   * Tests LIMIT and OFFSET of a serial scan. Phoenix returns the rows of one region after the
   * other, so they are the same each time.
   */
  @Test
  public void leavesOutTheFirstRowsOfASerialScan() throws SQLException {
    for (String limits :
        List.of("LIMIT 2", "LIMIT 2 OFFSET 1", "LIMIT 9 OFFSET 3", "OFFSET 2", "OFFSET 99")) {
      for (String where : List.of("V = 1000", "V IN (3, 1000)", "V = 1001")) {
        String all =
            "SELECT /*+ SERIAL INDEX(%1$s %2$s) */ K FROM %1$s WHERE %3$s"
                .formatted(table, index, where);
        String query = all + " " + limits;
        List<List<Object>> expected = rows(probing.withoutProbe(), query);
        for (Connection by : List.of(probing.withRows(), probing.withoutRows())) {
          assertThat(rows(by, query))
              .as(query)
              .hasSameSizeAs(expected)
              .doesNotHaveDuplicates()
              .isSubsetOf(rows(probing.withoutProbe(), all));
        }
      }
    }
    String offset = "SELECT K" + rare + " LIMIT 9 OFFSET 3";
    assertThat(rows(probing.withRows(), probing.withIndexHint(offset))).hasSize(1);
  }

  @Test
  public void probesIfTheFirstScansOfALimitAreNotEnough() throws SQLException {
    assertRpcsForLimit(
        1, Map.of(probing.withoutProbe(), 1, probing.withoutRows(), 1, probing.withRows(), 1));
    assertRpcsForLimit(
        3,
        Map.of(
            probing.withoutProbe(),
            6,
            probing.withoutRows(),
            4 + 1 + 1,
            probing.withRows(),
            4 + 1));
    assertRpcsForLimit(
        9,
        Map.of(
            probing.withoutProbe(),
            REGIONS,
            probing.withoutRows(),
            4 + 1 + 2,
            probing.withRows(),
            4 + 1));
  }

  /** Checks the number of scan RPCs that each connection takes for the first rows. */
  private void assertRpcsForLimit(int limit, Map<Connection, Integer> rpcs) throws SQLException {
    String query = "SELECT K" + rare + " LIMIT " + limit;
    List<Integer> expected = RARE.subList(0, Math.min(limit, RARE.size()));
    for (Connection by : rpcs.keySet()) {
      long before = rpcs();
      assertThat(numbers(rows(by, probing.withIndexHint(query)))).as(query).isEqualTo(expected);
      assertThat(rpcs() - before).as(query).isEqualTo(rpcs.get(by).longValue());
    }
  }

  @Test
  public void doesNotProbeForSamples() throws SQLException {
    execute(connection, "UPDATE STATISTICS " + table);
    for (int percent : new int[] {0, 10, 50, 90, 100}) {
      String query = "SELECT K FROM " + table + " TABLESAMPLE (" + percent + ") WHERE V = 1000";
      List<List<Object>> expected = rows(probing.withoutProbe(), probing.withIndexHint(query));
      for (Connection by : List.of(probing.withRows(), probing.withoutRows())) {
        assertThat(rows(by, probing.withIndexHint(query))).as(query).isEqualTo(expected);
      }
      if (percent < 100) {
        assertThat(probing.rpcs(probing.withRows(), query))
            .as(query)
            .isEqualTo(probing.rpcs(probing.withoutProbe(), query));
      }
    }
  }

  @Test
  public void readsByACursor() throws SQLException {
    String cursor = "C_" + table;
    for (Connection by :
        List.of(probing.withoutProbe(), probing.withRows(), probing.withoutRows())) {
      try (Statement statement = by.createStatement()) {
        statement.execute(
            "DECLARE " + cursor + " CURSOR FOR " + probing.withIndexHint("SELECT K" + rare));
        statement.execute("OPEN " + cursor);
        List<Integer> keys = new ArrayList<>();
        for (int fetches = 0; fetches < 3; fetches++) {
          try (ResultSet rows = statement.executeQuery("FETCH NEXT 2 ROWS FROM " + cursor)) {
            while (rows.next()) {
              keys.add(rows.getInt(1));
            }
          }
        }
        statement.execute("CLOSE " + cursor);
        assertThat(keys)
            .as(by.getClientInfo().toString())
            .containsExactlyInAnyOrderElementsOf(RARE);
      }
    }
  }

  @Test
  public void probesForEachPartOfAUnionAndEachSubquery() throws SQLException {
    String select = "SELECT K" + rare;
    String union = select + " UNION ALL " + select.replace("1000", "1001");
    assertThat(probing.rpcs(probing.withRows(), union)).isEqualTo(2);
    assertThat(probing.rpcs(probing.withoutRows(), union)).isEqualTo(2 + REGIONS_WITH_RARE);
    probing.assertFindsTheRowsOfTheTable(
        select + " UNION ALL " + select.replace("1000", "3"),
        select + " UNION ALL " + select.replace("1000", "1001") + " UNION ALL " + select,
        select + " AND X IN (SELECT X FROM " + table + " WHERE V = 1000 AND X < 100)",
        select + " AND X = (SELECT MAX(X) FROM " + table + " WHERE V = 1000)",
        select + " AND EXISTS (SELECT 1 FROM " + table + " S WHERE S.V = 1000 AND S.X > 100)",
        "SELECT COUNT(*) FROM (SELECT K, V" + rare + " LIMIT 3) WHERE V > 10",
        "SELECT A.K, B.K FROM " + table + " A JOIN " + table + " B ON A.X = B.K WHERE A.V = 1000",
        """
        SELECT A.K FROM %s A WHERE V = 1000 AND X NOT IN (SELECT X FROM %s WHERE V = 1000
          AND K > 56)"""
            .formatted(table, table));
  }

  @Test
  public void joinsWithRowsThatTheServerHasCached() throws SQLException {
    String small = "D_" + table;
    execute(
        connection,
        "CREATE TABLE " + small + " (K INTEGER PRIMARY KEY, G INTEGER)",
        "UPSERT INTO " + small + " VALUES (7, 1)",
        "UPSERT INTO " + small + " VALUES (155, 2)");
    connection.commit();
    for (String hint : List.of("", "USE_SORT_MERGE_JOIN ")) {
      String join =
          """
          SELECT /*+ %1$sINDEX(%2$s %3$s) */ %2$s.K, G FROM %2$s JOIN %4$s ON %2$s.X = %4$s.K
            WHERE V = 1000"""
              .formatted(hint, table, index, small);
      for (Connection by :
          List.of(probing.withoutProbe(), probing.withRows(), probing.withoutRows())) {
        for (int execution = 0; execution < 3; execution++) {
          assertThat(numbers(rows(by, join))).as(join).containsExactly(7, 155);
        }
      }
    }
  }
}

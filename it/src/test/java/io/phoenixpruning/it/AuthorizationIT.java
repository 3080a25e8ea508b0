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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phoenixpruning.cli.advise.LoggedWorkload;
import io.phoenixpruning.cli.advise.QueryLog;
import io.phoenixpruning.cli.check.CheckResult;
import io.phoenixpruning.cli.check.CheckedTable;
import io.phoenixpruning.cli.check.TableCheck;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.explain.ClusterDatabase;
import io.phoenixpruning.cli.explain.Database;
import io.phoenixpruning.cli.layout.TableArgument;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.SecureTestUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.jdbc.PhoenixResultSet;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.pruning.protocol.ProbeAnswer;
import org.apache.phoenix.pruning.protocol.ProbeRequest;
import org.apache.phoenix.pruning.protocol.ProbedRange;
import org.apache.phoenix.pruning.protocol.RebuildRequest;
import org.junit.Assume;
import org.junit.Test;

/**
 * Tests access rights to tables, families and cells. With pruning, each user gets the same rows as
 * without pruning, or is denied access in the same way.
 */
public class AuthorizationIT extends PayrollTest {

  /**
   * Queries along the natural index and the rearranged one, some with a column that neither index
   * has.
   */
  private static final List<String> QUERIES =
      List.of(
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2 FROM %1$s WHERE V = 3 AND K1 = 15",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2 FROM %1$s WHERE V = 3 AND K1 IN (5, 25, 35)",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, W FROM %1$s WHERE V = 3 AND K1 BETWEEN 12 AND 33",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ COUNT(*), SUM(K1) FROM %1$s WHERE V < 4 AND K1 < 20",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ K1, K2 FROM %1$s WHERE K1 = 25 AND V = 3",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ W, K2 FROM %1$s WHERE K1 IN (15, 16) AND V < 4",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ V, COUNT(*) FROM %1$s WHERE K1 = 25 GROUP BY V");

  @Test
  public void givesReadersTheRowsOfTheTable() throws Exception {
    for (TableName table : List.of(TABLE, BY_CELL)) {
      for (String query : QUERIES) {
        Map<PruningMode, String> outcomes = outcomes(reader, table, query);
        assertThat(outcomes.values()).as(query).containsOnly(outcomes.get(PruningMode.EXACT));
        assertThat(outcomes.get(PruningMode.EXACT))
            .as(query)
            .isEqualTo(outcome(reader, PruningMode.EXACT, table, withNoIndexHint(query)))
            .doesNotContain(DENIED)
            .isNotEqualTo("[]");
      }
    }
  }

  @Test
  public void deniesWhoMayNotRead() throws Exception {
    for (String query : QUERIES) {
      for (User user : List.of(nobody, readerOfCells)) {
        assertThat(outcomes(user, TABLE, query).values())
            .as("%s of %s", query, user)
            .containsOnly(DENIED);
        assertThat(outcome(user, PruningMode.EXACT, TABLE, withNoIndexHint(query)))
            .as("%s of %s", query, user)
            .isEqualTo(DENIED);
      }
    }
  }

  /** Tests users with a right to only one family, either of the index or of the data. */
  @Test
  public void returnsTheSameCellsToReadersOfAFamily() throws Exception {
    for (TableName table : List.of(TABLE, BY_CELL)) {
      for (User user : List.of(readerOfTheIndex, readerOfTheData)) {
        for (String query : QUERIES) {
          Map<PruningMode, String> outcomes = outcomes(user, table, query);
          assertThat(outcomes.values())
              .as("%s: %s", user, query)
              .containsOnly(outcomes.get(PruningMode.EXACT));
        }
      }
    }
    assertThat(outcome(readerOfTheIndex, PruningMode.EXACT, TABLE, QUERIES.get(0)))
        .isNotEqualTo("[]")
        .doesNotContain(DENIED);
    assertThat(outcome(readerOfTheData, PruningMode.EXACT, TABLE, QUERIES.get(0)))
        .isEqualTo(DENIED);
  }

  @Test
  public void returnsTheSameCellsToReadersOfSingleCells() throws Exception {
    Assume.assumeFalse(SecureCluster.PHOENIX_ACLS);
    int some = 0;
    int fewer = 0;
    for (String query : QUERIES) {
      Map<PruningMode, String> outcomes = outcomes(readerOfCells, BY_CELL, query);
      assertThat(outcomes.values()).as(query).containsOnly(outcomes.get(PruningMode.EXACT));
      assertThat(outcomes.get(PruningMode.EXACT)).as(query).doesNotContain(DENIED);
      some += outcomes.get(PruningMode.EXACT).equals("[]") ? 0 : 1;
      String all = outcome(reader, PruningMode.EXACT, BY_CELL, query);
      fewer += outcomes.get(PruningMode.EXACT).equals(all) ? 0 : 1;
    }
    assertThat(some).isPositive();
    assertThat(fewer).isPositive();
  }

  @Test
  public void givesNobodyACell() throws Exception {
    Assume.assumeFalse(SecureCluster.PHOENIX_ACLS);
    for (String query : QUERIES) {
      assertThat(outcomes(nobody, BY_CELL, query).values())
          .as(query)
          .containsOnly(query.contains("SUM") ? "[[0, null]]" : "[]");
    }
  }

  @Test
  public void theLogOfStatementsIsRefusedToThoseWhoMayNotReadIt() throws Exception {
    User user = CLUSTER.user("nolog");
    SecureTestUtil.revokeFromTable(
        CLUSTER.utility(),
        user.getShortName(),
        TableName.valueOf("SYSTEM.LOG"),
        null,
        null,
        Permission.Action.READ,
        Permission.Action.EXEC);
    SecureCluster.runAs(
        user,
        () -> {
          try (Connection connection = CLUSTER.connect(PruningMode.EXACT)) {
            QueryLog log = new QueryLog(connection, Optional.empty());
            Database database = new ClusterDatabase(connection);
            assertThatThrownBy(() -> LoggedWorkload.read(log, database))
                .isInstanceOf(RefusedException.class)
                .hasMessage(
                    "--log reads SYSTEM.LOG, but you have no READ permission for it. Ask for the"
                        + " permission, or give --queries instead");
          }
          return null;
        });
  }

  /**
   * Tests merged regions. HBase's filter for rights is combined with our filter for a part of the
   * merged region.
   */
  @Test
  public void readsEachPartOfAMergedRegionOnce() throws Exception {
    Assume.assumeFalse(SecureCluster.PHOENIX_ACLS);
    String query =
        "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2 FROM %1$s WHERE V = 3 AND K1 BETWEEN 5 AND 35";
    assertThat(rowsWithMerge(reader, query, 0))
        .isEqualTo(outcome(reader, PruningMode.NONE, MERGED, withNoIndexHint(query)));
    String cells = outcome(readerOfCells, PruningMode.NONE, MERGED, query);
    assertThat(cells).isNotEqualTo("[]");
    assertThat(rowsWithMerge(readerOfCells, query, 1)).isEqualTo(cells);
  }

  /**
   * Returns the rows of a query. After its scans were planned, a region is merged with the next
   * one.
   */
  private static String rowsWithMerge(User user, String query, int region) throws Exception {
    return SecureCluster.runAs(
        user,
        () -> {
          try (Connection connection = CLUSTER.connect(PruningMode.EXACT)) {
            QueryPlan plan =
                connection
                    .prepareStatement(query.formatted(MERGED))
                    .unwrap(PhoenixPreparedStatement.class)
                    .optimizeQuery();
            ResultIterator iterator = plan.iterator();
            merge(region);
            try (ResultSet result =
                new PhoenixResultSet(iterator, plan.getProjector(), plan.getContext())) {
              return ClusterTest.rows(result, false).toString();
            }
          }
        });
  }

  private static void merge(int region) throws Exception {
    Admin admin = CLUSTER.utility().getAdmin();
    List<RegionInfo> regions = new ArrayList<>(admin.getRegions(MERGED));
    regions.sort(RegionInfo.COMPARATOR);
    byte[][] names = {
      regions.get(region).getEncodedNameAsBytes(), regions.get(region + 1).getEncodedNameAsBytes()
    };
    admin.mergeRegionsAsync(names, true).get();
  }

  /** Queries of all regions, for which servers are probed. */
  private static final List<String> FAN_OUT_QUERIES =
      List.of(
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2 FROM %1$s WHERE V = 3",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2 FROM %1$s WHERE V = 7",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ K1, K2, W FROM %1$s WHERE V IN (3, 5) AND W > 9",
          "SELECT /*+ INDEX(%1$s %1$s_V) */ V, COUNT(*) FROM %1$s WHERE V > 3 GROUP BY V",
          "SELECT /*+ INDEX(%1$s %1$s_K1) */ K1, K2 FROM %1$s WHERE K1 IN (5, 15, 25) AND V = 3");

  @Test
  public void givesEachUserTheSameWithProbes() throws Exception {
    Map<String, String> off = Map.of(PruningOptions.PROBE, "false");
    Map<String, String> withRows = Map.of(PruningOptions.PROBE_MIN_REGIONS, "2");
    Map<String, String> withoutRows =
        Map.of(PruningOptions.PROBE_MIN_REGIONS, "2", PruningOptions.PROBE_ROWS_KB, "0");
    List<TableName> tables = SecureCluster.PHOENIX_ACLS ? List.of(TABLE) : List.of(TABLE, BY_CELL);
    for (TableName table : tables) {
      for (User user : List.of(nobody, reader, readerOfTheIndex, readerOfTheData, readerOfCells)) {
        for (String query : FAN_OUT_QUERIES) {
          String expected = outcome(user, off, table, query);
          for (Map<String, String> asking : List.of(withRows, withoutRows)) {
            // The query runs twice, because a failed probe stops further probes for a while.
            for (int i = 0; i < 2; i++) {
              assertThat(outcome(user, asking, table, query))
                  .as("%s, %s, %s", user, asking, query)
                  .isEqualTo(expected);
            }
          }
        }
      }
    }
    assertThat(outcome(reader, withRows, TABLE, FAN_OUT_QUERIES.get(0))).contains("[0, 3]");
    assertThat(outcome(nobody, withRows, TABLE, FAN_OUT_QUERIES.get(1))).isEqualTo(DENIED);
  }

  /** Checks that a region that the user may not read looks like one that does not exist. */
  @Test
  public void revealsNothingAboutRegionsThatAUserMayNotRead() throws Exception {
    Scan planned;
    Scan withoutRow;
    try (Connection connection = CLUSTER.connect(PruningMode.EXACT)) {
      planned = ForgedScans.planned(connection, FAN_OUT_QUERIES.get(0).formatted(TABLE)).get(0);
      withoutRow = ForgedScans.planned(connection, FAN_OUT_QUERIES.get(1).formatted(TABLE)).get(0);
    }
    List<Scan> scans = List.of(planned, withoutRow);
    List<ProbedRange> ranges = new ArrayList<>();
    for (TableName table : List.of(TABLE, BY_CELL)) {
      List<RegionInfo> regions = new ArrayList<>(CLUSTER.utility().getAdmin().getRegions(table));
      regions.sort(RegionInfo.COMPARATOR);
      for (RegionInfo region : regions) {
        scans.forEach(scan -> ranges.add(range(region.getEncodedName(), scan)));
      }
    }
    scans.forEach(scan -> ranges.add(range("0123456789abcdef0123456789abcdef", scan)));
    assertThat(findings(reader, TABLE, INDEX_FAMILY, planned, ranges))
        .isEqualTo("ROWS NO_ROW ".repeat(4) + "MAY_MATCH ".repeat(10));
    assertThat(findings(readerOfTheIndex, TABLE, INDEX_FAMILY, planned, ranges))
        .startsWith("ROWS NO_ROW ".repeat(4))
        .endsWith("MAY_MATCH ".repeat(10));
    assertThat(findings(readerOfTheData, TABLE, DATA_FAMILY, planned, ranges))
        .as("of a family that he may read, for one that he may not")
        .isEqualTo("MAY_MATCH ".repeat(18));
    for (User user : List.of(nobody, readerOfTheData, readerOfCells)) {
      assertThatThrownBy(() -> findings(user, TABLE, INDEX_FAMILY, planned, ranges))
          .as(user.getShortName())
          .isInstanceOf(AccessDeniedException.class);
    }
    assertThat(findings(nobody, BY_CELL, INDEX_FAMILY, planned, ranges))
        .as("no cell is his, and he is not told that there is none")
        .doesNotContain("NO_ROW");
  }

  private static ProbedRange range(String region, Scan scan) {
    return new ProbedRange(
        region,
        scan.getAttribute(BaseScannerRegionObserverConstants.SCAN_START_ROW_SUFFIX),
        scan.getAttribute(BaseScannerRegionObserverConstants.SCAN_STOP_ROW_SUFFIX));
  }

  /** Returns the answer of the second region of {@code table} to {@code user}. */
  private static String findings(
      User user, TableName table, byte[] family, Scan scan, List<ProbedRange> ranges)
      throws Exception {
    List<RegionInfo> regions = new ArrayList<>(CLUSTER.utility().getAdmin().getRegions(table));
    regions.sort(RegionInfo.COMPARATOR);
    byte[] start = regions.get(1).getStartKey();
    Scan carrier =
        new Scan()
            .addFamily(family)
            .withStartRow(start)
            .withStopRow(start, true)
            .setOneRowLimit()
            .setAttribute(
                ProbeRequest.ATTRIBUTE, ProbeRequest.of(10_000, 100_000, scan, ranges).toBytes());
    return SecureCluster.runAs(
        user,
        () -> {
          try (org.apache.hadoop.hbase.client.Connection connection =
                  ConnectionFactory.createConnection(CLUSTER.utility().getConfiguration());
              Table hbase = connection.getTable(table);
              ResultScanner answers = hbase.getScanner(carrier)) {
            ProbeAnswer answer = ProbeAnswer.read(answers.next()).orElseThrow();
            StringBuilder findings = new StringBuilder();
            for (int i = 0; i < ranges.size(); i++) {
              findings.append(answer.finding(i)).append(' ');
            }
            return findings.toString();
          }
        });
  }

  /** Checks that a user without rights cannot find out whether the stamp of a scan is right. */
  @Test
  public void deniesForgedScansBeforeAnythingElse() throws Exception {
    Scan genuine;
    try (Connection connection = CLUSTER.connect(PruningMode.EXACT)) {
      genuine = ForgedScans.planned(connection, QUERIES.get(0).formatted(TABLE)).get(0);
    }
    Scan halfAStamp = new Scan(genuine);
    halfAStamp.setAttribute(PlannedRegion.END_ATTRIBUTE, null);
    Scan ofAnotherRegion = new Scan(genuine);
    ofAnotherRegion.setAttribute(PlannedRegion.START_ATTRIBUTE, Bytes.toBytes("elsewhere"));
    Map<String, Scan> scans =
        Map.of("genuine", genuine, "half", halfAStamp, "of another region", ofAnotherRegion);
    for (Map.Entry<String, Scan> scan : scans.entrySet()) {
      SecureCluster.runAs(
          nobody,
          () -> {
            try (org.apache.hadoop.hbase.client.Connection connection =
                    ConnectionFactory.createConnection(CLUSTER.utility().getConfiguration());
                Table table = connection.getTable(TABLE);
                ResultScanner rows = table.getScanner(scan.getValue())) {
              assertThatThrownBy(rows::next)
                  .as(scan.getKey())
                  .isInstanceOf(AccessDeniedException.class);
            }
            return null;
          });
    }
  }

  /**
   * Checks that only a user who may write can request a rebuild. A rebuild waits for running
   * writes, and later writes wait for the rebuild. The scan reads no row, so no other check denies
   * it.
   */
  @Test
  public void deniesARebuildToWhoMayOnlyRead() throws Exception {
    Scan rebuild;
    try (Connection connection = CLUSTER.connect(PruningMode.EXACT)) {
      String count = "SELECT /*+ NO_INDEX */ COUNT(*) FROM " + TABLE + " WHERE K1 = 1000";
      rebuild = ForgedScans.planned(connection, count).get(0);
      PhoenixConnection phoenix = connection.unwrap(PhoenixConnection.class);
      ImmutableBytesWritable maintainers = new ImmutableBytesWritable();
      phoenix.getTable(TABLE.getNameAsString()).getIndexMaintainers(maintainers, phoenix);
      rebuild.setAttribute(
          BaseScannerRegionObserverConstants.LOCAL_INDEX_BUILD_PROTO, maintainers.copyBytes());
    }
    assertThat(rowCount(reader, rebuild)).isZero();
    RebuildRequest.set(rebuild);
    assertThat(rowCount(User.getCurrent(), rebuild)).isZero();
    for (User user : List.of(reader, readerOfTheIndex)) {
      assertThatThrownBy(() -> rowCount(user, rebuild))
          .as(user.getShortName())
          .isInstanceOf(AccessDeniedException.class);
    }
  }

  private static int rowCount(User user, Scan scan) throws Exception {
    return SecureCluster.runAs(
        user,
        () -> {
          try (org.apache.hadoop.hbase.client.Connection connection =
                  ConnectionFactory.createConnection(CLUSTER.utility().getConfiguration());
              Table table = connection.getTable(TABLE);
              ResultScanner rows = table.getScanner(scan)) {
            int count = 0;
            while (rows.next() != null) {
              count++;
            }
            return count;
          }
        });
  }

  private static String withNoIndexHint(String query) {
    return query.replaceFirst("INDEX\\([^)]*\\)", "NO_INDEX");
  }

  /**
   * Checks that users without access to the whole table cannot compare its indexes. A comparison
   * reads all cells, so its result would tell these users about cells that they may not read.
   */
  @Test
  public void comparesIndexesOnlyForReadersOfTheWholeTable() throws Exception {
    for (TableName table : List.of(TABLE, BY_CELL)) {
      assertThat(compare(reader, table)).as(table.toString()).isEqualTo("240 rows, []");
      for (User user : List.of(nobody, readerOfTheIndex, readerOfTheData, readerOfCells)) {
        assertThat(compare(user, table)).as("%s of %s", user, table).isEqualTo(DENIED);
      }
    }
  }

  private static String compare(User user, TableName table) throws Exception {
    return SecureCluster.runAs(
        user,
        () -> {
          try (Connection connection = CLUSTER.connect(PruningMode.EXACT)) {
            CheckedTable checked =
                CheckedTable.find(
                    connection.unwrap(PhoenixConnection.class),
                    TableArgument.parse(table.getNameAsString()));
            CheckResult result = new TableCheck(checked).check(done -> {});
            assertThat(result.regionsComparedByClient()).isZero();
            return result.rows() + " rows, " + result.differences();
          } catch (IOException e) {
            if (causes(e).stream().anyMatch(AccessDeniedException.class::isInstance)) {
              return DENIED;
            }
            throw e;
          }
        });
  }
}

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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phoenixpruning.cli.check.CheckResult;
import io.phoenixpruning.cli.check.CheckedTable;
import io.phoenixpruning.cli.check.Difference;
import io.phoenixpruning.cli.check.IndexRepair;
import io.phoenixpruning.cli.check.RepairResult;
import io.phoenixpruning.cli.check.TableCheck;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.layout.TableArgument;
import io.phoenixpruning.it.ClusterTest;
import io.phoenixpruning.testing.ScanRpcCounts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.check.IndexEntries;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.protocol.IndexDifference.Kind;
import org.apache.phoenix.schema.types.PInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;

/** Tests {@code pruning check} with differences that are planted in HBase. */
@RunWith(JUnitParamsRunner.class)
public class CheckIT extends ClusterTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static final int ROWS = 200;

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Connection connection;
  private String table;

  @Before
  public void connect() throws Exception {
    connection = connect(PruningMode.EXACT);
    table = generateUniqueName();
  }

  @After
  public void close() throws Exception {
    connection.close();
  }

  /**
   * A kind of table. In the statements, %1$s is the name of the table, and %1$s_W is the name of
   * its view.
   */
  private enum Tables {
    PLAIN(
        "CREATE TABLE %1$s (K INTEGER PRIMARY KEY, V INTEGER, W VARCHAR) SPLIT ON ("
            + splits(10, 20)
            + ")",
        "CREATE LOCAL INDEX %1$s_V ON %1$s (V) INCLUDE (W)",
        "CREATE LOCAL INDEX %1$s_K ON %1$s (K, V)"),
    SALTED(
        "CREATE TABLE %1$s (K INTEGER PRIMARY KEY, V INTEGER, W VARCHAR) SALT_BUCKETS = 10",
        "CREATE LOCAL INDEX %1$s_V ON %1$s (V) INCLUDE (W)"),
    FUNCTIONAL(
        "CREATE TABLE %1$s (K INTEGER PRIMARY KEY, V INTEGER, W VARCHAR) SPLIT ON ("
            + splits(10, 20)
            + ")",
        "CREATE LOCAL INDEX %1$s_V ON %1$s (UPPER(W), V + 1 DESC) INCLUDE (W)"),
    SINGLE_CELL(
        """
        CREATE IMMUTABLE TABLE %%1$s (K INTEGER PRIMARY KEY, V INTEGER, W VARCHAR)
          IMMUTABLE_STORAGE_SCHEME = SINGLE_CELL_ARRAY_WITH_OFFSETS, COLUMN_ENCODED_BYTES = 2
          SPLIT ON (%s)"""
            .formatted(splits(10, 20)),
        "CREATE LOCAL INDEX %1$s_V ON %1$s (V) INCLUDE (W)"),
    FAMILIES(
        "CREATE TABLE %1$s (K INTEGER PRIMARY KEY DESC, A.V INTEGER, B.W VARCHAR)"
            + " COLUMN_ENCODED_BYTES = 0, TTL = 86400",
        "CREATE LOCAL INDEX %1$s_V ON %1$s (V) INCLUDE (W)"),
    ROW_TIMESTAMP(
        """
        CREATE IMMUTABLE TABLE %%1$s (K INTEGER NOT NULL, V INTEGER, W VARCHAR, T DATE NOT NULL
          CONSTRAINT PK PRIMARY KEY (K, T ROW_TIMESTAMP)) SPLIT ON (%s)"""
            .formatted(splits(10, 20)),
        "CREATE LOCAL INDEX %1$s_V ON %1$s (V) INCLUDE (W)"),
    TENANTS(
        "CREATE TABLE %1$s (T VARCHAR NOT NULL, K INTEGER NOT NULL, V INTEGER, W VARCHAR"
            + " CONSTRAINT PK PRIMARY KEY (T, K DESC)) MULTI_TENANT = TRUE, SALT_BUCKETS = 3",
        "CREATE LOCAL INDEX %1$s_V ON %1$s (V) INCLUDE (W)"),
    VIEW(
        "CREATE TABLE %1$s (K INTEGER PRIMARY KEY, V INTEGER, W VARCHAR, X INTEGER) SPLIT ON ("
            + splits(10, 20)
            + ")",
        "CREATE VIEW %1$s_W AS SELECT * FROM %1$s WHERE X = 1",
        "CREATE LOCAL INDEX %1$s_V ON %1$s_W (V) INCLUDE (W)",
        "UPSERT INTO %1$s VALUES (1000, 1, 'not in the view', 2)");

    private final String[] statements;

    Tables(String... statements) {
      this.statements = statements;
    }

    String checked(String table) {
      return this == VIEW ? table + "_W" : table;
    }

    /** Returns the value of the column T, or null if there is no such column. */
    String time() {
      if (this == ROW_TIMESTAMP) {
        return "CURRENT_DATE()";
      }
      return this == TENANTS ? "'tenant'" : null;
    }

    boolean canUpdate() {
      return this != SINGLE_CELL && time() == null;
    }
  }

  /** Creates a table with rows that were written, updated and deleted. */
  private void create(Tables kind) throws Exception {
    for (String statement : kind.statements) {
      execute(connection, statement.formatted(table));
    }
    String columns = kind.time() == null ? "(K, V, W)" : "(K, T, V, W)";
    String values = kind.time() == null ? "(?, ?, ?)" : "(?, " + kind.time() + ", ?, ?)";
    try (PreparedStatement upsert =
        connection.prepareStatement(
            "UPSERT INTO " + kind.checked(table) + columns + " VALUES " + values)) {
      for (int k = 0; k < ROWS; k++) {
        upsert.setInt(1, k);
        upsert.setInt(2, k % 7);
        upsert.setString(3, k % 5 == 0 ? null : "w" + k % 3);
        upsert.execute();
      }
    }
    connection.commit();
    if (kind.canUpdate()) {
      String checked = kind.checked(table);
      for (int k = 0; k < ROWS; k += 10) {
        execute(connection, "UPSERT INTO " + checked + " (K, V) VALUES (" + k + ", 8)");
        execute(connection, "UPSERT INTO " + checked + " (K, W) VALUES (" + (k + 1) + ", NULL)");
      }
      connection.commit();
    }
    execute(connection, "DELETE FROM " + kind.checked(table) + " WHERE K IN (3, 33, 133)");
    connection.commit();
  }

  private CheckedTable find(String name) throws Exception {
    return CheckedTable.find(connection.unwrap(PhoenixConnection.class), TableArgument.parse(name));
  }

  private CheckResult check(String name) throws Exception {
    return new TableCheck(find(name)).check(done -> {});
  }

  private static List<Result> rawRows(Table hbase, boolean isIndex) throws Exception {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner = hbase.getScanner(new Scan())) {
      for (Result row : scanner) {
        if (IndexEntries.isOfIndex(row.rawCells()[0]) == isIndex) {
          rows.add(row);
        }
      }
    }
    return rows;
  }

  private Table open() throws Exception {
    return connection
        .unwrap(PhoenixConnection.class)
        .getQueryServices()
        .getTable(Bytes.toBytes(table));
  }

  private static List<Kind> kinds(CheckResult result) {
    return result.differences().stream().map(Difference::kind).sorted().toList();
  }

  /** Splits the region with rows 100 and later, and keeps the files of the parent region. */
  private void splitWithoutCompaction(Tables kind) throws Exception {
    TableName name = TableName.valueOf(table);
    getUtility()
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(getUtility().getAdmin().getDescriptor(name))
                .setCompactionEnabled(false)
                .build());
    getUtility().getAdmin().flush(name);
    List<RegionInfo> regions = regions(table);
    RegionInfo split = regions.get(regions.size() / 2);
    try (Table hbase = open()) {
      List<byte[]> keys =
          rawRows(hbase, false).stream().map(Result::getRow).filter(split::containsRow).toList();
      split(split, keys.get(keys.size() / 2));
    }
    assertThat(getUtility().getHBaseCluster().getRegions(name))
        .anyMatch(region -> region.hasReferences());
  }

  @Test
  @Parameters(source = Tables.class)
  public void findsPlantedDifferences(Tables kind) throws Exception {
    create(kind);
    String checked = kind.checked(table);
    CheckResult before = check(checked);
    assertThat(before.differences()).isEmpty();
    assertThat(before.isComplete()).isTrue();
    assertThat(before.rows()).isEqualTo(ROWS - 3);
    assertThat(before.regionsComparedByClient()).isZero();
    assertThat(before.transferred()).isZero();
    splitWithoutCompaction(kind);
    int indexes = find(checked).layouts().size();
    CheckResult split = check(checked);
    assertThat(split.differences()).isEmpty();
    assertThat(split.regions()).hasSize(before.regions().size() + 1);
    assertThat(split.rows()).isEqualTo(ROWS - 3);
    assertThat(split.transferred()).isZero();

    try (Table hbase = open()) {
      List<Result> entries = rawRows(hbase, true);
      assertThat(entries).hasSize(indexes * (ROWS - 3));
      Result missing = entries.get(entries.size() / 3);
      hbase.delete(new Delete(missing.getRow()));
      Result copied = entries.get(entries.size() / 2);
      byte[] key = copied.getRow();
      key[key.length - 1] ^= 1;
      key[key.length - 2] ^= 0x55;
      Put extra = new Put(key);
      for (Cell cell : copied.rawCells()) {
        extra.addColumn(
            CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), CellUtil.cloneValue(cell));
      }
      hbase.put(extra);
      assertThat(kinds(check(checked))).containsExactly(Kind.MISSING, Kind.EXTRA);

      Cell cell = lastCell(entries);
      hbase.put(
          new Put(CellUtil.cloneRow(cell))
              .addColumn(
                  CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), Bytes.toBytes("x")));
      CheckResult after = check(checked);
      assertThat(kinds(after)).containsExactly(Kind.MISSING, Kind.EXTRA, Kind.STALE);
      assertThat(after.differences())
          .extracting(difference -> Bytes.toStringBinary(difference.found().indexRowKey()))
          .containsExactlyInAnyOrder(
              Bytes.toStringBinary(missing.getRow()),
              Bytes.toStringBinary(key),
              Bytes.toStringBinary(CellUtil.cloneRow(cell)));
      assertThat(after.transferred()).as("each difference, twice").isEqualTo(6);
      assertThat(after.regionsComparedByClient()).isZero();
    }
    assertRepairs(checked, Kind.MISSING);
    assertRepairs(checked, Kind.EXTRA);
    assertRepairs(checked, Kind.STALE);
    CheckResult repaired = check(checked);
    assertThat(repaired.differences()).isEmpty();
    assertThat(repaired.entries(0)).isEqualTo(ROWS - 3);
    for (String hint : List.of("INDEX(" + checked + " " + table + "_V)", "NO_INDEX")) {
      assertThat(rows(connection, "SELECT /*+ " + hint + " */ K, V, W FROM " + checked))
          .as(hint)
          .isEqualTo(rows(connection, "SELECT /*+ NO_INDEX */ K, V, W FROM " + checked))
          .hasSize(ROWS - 3);
    }
  }

  private RepairResult repair(String checked, Set<Kind> kinds) throws Exception {
    CheckedTable found = find(checked);
    TableCheck check = new TableCheck(found);
    return IndexRepair.repair(found, check, check.check(done -> {}), kinds);
  }

  /** Asserts that the repair of one kind of difference leaves the other kinds as they are. */
  private void assertRepairs(String checked, Kind kind) throws Exception {
    List<Kind> before = kinds(check(checked));
    RepairResult repaired = repair(checked, EnumSet.of(kind));
    assertThat(repaired.repaired(kind)).isEqualTo(1);
    assertThat(repaired.left()).noneMatch(difference -> difference.kind() == kind);
    assertThat(kinds(check(checked)))
        .isEqualTo(before.stream().filter(each -> each != kind).toList());
  }

  /**
   * Tests an entry that was written with the key of another region, as a repair during a split can
   * do. Its data row exists, but a query would find the row twice.
   */
  @Test
  public void deletesEntriesOfOtherRegions() throws Exception {
    create(Tables.PLAIN);
    List<RegionInfo> regions = regions(table);
    byte[] own = regions.get(1).getStartKey();
    try (Table hbase = open()) {
      Result entry =
          rawRows(hbase, true).stream()
              .filter(row -> Bytes.startsWith(row.getRow(), own))
              .findFirst()
              .orElseThrow();
      byte[] key =
          Bytes.add(
              regions.get(2).getStartKey(),
              Arrays.copyOfRange(entry.getRow(), own.length, entry.getRow().length));
      Put misplaced = new Put(key);
      for (Cell cell : entry.rawCells()) {
        misplaced.addColumn(
            CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), CellUtil.cloneValue(cell));
      }
      hbase.put(misplaced);
    }
    assertThat(kinds(check(table))).containsExactly(Kind.EXTRA);
    assertThat(repair(table, EnumSet.of(Kind.EXTRA)).left()).isEmpty();
    assertThat(check(table).differences()).isEmpty();
  }

  /** Merges a compared region with one that was not compared yet, and splits another region. */
  @Test
  public void comparesRegionsThatChangeMeanwhile() throws Exception {
    create(Tables.PLAIN);
    List<RegionInfo> regions = regions(table);
    CheckResult result =
        new TableCheck(find(table))
            .check(
                done -> {
                  try {
                    if (done == 3 && regions(table).equals(regions)) {
                      merge(regions.get(2), regions.get(3));
                      split(regions.get(8), PInteger.INSTANCE.toBytes(170));
                    }
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                });
    assertThat(regions(table)).hasSize(10).isNotEqualTo(regions);
    assertThat(result.regions()).hasSize(10);
    assertThat(result.rows()).isEqualTo(ROWS - 3);
    assertThat(result.entries(0)).isEqualTo(ROWS - 3);
    assertThat(result.differences()).isEmpty();
    assertThat(result.isComplete()).isTrue();
  }

  /** Tests servers in mode stock. They ignore the request, so the client reads all rows. */
  @Test
  public void comparesOnTheClientIfTheServersDoNot() throws Exception {
    create(Tables.PLAIN);
    serveAsStock(table);
    ScanRpcCounts before = scanRpcs(table);
    CheckResult consistent = check(table);
    assertThat(scanRpcs(table).minus(before).opens()).isEqualTo(20);
    assertThat(consistent.differences()).isEmpty();
    assertThat(consistent.regionsComparedByClient()).isEqualTo(10);
    // The first row of each region shows that the server does not compare.
    assertThat(consistent.transferred()).isEqualTo(10 + 3 * (ROWS - 3));
    try (Table hbase = open()) {
      hbase.delete(new Delete(rawRows(hbase, true).get(0).getRow()));
    }
    assertThat(kinds(check(table))).containsExactly(Kind.MISSING);
    assertThat(repair(table, EnumSet.allOf(Kind.class)).left()).isEmpty();
    serveAsOurs(table);
    before = scanRpcs(table);
    assertThat(check(table).differences()).isEmpty();
    assertThat(scanRpcs(table).minus(before).opens()).isEqualTo(10);
  }

  /** Plants, removes and changes entries while rows are written, deleted and repaired. */
  @Test
  public void repairsWhileRowsAreWritten() throws Exception {
    create(Tables.PLAIN);
    AtomicBoolean isRunning = new AtomicBoolean(true);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    Future<Integer> writer = executor.submit(() -> write(isRunning));
    long repaired = 0;
    try (Table hbase = open()) {
      Random random = new Random(1);
      for (int round = 0; round < 5; round++) {
        List<Result> entries = rawRows(hbase, true);
        for (int i = 0; i < 20; i++) {
          Result entry = entries.get(random.nextInt(entries.size()));
          if (i % 2 == 0) {
            hbase.delete(new Delete(entry.getRow()));
          } else {
            byte[] key = entry.getRow();
            key[key.length - 1] ^= 3;
            Cell cell = entry.rawCells()[0];
            hbase.put(
                new Put(key)
                    .addColumn(
                        CellUtil.cloneFamily(cell),
                        CellUtil.cloneQualifier(cell),
                        Bytes.toBytes("x")));
          }
        }
        RepairResult result = repair(table, EnumSet.allOf(Kind.class));
        for (Kind kind : Kind.values()) {
          repaired += result.repaired(kind);
        }
      }
    } finally {
      isRunning.set(false);
      executor.shutdown();
    }
    assertThat(writer.get()).isPositive();
    assertThat(repaired).isPositive();
    assertThat(repair(table, EnumSet.allOf(Kind.class)).left()).isEmpty();
    assertThat(check(table).differences()).isEmpty();
    String columns = " K, V, W FROM " + table + " WHERE V >= 0";
    assertThat(rows(connection, "SELECT /*+ INDEX(" + table + " " + table + "_V) */" + columns))
        .isEqualTo(rows(connection, "SELECT /*+ NO_INDEX */" + columns));
  }

  /** Writes rows until {@code isRunning} is false, and returns the number of statements. */
  private int write(AtomicBoolean isRunning) throws Exception {
    Random random = new Random(2);
    int written = 0;
    try (Connection writing = connect(PruningMode.EXACT)) {
      writing.setAutoCommit(true);
      while (isRunning.get()) {
        int k = random.nextInt(ROWS);
        execute(
            writing,
            random.nextInt(4) == 0
                ? "DELETE FROM " + table + " WHERE K = " + k
                : "UPSERT INTO %s VALUES (%d, %d, 'x%d')"
                    .formatted(table, k, random.nextInt(5), random.nextInt(3)));
        written++;
      }
    }
    return written;
  }

  /** Returns a cell of a covered column of the last entry that has one. */
  private static Cell lastCell(List<Result> entries) {
    return entries.stream()
        .flatMap(entry -> List.of(entry.rawCells()).stream())
        .filter(cell -> cell.getValueLength() > 1)
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  @Test
  public void refusesTablesThatItCannotCompare() throws Exception {
    execute(
        connection,
        "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER)",
        "CREATE INDEX G_" + table + " ON " + table + " (V)");
    assertRefused("NOWHERE", "does not exist");
    assertRefused(table, "has no local index. Run CREATE LOCAL INDEX first");
    assertRefused("G_" + table, "is an index");
  }

  private void assertRefused(String name, String message) {
    assertThatThrownBy(() -> find(name))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("TABLE '" + name + "' ")
        .hasMessageContaining(message);
  }

  private String url() {
    return "jdbc:phoenix:localhost:" + getUtility().getZkCluster().getClientPort();
  }

  private String[] arguments(String... options) {
    List<String> args = new ArrayList<>(List.of("check", "--url", url()));
    args.addAll(List.of(options));
    return args.toArray(String[]::new);
  }

  private String run(int exitCode, String... options) {
    PruningRun run = PruningRun.of(arguments(options));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
    return run.out();
  }

  /** Runs the command in a separate process, with an empty standard input. */
  private String runProcess(int exitCode, String... options) throws Exception {
    try (PruningProcess process =
        PruningProcess.start(temporary.getRoot().toPath().resolve("run"), "", arguments(options))) {
      assertThat(process.await(LIMIT)).as(process.err()).isEqualTo(exitCode);
      assertThat(process.temporaryFiles()).isEmpty();
      return process.out();
    }
  }

  @Test
  public void printsDifferencesAndExitCodes() throws Exception {
    create(Tables.PLAIN);
    assertThat(run(0, table))
        .contains(table + "_V on " + table + ": 197 entries, consistent\n")
        .endsWith("10 regions with 197 rows compared by the servers; no row crossed the network\n");
    try (Table hbase = open()) {
      hbase.delete(new Delete(rawRows(hbase, true).get(0).getRow()));
    }
    assertThat(run(3, table)).contains("1 missing, 0 extra, 0 stale\n  missing  ");
    assertThat(run(3, "--json", table)).contains("\"kind\" : \"missing\"");
    run(2, "NOWHERE");
    run(2, "--yes", table);
    assertThat(runProcess(3, "--repair", table)).contains("Wrote 0 missing");
    assertThat(run(0, "--repair", "--yes", "--json", table))
        .contains("\"missing\" : 1", "\"left\" : 0");
    assertThat(run(0, table)).contains("consistent");
  }
}

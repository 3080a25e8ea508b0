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

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.QueryServices;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Tests scans that seek from prefix to prefix of a local index: their rows, and the blocks that
 * they read.
 */
public class LooseIndexScanIT extends ClusterTest {

  private static final long SEED = Long.getLong("tests.seed", 3);
  private static final String SEEKS = "LOOSE INDEX SCAN SEEKS";

  private static final List<String> CONDITIONS =
      List.of(
          "V = 5",
          "V IN (1, 5, 9)",
          "V BETWEEN 3 AND 4",
          "V > 7",
          "V IS NULL",
          "V = 5 AND K2 = 2",
          "V >= 5 AND K2 IN (1, 3)",
          "K2 = 2",
          "(V = 5 OR V = 7) AND W < 3",
          "(K2, K3) >= (1, 2) AND K2 <= 3",
          "(K2, K3) < (3, 2) AND K2 >= 1",
          "(V, K2) >= (3, 2) AND V <= 7");

  private static final List<String> SELECTED = List.of("COUNT(*)", "K1, K2, K3, V", "K1, MAX(W)");

  private static final List<String> COMPARED =
      List.of("K1, K2, K3, V", "K1, K2, K3, W", "COUNT(*), MAX(W)");

  private Connection exact;
  private Connection none;

  /** A connection whose scans return a page for each row. */
  private Connection paged;

  /** Number of calls of {@link #check}. */
  private int checks;

  @Before
  public void connect() throws SQLException {
    exact = connect(PruningMode.EXACT);
    none = connect(PruningMode.NONE);
    paged = connect(Map.of(QueryServices.PHOENIX_SERVER_PAGE_SIZE_MS, "0"));
  }

  @After
  public void disconnect() throws SQLException {
    exact.close();
    none.close();
    paged.close();
  }

  /** Fills a table with random rows whose K1 is one of {@code prefixes}. */
  private void fill(String table, List<?> prefixes) throws SQLException {
    Random random = new Random(SEED);
    try (PreparedStatement upsert =
        exact.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?, ?, ?, ?)")) {
      for (Object k1 : prefixes) {
        for (int k2 = 0; k2 < 5; k2++) {
          for (int k3 = 0; k3 < 6; k3++) {
            upsert.setObject(1, k1);
            upsert.setInt(2, k2);
            upsert.setInt(3, k3);
            upsert.setObject(4, random.nextInt(8) == 0 ? null : random.nextInt(12));
            upsert.setInt(5, random.nextInt(6));
            upsert.execute();
          }
        }
      }
    }
    exact.commit();
  }

  /**
   * Checks the rows along the indexes against the rows of the table and the rows of mode none. Also
   * checks the rows with a page for each row. Each query runs along one of the indexes. The next
   * call runs the query along the next index.
   */
  private void check(String table, String... indexes) throws SQLException {
    int[] seeking = new int[indexes.length];
    for (int c = 0; c < CONDITIONS.size(); c++) {
      for (int s = 0; s < SELECTED.size(); s++) {
        int index = (c + s + checks) % indexes.length;
        String selected = SELECTED.get(s);
        String where =
            selected
                + " FROM "
                + table
                + " WHERE "
                + CONDITIONS.get(c)
                + (selected.contains("MAX") ? " GROUP BY K1" : "");
        String indexed = "SELECT /*+ INDEX(%s %s) */ ".formatted(table, indexes[index]) + where;
        seeking[index] +=
            explain(exact, indexed).stream().anyMatch(step -> step.contains(SEEKS)) ? 1 : 0;
        if (isTested(c, s)) {
          String description = "-Dtests.seed=" + SEED + ", " + indexed;
          List<List<Object>> expected = rows(none, "SELECT /*+ NO_INDEX */ " + where);
          assertThat(rows(exact, indexed)).as(description).isEqualTo(expected);
          assertThat(rows(none, indexed)).as("mode none, " + description).isEqualTo(expected);
          assertThat(rows(paged, indexed)).as("in pages, " + description).isEqualTo(expected);
        }
      }
    }
    checks++;
    assertThat(seeking)
        .as("queries that seek, for each of " + Arrays.asList(indexes))
        .doesNotContain(0);
  }

  /** Returns whether this combination of a condition and a list of columns is tested. */
  private static boolean isTested(int condition, int list) {
    int lists = SELECTED.size();
    return ALL_COMBINATIONS || (condition / lists + condition + list) % lists == 0;
  }

  private void createAndCheck(String table, String type, String options, List<?> prefixes)
      throws SQLException {
    String order = options.contains("DESC") ? " DESC" : "";
    execute(
        exact,
        """
        CREATE TABLE %s (K1 %s NOT NULL, K2 INTEGER NOT NULL, K3 INTEGER NOT NULL,
          V INTEGER, W INTEGER
          CONSTRAINT PK PRIMARY KEY (K1%s, K2, K3)) %s"""
            .formatted(table, type, order, options.replace("DESC", "")),
        "CREATE LOCAL INDEX ONE_" + table + " ON " + table + " (K1" + order + ", V)",
        "CREATE LOCAL INDEX TWO_" + table + " ON " + table + " (K1" + order + ", K2, V DESC)",
        "CREATE LOCAL INDEX DATA_" + table + " ON " + table + " (V, K2)");
    fill(table, prefixes);
    check(table, "ONE_" + table, "TWO_" + table, "DATA_" + table);
  }

  @Test
  public void findsAllRowsAfterPrefixesOfEachType() throws SQLException {
    createAndCheck("LOOSE_INT", "INTEGER", "", List.of(-3, 0, 1, 2, 100, Integer.MAX_VALUE));
    createAndCheck("LOOSE_INT_D", "INTEGER", "DESC", List.of(Integer.MIN_VALUE, 0, 1, 2, 100));
    // The bytes after a value and its separator may be a longer value.
    createAndCheck("LOOSE_TEXT", "VARCHAR", "", List.of("a", "a\u0001", "a\u0001b", "b", "ba"));
    createAndCheck("LOOSE_TEXT_D", "VARCHAR", "DESC", List.of("a", "aa", "ab", "b", "ba"));
    List<BigDecimal> decimals =
        Stream.of("-1", "0", "1", "1.0001", "1.5", "2", "100").map(BigDecimal::new).toList();
    createAndCheck("LOOSE_DECIMAL", "DECIMAL", "", decimals);
    createAndCheck("LOOSE_DECIMAL_D", "DECIMAL", "DESC", decimals);
  }

  @Test
  public void findsAllRowsOfSaltedAndSplitTables() throws SQLException {
    List<Integer> prefixes = List.of(1, 15, 25, 26, 40);
    createAndCheck("LOOSE_SALTED", "INTEGER", "SALT_BUCKETS = 4", prefixes);
    createAndCheck("LOOSE_SPLIT", "INTEGER", "SPLIT ON (10, 20, 30)", prefixes);
    createAndCheck("LOOSE_WIDE", "INTEGER", "COLUMN_ENCODED_BYTES = NONE", prefixes);
  }

  /**
   * Checks the rows before and after compactions have rewritten the files of the former regions,
   * and with guideposts.
   */
  @Test
  public void findsAllRowsAfterASplitAndAMerge() throws Exception {
    createAndCheck(
        "LOOSE_CHANGED", "INTEGER", "SPLIT ON (10, 20)", List.of(1, 2, 15, 16, 25, 26, 40));
    String[] indexes = {"ONE_LOOSE_CHANGED", "TWO_LOOSE_CHANGED", "DATA_LOOSE_CHANGED"};
    List<RegionInfo> regions = regions("LOOSE_CHANGED");
    getUtility().flush(TableName.valueOf("LOOSE_CHANGED"));
    merge(regions.get(0), regions.get(1));
    check("LOOSE_CHANGED", indexes);
    getUtility().compact(TableName.valueOf("LOOSE_CHANGED"), true);
    check("LOOSE_CHANGED", indexes);
    execute(exact, "UPDATE STATISTICS LOOSE_CHANGED");
    check("LOOSE_CHANGED", indexes);
  }

  @Test
  public void findsAllRowsOfTenantsAndViews() throws SQLException {
    execute(
        exact,
        """
        CREATE TABLE LOOSE_BASE (K1 VARCHAR NOT NULL, K2 INTEGER NOT NULL,
          K3 INTEGER NOT NULL, V INTEGER, W INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2, K3)) MULTI_TENANT = true""",
        "CREATE LOCAL INDEX LOOSE_BASE_I ON LOOSE_BASE (K2, V)",
        "CREATE VIEW LOOSE_VIEW AS SELECT * FROM LOOSE_BASE WHERE W = 3");
    fill("LOOSE_BASE", List.of("a", "b", "bb", "c"));
    execute(exact, "CREATE LOCAL INDEX LOOSE_VIEW_I ON LOOSE_VIEW (K2, V)");
    check("LOOSE_BASE", "LOOSE_BASE_I");
    check("LOOSE_VIEW", "LOOSE_VIEW_I");
    try (Connection tenant = connect(Map.of("TenantId", "b"))) {
      String query =
          "SELECT /*+ INDEX(LOOSE_BASE LOOSE_BASE_I) */ COUNT(*) FROM LOOSE_BASE" + " WHERE V = 5";
      assertThat(explain(tenant, query)).anyMatch(step -> step.contains(SEEKS));
      assertThat(rows(tenant, query))
          .isEqualTo(
              rows(
                  none,
                  "SELECT /*+ NO_INDEX */ COUNT(*) FROM LOOSE_BASE" + " WHERE V = 5 AND K1 = 'b'"));
    }
  }

  /**
   * Tests functions for which Phoenix makes key ranges that lack rows. Phoenix does not use these
   * ranges after a column without a condition.
   */
  @Test
  public void findsAllRowsOfFunctions() throws SQLException {
    assertFindsAllRows(
        "S VARCHAR",
        "S",
        List.of("'www.com'", "'abc'", "'foo '", "'foo'", "'zz  '"),
        List.of(
            "REGEXP_SUBSTR(S, '[a-z]+$') = 'com'",
            "REGEXP_SUBSTR(S, '[0-9]+') IS NULL",
            "RTRIM(S) = 'foo'",
            "RTRIM(S) <= 'foo'",
            "SUBSTR(S, 1, 2) > 'ab'",
            "SUBSTR(S, 2) = 'oo'"));
    assertFindsAllRows(
        "C CHAR(4)",
        "C",
        List.of("'bxyz'", "'abxy'", "'ab'", "'ab\tx'"),
        List.of(
            "SUBSTR(C, 1, 2) > 'ab'",
            "SUBSTR(C, 1, 2) >= 'ab'",
            "SUBSTR(C, 1, 1) <= 'aa'",
            "RTRIM(C) = 'ab'",
            "C > 'ab'",
            "C < 'ab'",
            "C <> 'ab'",
            "C = 'ab'",
            "C LIKE 'ab%'",
            "(C, K2) > ('ab', 0)"));
    assertFindsAllRows(
        "N INTEGER", "N", List.of("7", "-8"), List.of("INVERT(N) = INVERT(7)", "INVERT(N) < -1"));
    assertFindsAllRows(
        "B BINARY(4)",
        "B",
        List.of("X'05010203'", "X'85010203'", "X'05000000'"),
        List.of(
            "GET_BYTE(B, 0) = 5",
            "GET_BIT(B, 0) = 1",
            "B > X'05'",
            "B = X'05'",
            "B = X'85010203'",
            "B IN (X'05', X'85010203')"));
  }

  /** Writes {@code values} of a key column in both orders, and compares an index with its table. */
  private void assertFindsAllRows(
      String definition, String column, List<String> values, List<String> conditions)
      throws SQLException {
    for (String order : List.of("", " DESC")) {
      String table = generateUniqueName();
      execute(
          exact,
          """
          CREATE TABLE %s (K1 INTEGER NOT NULL, %s NOT NULL, K2 INTEGER NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (K1, %s%s, K2)) SPLIT ON (10, 20)"""
              .formatted(table, definition, column, order),
          "CREATE LOCAL INDEX V_" + table + " ON " + table + " (V)",
          "CREATE LOCAL INDEX K_%1$s ON %1$s (K1, %2$s%3$s)".formatted(table, column, order));
      for (int i = 0; i < values.size(); i++) {
        for (int k1 : new int[] {1, 15, 25}) {
          execute(
              exact,
              "UPSERT INTO %s VALUES (%d, %s, %d, 5)".formatted(table, k1, values.get(i), i));
        }
      }
      exact.commit();
      for (String condition : conditions) {
        for (String index : List.of("V_", "K_")) {
          String where =
              "K1, K2 FROM " + table + " WHERE V = 5 AND " + condition + " ORDER BY K1, K2";
          assertThat(
                  rows(
                      exact,
                      "SELECT /*+ INDEX(%s %s%s) */ ".formatted(table, index, table) + where))
              .as("%s%s, %s", condition, order, index)
              .isEqualTo(rows(none, "SELECT /*+ NO_INDEX */ " + where));
        }
      }
    }
  }

  /**
   * Tests pages of many blocks. Once a scan has read four blocks, HBase returns no cell for a row
   * that a filter drops. With a page for each row, Phoenix mistook such a row for the end of a
   * page, and an empty page for the last page.
   */
  @Test
  public void findsAllRowsInPagesOfManyBlocks() throws Exception {
    createAndCheck("LOOSE_PAGES", "INTEGER", "SPLIT ON (3)", List.of(1, 2, 3, 4));
    TableName table = TableName.valueOf("LOOSE_PAGES");
    setBlocksizeOfIndexes(table, 512);
    getUtility().flush(table);
    getUtility().compact(table, true);
    check("LOOSE_PAGES", "ONE_LOOSE_PAGES", "TWO_LOOSE_PAGES", "DATA_LOOSE_PAGES");
  }

  /**
   * Tests scans that end at an empty batch: without the patch, at the client or at the server. Such
   * a scan must not seek, because a seek drops rows.
   */
  @Test
  public void losesNoRowsIfAnEmptyBatchEndsAScan() throws Exception {
    createAndCheck("LOOSE_EMPTY", "INTEGER", "SPLIT ON (3)", List.of(1, 2, 3, 4));
    TableName table = TableName.valueOf("LOOSE_EMPTY");
    setBlocksizeOfIndexes(table, 64);
    getUtility().flush(table);
    getUtility().compact(table, true);
    compareWithModeNone("LOOSE_EMPTY", Map.of(PruningOptions.PATCHES, "all,-empty-batch"), false);
    compareWithModeNone(
        "LOOSE_EMPTY", Map.of(QueryServices.PHOENIX_SERVER_PAGING_ENABLED_ATTRIB, "false"), true);
    Admin admin = getUtility().getAdmin();
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
            .setValue(PruningOptions.PATCHES, "all,-empty-batch")
            .build());
    compareWithModeNone("LOOSE_EMPTY", Map.of(), true);
  }

  /** Checks that modes exact and none return the same rows, with and without lookups. */
  private void compareWithModeNone(String table, Map<String, String> options, boolean seeks)
      throws SQLException {
    Map<String, String> ofNone = new HashMap<>(options);
    ofNone.put(PruningOptions.MODE, "none");
    try (Connection exactWithout = connect(options);
        Connection noneWithout = connect(ofNone)) {
      for (String index : List.of("ONE_" + table, "TWO_" + table, "DATA_" + table)) {
        for (int c = 0; c < CONDITIONS.size(); c++) {
          for (int s = 0; s < COMPARED.size(); s++) {
            if (!isTested(c, s)) {
              continue;
            }
            String query =
                "SELECT /*+ INDEX(%s %s) */ %s FROM %s WHERE %s"
                    .formatted(table, index, COMPARED.get(s), table, CONDITIONS.get(c));
            assertThat(rows(exactWithout, query))
                .as("-Dtests.seed=%d, %s, %s", SEED, options, query)
                .isEqualTo(rows(noneWithout, query));
          }
        }
      }
      String seeking =
          "SELECT /*+ INDEX(%1$s ONE_%1$s) */ K1, K2, K3, W FROM %1$s WHERE V = 5".formatted(table);
      assertThat(rows(exactWithout, seeking))
          .isNotEmpty()
          .isEqualTo(
              rows(none, seeking.replace("INDEX(" + table + " ONE_" + table + ")", "NO_INDEX")));
      assertThat(explain(exactWithout, seeking).stream().anyMatch(step -> step.contains(SEEKS)))
          .as("seeks with %s", options)
          .isEqualTo(seeks);
    }
  }

  private static void setBlocksizeOfIndexes(TableName table, int bytes) throws Exception {
    Admin admin = getUtility().getAdmin();
    ColumnFamilyDescriptor family =
        admin.getDescriptor(table).getColumnFamily(Bytes.toBytes("L#0"));
    admin.modifyColumnFamily(
        table, ColumnFamilyDescriptorBuilder.newBuilder(family).setBlocksize(bytes).build());
  }

  /**
   * Tests a server that does not know the attribute of loose index scans. The server reads all
   * rows, as for a stock client.
   */
  @Test
  public void returnsTheRowsOfAPhoenixClientFromAServerOfStock() throws Exception {
    createAndCheck("LOOSE_STOCK", "INTEGER", "", List.of(1, 2, 3));
    serveAsStock("LOOSE_STOCK");
    try (Connection stock = connect(PruningMode.STOCK)) {
      for (String index : List.of("ONE_LOOSE_STOCK", "TWO_LOOSE_STOCK")) {
        for (String condition : CONDITIONS) {
          String query =
              "SELECT /*+ INDEX(LOOSE_STOCK %s) */ K1, K2, K3, V FROM LOOSE_STOCK WHERE %s"
                  .formatted(index, condition);
          assertThat(rows(exact, query)).as(query).isEqualTo(rows(stock, query));
        }
      }
    }
  }

  /**
   * Checks the number of blocks read, with 10 prefixes of 2,000 rows each, in blocks of about 30
   * rows.
   */
  @Test
  public void readsOnlyTheBlocksThatCanHoldARow() throws Exception {
    execute(
        exact,
        """
        CREATE TABLE LOOSE_BLOCKS (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2))""",
        "CREATE LOCAL INDEX LOOSE_BLOCKS_I ON LOOSE_BLOCKS (K1, V)");
    TableName table = TableName.valueOf("LOOSE_BLOCKS");
    setBlocksizeOfIndexes(table, 1_024);
    try (PreparedStatement upsert =
        exact.prepareStatement("UPSERT INTO LOOSE_BLOCKS VALUES (?, ?, ?)")) {
      for (int i = 0; i < 20_000; i++) {
        upsert.setInt(1, i % 10);
        upsert.setInt(2, i / 10);
        upsert.setInt(3, i / 10);
        upsert.execute();
        if (i % 1_000 == 0) {
          exact.commit();
        }
      }
    }
    exact.commit();
    getUtility().flush(table);
    String loose =
        """
        SELECT /*+ INDEX(LOOSE_BLOCKS LOOSE_BLOCKS_I) */ COUNT(*) FROM LOOSE_BLOCKS
          WHERE V = 777""";
    String range = loose.replace("*/", "RANGE_SCAN */");
    blocks(loose);
    long sought = blocks(loose);
    long all = blocks(range);
    assertThat(all).isGreaterThan(300);
    assertThat(sought).isLessThan(all / 3);
  }

  /** Returns the number of blocks that the query requests from the block cache. */
  private long blocks(String query) throws Exception {
    long before = blockRequests();
    assertThat(rows(exact, query)).hasToString("[[1E+1]]");
    return blockRequests() - before;
  }

  private static long blockRequests() {
    return getUtility()
        .getHBaseCluster()
        .getRegionServer(0)
        .getBlockCache()
        .orElseThrow()
        .getStats()
        .getRequestCount();
  }
}

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

import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.jdbc.PhoenixTestDriver;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.schema.types.PInteger;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Tests LIMIT and OFFSET in tables and along indexes, forwards, backwards and without an order. */
@RunWith(Parameterized.class)
public class OffsetIT extends ClusterTest {

  private static final int ROWS = 12;

  private static final Map<String, String> WITHOUT_THE_PATCH = allBut(Patch.SERVER_OFFSET);

  /** Table or index that a query reads, and its column. */
  private enum Source {
    TABLE("/*+ NO_INDEX */", "V"),
    LOCAL_INDEX("/*+ INDEX(%1$s I_%1$s) */", "V"),
    GLOBAL_INDEX("/*+ INDEX(%1$s G_%1$s) */", "W");

    private final String hint;
    private final String column;

    Source(String hint, String column) {
      this.hint = hint;
      this.column = column;
    }
  }

  @Parameter public String kind;

  @Parameter(1)
  public String options;

  @Parameters(name = "{0}")
  public static List<Object[]> tables() {
    return List.of(
        new Object[] {"one region", ""},
        new Object[] {"four regions", " SPLIT ON ('a03', 'a06', 'a09')"},
        new Object[] {"salted", " SALT_BUCKETS = 3"});
  }

  /**
   * Tests a client that returns rows in key order without an ORDER BY, which is not Phoenix's
   * default.
   */
  @Test
  public void skipsRowsInTheOrderOfTheKey() throws SQLException {
    String table = generateUniqueName();
    PhoenixTestDriver client = driver(Map.of(QueryServices.FORCE_ROW_KEY_ORDER_ATTRIB, "true"));
    try (Connection exact = connect(client, Map.of());
        Connection without = connect(client, WITHOUT_THE_PATCH)) {
      createTable(exact, table);
      List<String> wrongWithout = new ArrayList<>();
      Combinations combinations = Combinations.oneOf(3);
      for (Source source : Source.values()) {
        for (String where :
            List.of(
                "", " WHERE " + source.column + " >= 0", " WHERE K >= 'a02'", " WHERE K < 'b'")) {
          for (String order :
              List.of(
                  "",
                  " ORDER BY " + source.column,
                  " ORDER BY " + source.column + " DESC",
                  " ORDER BY K",
                  " ORDER BY K DESC")) {
            for (int[] page : new int[][] {{2, 1}, {2, 4}, {30, 4}, {30, 11}, {30, 20}}) {
              if (!combinations.chooseNext()) {
                continue;
              }
              String sql =
                  "SELECT %s %s FROM %s%s%s LIMIT %d OFFSET %d"
                      .formatted(
                          source.hint.formatted(table),
                          source.column,
                          table,
                          where,
                          order,
                          page[0],
                          page[1]);
              List<List<Object>> expected =
                  expected(where.contains("a02") ? 2 : 0, order.endsWith("DESC"), page);
              check(sql, rows(exact, sql), expected, !order.isEmpty());
              if (rows(without, sql).size() != expected.size()) {
                wrongWithout.add(sql);
              }
            }
          }
        }
      }
      if (!kind.equals("salted")) {
        assertThat(wrongWithout).isNotEmpty();
        String reversed =
            "SELECT K FROM " + table + " WHERE K < 'b' ORDER BY K DESC LIMIT 2 OFFSET 4";
        assertThat(explain(exact, reversed).toString()).contains("CLIENT OFFSET 4");
        assertThat(explain(without, reversed).toString()).contains("SERVER OFFSET 4");
      }
      assertThat(wrongWithout).allMatch(sql -> sql.contains("ORDER BY K DESC"));
    } finally {
      client.close();
    }
  }

  /**
   * Tests a client that forces no order. Column W is not in the local index, so it is looked up.
   */
  @Test
  public void skipsRowsIfNoOrderIsForced() throws SQLException {
    String table = generateUniqueName();
    try (Connection exact = connect(PruningMode.EXACT);
        Connection without = connect(WITHOUT_THE_PATCH)) {
      createTable(exact, table);
      int notSkipped = 0;
      for (Source source : Source.values()) {
        for (String where : List.of("", " WHERE V >= 0", " WHERE V >= 0 AND W >= 0")) {
          String all =
              "SELECT %s K FROM %s%s".formatted(source.hint.formatted(table), table, where);
          for (int[] page : new int[][] {{2, 1}, {2, 4}, {30, 4}, {30, 11}, {30, 20}}) {
            String sql = "%s LIMIT %d OFFSET %d".formatted(all, page[0], page[1]);
            int expected = Math.min(page[0], Math.max(0, ROWS - page[1]));
            assertThat(rows(exact, sql))
                .as(sql)
                .hasSize(expected)
                .doesNotHaveDuplicates()
                .isSubsetOf(rows(exact, all));
            if (source == Source.LOCAL_INDEX && where.length() < 20 && page[0] == 30) {
              notSkipped += rows(without, sql).size() - expected;
            }
          }
        }
      }
      assertThat(notSkipped).as("rows not skipped without the patch").isPositive();
    }
  }

  private void createTable(Connection connection, String table) throws SQLException {
    execute(
        connection,
        "CREATE TABLE %s (K VARCHAR PRIMARY KEY, V INTEGER, W INTEGER)%s".formatted(table, options),
        "CREATE LOCAL INDEX I_%1$s ON %1$s (V)".formatted(table),
        "CREATE INDEX G_%1$s ON %1$s (W)".formatted(table));
    for (int row = 0; row < ROWS; row++) {
      execute(
          connection, "UPSERT INTO %s VALUES ('a%02d', %d, %d)".formatted(table, row, row, row));
    }
    connection.commit();
  }

  /**
   * Returns a page of the rows from number {@code first} to the last, or of these rows in reverse.
   *
   * @param page LIMIT and OFFSET
   */
  private static List<List<Object>> expected(int first, boolean isReversed, int[] page) {
    List<List<Object>> rows =
        IntStream.range(first, ROWS)
            .mapToObj(row -> List.<Object>of(new BigDecimal(row).stripTrailingZeros()))
            .collect(Collectors.toCollection(ArrayList::new));
    if (isReversed) {
      Collections.reverse(rows);
    }
    return rows.subList(Math.min(page[1], rows.size()), Math.min(page[0] + page[1], rows.size()));
  }

  /** Compares the rows if their order is defined. Otherwise, compares only the number of rows. */
  private static void check(
      String sql, List<List<Object>> rows, List<List<Object>> expected, boolean isOrdered) {
    if (isOrdered) {
      assertThat(rows).as(sql).isEqualTo(expected);
    } else {
      assertThat(rows).as(sql).hasSameSizeAs(expected).doesNotHaveDuplicates();
    }
  }

  /** Tests that a scan without the attribute of its first row is refused and locks no region. */
  @Test(timeout = 120_000)
  public void unlocksRegions() throws SQLException, IOException {
    String name = generateUniqueName();
    Admin admin = getUtility().getAdmin();
    try (Connection exact = connect(PruningMode.EXACT)) {
      createTable(exact, name);
      TableName tableName = TableName.valueOf(name);
      byte[] middle = options.contains("SALT") ? new byte[] {2} : Bytes.toBytes("a10");
      Scan scan = new Scan().withStartRow(middle).setLimit(1);
      scan.setAttribute(
          BaseScannerRegionObserverConstants.NON_AGGREGATE_QUERY, QueryConstants.TRUE);
      scan.setAttribute(
          BaseScannerRegionObserverConstants.SCAN_OFFSET, PInteger.INSTANCE.toBytes(1));
      scan.setAttribute(QueryConstants.LAST_SCAN, QueryConstants.TRUE);
      try (Table table = admin.getConnection().getTable(tableName);
          ResultScanner rows = table.getScanner(scan)) {
        assertThatThrownBy(rows::next).hasMessageContaining("_ScanActualStartRow");
      }
      admin.disableTable(tableName);
      admin.enableTable(tableName);
    }
  }
}

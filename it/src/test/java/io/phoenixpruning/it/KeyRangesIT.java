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

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.pruning.config.PruningMode;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests Phoenix's own key ranges and skip scans, on data tables and local indexes. */
@RunWith(JUnitParamsRunner.class)
public class KeyRangesIT extends ClusterTest {

  /** Number of values in a long list. */
  private static final int LIST = 150;

  private String table;
  private Connection exact;
  private Connection none;

  @Before
  public void connect() throws Exception {
    table = generateUniqueName();
    exact = connect(PruningMode.EXACT);
    none = connect(PruningMode.NONE);
    exact.setAutoCommit(true);
  }

  @After
  public void disconnect() throws SQLException {
    exact.close();
    none.close();
  }

  /**
   * Tests the smallest and greatest values. Without the patches, {@code K > 127} finds all rows,
   * and binary values that begin with 0 are lost.
   */
  @Test
  @Parameters({"ASC", "DESC"})
  public void comparesWithTheLeastAndTheGreatestValue(String order) throws SQLException {
    String bytes = "B_" + table;
    execute(
        exact,
        """
        CREATE TABLE %s (K TINYINT NOT NULL, B VARBINARY NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K %s, B))"""
            .formatted(bytes, order),
        "CREATE LOCAL INDEX I_" + bytes + " ON " + bytes + " (K, V)",
        "CREATE LOCAL INDEX J_" + bytes + " ON " + bytes + " (V)",
        "UPSERT INTO " + bytes + " VALUES (-128, X'000103', 1)",
        "UPSERT INTO " + bytes + " VALUES (-128, X'0001', 1)",
        "UPSERT INTO " + bytes + " VALUES (127, X'0002', 1)",
        "UPSERT INTO " + bytes + " VALUES (127, X'01', 1)");
    assertThat(counts(bytes, "K > 127")).containsOnly(0);
    assertThat(counts(bytes, "K < -128")).containsOnly(0);
    assertThat(counts(bytes, "K >= 127")).containsOnly(2);
    assertThat(counts(bytes, "K <= -128")).containsOnly(2);
    assertThat(counts(bytes, "K = -128 AND B < X'01'")).containsOnly(2);
    assertThat(counts(bytes, "B <= X'000103'")).containsOnly(2);
    assertThat(counts(bytes, "V = 1 AND K = 127 AND B <= X'01'")).containsOnly(2);
    assertThat(counts(bytes, "V = 1 AND K = -128 AND B <= X'0001'")).containsOnly(1);
  }

  /** Returns how many rows of a table match, without an index and along each index. */
  private List<Integer> counts(String of, String where) throws SQLException {
    List<Integer> counts = new ArrayList<>();
    for (String hint :
        List.of("NO_INDEX", "INDEX(" + of + " I_" + of + ")", "INDEX(" + of + " J_" + of + ")")) {
      for (Connection connection : List.of(exact, none)) {
        String sql = "SELECT /*+ " + hint + " */ COUNT(*) FROM " + of + " WHERE " + where;
        counts.add(((Number) rows(connection, sql).get(0).get(0)).intValue());
      }
    }
    return counts;
  }

  /**
   * Tests skip scans. Without the patches, the first three queries lose rows, and compiling the
   * last query never ends.
   */
  @Test(timeout = 120_000)
  public void skipsToTheNextValue() throws SQLException {
    String keys = "S_" + table;
    String index = "I_" + keys;
    execute(
        exact,
        """
        CREATE TABLE %s (K1 VARCHAR NOT NULL, K2 INTEGER NOT NULL, K3 INTEGER NOT NULL,
          V INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2, K3))"""
            .formatted(keys),
        "CREATE LOCAL INDEX " + index + " ON " + keys + " (V)");
    for (String k1 : List.of("aa", "b")) {
      for (int k2 = 1; k2 <= 3; k2++) {
        for (int k3 = 1; k3 <= 3; k3++) {
          execute(
              exact, "UPSERT INTO " + keys + " VALUES ('" + k1 + "', " + k2 + ", " + k3 + ", 1)");
        }
      }
    }
    for (String hint : List.of("NO_INDEX", "INDEX(" + keys + " " + index + ")")) {
      String select = "SELECT /*+ " + hint + " */ K1, K2, K3 FROM " + keys + " WHERE V = 1 AND ";
      assertThat(rows(exact, select + "K1 IN ('aa', 'b') AND K2 < 2 AND K3 = 2"))
          .as(hint)
          .extracting(row -> row.get(0))
          .containsExactly("aa", "b");
      assertThat(rows(exact, select + "(K1, K2, K3) <= ('b', 1, 2) AND K1 IN ('aa', 'b')"))
          .as(hint)
          .hasSize(9 + 2);
      assertThat(rows(exact, select + "(K1 = 'aa' OR (K1, K2, K3) > ('b', 2, 2))"))
          .as(hint)
          .hasSize(9 + 4);
      assertThat(rows(exact, select + "(K2, K3) <= (2, 1) AND K1 = 'b' AND K2 < 4"))
          .as(hint)
          .hasSize(3 + 1);
      assertThat(rows(exact, select + "SUBSTR(K1, 1, 1) IN ('a', 'b') AND K2 = 1"))
          .as(hint)
          .hasSize(2 * 3);
    }
  }

  /**
   * Tests a region that ends inside a descending value. Without the patch, a row of b is not found,
   * because the region's whole end key compares as less than b.
   */
  @Test
  public void readsARegionThatEndsInsideADescendingValue() throws SQLException {
    String keys = "E_" + table;
    execute(
        exact,
        """
        CREATE TABLE %s (K1 VARCHAR NOT NULL, K2 INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K1 DESC, K2)) SPLIT ON (X'9DFF80000005')"""
            .formatted(keys),
        "CREATE LOCAL INDEX I_" + keys + " ON " + keys + " (V)",
        "UPSERT INTO " + keys + " VALUES ('a', 1, 1)",
        "UPSERT INTO " + keys + " VALUES ('b', 1, 1)",
        "UPSERT INTO " + keys + " VALUES ('b', 7, 1)");
    String select = "SELECT /*+ NO_INDEX */ K2 FROM " + keys + " WHERE K1 IN ('a', 'b')";
    assertThat(rows(exact, select)).hasSize(3);
    assertThat(rows(exact, select.replace("NO_INDEX", "INDEX(" + keys + " I_" + keys + ")")))
        .hasSize(3);
  }

  /**
   * Tests decimals that are written as parameters with the column's scale. With another scale,
   * Phoenix stores other numbers.
   */
  @Test
  public void findsDescendingDecimals() throws SQLException {
    String keys = "M_" + table;
    execute(
        exact,
        """
        CREATE TABLE %s (K1 DECIMAL(12, 3) NOT NULL, K2 INTEGER NOT NULL, V DECIMAL(12, 4),
          W INTEGER
          CONSTRAINT PK PRIMARY KEY (K1 DESC, K2))"""
            .formatted(keys),
        "CREATE LOCAL INDEX I_" + keys + " ON " + keys + " (V DESC)");
    String[][] values = {{"-1.83", "2.7189"}, {"-1.83", "2.7189"}, {"2.718", "-1.83"}, {"5", "5"}};
    try (PreparedStatement upsert =
        exact.prepareStatement("UPSERT INTO " + keys + " VALUES (?, ?, ?, 5)")) {
      for (int i = 0; i < values.length; i++) {
        upsert.setBigDecimal(1, new BigDecimal(values[i][0]));
        upsert.setInt(2, i + 1);
        upsert.setBigDecimal(3, new BigDecimal(values[i][1]));
        upsert.execute();
      }
    }
    for (String hint : List.of("NO_INDEX", "INDEX(" + keys + " I_" + keys + ")")) {
      String select = "SELECT /*+ " + hint + " */ K2, K1, V FROM " + keys + " WHERE ";
      assertThat(rows(exact, select + "K1 < 100 ORDER BY K2"))
          .as(hint)
          .extracting(row -> row.subList(0, 3).toString())
          .containsExactly(
              "[1, -1.83, 2.7189]", "[2, -1.83, 2.7189]", "[3, 2.718, -1.83]", "[4, 5, 5]");
      assertThat(rows(exact, select + "K1 = -1.83")).as(hint).hasSize(2);
      assertThat(rows(exact, select + "K1 = 2.718")).as(hint).hasSize(1);
      assertThat(rows(exact, select + "K1 <= 2.7179")).as(hint).hasSize(2);
      assertThat(rows(exact, select + "K1 < 2.7189")).as(hint).hasSize(3);
      assertThat(rows(exact, select + "V > -1.8301")).as(hint).hasSize(4);
    }
  }

  private static String[][] ordersAndOptions() {
    return new String[][] {
      {"", ""}, {"", " SALT_BUCKETS = 3"}, {" DESC", ""}, {" DESC", " SALT_BUCKETS = 3"}
    };
  }

  /**
   * Tests nulls. Without the patches, rows with a null are found below values, or are lost together
   * with all other rows.
   */
  @Test
  @Parameters(method = "ordersAndOptions")
  public void findsNullsWhereTheyMatch(String order, String options) throws SQLException {
    String keys = "N_" + generateUniqueName();
    execute(
        exact,
        """
        CREATE TABLE %s (K VARCHAR NOT NULL, L VARCHAR, A INTEGER, B INTEGER
          CONSTRAINT PK PRIMARY KEY (K, L%s))%s"""
            .formatted(keys, order, options),
        "CREATE LOCAL INDEX I_" + keys + " ON " + keys + " (A, B" + order + ")",
        "UPSERT INTO " + keys + " VALUES ('a', 'c', 1, 3)",
        "UPSERT INTO " + keys + " VALUES ('b', 'd', 2, 7)",
        "UPSERT INTO " + keys + " (K, A) VALUES ('c', 1)",
        "UPSERT INTO " + keys + " (K, A) VALUES ('d', 2)");
    assertThat(nulls(keys, "L < 'cc'", "B < 5")).containsOnly(List.of("a"));
    assertThat(nulls(keys, "L <= 'c'", "B <= 3")).containsOnly(List.of("a"));
    assertThat(nulls(keys, "L > 'c'", "B > 3")).containsOnly(List.of("b"));
    assertThat(nulls(keys, "L IS NULL", "B IS NULL")).containsOnly(List.of("c", "d"));
    assertThat(nulls(keys, "L IS NOT NULL", "B IS NOT NULL")).containsOnly(List.of("a", "b"));
    assertThat(nulls(keys, "(L IS NULL OR L < 'cc')", "(B IS NULL OR B < 5)"))
        .containsOnly(List.of("a", "c", "d"));
    assertThat(nulls(keys, "(L IS NULL OR L > 'cc')", "(B IS NULL OR B > 5)"))
        .containsOnly(List.of("b", "c", "d"));
    assertThat(nulls(keys, "(L IS NULL OR L = 'd')", "(B IS NULL OR B = 7)"))
        .containsOnly(List.of("b", "c", "d"));
    assertThat(nulls(keys, "(L < 'd' OR L > 'c')", "(B < 7 OR B > 3)"))
        .containsOnly(List.of("a", "b"));
    assertThat(nulls(keys, "L BETWEEN 'c' AND 'cc'", "B BETWEEN 3 AND 3.5"))
        .containsOnly(List.of("a"));
  }

  @Test
  public void findsBytesThatBeginWithZero() throws SQLException {
    for (String type : List.of("VARBINARY", "UNSIGNED_INT ARRAY")) {
      String keys = "B_" + generateUniqueName();
      String zero = type.equals("VARBINARY") ? "X'0001'" : "ARRAY[0, 1]";
      String one = type.equals("VARBINARY") ? "X'0101'" : "ARRAY[16777216]";
      execute(
          exact,
          "CREATE TABLE %s (K INTEGER NOT NULL, B %s, V INTEGER CONSTRAINT PK PRIMARY KEY (K, B))"
              .formatted(keys, type),
          "CREATE LOCAL INDEX I_%1$s ON %1$s (V)".formatted(keys),
          "UPSERT INTO %s VALUES (1, %s, 5)".formatted(keys, zero),
          "UPSERT INTO %s VALUES (2, %s, 5)".formatted(keys, one),
          "UPSERT INTO %s VALUES (3, NULL, 5)".formatted(keys),
          "UPSERT INTO %s VALUES (4, %s, 6)".formatted(keys, zero));
      exact.commit();
      for (String where :
          List.of(
              "K >= 1 AND B IS NOT NULL",
              "V IN (5, 6) AND K >= 1 AND B IS NOT NULL",
              "NOT (B IS NULL) AND K IN (1, 2, 3, 4)")) {
        for (String hint : List.of("NO_INDEX", "INDEX(%1$s I_%1$s)".formatted(keys))) {
          assertThat(
                  rows(exact, "SELECT /*+ %s */ K FROM %s WHERE %s".formatted(hint, keys, where)))
              .as("%s, %s, %s", type, hint, where)
              .extracting(List::toString)
              .containsExactlyInAnyOrder("[1]", "[2]", "[4]");
        }
      }
    }
  }

  /** Returns types with their least value, each in both orders. */
  private static List<String[]> leastValues() {
    String[][] leastOfTypes = {
      {"TINYINT", "-128"},
      {"INTEGER", "-2147483648"},
      {"BIGINT", "-9223372036854775808"},
      {"UNSIGNED_INT", "0"},
      {"DOUBLE", "-1.7E308"},
    };
    List<String[]> cases = new ArrayList<>();
    for (String[] of : leastOfTypes) {
      for (String order : List.of("", " DESC")) {
        cases.add(new String[] {of[0], of[1], order});
      }
    }
    return cases;
  }

  /** Tests row values whose last column has a variable width. */
  @Test
  @Parameters(method = "leastValues")
  public void findsTheLeastRowValues(String type, String least, String order) throws SQLException {
    String keys = "L_" + generateUniqueName();
    execute(
        exact,
        """
        CREATE TABLE %s (A INTEGER NOT NULL, K %s NOT NULL, L VARCHAR, V INTEGER
          CONSTRAINT PK PRIMARY KEY (A, K%s, L))"""
            .formatted(keys, type, order),
        "CREATE LOCAL INDEX I_" + keys + " ON " + keys + " (A, K, L)");
    for (String k : List.of(least, "5", "100")) {
      execute(
          exact,
          "UPSERT INTO " + keys + " VALUES (1, " + k + ", 'c', 1)",
          "UPSERT INTO " + keys + " VALUES (2, " + k + ", 'c', 1)");
    }
    execute(exact, "UPSERT INTO " + keys + " VALUES (1, " + least + ", NULL, 1)");
    assertThatRowValuesAreFound(keys, "A = 1 AND (K, L) <= (5, 'd')", 3);
    assertThatRowValuesAreFound(keys, "A = 1 AND (K, L) <= (5, 'b')", 2);
    assertThatRowValuesAreFound(keys, "A IN (1, 2) AND (K, L) < (5, 'd')", 5);
    assertThatRowValuesAreFound(keys, "A IN (1, 2) AND (K, L) < (5, 'b')", 3);
    assertThatRowValuesAreFound(keys, "(A, K, L) <= (1, 5, 'd')", 3);
    assertThatRowValuesAreFound(keys, "A >= 1 AND (K, L) > (5, 'd')", 2);
  }

  /** The ranges of the last column are part of the start of the scan. */
  @Test
  @Parameters(method = "leastValues")
  public void findsTheLeastRowValuesBeforeOtherRanges(String type, String least, String order)
      throws SQLException {
    for (String orderOfLast : List.of("", " DESC")) {
      String keys = "LB_" + generateUniqueName();
      execute(
          exact,
          """
          CREATE TABLE %s (K %s NOT NULL, L VARCHAR NOT NULL, A INTEGER NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (K%s, L%s, A))"""
              .formatted(keys, type, order, orderOfLast),
          "CREATE LOCAL INDEX I_" + keys + " ON " + keys + " (K, L, A)");
      for (String k : List.of(least, "5", "100")) {
        execute(
            exact,
            "UPSERT INTO " + keys + " VALUES (" + k + ", 'c', 2, 1)",
            "UPSERT INTO " + keys + " VALUES (" + k + ", 'c', 7, 1)");
      }
      assertThatRowValuesAreFound(keys, "A IN (2, 15) AND (K, L) <= (5, 'd')", 2);
      assertThatRowValuesAreFound(keys, "A IN (2, 15) AND (K, L) < (5, 'b')", 1);
      assertThatRowValuesAreFound(keys, "A = 7 AND (K, L) < (5, 'd')", 2);
      assertThatRowValuesAreFound(keys, "A > 2 AND (K, L, A) <= (100, 'c', 7)", 3);
    }
  }

  /**
   * Tests the first page of a table that is read in pages: all row values come after nulls. The row
   * value must not stay in the filter, where it would be null.
   */
  @Test
  public void readsFromTheNulls() throws SQLException {
    for (String order : List.of("", " DESC")) {
      String keys = "N_" + generateUniqueName();
      execute(
          exact,
          """
          CREATE TABLE %s (A VARCHAR, K VARCHAR, L VARCHAR NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (A, K%s, L))"""
              .formatted(keys, order),
          "CREATE LOCAL INDEX I_" + keys + " ON " + keys + " (V, L)",
          "UPSERT INTO " + keys + " VALUES (NULL, NULL, 'c', 1)",
          "UPSERT INTO " + keys + " VALUES ('a', NULL, 'c', 1)",
          "UPSERT INTO " + keys + " VALUES ('a', 'b', 'c', 2)");
      for (String operator : List.of(" > ", " >= ")) {
        String ofKey = "(A, K, L)" + operator + "(NULL, NULL, NULL)";
        assertThatRowValuesAreFound(keys, ofKey, 3);
        assertThatRowValuesAreFound(keys, "V > 0 AND " + ofKey, 3);
        assertThatRowValuesAreFound(keys, "V = 1 AND " + ofKey, 2);
        assertThatRowValuesAreFound(keys, "L = 'c' AND " + ofKey, 3);
        assertThatRowValuesAreFound(keys, "V > 0 AND (A = 'b' OR " + ofKey + ")", 3);
        String ofLater = "(K, L)" + operator + "(NULL, NULL)";
        assertThatRowValuesAreFound(keys, "A = 'a' AND " + ofLater, 2);
        assertThatRowValuesAreFound(keys, "V > 0 AND A = 'a' AND " + ofLater, 2);
      }
    }
  }

  private void assertThatRowValuesAreFound(String of, String where, int rows) throws SQLException {
    for (Connection connection : List.of(exact, none)) {
      for (String hint : List.of("NO_INDEX", "INDEX(" + of + " I_" + of + ")")) {
        String sql = "SELECT /*+ " + hint + " */ A, K, L FROM " + of + " WHERE " + where;
        assertThat(rows(connection, sql)).as(sql).hasSize(rows);
      }
    }
  }

  /**
   * Returns the keys that match, without the index and along it, with a range scan and with a skip
   * scan.
   */
  private List<List<Object>> nulls(String of, String ofKey, String ofIndex) throws SQLException {
    List<List<Object>> found = new ArrayList<>();
    for (Connection connection : List.of(exact, none)) {
      for (String all : List.of("", "K IN ('a', 'b', 'c', 'd') AND ")) {
        found.add(nulls(connection, of, "NO_INDEX", all + ofKey));
      }
      for (String all : List.of("", "A IN (1, 2) AND ")) {
        found.add(nulls(connection, of, "INDEX(" + of + " I_" + of + ")", all + ofIndex));
      }
    }
    return found;
  }

  private static List<Object> nulls(Connection connection, String of, String hint, String where)
      throws SQLException {
    String sql = "SELECT /*+ " + hint + " */ K FROM " + of + " WHERE " + where;
    return rows(connection, sql).stream()
        .map(row -> row.get(0))
        .sorted()
        .collect(Collectors.toList());
  }

  @Test
  public void comparesPrefixesWithTextsOfAnyLength() throws SQLException {
    List<String> texts = List.of("a", "aa", "aaa", "ab", "abb", "b", "ba", "bzz", "c");
    Map<String, IntPredicate> operators =
        Map.of(
            "<",
            i -> i < 0,
            "<=",
            i -> i <= 0,
            "=",
            i -> i == 0,
            ">=",
            i -> i >= 0,
            ">",
            i -> i > 0);
    for (String order : List.of("ASC", "DESC")) {
      String keys = order + "_" + table;
      execute(
          exact,
          "CREATE TABLE %s (K VARCHAR PRIMARY KEY %s, V VARCHAR) SPLIT ON ('b')"
              .formatted(keys, order),
          "CREATE LOCAL INDEX I_" + keys + " ON " + keys + " (V " + order + ")");
      for (String text : texts) {
        execute(exact, "UPSERT INTO " + keys + " VALUES ('" + text + "', '" + text + "')");
      }
      for (String text : texts) {
        for (int length : new int[] {1, 2, 3, 9}) {
          for (String operator : operators.keySet()) {
            List<String> expected =
                texts.stream()
                    .filter(
                        value ->
                            operators.get(operator).test(prefix(value, length).compareTo(text)))
                    .collect(Collectors.toList());
            String condition = ", 1, " + length + ") " + operator + " '" + text + "'";
            assertThat(
                    rows(
                        exact,
                        "SELECT /*+ NO_INDEX */ K FROM " + keys + " WHERE SUBSTR(K" + condition))
                .as(order + condition)
                .extracting(row -> row.get(0))
                .hasSameElementsAs(expected)
                .hasSameSizeAs(expected);
            assertThat(
                    rows(
                        exact,
                        "SELECT /*+ INDEX(%1$s I_%1$s) */ K FROM %1$s WHERE SUBSTR(V%2$s"
                            .formatted(keys, condition)))
                .as("index " + order + condition)
                .extracting(row -> row.get(0))
                .hasSameElementsAs(expected)
                .hasSameSizeAs(expected);
          }
        }
      }
    }
  }

  /**
   * Tests long IN lists. For these lists, Phoenix computes all 506 million keys, and needs more
   * than 5 GB.
   */
  @Test
  public void readsTheRowsOfLongLists() throws SQLException {
    String keys = "L_" + table;
    execute(
        exact,
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 VARCHAR NOT NULL, V INTEGER, W INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2 DESC)) SPLIT ON (50, 100, 200)"""
            .formatted(keys),
        "CREATE LOCAL INDEX I_" + keys + " ON " + keys + " (V, W)");
    exact.setAutoCommit(false);
    List<List<Object>> matching = new ArrayList<>();
    for (int k1 = 0; k1 < 300; k1 += 7) {
      int k2 = k1 % 170;
      execute(
          exact,
          String.format("UPSERT INTO %s VALUES (%d, 't%d', %d, %d)", keys, k1, k2, k1, k1 % 9),
          String.format("UPSERT INTO %s VALUES (%d, 'u', %d, 1)", keys, k1, k1),
          String.format("UPSERT INTO %s VALUES (%d, 't', NULL, 1)", keys, k1));
      if (k1 < LIST && k2 < LIST) {
        matching.add(List.of(new BigDecimal(k1).stripTrailingZeros(), "t" + k2));
      }
    }
    exact.commit();
    assertThat(matching).isNotEmpty();
    String where =
        String.format(
            " FROM %1$s WHERE K1 IN (%2$s) AND K2 IN (%3$s) AND V IN (%2$s) AND W IN (%2$s)",
            keys, list("%d"), list("'t%d'"));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (Connection connection : List.of(exact, none)) {
      for (String hint : List.of("NO_INDEX", "INDEX(" + keys + " I_" + keys + ")")) {
        long before = threads.getCurrentThreadAllocatedBytes();
        List<List<Object>> found =
            rows(connection, "SELECT /*+ " + hint + " */ K1, K2" + where + " ORDER BY K1");
        assertThat(found).as(hint).isEqualTo(matching);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before)
            .as(hint)
            .isLessThan(200_000_000);
      }
    }
  }

  private static String list(String format) {
    return IntStream.range(0, LIST)
        .mapToObj(i -> String.format(format, i))
        .collect(Collectors.joining(", "));
  }

  private static String prefix(String text, int length) {
    return text.substring(0, Math.min(length, text.length()));
  }
}

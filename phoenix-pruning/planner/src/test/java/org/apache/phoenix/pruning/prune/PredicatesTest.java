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
package org.apache.phoenix.pruning.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Date;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.ByteUtil;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests which regions are planned for predicates, without a cluster. */
@RunWith(JUnitParamsRunner.class)
public class PredicatesTest {

  public static final int REGIONS = 100;

  public static byte[][] strings(String... boundaries) {
    byte[][] bytes = new byte[boundaries.length][];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = PVarchar.INSTANCE.toBytes(boundaries[i]);
    }
    return bytes;
  }

  public static void createNumbers(Connectionless driver) throws SQLException {
    driver.execute("DROP TABLE IF EXISTS N");
    driver.execute(
        """
        CREATE TABLE N (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (%s)"""
            .formatted(
                IntStream.range(1, REGIONS)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(","))));
    driver.execute("CREATE LOCAL INDEX NI ON N (V)");
  }

  private static int planned(Connectionless driver, String table, String where, Object... binds)
      throws SQLException {
    return driver
        .explain(
            "SELECT /*+ INDEX(" + table + " " + table + "I) */ V FROM " + table + " WHERE " + where,
            binds)
        .getRegionsPlanned();
  }

  @Test
  public void plansAllRegionsForUnsupportedConditionsAndCountsThem() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      createNumbers(driver);
      long before = Fallbacks.GLOBAL.unsupportedConditions();
      assertThat(planned(driver, "N", "V = 5 AND K1 % V = 0")).isEqualTo(REGIONS);
      assertThat(Fallbacks.GLOBAL.unsupportedConditions()).isGreaterThan(before);
      assertThat(Fallbacks.GLOBAL.byCause().keySet())
          .anyMatch(cause -> cause.contains("K1") && cause.contains("INTEGER"));
    }
  }

  /** Conditions that no key space expresses are evaluated for each region. */
  @Test
  public void testsConditionsWithTheBoundsOfRegions() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      createNumbers(driver);
      assertThat(planned(driver, "N", "V = 5 AND K1 + 1 = 26")).isEqualTo(1);
      assertThat(planned(driver, "N", "V = 5 AND CASE WHEN K1 = 25 THEN 1 ELSE 0 END = 1"))
          .isEqualTo(1);
      assertThat(planned(driver, "N", "V = 5 AND K1 * 2 BETWEEN 20 AND 25")).isEqualTo(3);
      assertThat(planned(driver, "N", "V = 5 AND NOT (K1 - 1 > 4 OR V = 6)")).isEqualTo(6);
      assertThat(planned(driver, "N", "V = 5 AND COALESCE(K1 - 90, 0) > 5")).isEqualTo(4);
      assertThat(planned(driver, "N", "V = 5 AND K1 + V = 30")).isEqualTo(1);
      assertThat(planned(driver, "N", "V > 5 AND K1 + V = 30")).isEqualTo(25);
      assertThat(planned(driver, "N", "V <> 5 AND K1 + V = 30")).isEqualTo(REGIONS);
      assertThat(planned(driver, "N", "V = 5 AND K1 - ? = 1", 6)).isEqualTo(1);
      assertThat(planned(driver, "N", "V = 5 AND K1 < 10 AND K1 * K1 > 16")).isEqualTo(6);
      assertThat(planned(driver, "N", "V = 5 AND (K1 + 1 = 26 OR K2 + 1 = 3)")).isEqualTo(REGIONS);
      assertThat(planned(driver, "N", "V = 5 AND K1 + 1 = 0")).isEqualTo(1);
      assertThat(planned(driver, "N", "V = 5 AND K1 * 0 = 1")).isLessThan(2);
      // The regions of 25, 51 and 77, and the first and last region, which can have many values.
      assertThat(planned(driver, "N", "V = 5 AND K1 % 26 = 25")).isEqualTo(5);
    }
  }

  /**
   * Phoenix truncates the number to the type of the column and makes key ranges from the result.
   */
  @Test
  public void comparesWithNumbersThatTheTypeDoesNotReach() throws SQLException {
    for (String type : List.of("TINYINT", "SMALLINT")) {
      for (String order : List.of("", " DESC")) {
        try (Connectionless driver = new Connectionless()) {
          driver.execute("DROP TABLE IF EXISTS M");
          driver.execute(
              """
              CREATE TABLE M (K1 %s NOT NULL, K2 INTEGER NOT NULL, V INTEGER
                CONSTRAINT PK PRIMARY KEY (K1%s, K2)) SPLIT ON (x'10', x'20', x'B0')"""
                  .formatted(type, order));
          driver.execute("CREATE LOCAL INDEX MI ON M (V)");
          for (String none : List.of("K1 >= 9223372036854775807", "K1 < -2147483648")) {
            assertThat(plannedOrDegenerate(driver, none)).as(type + order + ": " + none).isZero();
          }
          assertThat(plannedOrDegenerate(driver, "K1 <= 9223372036854775807"))
              .as(type + order)
              .isEqualTo(4);
        }
      }
    }
  }

  private static int plannedOrDegenerate(Connectionless driver, String condition)
      throws SQLException {
    Integer planned =
        driver
            .explain("SELECT /*+ INDEX(M MI) */ V FROM M WHERE V = 5 AND " + condition)
            .getRegionsPlanned();
    return planned == null ? 0 : planned;
  }

  @Test
  public void walksAProductOfInListsLazily() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      createNumbers(driver);
      String thousand =
          IntStream.range(0, 1000).mapToObj(Integer::toString).collect(Collectors.joining(","));
      // Has a range on V, so that Phoenix itself does not enumerate the product for the index.
      assertThat(
              planned(
                  driver, "N", "V > 5 AND K1 IN (" + thousand + ") AND K2 IN (" + thousand + ")"))
          .isEqualTo(REGIONS);
      assertThat(
              planned(
                  driver, "N", "V > 5 AND K1 IN (3, 77) AND K2 IN (" + thousand + ") AND K1 < 50"))
          .isEqualTo(1);
    }
  }

  @Test
  public void combinesConditionsThatStockKeepsApart() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      createNumbers(driver);
      assertThat(planned(driver, "N", "V = 5 AND (K1 = 3 OR (K1 = 7 AND K2 = 1))")).isEqualTo(2);
      assertThat(planned(driver, "N", "V = 5 AND (K1 = 3 OR K2 = 1)")).isEqualTo(REGIONS);
      assertThat(planned(driver, "N", "V = 5 AND NOT (K1 <> 3 OR K2 = 9)")).isEqualTo(1);
      assertThat(planned(driver, "N", "V = 5 AND K1 NOT IN (24, 25, 25, NULL, 77)")).isEqualTo(97);
      assertThat(planned(driver, "N", "V = 5 AND NOT (K1 IN (0, 24) AND K2 = 9)")).isEqualTo(100);
      assertThat(planned(driver, "N", "V = 5 AND K1 NOT IN (?, ?)", 24, 25)).isEqualTo(98);
      String most =
          IntStream.range(0, 98).mapToObj(Integer::toString).collect(Collectors.joining(", "));
      assertThat(planned(driver, "N", "V = 5 AND K1 NOT IN (" + most + ")")).isEqualTo(3);
      assertThat(planned(driver, "N", "V = 5 AND K1 > 10 AND K1 < 12 AND K2 > 3")).isEqualTo(1);
      assertThat(planned(driver, "N", "V = 5 AND (K1, K2) <= (3, 7)")).isEqualTo(4);
      assertThat(planned(driver, "N", "V = 5 AND (K1, K2) >= (97, 0) AND K1 <> 98")).isEqualTo(2);
      assertThat(planned(driver, "N", "V = 5 AND K1 = ALL (ARRAY[3, 3])")).isEqualTo(1);
      assertThat(planned(driver, "N", "V = 5 AND K1 > ALL (ARRAY[3, 90])")).isEqualTo(9);
    }
  }

  @Test
  public void supportsRowValuesWithColumnsOutsideTheKey() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      createNumbers(driver);
      assertThat(planned(driver, "N", "(V, K1, K2) IN ((5, 25, 1), (6, 30, 2))")).isEqualTo(2);
      assertThat(planned(driver, "N", "(V, K1) = (5, 25)")).isEqualTo(1);
      assertThat(planned(driver, "N", "(K1, V, K2) IN ((25, 5, 1), (25, 5, 2))")).isEqualTo(1);
      assertThat(planned(driver, "N", "NOT ((V, K1) IN ((5, 25), (6, 30)))")).isEqualTo(REGIONS);
      assertThat(planned(driver, "N", "(V, K1) >= (5, 25)")).isEqualTo(REGIONS);
    }
  }

  /**
   * Phoenix compares the bytes of row values, and encodes a null of fixed width as the least value.
   */
  @Test
  public void doesNotUseRowValuesWhoseElementsMayEndAtOtherBytes() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS Q");
      driver.execute(
          """
          CREATE IMMUTABLE TABLE Q (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER,
            W INTEGER NOT NULL, D DECIMAL, S VARCHAR, C CHAR(3), B BINARY(2)
            CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (10, 20, 30, 40)""");
      driver.execute("CREATE LOCAL INDEX QI ON Q (V)");
      assertThat(planned(driver, "Q", "(V, K1) IN ((2, 15), (3, 35))")).isEqualTo(2);
      assertThat(planned(driver, "Q", "(D, K1) IN ((2.5, 15), (3.5, 35))")).isEqualTo(2);
      for (int extreme : new int[] {Integer.MIN_VALUE, Integer.MAX_VALUE}) {
        String rows = ", K1) IN ((" + extreme + ", 15), (3, 35))";
        assertThat(planned(driver, "Q", "(V" + rows)).as(rows).isEqualTo(5);
        assertThat(planned(driver, "Q", "(W" + rows)).as("not null%s", rows).isEqualTo(2);
      }
      for (String rows :
          List.of(
              "(V, K1) IN ((NULL, 15), (3, 35))",
              "(S, K1) IN (('x', 15), ('y', 35))",
              "(C, K1) IN (('xxx', 15), ('yyy', 35))",
              "(B, K1) IN ((X'0102', 15), (X'0103', 35))")) {
        assertThat(planned(driver, "Q", rows)).as(rows).isEqualTo(5);
      }
    }
  }

  /** A CHAR constant that is shorter than the column ends before the padding of the column. */
  @Test
  public void comparesRowValuesOfWholeTexts() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS P");
      driver.execute(
          "CREATE TABLE P (K1 CHAR(3) NOT NULL, K2 INTEGER NOT NULL, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON ('b', 'c', 'd')");
      driver.execute("CREATE LOCAL INDEX PI ON P (V)");
      assertThat(planned(driver, "P", "V = 5 AND (K1, K2) > ('ccc', 5)")).isEqualTo(2);
      assertThat(planned(driver, "P", "V = 5 AND (K1, K2) > ('c', 5)")).isEqualTo(4);
    }
  }

  /** An integer key has no value with a fraction, and its type cannot encode one. */
  @Test
  public void comparesWithFractions() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      createNumbers(driver);
      long before = Fallbacks.GLOBAL.unsupportedConditions();
      assertThat(planned(driver, "N", "V = 5 AND K1 = ANY (ARRAY[25.5, 30])")).isEqualTo(1);
      assertThat(planned(driver, "N", "V = 5 AND K1 > 25.5 AND K1 < 27.5")).isEqualTo(2);
      assertThat(planned(driver, "N", "V = 5 AND (K1, K2) > (96.5, 1)")).isEqualTo(3);
      assertThat(Fallbacks.GLOBAL.unsupportedConditions()).isEqualTo(before);
    }
  }

  @Test
  public void supportsFunctionsOfStrings() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS S");
      driver.createTable(
          "CREATE TABLE S (K VARCHAR NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K))",
          strings("abc", "abd", "b", "ba", "c"));
      driver.execute("CREATE LOCAL INDEX SI ON S (V)");
      assertThat(planned(driver, "S", "V = 5 AND SUBSTR(K, 1, 3) = 'abc'")).isEqualTo(1);
      assertThat(planned(driver, "S", "V = 5 AND SUBSTR(K, 1, 2) > 'abc'"))
          .as("'abz...' is not above: its prefix is 'ab'")
          .isEqualTo(4);
      assertThat(planned(driver, "S", "V = 5 AND SUBSTR(K, 1, 3) > 'ab'"))
          .as("'abb' is above 'ab'")
          .isEqualTo(6);
      assertThat(planned(driver, "S", "V = 5 AND SUBSTR(K, 0, 3) = 'abc'")).isEqualTo(1);
      assertThat(planned(driver, "S", "V = 5 AND SUBSTR(K, 1) = 'abc'")).isEqualTo(1);
      assertThat(planned(driver, "S", "V = 5 AND SUBSTR(K, 1, 1) = 'a'")).isEqualTo(3);
      assertThat(planned(driver, "S", "V = 5 AND SUBSTR(K, 2, 1) = 'b'")).isEqualTo(6);
      assertThat(planned(driver, "S", "V = 5 AND SUBSTR(K, -1, 1) = 'c'")).isEqualTo(6);
      assertThat(planned(driver, "S", "V = 5 AND SUBSTR(K, 1, 3) NOT LIKE 'b%'")).isEqualTo(6);
      assertThat(planned(driver, "S", "V = 5 AND RTRIM(K) = 'abc'")).isEqualTo(1);
      assertThat(planned(driver, "S", "V = 5 AND K LIKE 'ba%'")).isEqualTo(1);
      assertThat(planned(driver, "S", "V = 5 AND K LIKE '%ba'")).isEqualTo(6);
      assertThat(planned(driver, "S", "V = 5 AND INVERT(K) = INVERT('abc')")).isEqualTo(1);
      assertThat(planned(driver, "S", "V = 5 AND UPPER(K) = 'ABC'")).isEqualTo(6);
    }
  }

  @Test
  public void supportsFunctionsOfDescendingStrings() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS S");
      driver.createTable(
          "CREATE TABLE S (K VARCHAR NOT NULL, I VARCHAR NOT NULL, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K DESC, I))",
          PVarchar.INSTANCE.toBytes("d", SortOrder.DESC),
          PVarchar.INSTANCE.toBytes("c", SortOrder.DESC),
          PVarchar.INSTANCE.toBytes("b", SortOrder.DESC));
      driver.execute("CREATE LOCAL INDEX SI ON S (V)");
      assertThat(planned(driver, "S", "V = 5 AND SUBSTR(K, 1, 1) = 'b'")).isEqualTo(2);
      assertThat(planned(driver, "S", "V = 5 AND RTRIM(K) = 'b'")).isEqualTo(1);
      assertThat(planned(driver, "S", "V = 5 AND INVERT(I) = INVERT('b')")).isEqualTo(4);
    }
  }

  /**
   * An array can have null elements. Phoenix compares null with a descending value as if null were
   * an empty string.
   */
  @Test
  @Parameters({"ASC", "DESC"})
  public void supportsArraysOfStrings(SortOrder order) throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      byte[][] boundaries = new byte[3][];
      for (int i = 0; i < boundaries.length; i++) {
        boundaries[i] = PVarchar.INSTANCE.toBytes("" + (char) ('b' + i), order);
      }
      Arrays.sort(boundaries, Bytes.BYTES_COMPARATOR);
      driver.execute("DROP TABLE IF EXISTS S");
      driver.createTable(
          """
          CREATE TABLE S (K VARCHAR NOT NULL, I VARCHAR NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (K %s, I))"""
              .formatted(order),
          boundaries);
      driver.execute("CREATE LOCAL INDEX SI ON S (V)");
      int all = boundaries.length + 1;
      boolean isAscending = order == SortOrder.ASC;
      assertThat(planned(driver, "S", "V = 5 AND K = ANY(ARRAY['b5', NULL])"))
          .isEqualTo(isAscending ? 1 : all);
      assertThat(planned(driver, "S", "V = 5 AND K > ANY(ARRAY[NULL, 'c5'])"))
          .isEqualTo(isAscending ? 2 : all);
      Array none = driver.connection().createArrayOf("VARCHAR", new Object[0]);
      long failures = Fallbacks.GLOBAL.failures();
      assertThat(planned(driver, "S", "V = 5 AND K = ANY(?)", none)).isZero();
      assertThat(planned(driver, "S", "V = 5 AND K = ALL(?)", none)).isEqualTo(all);
      assertThat(Fallbacks.GLOBAL.failures()).isEqualTo(failures);
    }
  }

  /** Phoenix does not clear the nanoseconds when it rounds a descending TIMESTAMP. */
  @Test
  public void doesNotSupportRoundingOfDescendingValues() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS D");
      driver.createTable(
          "CREATE TABLE D (K DATE NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K DESC))",
          PDate.INSTANCE.toBytes(Date.valueOf("2015-01-01"), SortOrder.DESC));
      driver.execute("CREATE LOCAL INDEX DI ON D (V)");
      assertThat(planned(driver, "D", "V = 5 AND FLOOR(K, 'DAY') > DATE '2018-06-01'"))
          .isEqualTo(2);
      driver.execute("DROP TABLE IF EXISTS B");
      driver.createTable(
          "CREATE TABLE B (K DECIMAL NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K DESC))",
          PDecimal.INSTANCE.toBytes(BigDecimal.TEN, SortOrder.DESC));
      driver.execute("CREATE LOCAL INDEX BI ON B (V)");
      assertThat(planned(driver, "B", "V = 5 AND ROUND(K) = 25")).isEqualTo(2);
    }
  }

  /** The time of a statement is constant. Without a cluster, it is the start of 1970. */
  @Test
  public void comparesWithTheCurrentTime() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS D");
      driver.createTable(
          "CREATE TABLE D (K DATE NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K))",
          PDate.INSTANCE.toBytes(Date.valueOf("2015-01-01")));
      driver.execute("CREATE LOCAL INDEX DI ON D (V)");
      assertThat(planned(driver, "D", "V = 5 AND K < CURRENT_DATE()")).isEqualTo(1);
    }
  }

  @Test
  public void supportsRoundedDates() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      byte[][] years = new byte[9][];
      for (int i = 0; i < years.length; i++) {
        years[i] = PDate.INSTANCE.toBytes(Date.valueOf((2011 + i) + "-01-01"));
      }
      driver.execute("DROP TABLE IF EXISTS D");
      driver.createTable(
          "CREATE TABLE D (K DATE NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K))", years);
      driver.execute("CREATE LOCAL INDEX DI ON D (V)");
      assertThat(planned(driver, "D", "V = 5 AND FLOOR(K, 'DAY') = DATE '2015-06-01'"))
          .as("[2015-, 2016-), and two for years without a limit")
          .isEqualTo(3);
      assertThat(planned(driver, "D", "V = 5 AND TRUNC(K, 'MONTH') >= DATE '2018-02-01'"))
          .isEqualTo(3);
      assertThat(planned(driver, "D", "V = 5 AND CEIL(K, 'HOUR') < DATE '2012-01-01'"))
          .isEqualTo(3);
    }
  }

  @Test
  public void supportsRoundedDecimals() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      byte[][] boundaries = new byte[9][];
      for (int i = 0; i < boundaries.length; i++) {
        boundaries[i] = PDecimal.INSTANCE.toBytes(BigDecimal.valueOf(10L * (i + 1)));
      }
      driver.execute("DROP TABLE IF EXISTS B");
      driver.createTable(
          "CREATE TABLE B (K DECIMAL NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K))",
          boundaries);
      driver.execute("CREATE LOCAL INDEX BI ON B (V)");
      assertThat(planned(driver, "B", "V = 5 AND ROUND(K) = 25")).isEqualTo(1);
      assertThat(planned(driver, "B", "V = 5 AND FLOOR(K) > 75")).isEqualTo(3);
      assertThat(planned(driver, "B", "V = 5 AND ROUND(K, 1) = 29.5")).isEqualTo(1);
    }
  }

  @Test
  public void supportsNullsInNullableColumns() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS U");
      driver.createTable(
          "CREATE TABLE U (K1 VARCHAR, K2 VARCHAR, K3 VARCHAR, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2, K3))",
          strings("a", "b", "c"));
      driver.execute("CREATE LOCAL INDEX UI ON U (V)");
      assertThat(planned(driver, "U", "V = 5 AND K1 IS NULL")).isEqualTo(1);
      assertThat(planned(driver, "U", "V = 5 AND K1 IS NOT NULL AND K1 < 'b'")).isEqualTo(2);
      // The boundary is 'b' with three separators. The key 'b' is below the boundary. The keys of a
      // view with more key columns are above the boundary.
      assertThat(planned(driver, "U", "V = 5 AND K1 = 'b' AND K2 IS NULL AND K3 IS NULL"))
          .isEqualTo(2);
      assertThat(planned(driver, "U", "V = 5 AND K1 = 'b' AND K3 = 'x'")).isEqualTo(1);
    }
  }

  @Test
  public void supportsTypesThatOnlyTheLastColumnCanHave() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      // If all key columns are known, stock reads the table instead of its index.
      String one = "V = 5 AND K1 > 0 AND K1 < 2 AND ";
      driver.execute("DROP TABLE IF EXISTS L");
      driver.createTable(
          "CREATE TABLE L (K1 INTEGER NOT NULL, K2 VARBINARY, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2))",
          key(1, 0, 7),
          key(1, 1),
          key(1, 1, 0));
      driver.execute("CREATE LOCAL INDEX LI ON L (V)");
      assertThat(planned(driver, "L", one + "K2 = X'01'")).isEqualTo(1);
      assertThat(planned(driver, "L", one + "K2 = X'0100'")).isEqualTo(1);
      assertThat(planned(driver, "L", one + "K2 > X'01'")).isEqualTo(1);
      assertThat(planned(driver, "L", one + "K2 <= X'0007'")).isEqualTo(2);
      assertThat(planned(driver, "L", one + "K2 IN (X'00', X'02')")).isEqualTo(2);
      assertThat(planned(driver, "L", one + "K2 IS NULL")).isEqualTo(1);

      driver.execute("DROP TABLE IF EXISTS A");
      driver.createTable(
          "CREATE TABLE A (K1 INTEGER NOT NULL, K2 VARCHAR ARRAY, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2))",
          key(1, 'b'),
          key(1, 'c'),
          key(2, 'b'));
      driver.execute("CREATE LOCAL INDEX AI ON A (V)");
      assertThat(planned(driver, "A", "V = 5 AND K1 = 1")).isEqualTo(3);
      assertThat(planned(driver, "A", one + "K2 = ARRAY['b', 'a']")).isEqualTo(1);
      assertThat(planned(driver, "A", one + "K2 = ARRAY['a']")).isEqualTo(1);
      assertThat(planned(driver, "A", one + "K2 > ARRAY['b']")).isEqualTo(3);
    }
  }

  private static byte[] key(int k1, int... k2) {
    byte[] last = new byte[k2.length];
    for (int i = 0; i < last.length; i++) {
      last[i] = (byte) k2[i];
    }
    return ByteUtil.concat(PInteger.INSTANCE.toBytes(k1), last);
  }

  @Test
  public void nullableDescendingColumnsCostNoRegion() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS E");
      driver.createTable(
          "CREATE TABLE E (K1 INTEGER NOT NULL, K2 VARCHAR, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2 DESC))",
          key(20, 1),
          key(21));
      driver.execute("CREATE LOCAL INDEX EI ON E (V)");
      assertThat(planned(driver, "E", "V = 5 AND K1 = 20 AND K2 < 'm'")).isEqualTo(1);
      assertThat(planned(driver, "E", "V = 5 AND K1 = 20 AND K2 IS NOT NULL")).isEqualTo(2);
      assertThat(planned(driver, "E", "V = 5 AND K1 = 20")).isEqualTo(2);
    }
  }

  /**
   * Phoenix reads the zero byte as part of the value. This value sorts after the value without the
   * zero byte.
   */
  @Test
  public void zeroBytesAtTheEndOfADescendingKeyAreAfterTheValue() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS Z");
      driver.createTable(
          "CREATE TABLE Z (K VARCHAR NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K DESC))",
          new byte[] {(byte) ~'b', (byte) 0xFF},
          new byte[] {(byte) ~'a', (byte) 0xFF});
      driver.execute("CREATE LOCAL INDEX ZI ON Z (V)");
      String range = "V > 0 AND ";
      assertThat(planned(driver, "Z", range + "K > 'a'")).isEqualTo(3);
      assertThat(planned(driver, "Z", range + "K > 'c'")).isEqualTo(1);
      assertThat(planned(driver, "Z", range + "K >= ? AND K < 'b'", "a\u0000")).isEqualTo(2);
      assertThat(planned(driver, "Z", range + "K < 'a'")).isEqualTo(1);
    }
  }

  /** Stock creates key ranges for rounded timestamps as if they were DATEs, and fails. */
  @Test
  @Parameters({"ASC", "DESC"})
  public void roundedTimestampsMakeNoKeyRange(String order) throws SQLException {
    try (Connectionless exact = new Connectionless();
        Connectionless stock = new Connectionless(PruningOptions.MODE, "stock")) {
      for (Connectionless driver : Arrays.asList(exact, stock)) {
        driver.execute("DROP TABLE IF EXISTS R");
        driver.execute(
            "CREATE TABLE R (K TIMESTAMP NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K "
                + order
                + "))");
      }
      for (String rounded : Arrays.asList("FLOOR(K, 'DAY')", "ROUND(K, 'HOUR')")) {
        String sql = "SELECT V FROM R WHERE " + rounded + " = TIMESTAMP '2020-01-02 00:00:00'";
        assertThatThrownBy(() -> stock.steps(sql)).as(sql).isInstanceOf(NullPointerException.class);
        assertThat(exact.steps(sql).get(0)).as(sql).contains("FULL SCAN");
      }
      String same =
          "SELECT V FROM R WHERE ROUND(K, 'MILLISECOND') = TIMESTAMP '2020-01-02 00:00:00'";
      assertThat(exact.steps(same)).isEqualTo(stock.steps(same));
    }
  }

  /**
   * Any function of a column is known if a region has only one value of the column, through any
   * index.
   */
  @Test
  public void evaluatesFunctionsWhereARegionHasOneValue() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      for (String key : List.of("K, I", "K DESC, I", "K, I DESC")) {
        driver.execute("DROP TABLE IF EXISTS ONE");
        SortOrder order = key.startsWith("K DESC") ? SortOrder.DESC : SortOrder.ASC;
        List<byte[]> boundaries = new ArrayList<>();
        for (String text : List.of("a", "b", "c")) {
          for (int i : new int[] {10, 20}) {
            boundaries.add(
                Bytes.add(
                    PVarchar.INSTANCE.toBytes(text, order),
                    new byte[] {order == SortOrder.DESC ? (byte) 0xFF : 0},
                    PInteger.INSTANCE.toBytes(i)));
          }
        }
        boundaries.sort(Bytes.BYTES_COMPARATOR);
        driver.createTable(
            """
            CREATE TABLE ONE (K VARCHAR NOT NULL, I INTEGER NOT NULL, V INTEGER
              CONSTRAINT PK PRIMARY KEY (%s))"""
                .formatted(key),
            boundaries.toArray(new byte[0][]));
        driver.execute("CREATE LOCAL INDEX ONE_V ON ONE (V)");
        driver.execute("CREATE LOCAL INDEX ONE_K_V ON ONE (K, V)");
        for (String index : List.of("ONE_V", "ONE_K_V")) {
          String select = "SELECT /*+ INDEX(ONE " + index + ") */ V FROM ONE WHERE V = 5 AND ";
          // Three of the seven regions have one value of K, and two of these three do not match.
          for (String condition :
              List.of(
                  "REVERSE(K) = 'b'",
                  "NOT (K LIKE '%a' OR K LIKE '%c')",
                  "NOT (REVERSE(K) IN ('a', 'c'))",
                  "ABS(CASE WHEN REVERSE(K) = 'b' AND LENGTH(K) = 1 THEN 1 ELSE 0 END) = 1",
                  "ABS(CASE WHEN REVERSE(K) = 'b' OR LENGTH(K) = 3 THEN 1 ELSE 0 END) = 1",
                  "K || 'x' = 'bx' OR I + V = 3 AND LENGTH(K) = 2")) {
            assertThat(driver.explain(select + condition).getRegionsPlanned())
                .as(key + ", " + index + ": " + condition)
                .isEqualTo(5);
          }
          for (String notSameEverywhere :
              List.of(
                  "UPPER(K) = 'B'",
                  "K || UPPER(K) LIKE 'bB%'",
                  "ABS(CASE WHEN LENGTH(K) = 1 AND UPPER(K) = 'B' THEN 1 ELSE 0 END) = 1",
                  "ABS(CASE WHEN LENGTH(K) = 3 OR UPPER(K) = 'B' THEN 1 ELSE 0 END) = 1",
                  "K || 5 = 'b5'",
                  "CAST(K AS CHAR(1)) = 'b'",
                  "LENGTH(ROWKEY_BYTES_STRING()) > 99 + LENGTH(K)")) {
            assertThat(driver.explain(select + notSameEverywhere).getRegionsPlanned())
                .as(notSameEverywhere)
                .isEqualTo(7);
          }
          assertThat(driver.explain(select + "LENGTH(K) = V").getRegionsPlanned())
              .as(key + ", " + index)
              .isEqualTo(7);
        }
      }
    }
  }

  /**
   * The value of a descending VARCHAR at the end of a key may continue after bytes that look like a
   * separator.
   */
  @Test
  public void takesNoValueAtTheEndOfADescendingKeyForTheOnlyOne() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      byte[] separator = {(byte) 0xFF};
      byte[] a = Bytes.add(PVarchar.INSTANCE.toBytes("a", SortOrder.DESC), separator);
      byte[] b = Bytes.add(PVarchar.INSTANCE.toBytes("b", SortOrder.DESC), separator);
      driver.createTable(
          "CREATE TABLE Z (K VARCHAR NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K DESC))",
          a,
          Bytes.add(a, b));
      driver.execute("CREATE LOCAL INDEX ZV ON Z (V)");
      String select = "SELECT /*+ INDEX(Z ZV) */ V FROM Z WHERE V = 5 AND LENGTH(K) = 3";
      assertThat(driver.explain(select).getRegionsPlanned()).isEqualTo(3);
    }
  }
}

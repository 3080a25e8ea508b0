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

import static org.apache.phoenix.pruning.prune.RegionCounts.planned;
import static org.apache.phoenix.pruning.prune.RegionCounts.strings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests which regions are planned for functions of key columns, without a cluster. */
@RunWith(JUnitParamsRunner.class)
public class FunctionPredicatesTest {

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
}

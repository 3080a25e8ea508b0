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

import static org.apache.phoenix.pruning.prune.RegionCounts.REGIONS;
import static org.apache.phoenix.pruning.prune.RegionCounts.createNumbers;
import static org.apache.phoenix.pruning.prune.RegionCounts.planned;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.junit.Test;

/** Tests which regions are planned for predicates, without a cluster. */
public class PredicatesTest {

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
      assertThat(planned(driver, "Q", "(C, K1) IN (('xxx', 15), ('y', 35))")).isEqualTo(2);
      for (int extreme : new int[] {Integer.MIN_VALUE, Integer.MAX_VALUE}) {
        String rows = ", K1) IN ((" + extreme + ", 15), (3, 35))";
        assertThat(planned(driver, "Q", "(V" + rows)).as(rows).isEqualTo(5);
        assertThat(planned(driver, "Q", "(W" + rows)).as("not null%s", rows).isEqualTo(2);
      }
      for (String rows :
          List.of(
              "(V, K1) IN ((NULL, 15), (3, 35))",
              "(S, K1) IN (('x', 15), ('y', 35))",
              "(B, K1) IN ((X'0102', 15), (X'0103', 35))")) {
        assertThat(planned(driver, "Q", rows)).as(rows).isEqualTo(5);
      }
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
}

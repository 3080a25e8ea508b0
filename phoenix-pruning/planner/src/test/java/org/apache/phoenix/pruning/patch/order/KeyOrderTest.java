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
package org.apache.phoenix.pruning.patch.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.junit.Test;

/** Tests plans of GROUP BY and ORDER BY with functions of key columns, without a cluster. */
public class KeyOrderTest {

  private static final String ORDERED = "SERVER AGGREGATE INTO ORDERED DISTINCT ROWS BY ";
  private static final String UNORDERED = "SERVER AGGREGATE INTO DISTINCT ROWS BY ";

  private static final String KEY =
      " (D DATE NOT NULL, E DATE NOT NULL, S VARCHAR NOT NULL, V INTEGER, W INTEGER, F DATE"
          + " CONSTRAINT PK PRIMARY KEY (D DESC, E, S))";

  private static void createTables(Connectionless driver) throws SQLException {
    for (String sql :
        List.of(
            "CREATE TABLE T" + KEY,
            "CREATE LOCAL INDEX I_D ON T (E DESC, W)",
            "CREATE LOCAL INDEX I_E ON T (E, W)",
            "CREATE LOCAL INDEX I_V ON T (V, W)",
            "CREATE LOCAL INDEX I_F ON T (F, W)",
            "CREATE INDEX G ON T (E DESC, W)",
            "CREATE TABLE S" + KEY + " SALT_BUCKETS = 4",
            "CREATE LOCAL INDEX S_V ON S (V)",
            "CREATE TABLE P" + KEY,
            "CREATE INDEX P_G ON P (E DESC, W)",
            "CREATE TABLE N (K DOUBLE NOT NULL, L DECIMAL NOT NULL, M INTEGER NOT NULL, V INTEGER CONSTRAINT"
                + " PK PRIMARY KEY (K, L DESC, M))",
            "CREATE LOCAL INDEX N_V ON N (V)",
            "CREATE TABLE O (ID INTEGER PRIMARY KEY)")) {
      driver.execute(sql);
    }
  }

  private static String steps(Connectionless driver, String hint, String query)
      throws SQLException {
    return driver.steps("SELECT /*+ " + hint + " */ " + query).toString();
  }

  private static String groups(Connectionless driver, String hint, String table, String by)
      throws SQLException {
    return steps(driver, hint, "COUNT(*) FROM " + table + " GROUP BY " + by);
  }

  /** Rows with equal values of a later key column are not adjacent within one hour. */
  @Test
  public void groupsInMemoryByAFunctionBeforeAnotherColumn() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      createTables(driver);
      for (String by :
          List.of(
              "TRUNC(D, 'HOUR'), E",
              "E, CEIL(D, 'DAY')",
              "TRUNC(D, 'HOUR'), TRUNC(E, 'HOUR')",
              "D, ROUND(E, 'DAY'), S",
              "CAST(TRUNC(D, 'HOUR') AS TIMESTAMP), E",
              "(TRUNC(D, 'HOUR'), E)")) {
        assertThat(groups(driver, "NO_INDEX", "T", by)).as(by).contains(UNORDERED);
      }
      for (String by :
          List.of(
              "SIGN(K), L",
              "EXP(K), L",
              "K, FLOOR(L), M",
              "CAST(K AS INTEGER), L",
              "K, SIGN(L), M")) {
        assertThat(groups(driver, "NO_INDEX", "N", by)).as(by).contains(UNORDERED);
      }
      assertThat(groups(driver, "INDEX(T I_E)", "T", "TRUNC(E, 'HOUR'), W"))
          .contains("I_E", UNORDERED);
      assertThat(groups(driver, "INDEX(T G)", "T", "TRUNC(E, 'HOUR'), W"))
          .contains("OVER G", UNORDERED);
      assertThat(
              steps(
                  driver,
                  "",
                  "TRUNC(D, 'HOUR'), E, COUNT(*) FROM (SELECT D, E FROM T ORDER BY D, E LIMIT 9)"
                      + " GROUP BY TRUNC(D, 'HOUR'), E"))
          .doesNotContain("ORDERED DISTINCT");
    }
  }

  /** Phoenix assumes that these functions preserve the order of a key column. */
  @Test
  public void groupsInMemoryByFunctionsThatDoNotKeepTheOrder() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      createTables(driver);
      for (String by :
          List.of("COS(K)", "SIN(K)", "SQRT(K)", "LN(K)", "LOG(K, 0.5)", "K, CAST(L AS BOOLEAN)")) {
        assertThat(groups(driver, "NO_INDEX", "N", by)).as(by).contains(UNORDERED);
      }
      for (String by : List.of("D, E, RTRIM(S)", "D, E, REGEXP_SUBSTR(S, '[^a]+')")) {
        assertThat(groups(driver, "NO_INDEX", "T", by)).as(by).contains(UNORDERED);
      }
    }
  }

  /** Phoenix fails, because it looks for an argument of the function. */
  @Test
  public void groupsInMemoryByAFunctionWithoutAnArgument() throws Exception {
    try (Connectionless driver = new Connectionless();
        Connectionless stock = new Connectionless(PruningOptions.MODE, "stock")) {
      createTables(driver);
      String function = "ROWKEY_BYTES_STRING()";
      assertThat(groups(driver, "NO_INDEX", "T", function)).contains(UNORDERED);
      assertThat(steps(driver, "NO_INDEX", "D FROM T ORDER BY " + function)).contains("SORTED");
      assertThatThrownBy(() -> groups(stock, "NO_INDEX", "T", function))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  /** Phoenix merges groups by ascending bytes, but these groups arrive in descending order. */
  @Test
  public void groupsInMemoryIfTheBytesOfMergedGroupsDoNotAscend() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      createTables(driver);
      assertThat(groups(driver, "INDEX(T I_D)", "T", "TRUNC(E, 'HOUR')"))
          .contains("I_D", UNORDERED);
      assertThat(groups(driver, "INDEX(T I_D)", "T", "INVERT(E)")).contains("I_D", UNORDERED);
      assertThat(groups(driver, "INDEX(T I_D)", "T", "CAST(E AS TIMESTAMP)"))
          .contains("I_D", UNORDERED);
      assertThat(groups(driver, "NO_INDEX", "S", "TRUNC(D, 'HOUR')")).contains(UNORDERED);
    }
  }

  /** A null of fixed width has no bytes in a group key, so the next column is read instead. */
  @Test
  public void groupsInMemoryByANullableFunctionBeforeAColumn() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      createTables(driver);
      assertThat(groups(driver, "INDEX(T I_F)", "T", "TRUNC(F, 'HOUR'), W"))
          .contains("I_F", UNORDERED);
      assertThat(groups(driver, "INDEX(T I_F)", "T", "INVERT(F), W")).contains("I_F", UNORDERED);
      assertThat(groups(driver, "INDEX(T I_F)", "T", "TRUNC(F, 'HOUR')")).contains("I_F", ORDERED);
      assertThat(groups(driver, "INDEX(T I_F)", "T", "F, W")).contains("I_F", ORDERED);
    }
  }

  @Test
  public void mergesTheGroupsOfJoinsAlongALocalIndex() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      createTables(driver);
      for (String join :
          List.of(
              "FROM T JOIN O ON T.W = O.ID",
              "FROM O RIGHT JOIN T ON T.W = O.ID",
              "FROM T LEFT JOIN O ON T.W = O.ID AND O.ID > 1")) {
        String query = "T.V, COUNT(*) " + join + " GROUP BY T.V";
        assertThat(steps(driver, "INDEX(T I_V)", query)).as(join).contains("CLIENT MERGE SORT");
      }
    }
  }

  @Test
  public void keepsTheOrderOfAllOtherGroups() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      createTables(driver);
      for (String by :
          List.of(
              "D",
              "D, E",
              "TRUNC(D, 'HOUR')",
              "TRUNC(D, 'HOUR'), TRUNC(D, 'DAY')",
              "TRUNC(D, 'HOUR'), D, E",
              "INVERT(D), E",
              "CAST(D AS TIMESTAMP), E",
              "D, CEIL(E, 'HOUR')",
              "D, E, SUBSTR(S, 1, 1)")) {
        assertThat(groups(driver, "NO_INDEX", "T", by)).as(by).contains(ORDERED);
      }
      for (String by : List.of("SIGN(K)", "EXP(K)", "K, ROUND(L)", "K, L, M")) {
        assertThat(groups(driver, "NO_INDEX", "N", by)).as(by).contains(ORDERED);
      }
      for (String by : List.of("E", "TRUNC(E, 'HOUR')", "FLOOR(E, 'DAY')")) {
        assertThat(groups(driver, "INDEX(T I_E)", "T", by)).as(by).contains("I_E", ORDERED);
      }
      assertThat(groups(driver, "INDEX(T I_D)", "T", "E")).contains("I_D", ORDERED);
      assertThat(groups(driver, "INDEX(T G)", "T", "TRUNC(E, 'HOUR')")).contains("OVER G", ORDERED);
      assertThat(groups(driver, "NO_INDEX", "S", "D")).contains(ORDERED);
      String constant = "COUNT(*) FROM T WHERE D = CURRENT_DATE() GROUP BY TRUNC(D, 'HOUR'), E";
      assertThat(steps(driver, "NO_INDEX", constant)).contains(ORDERED);
    }
  }

  /** Phoenix assumes that TRUNC of a descending column is ascending. */
  @Test
  public void readsInTheOrderOfAFunction() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      createTables(driver);
      for (String function : List.of("D", "TRUNC(D, 'HOUR')", "CEIL(D, 'DAY')")) {
        String order = "D FROM T ORDER BY " + function;
        assertThat(steps(driver, "NO_INDEX", order)).as(order).contains("REVERSE");
        assertThat(steps(driver, "NO_INDEX", order + " DESC"))
            .as(order)
            .doesNotContain("REVERSE", "SORTED");
      }
      String order = "E FROM T ORDER BY TRUNC(E, 'HOUR')";
      assertThat(steps(driver, "INDEX(T I_E)", order)).doesNotContain("REVERSE", "SORTED");
      assertThat(steps(driver, "INDEX(T I_E)", order + " DESC")).contains("REVERSE");
    }
  }

  @Test
  public void sortsByAFunctionBeforeAnotherColumn() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      createTables(driver);
      for (String order : List.of("TRUNC(D, 'DAY') DESC, E", "D DESC, CEIL(E, 'HOUR'), S")) {
        assertThat(steps(driver, "NO_INDEX", "D FROM T ORDER BY " + order))
            .as(order)
            .contains("SORTED");
      }
      for (String order : List.of("D DESC, E", "TRUNC(D, 'DAY') DESC, D DESC, E")) {
        assertThat(steps(driver, "NO_INDEX", "D FROM T ORDER BY " + order))
            .as(order)
            .doesNotContain("SORTED");
      }
    }
  }

  /** Phoenix's own tests assert these plans. */
  @Test
  public void keepsPhoenixPlansForTablesWithoutALocalIndex() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      createTables(driver);
      assertThat(groups(driver, "NO_INDEX", "P", "TRUNC(D, 'HOUR'), E")).contains(ORDERED);
      assertThat(groups(driver, "INDEX(P P_G)", "P", "TRUNC(E, 'HOUR'), W"))
          .contains("P_G", ORDERED);
      assertThat(steps(driver, "NO_INDEX", "D FROM P ORDER BY TRUNC(D, 'HOUR')"))
          .doesNotContain("REVERSE");
    }
  }

  @Test
  public void leavesPlansAloneInModeStock() throws Exception {
    try (Connectionless driver = new Connectionless(PruningOptions.MODE, "stock")) {
      createTables(driver);
      assertThat(groups(driver, "INDEX(T I_D)", "T", "TRUNC(E, 'HOUR')")).contains("I_D", ORDERED);
      assertThat(groups(driver, "INDEX(T I_F)", "T", "TRUNC(F, 'HOUR'), W"))
          .contains("I_F", ORDERED);
      assertThat(groups(driver, "NO_INDEX", "T", "TRUNC(D, 'HOUR'), E")).contains(ORDERED);
      assertThat(steps(driver, "NO_INDEX", "D FROM T ORDER BY TRUNC(D, 'HOUR')"))
          .doesNotContain("REVERSE");
    }
  }
}

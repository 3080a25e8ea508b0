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
package org.apache.phoenix.pruning.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Tests which of several plans is chosen, by the regions that they scan, and how EXPLAIN shows the
 * choice.
 */
@RunWith(JUnitParamsRunner.class)
public class OptimizerTest {

  private static final int REGIONS = 1_000;

  private static Connectionless exact;
  private static Connectionless stock;

  @BeforeClass
  public static void createTables() throws SQLException {
    exact = new Connectionless(PruningOptions.EXPLAIN_CANDIDATES, "true");
    stock = new Connectionless(PruningOptions.MODE, "stock");
    createTables(exact);
    createTables(stock);
  }

  private static void createTables(Connectionless database) throws SQLException {
    for (String table : new String[] {"T", "NATURAL_FIRST", "REARRANGED_FIRST", "WITH_GLOBAL"}) {
      database.execute(
          """
          CREATE TABLE %s (PK1 INTEGER NOT NULL, PK2 INTEGER NOT NULL, PK3 INTEGER NOT NULL,
            V INTEGER, W INTEGER, X VARCHAR
            CONSTRAINT PK PRIMARY KEY (PK1, PK2, PK3)) SPLIT ON (%s)"""
              .formatted(
                  table,
                  IntStream.range(1, REGIONS)
                      .mapToObj(Integer::toString)
                      .collect(Collectors.joining(", "))));
    }
    database.execute("CREATE LOCAL INDEX T_V ON T (V)");
    database.execute("CREATE LOCAL INDEX N_V ON NATURAL_FIRST (V)");
    database.execute("CREATE LOCAL INDEX N_PK1_V ON NATURAL_FIRST (PK1, V)");
    database.execute("CREATE LOCAL INDEX R_PK1_V ON REARRANGED_FIRST (PK1, V)");
    database.execute("CREATE LOCAL INDEX R_V ON REARRANGED_FIRST (V)");
    database.execute("CREATE LOCAL INDEX G_LOCAL ON WITH_GLOBAL (V)");
    database.execute("CREATE INDEX G_GLOBAL ON WITH_GLOBAL (V)");
  }

  @AfterClass
  public static void close() throws SQLException {
    exact.close();
    stock.close();
  }

  /** Asserts which table or index {@code query} scans in modes exact and stock. */
  private static void assertScans(String ofExact, String ofStock, String query)
      throws SQLException {
    assertThat(exact.scanned(query)).as(query).isEqualTo(ofExact);
    assertThat(stock.scanned(query)).as(query + " in mode stock").isEqualTo(ofStock);
  }

  @Test
  public void takesEitherLayoutForAKeyAndAValue() throws SQLException {
    // The name decides, whichever index was created first.
    assertScans("N_PK1_V", "N_V", "SELECT X FROM NATURAL_FIRST WHERE V = 5 AND PK1 = 3");
    assertScans("R_PK1_V", "R_PK1_V", "SELECT X FROM REARRANGED_FIRST WHERE V = 5 AND PK1 = 3");
    assertThat(candidates("SELECT X FROM NATURAL_FIRST WHERE V = 5 AND PK1 = 3"))
        .startsWith(
            "CANDIDATE N_PK1_V: 1 REGION, 10 ROWS, COST 513: CHOSEN, FIRST OF SIMILAR COSTS",
            "CANDIDATE N_V: 1 REGION, 10 ROWS, COST 513: SIMILAR COST");
  }

  @Test
  public void takesTheLayoutWhoseRangeIsNarrower() throws SQLException {
    assertScans("N_PK1_V", "N_PK1_V", "SELECT V FROM NATURAL_FIRST WHERE V > 5 AND PK1 = 3");
    assertScans(
        "N_PK1_V", "N_V", "SELECT V FROM NATURAL_FIRST WHERE V BETWEEN 3 AND 6 AND PK1 IN (3, 5)");
  }

  @Test
  @Parameters({"BETWEEN 3 AND 30", "BETWEEN 3 AND 9"})
  public void takesTheNaturalLayoutForAValueAndARangeOfKeys(String keys) throws SQLException {
    assertScans("N_V", "N_V", "SELECT V FROM NATURAL_FIRST WHERE V = 5 AND PK1 " + keys);
    assertScans("R_V", "R_PK1_V", "SELECT V FROM REARRANGED_FIRST WHERE V = 5 AND PK1 " + keys);
  }

  @Test
  public void readsTheDataTableWhereItsRangeIsNarrower() throws SQLException {
    String where = " WHERE V > 5 AND PK1 = 3 AND PK2 = 7";
    assertScans("NATURAL_FIRST", "N_PK1_V", "SELECT V FROM NATURAL_FIRST" + where);
    assertScans("REARRANGED_FIRST", "R_PK1_V", "SELECT V FROM REARRANGED_FIRST" + where);
    assertScans("WITH_GLOBAL", "WITH_GLOBAL", "SELECT V FROM WITH_GLOBAL" + where);
    assertScans("T", "T_V", "SELECT V FROM T WHERE V > 5 AND PK1 = 3");
    assertScans("T", "T", "SELECT X FROM T WHERE PK1 = 3");
  }

  @Test
  public void readsTheIndexInTheRegionsOfTheDataTablesRange() throws SQLException {
    assertScans("T_V", "T_V", "SELECT X FROM T WHERE V = 5");
    assertScans("T_V", "T_V", "SELECT X FROM T WHERE V = 5 AND PK1 BETWEEN 100 AND 900");
    assertScans("T_V", "T_V", "SELECT X FROM T WHERE V = 5 AND PK2 = 3");
  }

  /**
   * A defect may show only with a plan that the costs choose. So Phoenix's rules choose the plan if
   * a patch for rows along local indexes is left out.
   */
  @Test
  @Parameters({"all\\,-index-row-condition", "local-index\\,-skip-scan", "none"})
  public void takesThePlanOfPhoenixIfAPatchIsLeftOut(String patches) throws SQLException {
    String[] queries = {
      "SELECT X FROM NATURAL_FIRST WHERE V = 5 AND PK1 = 3",
      "SELECT V FROM NATURAL_FIRST WHERE V > 5 AND PK1 = 3 AND PK2 = 7",
      "SELECT V FROM WITH_GLOBAL WHERE V = 5 AND PK1 = 3"
    };
    try (Connectionless without = new Connectionless(PruningOptions.PATCHES, patches);
        Connectionless withLocal = new Connectionless(PruningOptions.PATCHES, "local-index")) {
      createTables(without);
      createTables(withLocal);
      for (String query : queries) {
        assertThat(without.scanned(query)).as(query).isEqualTo(stock.scanned(query));
        assertThat(withLocal.scanned(query))
            .as(query)
            .isEqualTo(exact.scanned(query))
            .isNotEqualTo(stock.scanned(query));
      }
    }
  }

  @Test
  public void takesALocalIndexPrunedToARegionBeforeAGlobalOne() throws SQLException {
    assertScans("G_LOCAL", "G_GLOBAL", "SELECT V FROM WITH_GLOBAL WHERE V = 5 AND PK1 = 3");
    assertScans(
        "G_LOCAL",
        "G_GLOBAL",
        "SELECT V FROM WITH_GLOBAL WHERE V BETWEEN 3 AND 6 AND PK1 IN (3, 5)");
    assertScans("G_GLOBAL", "G_GLOBAL", "SELECT V FROM WITH_GLOBAL WHERE V = 5");
    assertScans("G_GLOBAL", "G_GLOBAL", "SELECT V FROM WITH_GLOBAL WHERE V = 5 AND PK1 > 30");
  }

  @Test
  public void choosesForEachTableOfAJoin() throws SQLException {
    assertThat(
            exact.steps(
                """
                SELECT A.V FROM REARRANGED_FIRST A JOIN WITH_GLOBAL B ON A.PK1 = B.PK1 WHERE A.V = 5
                  AND A.PK1 BETWEEN 3 AND 30 AND B.V = 6 AND B.PK1 = 7"""))
        .asString()
        .contains("SCAN OVER R_V(REARRANGED_FIRST)", "SCAN OVER G_LOCAL(WITH_GLOBAL)")
        .contains("CANDIDATE R_PK1_V: ", "CANDIDATE G_GLOBAL: ");
    assertThat(
            candidates(
                """
                SELECT A.V FROM T A JOIN T B ON A.PK2 = B.PK2 WHERE A.V = 5 AND A.PK1 = 30
                  AND B.V = 6 AND B.PK1 IN (7, 8)"""))
        .filteredOn(line -> line.contains(": CHOSEN, "))
        .containsExactly(
            "CANDIDATE T_V: 1 REGION, 10 ROWS, COST 313: CHOSEN, CHEAPEST",
            "CANDIDATE T_V: 2 REGIONS, 20 ROWS, COST 625: CHOSEN, CHEAPEST");
  }

  @Test
  public void saysNothingOfTheStatementBefore() throws SQLException {
    try (Statement statement = exact.connection().createStatement()) {
      assertThat(steps(statement, "EXPLAIN SELECT V FROM T WHERE V = 5"))
          .asString()
          .contains("CANDIDATE T_V: ");
      assertThat(steps(statement, "EXPLAIN SELECT \"0:V\" FROM T_V"))
          .asString()
          .contains(" OVER T_V")
          .doesNotContain("CANDIDATE");
    }
  }

  private static List<String> steps(Statement statement, String explain) throws SQLException {
    try (ResultSet result = statement.executeQuery(explain)) {
      List<String> steps = new ArrayList<>();
      while (result.next()) {
        steps.add(result.getString(1));
      }
      return steps;
    }
  }

  @Test
  public void choosesTheSamePlanForASubqueryEachTime() throws SQLException {
    String query = "SELECT V FROM T WHERE V = 5 AND PK1 > (SELECT MAX(W) FROM NATURAL_FIRST)";
    List<String> first = candidates(query);
    assertThat(first).isNotEmpty();
    for (int i = 0; i < 10; i++) {
      assertThat(candidates(query)).as("try %s", i).isEqualTo(first);
    }
  }

  @Test
  @Parameters({"G_GLOBAL", "G_LOCAL"})
  public void hintsOfAnIndexWin(String index) throws SQLException {
    String query =
        "SELECT /*+ INDEX(WITH_GLOBAL " + index + ") */ V FROM WITH_GLOBAL WHERE V = 5 AND PK1 = 3";
    assertScans(index, index, query);
    assertThat(candidates(query)).containsExactly("CANDIDATE " + index + ": CHOSEN, HINT");
  }

  @Test
  public void hintsWin() throws SQLException {
    String rest = " V FROM WITH_GLOBAL WHERE V = 5 AND PK1 = 3";
    String query = "SELECT /*+ NO_INDEX */" + rest;
    assertScans("WITH_GLOBAL", "WITH_GLOBAL", query);
    assertThat(candidates(query)).containsExactly("CANDIDATE WITH_GLOBAL: CHOSEN, HINT");
    query = "SELECT /*+ USE_INDEX_OVER_DATA_TABLE */" + rest;
    assertScans("G_GLOBAL", "G_GLOBAL", query);
    assertThat(candidates(query)).containsExactly("CANDIDATE G_GLOBAL: CHOSEN, HINT");
  }

  @Test
  public void saysWhyAPlanNeededNoWeighing() throws SQLException {
    assertThat(candidates("SELECT V FROM T WHERE PK1 = 3 AND PK2 = 7 AND PK3 = 8"))
        .containsExactly("CANDIDATE T: CHOSEN, POINT LOOKUP");
    exact.execute(
        "CREATE TABLE ONE (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER)"
            + " IMMUTABLE_ROWS = true");
    exact.execute("CREATE LOCAL INDEX ONE_V ON ONE (V)");
    exact.execute("CREATE INDEX ONE_W ON ONE (W)");
    assertThat(candidates("DELETE FROM ONE WHERE W = 5"))
        .containsExactly("CANDIDATE ONE_W: CHOSEN, PHOENIX'S RULES");
    try (Connectionless ofStock =
        new Connectionless(
            PruningOptions.MODE, "stock", PruningOptions.EXPLAIN_CANDIDATES, "true")) {
      createTables(ofStock);
      assertThat(ofStock.steps("SELECT V FROM T WHERE V = 5").get(1))
          .isEqualTo("    CANDIDATE T_V: CHOSEN, MODE STOCK");
    }
    assertThat(stock.steps("SELECT V FROM T WHERE V = 5")).asString().doesNotContain("CANDIDATE");
  }

  @Test
  public void looksUpNoMoreRegionsThanTellTheCandidatesApart() throws SQLException {
    assertThat(candidates("SELECT V FROM WITH_GLOBAL WHERE V = 5"))
        .containsExactly(
            "CANDIDATE G_GLOBAL: 1 REGION, 1,000 ROWS, COST 1,535: CHOSEN, CHEAPEST",
            "CANDIDATE G_LOCAL: MORE THAN 8 REGIONS, 800 ROWS, COST 3,404:"
                + " MORE THAN 2.2 TIMES THE COST",
            "CANDIDATE WITH_GLOBAL: MORE THAN 8 REGIONS, 800,000 ROWS, COST 1,590,400:"
                + " MORE THAN 1,036.1 TIMES THE COST");
    assertThat(candidates("SELECT X FROM T WHERE V = 5"))
        .first()
        .asString()
        .startsWith("CANDIDATE T_V: MORE THAN 512 REGIONS, ");
  }

  @Test
  public void countsTheBucketsOfSaltedTables() throws SQLException {
    exact.execute(
        """
        CREATE TABLE SALTED (PK1 INTEGER NOT NULL, PK2 INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (PK1, PK2)) SALT_BUCKETS = 6""");
    exact.execute("CREATE LOCAL INDEX S_LOCAL ON SALTED (V)");
    exact.execute("CREATE INDEX S_GLOBAL ON SALTED (V)");
    assertThat(candidates("SELECT V FROM SALTED WHERE V = 5 AND PK1 BETWEEN 3 AND 30"))
        .hasSize(3)
        .allMatch(candidate -> candidate.contains(": 6 REGIONS, "));
    exact.execute("CREATE LOCAL INDEX S_PK1_V ON SALTED (PK1, V)");
    assertThat(exact.scanned("SELECT V FROM SALTED WHERE V > 5 AND PK1 = 3")).isEqualTo("S_PK1_V");
  }

  @Test
  public void knowsTheRowsOfATableThatIsReadWhole() throws SQLException {
    exact.execute("CREATE TABLE WHOLE (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER)");
    exact.execute("CREATE LOCAL INDEX W_LOCAL ON WHOLE (V)");
    exact.execute("CREATE INDEX W_GLOBAL ON WHOLE (W)");
    assertThat(candidates("SELECT W FROM WHOLE"))
        .first()
        .asString()
        .startsWith("CANDIDATE W_GLOBAL: 1 REGION, 100,000 ROWS, ");
  }

  /**
   * A region with one PK1 needs one seek. A region with 1,000 values of PK1 needs as many seeks as
   * expected for its number of rows.
   */
  @Test
  public void countsNoMorePrefixesThanARegionCanHold() throws SQLException {
    assertThat(costOfSeeks("NARROW", 1)).isLessThan(costOfSeeks("WIDE", 1_000));
  }

  private static double costOfSeeks(String table, int keysOfRegion) throws SQLException {
    exact.execute(
        """
        CREATE TABLE %s (PK1 INTEGER NOT NULL, PK2 INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (PK1, PK2)) SPLIT ON (%s)"""
            .formatted(
                table,
                IntStream.range(1, REGIONS)
                    .mapToObj(i -> Integer.toString(i * keysOfRegion))
                    .collect(Collectors.joining(", "))));
    exact.execute("CREATE LOCAL INDEX I_" + table + " ON " + table + " (PK1, V)");
    String candidate =
        candidates("SELECT V FROM " + table + " WHERE V = 5").stream()
            .filter(line -> line.startsWith("CANDIDATE I_" + table))
            .findFirst()
            .orElseThrow(AssertionError::new);
    return Double.parseDouble(candidate.replaceFirst(".*COST ([0-9,]+).*", "$1").replace(",", ""));
  }

  /** Returns the lines of EXPLAIN that show how a plan was chosen. */
  private static List<String> candidates(String query) throws SQLException {
    return exact.steps(query).stream()
        .map(String::trim)
        .filter(step -> step.startsWith("CANDIDATE "))
        .collect(Collectors.toList());
  }
}

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
package org.apache.phoenix.pruning.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Tests how conditions on one side of a join prune regions of the other side, without a cluster.
 */
public class TransitiveEqualityTest {

  private static final String MERGE = "USE_SORT_MERGE_JOIN";

  private Connectionless driver;

  /** Creates the tables. Table A has ten regions, with ten values of K in each. */
  @Before
  public void createTables() throws SQLException {
    driver = new Connectionless();
    driver.execute(
        "CREATE TABLE A (K INTEGER NOT NULL, K2 VARCHAR NOT NULL, V INTEGER"
            + " CONSTRAINT PK PRIMARY KEY (K, K2)) SPLIT ON (10, 20, 30, 40, 50, 60, 70, 80, 90)");
    driver.execute("CREATE LOCAL INDEX AI ON A (V)");
    driver.execute(
        "CREATE TABLE B (K INTEGER NOT NULL, K2 VARCHAR NOT NULL, W INTEGER"
            + " CONSTRAINT PK PRIMARY KEY (K DESC, K2))");
    driver.execute(
        "CREATE TABLE C (K INTEGER PRIMARY KEY, F DOUBLE, L BIGINT, D DECIMAL, S CHAR(3))");
  }

  @After
  public void dropTables() throws SQLException {
    driver.execute("DROP TABLE A");
    driver.execute("DROP TABLE B");
    driver.execute("DROP TABLE C");
    driver.close();
  }

  private void assertPlanned(int regions, String hints, String query) throws SQLException {
    assertThat(driver.steps("SELECT /*+ INDEX(A AI) " + hints + " */ " + query))
        .as(query)
        .filteredOn(step -> step.contains("REGIONS PLANNED"))
        .singleElement()
        .asString()
        .contains("REGIONS PLANNED " + regions + " OF 10");
  }

  @Test
  public void prunesBothSidesOfASortMergeJoin() throws SQLException {
    String join = "A.K2, B.W FROM A JOIN B ON A.K = B.K WHERE A.V = 5 AND ";
    assertPlanned(1, MERGE, join + "B.K = 25");
    assertPlanned(3, MERGE, join + "B.K > 70");
    assertPlanned(2, MERGE, join + "B.K BETWEEN 15 AND 25");
    assertPlanned(2, MERGE, join + "B.K IN (25, 85)");
    assertPlanned(2, MERGE, join + "B.K IN (25, 85) AND B.W > 1");
    assertPlanned(1, MERGE, join + "B.K IN (25, 85) AND A.K > 30");
    assertPlanned(10, MERGE, join + "B.W = 5");
    assertPlanned(10, MERGE, join + "(B.K = 25 OR B.W = 5)");
    assertPlanned(1, MERGE, "A.K2 FROM B JOIN A ON B.K = A.K WHERE A.V = 5 AND B.K = 25");
    assertPlanned(
        1,
        MERGE,
        "X.L FROM (SELECT K AS L, K2 FROM A WHERE V = 5) X JOIN B ON X.L = B.K WHERE B.K = 25");
  }

  @Test
  public void prunesByColumnsThatAreNoKey() throws SQLException {
    String join = "A.K2, B.W FROM A JOIN B ON A.K = B.W WHERE A.V = 5 AND ";
    assertPlanned(1, MERGE, join + "B.W = 25");
    assertPlanned(2, MERGE, join + "B.W >= 85");
  }

  @Test
  public void prunesTheSideThatMayLackPartners() throws SQLException {
    assertPlanned(1, MERGE, "A.K2 FROM B LEFT JOIN A ON A.K = B.K AND A.V = 5 WHERE B.K = 25");
    assertPlanned(10, MERGE, "A.K2 FROM A LEFT JOIN B ON A.K = B.K AND B.K = 25 WHERE A.V = 5");
    String x = "X.K2 FROM (SELECT K, K2 FROM A WHERE V = 5) X ";
    assertPlanned(1, MERGE, x + "RIGHT JOIN B ON X.K = B.K WHERE B.K = 25");
    assertPlanned(10, MERGE, x + "FULL JOIN (SELECT K FROM B WHERE K = 25) Y ON X.K = Y.K");
    assertPlanned(10, MERGE, "A.K2 FROM A WHERE V = 5 AND K NOT IN (SELECT K FROM B WHERE K = 25)");
  }

  @Test
  public void prunesTheBuildSideOfAHashJoin() throws SQLException {
    assertPlanned(1, "", "B.W FROM B JOIN A ON A.K = B.K WHERE A.V = 5 AND B.K = 25");
    assertPlanned(1, "", "B.W FROM B LEFT JOIN A ON A.K = B.K AND A.V = 5 WHERE B.K = 25");
    String join = " FROM B JOIN A ON A.K = B.K WHERE A.V = 5 AND B.K = 25";
    assertPlanned(1, "", "COUNT(*)" + join);
    assertPlanned(1, "", "B.W, MAX(A.K2)" + join + " GROUP BY B.W");
    assertPlanned(1, "", "B.W" + join + " LIMIT 3");
  }

  @Test
  public void doesNotPruneSubqueriesWithLimit() throws SQLException {
    String limited = "(SELECT K, K2 FROM A WHERE V = 5 LIMIT 3) X";
    assertPlanned(10, MERGE, "X.K2 FROM " + limited + " JOIN B ON X.K = B.K WHERE B.K = 25");
    assertPlanned(10, "", "X.K2 FROM B JOIN " + limited + " ON X.K = B.K WHERE B.K = 25");
  }

  /** Several values can be equal to a number that is rounded. */
  @Test
  public void doesNotPruneByOtherKindsOfValues() throws SQLException {
    assertPlanned(10, MERGE, "A.K2 FROM A JOIN C ON A.K = C.F WHERE A.V = 5 AND C.F = 25");
    assertPlanned(10, MERGE, "A.K2 FROM A JOIN C ON A.K = C.L WHERE A.V = 5 AND C.L = 25");
    assertPlanned(1, MERGE, "A.K2 FROM A JOIN C ON A.K = C.D WHERE A.V = 5 AND C.D = 25");
    assertPlanned(
        10,
        MERGE,
        "A.K2 FROM A JOIN B ON A.K = B.K WHERE A.V = 5 AND B.K = (SELECT MAX(K) FROM C)");
  }

  @Test
  public void explainsThatKeysOfAJoinPrune() throws SQLException {
    String a = "SELECT /*+ INDEX(A AI) */ A.K2 FROM A ";
    assertThat(driver.steps(a + "JOIN B ON A.K = B.K AND A.V = B.W WHERE A.V = 5 AND A.K < 30"))
        .contains(
            "    REGIONS PLANNED 3 OF 10, PRUNED 7 BY PRIMARY KEY,"
                + " DYNAMIC REGION FILTER BY \"AI.:K\"");
    assertThat(driver.steps(a + "LEFT JOIN B ON A.K = B.K WHERE A.V = 5"))
        .contains("    REGIONS PLANNED 10 OF 10");
  }

  /** Phoenix converts a literal of blanks to null. */
  @Test
  public void comparesBlanks() throws SQLException {
    driver.execute(
        "CREATE TABLE E (S CHAR(3) NOT NULL, K INTEGER NOT NULL, V INTEGER"
            + " CONSTRAINT PK PRIMARY KEY (S, K)) SPLIT ON ('b', 'c')");
    try {
      driver.execute("CREATE LOCAL INDEX EI ON E (V)");
      String join =
          "SELECT /*+ INDEX(E EI) USE_SORT_MERGE_JOIN */ E.K FROM E JOIN C ON E.S = C.S WHERE E.V = 5";
      assertThat(driver.steps(join + " AND C.S > ' '"))
          .anyMatch(step -> step.contains("REGIONS PLANNED 3 OF 3"));
      assertThat(driver.steps(join + " AND C.S = 'b'"))
          .anyMatch(step -> step.contains("REGIONS PLANNED 1 OF 3"));
    } finally {
      driver.execute("DROP TABLE E");
    }
  }

  /** Phoenix does not compare a descending CHAR in the order of its values. */
  @Test
  public void doesNotPruneByADescendingChar() throws SQLException {
    driver.execute(
        "CREATE TABLE E (S CHAR(3) NOT NULL, K INTEGER NOT NULL, V INTEGER"
            + " CONSTRAINT PK PRIMARY KEY (S, K)) SPLIT ON ('b', 'c')");
    driver.execute("CREATE TABLE F (S CHAR(3) NOT NULL PRIMARY KEY DESC, W INTEGER)");
    try {
      driver.execute("CREATE LOCAL INDEX EI ON E (V)");
      assertThat(
              driver.steps(
                  "SELECT /*+ INDEX(E EI) USE_SORT_MERGE_JOIN */ E.K FROM E JOIN F ON E.S = F.S"
                      + " WHERE E.V = 5 AND F.S > 'c'"))
          .anyMatch(step -> step.contains("REGIONS PLANNED 3 OF 3"));
    } finally {
      driver.execute("DROP TABLE E");
      driver.execute("DROP TABLE F");
    }
  }

  @Test
  public void keepsABuildSideThatIsCachedWhole() throws SQLException {
    assertPlanned(
        10, "USE_PERSISTENT_CACHE", "B.W FROM B JOIN A ON A.K = B.K WHERE A.V = 5 AND B.K = 25");
  }
}

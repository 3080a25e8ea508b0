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

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Tests that statements are refused if they would scan too many regions. */
public class RegionBudgetIT extends ClusterTest {

  private static final String TABLE = "BUDGETED";

  private static Connection unlimited;

  /** Creates ten regions with ten rows each. */
  @BeforeClass
  public static void createTable() throws SQLException {
    unlimited = connect(PruningMode.EXACT);
    execute(
        unlimited,
        "CREATE TABLE BUDGETED (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER) SPLIT ON ("
            + splits(10, 10)
            + ")",
        "CREATE LOCAL INDEX BUDGETED_V ON BUDGETED (V)");
    for (int k = 0; k < 100; k++) {
      execute(unlimited, "UPSERT INTO BUDGETED VALUES (" + k + ", " + k % 5 + ", 0)");
    }
    unlimited.commit();
  }

  @AfterClass
  public static void close() throws SQLException {
    unlimited.close();
  }

  private static Connection limited(int regions) throws SQLException {
    return connect(Map.of(PruningOptions.MAX_REGIONS, Integer.toString(regions)));
  }

  private static void assertRefused(Connection connection, int regions, String scanned, String sql)
      throws SQLException {
    String what = sql + ", auto-commit: " + connection.getAutoCommit();
    long before = scanRpcs(TABLE).rpcs();
    assertThatThrownBy(
            () -> {
              if (sql.startsWith("SELECT")) {
                rows(connection, sql);
              } else {
                execute(connection, sql);
              }
            })
        .as(what)
        .isInstanceOf(SQLException.class)
        .hasMessage(
            "The query would scan %d regions of %s, but phoenix.pruning.max.regions is 3."
                    .formatted(regions, scanned)
                + " Add conditions on the row key (K) to the WHERE clause, use an index, or raise"
                + " phoenix.pruning.max.regions of the connection");
    assertThat(scanRpcs(TABLE).rpcs()).as(what).isEqualTo(before);
  }

  @Test
  public void refusesBeforeTheFirstScan() throws SQLException {
    try (Connection connection = limited(3)) {
      String indexed = "SELECT /*+ INDEX(BUDGETED BUDGETED_V) */ K FROM BUDGETED WHERE V = 1";
      assertRefused(connection, 10, "BUDGETED_V", indexed);
      assertRefused(connection, 4, "BUDGETED_V", indexed + " AND K BETWEEN 20 AND 59");
      assertRefused(connection, 10, "BUDGETED_V", "SELECT COUNT(*) FROM BUDGETED WHERE V = 1");
      assertRefused(
          connection, 10, TABLE, "SELECT /*+ NO_INDEX */ MAX(W) FROM BUDGETED WHERE W = 1");
      assertThat(rows(connection, indexed + " AND K BETWEEN 20 AND 49")).hasSize(6);
      assertThat(rows(connection, "SELECT W FROM BUDGETED WHERE K IN (1, 20, 99)")).hasSize(3);
      assertThat(rows(connection, indexed + " AND K < 0")).isEmpty();
    }
    try (Connection connection = limited(10)) {
      assertThat(rows(connection, "SELECT COUNT(*) FROM BUDGETED")).hasToString("[[1E+2]]");
    }
  }

  @Test
  public void refusesStatementsThatWrite() throws SQLException {
    try (Connection connection = limited(3)) {
      for (boolean commits : new boolean[] {true, false}) {
        connection.setAutoCommit(commits);
        assertRefused(connection, 10, "BUDGETED_V", "DELETE FROM BUDGETED WHERE V = 1");
        assertRefused(
            connection, 10, TABLE, "UPSERT INTO BUDGETED SELECT K, V, 1 FROM BUDGETED WHERE W = 0");
        connection.rollback();
      }
    }
    assertThat(rows(unlimited, "SELECT COUNT(*), MAX(W) FROM BUDGETED")).hasToString("[[1E+2, 0]]");
  }

  @Test
  public void explainsRefusedStatements() throws SQLException {
    try (Connection connection = limited(3)) {
      assertThat(explain(connection, "SELECT K FROM BUDGETED WHERE V = 1"))
          .anyMatch(step -> step.contains("REGIONS PLANNED 10 OF 10"));
    }
  }

  @Test
  public void countsRegionsAndNotScansBetweenGuideposts() throws SQLException {
    execute(unlimited, "UPDATE STATISTICS BUDGETED");
    try (Connection connection = limited(10)) {
      assertThat(rows(connection, "SELECT COUNT(*) FROM BUDGETED WHERE V = 1"))
          .hasToString("[[2E+1]]");
    }
  }
}

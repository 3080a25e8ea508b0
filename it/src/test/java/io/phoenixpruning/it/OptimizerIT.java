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

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * Checks that the chosen plan sends no more scan RPCs than any other plan, and that all plans
 * return the same rows.
 */
public class OptimizerIT extends ClusterTest {

  private static final int REGIONS = 20;
  private static final Pattern CANDIDATE = Pattern.compile("CANDIDATE (\\S+): .*");

  @BeforeClass
  public static void createTable() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          """
          CREATE TABLE LINES (PK1 INTEGER NOT NULL, PK2 INTEGER NOT NULL,
            PK3 INTEGER NOT NULL, V INTEGER, X VARCHAR
            CONSTRAINT PK PRIMARY KEY (PK1, PK2, PK3)) SPLIT ON (%s)"""
              .formatted(splits(REGIONS, 5)),
          "CREATE LOCAL INDEX LINES_V ON LINES (V)",
          "CREATE LOCAL INDEX LINES_PK1_V ON LINES (PK1, V)",
          "CREATE INDEX LINES_GLOBAL ON LINES (V)");
      try (PreparedStatement upsert =
          connection.prepareStatement("UPSERT INTO LINES VALUES (?, ?, ?, ?, ?)")) {
        for (int i = 0; i < 50 * REGIONS; i++) {
          upsert.setInt(1, i / 10);
          upsert.setInt(2, i % 5);
          upsert.setInt(3, i % 10);
          upsert.setInt(4, i * 31 % 100);
          upsert.setString(5, "x" + i);
          upsert.execute();
        }
      }
      connection.commit();
    }
  }

  /** Returns the number of scan RPCs of a query, for the table and its global index. */
  private static long rpcs(Connection connection, String sql, List<List<Object>> expected)
      throws SQLException {
    long before = scanRpcs("LINES").rpcs() + scanRpcs("LINES_GLOBAL").rpcs();
    assertThat(rows(connection, sql)).as(sql).isEqualTo(expected);
    return scanRpcs("LINES").rpcs() + scanRpcs("LINES_GLOBAL").rpcs() - before;
  }

  private static void assertFewestRpcs(String chosen, String query) throws SQLException {
    try (Connection connection = connect(Map.of(PruningOptions.EXPLAIN_CANDIDATES, "true"))) {
      List<List<Object>> expected = rows(connection, "SELECT /*+ NO_INDEX */ " + query);
      Map<String, Long> rpcs = new TreeMap<>();
      List<String> plan = explain(connection, "SELECT " + query);
      for (String step : plan) {
        Matcher candidate = CANDIDATE.matcher(step.trim());
        if (candidate.matches()) {
          String name = candidate.group(1);
          String hint = name.equals("LINES") ? "NO_INDEX" : "INDEX(LINES " + name + ")";
          rpcs.put(name, rpcs(connection, "SELECT /*+ " + hint + " */ " + query, expected));
        }
      }
      assertThat(rpcs).as(query).containsKeys("LINES", "LINES_V", "LINES_PK1_V", chosen);
      assertThat(plan)
          .as(query)
          .filteredOn(step -> step.contains(": CHOSEN, "))
          .singleElement()
          .asString()
          .contains("CANDIDATE " + chosen + ": ");
      assertThat(rpcs(connection, "SELECT " + query, expected))
          .as(query + " of " + plan)
          .isEqualTo(rpcs.get(chosen))
          .isEqualTo(rpcs.values().stream().mapToLong(Long::longValue).min().getAsLong());
    }
  }

  @Test
  public void choosesThePlanWithTheFewestScans() throws SQLException {
    assertFewestRpcs("LINES_GLOBAL", "PK1 FROM LINES WHERE V = 6");
    assertFewestRpcs("LINES_PK1_V", "X FROM LINES WHERE V = 6 AND PK1 = 6");
    assertFewestRpcs("LINES_PK1_V", "PK1 FROM LINES WHERE V > 6 AND PK1 = 6");
    assertFewestRpcs("LINES", "PK1 FROM LINES WHERE V > 6 AND PK1 = 6 AND PK2 = 1");
    assertFewestRpcs("LINES_V", "X FROM LINES WHERE V = 6 AND PK1 BETWEEN 31 AND 62");
    assertFewestRpcs("LINES", "X FROM LINES WHERE PK1 = 6");
  }

  @Test
  public void choosesForStatementsThatWrite() throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      connection.setAutoCommit(false);
      execute(
          connection,
          """
          CREATE TABLE COPY (PK1 INTEGER NOT NULL, PK2 INTEGER NOT NULL, PK3 INTEGER NOT NULL,
            X VARCHAR
            CONSTRAINT PK PRIMARY KEY (PK1, PK2, PK3))""");
      String rest = " FROM LINES WHERE V = 31 AND PK1 BETWEEN 31 AND 62";
      String upsert = "UPSERT INTO COPY SELECT PK1, PK2, PK3, X" + rest;
      assertThat(explain(connection, upsert)).asString().contains("REGIONS PLANNED 7 OF 20");
      execute(connection, upsert);
      connection.commit();
      assertThat(rows(connection, "SELECT /*+ NO_INDEX */ PK1, PK2, PK3, X" + rest))
          .isNotEmpty()
          .isEqualTo(rows(connection, "SELECT * FROM COPY"));
    }
  }
}

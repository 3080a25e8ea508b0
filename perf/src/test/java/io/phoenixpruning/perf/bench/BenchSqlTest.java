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
package io.phoenixpruning.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.QueryServices;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Compiles the statements of benchmarks without a cluster. */
public class BenchSqlTest {

  private Connection connection;

  @Before
  public void connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty(QueryServices.INDEX_POPULATION_SLEEP_TIME, "0");
    properties.setProperty(PruningOptions.EXPLAIN_CANDIDATES, "true");
    connection = DriverManager.getConnection("jdbc:phoenix:none", properties);
  }

  @After
  public void close() throws SQLException {
    connection.close();
  }

  private void execute(List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private QueryPlan plan(String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
    }
  }

  private String scanned(String sql) throws SQLException {
    return plan(sql).getTableRef().getTable().getName().getString();
  }

  @Test
  public void queriesOfChoiceHaveSeveralCandidates() throws SQLException {
    for (ChoiceWorkload workload : ChoiceWorkload.all(false)) {
      String table = "C_" + workload.name();
      execute(workload.ddl(table));
      for (String query : workload.queries()) {
        String sql = "SELECT " + query.formatted(table);
        Set<String> candidates = new HashSet<>();
        try (Statement statement = connection.createStatement();
            ResultSet steps = statement.executeQuery("EXPLAIN " + sql)) {
          while (steps.next()) {
            Matcher candidate = ChoiceBench.CANDIDATE.matcher(steps.getString(1));
            if (candidate.find()) {
              candidates.add(candidate.group(1));
            }
          }
        }
        assertThat(candidates).as(sql).hasSizeGreaterThan(1).contains(table, scanned(sql));
      }
    }
  }

  @Test
  public void hintsOfLooseScanChooseThePlan() throws SQLException {
    execute(LooseScanBench.ddl("L"));
    for (String query : LooseScanBench.QUERIES) {
      assertThat(scanned(LooseScanBench.Plan.TABLE.sql("L", query))).as(query).isEqualTo("L");
      assertThat(scanned(LooseScanBench.Plan.RANGE_SCAN.sql("L", query)))
          .as(query)
          .isEqualTo("L_I");
      assertThat(scanned(LooseScanBench.Plan.EXACT.sql("L", query))).as(query).isIn("L", "L_I");
    }
  }

  @Test
  public void compilesStatements() throws SQLException {
    execute(
        List.of(
            "CREATE TABLE S (pk1 INTEGER NOT NULL, pk2 INTEGER NOT NULL, v1 INTEGER, v2 INTEGER"
                + " CONSTRAINT pk PRIMARY KEY (pk1, pk2))",
            "CREATE LOCAL INDEX S_V2 ON S (v2)"));
    for (String query : StatementsBench.QUERIES) {
      String sql = query.formatted("S", "S_V2");
      assertThat(scanned(sql))
          .as(sql)
          .isIn(sql.contains("INDEX(") ? Set.of("S_V2") : Set.of("S", "S_V2"));
    }
    for (String update : StatementsBench.UPDATES) {
      String sql = update.formatted("S", "S_V2");
      if (sql.startsWith("DELETE") || sql.startsWith("UPSERT")) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
          assertThat(statement.unwrap(PhoenixPreparedStatement.class).compileMutation())
              .as(sql)
              .isNotNull();
        }
      }
    }
  }
}

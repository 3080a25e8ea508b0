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
package io.phoenixpruning.assertions;

import static io.phoenixpruning.assertions.PlanAssertions.assertThatPlan;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.apache.phoenix.pruning.explain.ScanType;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.prune.PruningRule;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Tests which plans pass, and the messages of failures, without a cluster. */
public class PlanAssertTest {

  private static final String ONE = "SELECT V FROM T WHERE V = 5 AND K1 = 15";
  private static final String JOIN =
      "SELECT T.V FROM T JOIN D ON T.K1 = D.K WHERE T.V = 5 AND T.K1 = 15 AND D.K < 9";

  private static final String PLAN =
      "\nExpecting the plan\n"
          + "  range scan of natural local index I2 of T: 1 of 4 regions, 3 pruned by PRIMARY KEY\n"
          + "%s.\n"
          + "EXPLAIN says:\n"
          + "  CLIENT 1-CHUNK PARALLEL 1-WAY ROUND ROBIN RANGE SCAN OVER I2(T) [32769,5,15]\n"
          + "      REGIONS PLANNED 1 OF 4, PRUNED 3 BY PRIMARY KEY\n"
          + "      SERVER FILTER BY FIRST KEY ONLY";

  private static Connection connection;

  @BeforeClass
  public static void createTables() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("phoenix.index.population.wait.time", "0");
    properties.setProperty("phoenix.stats.collection.enabled", "false");
    connection = DriverManager.getConnection("jdbc:phoenix:none", properties);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE T (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, W INTEGER
            CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (10, 20, 30)""");
      statement.execute("CREATE LOCAL INDEX I2 ON T (V)");
      statement.execute("CREATE LOCAL INDEX IR ON T (K1, W)");
      statement.execute("CREATE TABLE D (K INTEGER PRIMARY KEY)");
    }
  }

  @AfterClass
  public static void close() throws SQLException {
    connection.close();
  }

  private static void assertFails(String expected, ThrowingCallable assertion) {
    assertThatThrownBy(assertion)
        .isInstanceOf(AssertionError.class)
        .hasMessage("[" + ONE + "] " + String.format(PLAN, expected));
  }

  @Test
  public void anExpectedPlanPasses() throws SQLException {
    assertThatPlan(connection, ONE)
        .usesIndex("I2")
        .plansRegions(1)
        .plansAtMostRegions(1)
        .prunesBy(PruningRule.PRIMARY_KEY)
        .scans(ScanType.RANGE)
        .hasLayout(IndexLayout.Kind.NATURAL)
        .forTable("t")
        .usesIndex("i2");
    assertThatPlan(connection, "SELECT * FROM D WHERE K = ?", 3)
        .usesNoIndex()
        .scans(ScanType.POINT)
        .plansRegions(1);
    assertThatPlan(connection, "SELECT W FROM T WHERE K1 = 15 AND W = 3")
        .usesIndex("IR")
        .hasLayout(IndexLayout.Kind.REARRANGED);
  }

  @Test
  public void aFailureShowsThePlan() throws SQLException {
    PlanAssert plan = assertThatPlan(connection, ONE);
    assertFails("to use the index I3", () -> plan.usesIndex("I3"));
    assertFails("to use the index \"i2\"", () -> plan.usesIndex("\"i2\""));
    assertFails("to use no index", plan::usesNoIndex);
    assertFails("to plan 2 regions", () -> plan.plansRegions(2));
    assertFails("to plan at most 0 regions", () -> plan.plansAtMostRegions(0));
    assertFails("to be a full scan", () -> plan.scans(ScanType.FULL));
    assertFails(
        "to use a local index of layout REARRANGED",
        () -> plan.hasLayout(IndexLayout.Kind.REARRANGED));
    assertFails("to read the table D", () -> plan.forTable("D"));
  }

  @Test
  public void regionsThatAreAllPlannedArePrunedByNothing() {
    String all = "SELECT V FROM T WHERE V = 5 AND V || '%' = '5%'";
    assertThatThrownBy(() -> assertThatPlan(connection, all).prunesBy(PruningRule.PRIMARY_KEY))
        .hasMessageStartingWith("[" + all + "] ")
        .hasMessageContaining("4 of 4 regions\nto prune regions by PRIMARY KEY.\n");
  }

  @Test
  public void eachScanOfAJoinHasToBeAsExpected() throws SQLException {
    PlanAssert plan = assertThatPlan(connection, JOIN).plansRegions(2);
    plan.forTable("T").usesIndex("I2").plansRegions(1);
    plan.forTable("D").usesNoIndex().plansRegions(1);
    assertThatThrownBy(() -> plan.usesIndex("I2"))
        .hasMessageContaining("local index I2 of T: 1 of 4 regions")
        .hasMessageContaining("\n  range scan of D: 1 region\nto use the index I2.\n");
    assertThatThrownBy(() -> plan.forTable("D").usesIndex("I2"))
        .hasMessageStartingWith("[" + JOIN + "] ")
        .hasMessageContaining("Expecting the plan\n  range scan of D: 1 region\nto use");
  }

  @Test
  public void aStatementThatReadsNothingUsesNothing() throws SQLException {
    PlanAssert plan = assertThatPlan(connection, "UPSERT INTO D VALUES (1)").plansRegions(0);
    assertThatThrownBy(plan::usesNoIndex)
        .hasMessageContaining("Expecting the plan\n  reads no table\nto use no index.\n");
  }

  @Test
  public void anErrorOfPhoenixIsItsException() {
    assertThatThrownBy(() -> assertThatPlan(connection, "SELEC 1"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("Syntax error");
  }
}

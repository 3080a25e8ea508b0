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
package org.apache.phoenix.pruning.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.pruning.prune.PruningRule;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests the summaries of plans of all shapes, without a cluster. */
@RunWith(JUnitParamsRunner.class)
public class PlanSummaryTest {

  private Connectionless driver;

  @Before
  public void createTables() throws SQLException {
    driver = new Connectionless();
    driver.execute("DROP TABLE IF EXISTS S.E CASCADE");
    driver.execute(
        """
        CREATE TABLE S.E (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, A.W INTEGER,
          X INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (10, 20, 30, 40, 50, 60, 70)""");
    driver.execute("CREATE LOCAL INDEX EL ON S.E (V)");
    driver.execute("CREATE INDEX EG ON S.E (X)");
    driver.execute("DROP TABLE IF EXISTS F");
    driver.execute("CREATE TABLE F (K INTEGER PRIMARY KEY, Y INTEGER)");
  }

  @After
  public void close() throws SQLException {
    driver.close();
  }

  private PlanSummary plan(String sql, Object... binds) throws SQLException {
    return PlanSummary.of(driver.connection(), sql, binds);
  }

  private ScanSummary scan(String sql, Object... binds) throws SQLException {
    assertThat(plan(sql, binds).scans()).as(sql).hasSize(1);
    return plan(sql, binds).scans().get(0);
  }

  @Test
  public void aLocalIndexHasRegionsByRule() throws SQLException {
    ScanSummary scan = scan("SELECT V FROM S.E WHERE V = 5 AND K1 IN (15, 35)");
    assertThat(scan.table()).isEqualTo("S.E");
    assertThat(scan.index()).contains("S.EL");
    assertThat(scan.indexKind()).isEqualTo(IndexKind.LOCAL);
    assertThat(scan.type()).isEqualTo(ScanType.SKIP);
    assertThat(scan.regionsPlanned()).hasValue(2);
    assertThat(scan.regionsTotal()).hasValue(8);
    assertThat(scan.regionsPruned()).isEqualTo(Map.of(PruningRule.PRIMARY_KEY, 6));
    assertThat(scan.lookedUpFamilies()).isEmpty();
    assertThat(scan)
        .hasToString(
            "skip scan of natural local index S.EL of S.E: 2 of 8 regions, 6 pruned by PRIMARY KEY");
    assertThat(scan("SELECT V FROM S.E WHERE V = 5"))
        .hasToString("range scan of natural local index S.EL of S.E: 8 of 8 regions");
  }

  @Test
  @Parameters({"S.EL", "s.el", "EL", "el", "\"S\".\"EL\""})
  public void namesAreThoseOfAnIndex(String name) throws SQLException {
    assertThat(scan("SELECT V FROM S.E WHERE V = 5").scansIndex(name)).isTrue();
  }

  private static List<String> otherNames() {
    return List.of("\"el\"", "T.EL", "E", "S.E", "");
  }

  @Test
  @Parameters(method = "otherNames")
  public void otherNamesAreNotThoseOfAnIndex(String name) throws SQLException {
    assertThat(scan("SELECT V FROM S.E WHERE V = 5").scansIndex(name)).isFalse();
  }

  @Test
  public void namesOfTablesAreComparedAsInSql() throws SQLException {
    ScanSummary scan = scan("SELECT V FROM S.E WHERE V = 5");
    assertThat(scan.readsTable("e")).isTrue();
    assertThat(scan.readsTable("EL")).isFalse();
  }

  @Test
  public void aLocalIndexHasALayout() throws SQLException {
    driver.execute("CREATE LOCAL INDEX ER ON S.E (K1, W)");
    assertThat(scan("SELECT /*+ INDEX(S.E ER) */ A.W FROM S.E WHERE W = 5"))
        .hasToString("loose scan of rearranged local index S.ER of S.E: 8 of 8 regions");
    assertThat(scan("SELECT V FROM S.E WHERE V = 5").layout()).contains(IndexLayout.Kind.NATURAL);
    assertThat(scan("SELECT /*+ INDEX(S.E ER) */ A.W FROM S.E WHERE W = 5 AND K1 = 3").layout())
        .contains(IndexLayout.Kind.REARRANGED);
    assertThat(scan("SELECT X FROM S.E WHERE X = 4").layout()).isEmpty();
  }

  @Test
  public void anIndexOfAViewHasTheNameThatItWasCreatedWith() throws SQLException {
    driver.execute("CREATE VIEW S.EV AS SELECT * FROM S.E WHERE K1 = 15");
    driver.execute("CREATE LOCAL INDEX EVL ON S.EV (V)");
    ScanSummary own = scan("SELECT /*+ INDEX(S.EV EVL) */ V FROM S.EV WHERE V = 5");
    assertThat(own)
        .hasToString(
            "range scan of natural local index S.EVL of S.EV: 1 of 8 regions, 7 pruned by PRIMARY"
                + " KEY");
    ScanSummary inherited = scan("SELECT /*+ INDEX(S.EV \"S.EV#EL\") */ V FROM S.EV WHERE V = 5");
    assertThat(inherited.index()).contains("S.EL");
    assertThat(inherited.table()).isEqualTo("S.EV");
    assertThat(inherited.layout()).contains(IndexLayout.Kind.NATURAL);
  }

  @Test
  public void withoutStatisticsAPlannedRegionIsOneScan() throws SQLException {
    assertThat(scan("SELECT V FROM S.E WHERE V = 5 AND K1 IN (15, 35)").clientScans()).isEqualTo(2);
    assertThat(scan("SELECT /*+ NO_INDEX */ * FROM S.E").clientScans()).isEqualTo(8);
    assertThat(scan("SELECT * FROM S.E WHERE K1 = ? AND K2 = 3", 15).clientScans()).isEqualTo(1);
    assertThat(scan("SELECT V FROM S.E WHERE 1 = 0").clientScans()).isZero();
  }

  @Test
  public void whatTheIndexLacksIsLookedUp() throws SQLException {
    assertThat(scan("SELECT /*+ INDEX(S.E EL) */ A.W, X FROM S.E WHERE V = 5").lookedUpFamilies())
        .containsExactly("0", "A");
  }

  @Test
  public void tablesAndGlobalIndexesHaveTheRegionsThatExplainLists() throws SQLException {
    ScanSummary point = scan("SELECT * FROM S.E WHERE K1 = ? AND K2 = 3", 15);
    assertThat(point).hasToString("point scan of S.E: 1 region");
    assertThat(point.regionsTotal()).isEmpty();
    assertThat(scan("SELECT /*+ NO_INDEX */ * FROM S.E"))
        .hasToString("full scan of S.E: 8 regions");
    assertThat(scan("SELECT /*+ NO_INDEX */ * FROM S.E WHERE K1 BETWEEN 15 AND 35"))
        .hasToString("range scan of S.E: 3 regions");
    ScanSummary global = scan("SELECT X FROM S.E WHERE X = 4");
    assertThat(global.index()).contains("S.EG");
    assertThat(global.indexKind()).isEqualTo(IndexKind.GLOBAL);
    assertThat(global.table()).isEqualTo("S.E");
  }

  @Test
  public void nothingIsReadWhereNothingCanMatch() throws SQLException {
    ScanSummary scan = scan("SELECT * FROM S.E WHERE K1 = 1 AND K1 = 2");
    assertThat(scan.type()).isEqualTo(ScanType.NONE);
    assertThat(scan.regionsPlanned()).hasValue(0);
    assertThat(scan).hasToString("no scan of S.E: 0 regions");
    assertThat(plan("SELECT 1 + 1")).hasToString("reads no table");
    assertThat(plan("UPSERT INTO F VALUES (1, 2)").scans()).isEmpty();
    assertThat(plan("DELETE FROM F WHERE K = 1").scans()).isEmpty();
  }

  private static List<String> hintsOfJoins() {
    return List.of("", "/*+ USE_SORT_MERGE_JOIN */");
  }

  @Test
  @Parameters(method = "hintsOfJoins")
  public void aJoinHasAScanForEachTable(String hint) throws SQLException {
    PlanSummary plan =
        plan(
            """
            SELECT %s E.V, F.Y FROM S.E AS E JOIN F ON E.K1 = F.K WHERE E.V = 5
              AND E.K1 BETWEEN 15 AND 35 AND F.K = 25"""
                .formatted(hint));
    assertThat(plan.scans()).extracting(ScanSummary::table).containsExactly("S.E", "F");
    assertThat(plan.scans().get(0).index()).contains("S.EL");
    assertThat(plan.forTable("f").scans()).containsExactly(plan.scans().get(1));
    assertThat(plan.forTable("f").steps()).isEqualTo(plan.steps());
    assertThat(plan.forTable("G").scans()).isEmpty();
    assertThat(plan.regionsPlanned()).hasValue(plan.scans().get(0).regionsPlanned().getAsInt() + 1);
  }

  @Test
  public void subqueriesAndUnionsHaveTheirScansToo() throws SQLException {
    assertThat(plan("SELECT V FROM S.E WHERE V = 5 AND K1 = (SELECT MAX(K) FROM F)").scans())
        .extracting(ScanSummary::table)
        .containsExactly("S.E", "F");
    PlanSummary union =
        plan("SELECT V FROM S.E WHERE V = 5 AND K1 = 15 UNION ALL SELECT Y FROM F WHERE K = 3");
    assertThat(union.scans()).extracting(ScanSummary::table).containsExactly("S.E", "F");
    assertThat(union.regionsPlanned()).hasValue(2);
    assertThat(union.steps().get(0)).isEqualTo("UNION ALL OVER 2 QUERIES");
  }

  /** Phoenix's EXPLAIN runs the build side of a join in a UNION. */
  @Test
  public void aJoinInAUnionIsNotRun() throws SQLException {
    PlanSummary plan =
        plan(
            """
            SELECT V FROM S.E WHERE V = 5 UNION ALL SELECT F.Y FROM F
              JOIN S.E AS E ON F.K = E.K1 WHERE E.V = 5 AND E.K1 = 15""");
    assertThat(plan.scans())
        .extracting(ScanSummary::table)
        .containsExactlyInAnyOrder("S.E", "F", "S.E");
    assertThat(plan.steps()).filteredOn(step -> step.contains("REGIONS PLANNED")).hasSize(2);
  }

  @Test
  public void statementsThatWriteReadBefore() throws SQLException {
    String where = " WHERE V = 5 AND K1 = 15";
    PlanSummary delete = plan("DELETE FROM S.E" + where);
    assertThat(delete)
        .hasToString(
            "range scan of natural local index S.EL of S.E: 1 of 8 regions, 7 pruned by PRIMARY KEY");
    assertThat(delete.steps().get(0)).startsWith("DELETE ROWS");
    assertThat(plan("UPSERT INTO F SELECT K1, V FROM S.E" + where).regionsPlanned()).hasValue(1);
  }

  @Test
  public void theStepsAreThoseOfExplain() throws SQLException {
    assertThat(plan("SELECT V FROM S.E WHERE V = 5 AND K1 = 15").steps())
        .containsExactly(
            "CLIENT 1-CHUNK PARALLEL 1-WAY ROUND ROBIN RANGE SCAN OVER S.EL(S.E) [32769,5,15]",
            "    REGIONS PLANNED 1 OF 8, PRUNED 7 BY PRIMARY KEY",
            "    SERVER FILTER BY FIRST KEY ONLY");
  }

  @Test
  public void inModeStockTheRegionsAreThoseThatExplainLists() throws SQLException {
    try (Connectionless stock = new Connectionless(PruningOptions.MODE, "stock")) {
      ScanSummary scan =
          PlanSummary.of(stock.connection(), "SELECT V FROM S.E WHERE V = 5").scans().get(0);
      assertThat(scan.regionsPlanned()).hasValue(8);
      assertThat(scan.regionsTotal()).isEqualTo(OptionalInt.empty());
    }
  }

  @Test
  @Parameters({"EXPLAIN SELECT 1", "CREATE TABLE G (K INTEGER PRIMARY KEY)", "DROP TABLE F"})
  public void otherStatementsAreRefused(String sql) {
    assertThatThrownBy(() -> plan(sql))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("Expected SELECT, UPSERT or DELETE without EXPLAIN");
  }

  @Test
  public void statementsThatCannotBePlannedAreRefused() {
    assertThatThrownBy(() -> plan("SELECT * FROM F WHERE K = ?"))
        .hasMessageContaining("Expected one value for each parameter. Parameters: 1, values: 0");
    assertThatThrownBy(() -> plan("SELECT * FROM NOWHERE")).hasMessageContaining("NOWHERE");
  }
}

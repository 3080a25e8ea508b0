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
package org.apache.phoenix.pruning.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mockStatic;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.pruning.prune.RegionCounts;
import org.apache.phoenix.pruning.region.RegionWalk;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.mockito.MockedStatic;
import org.mockito.stubbing.Answer;

/** Tests what EXPLAIN shows about the regions of a local index, without a cluster. */
@RunWith(JUnitParamsRunner.class)
public class ExplainTest {

  @Test
  public void explainNamesTheRegionsUnderTheClientLine() throws SQLException {
    String sql = "SELECT /*+ INDEX(N NI) */ V FROM N WHERE V = 5";
    try (Connectionless exact = new Connectionless()) {
      RegionCounts.createNumbers(exact);
      assertThat(exact.steps(sql + " AND K1 = 25"))
          .containsExactly(
              "CLIENT 1-CHUNK PARALLEL 1-WAY ROUND ROBIN RANGE SCAN OVER NI(N) [32769,5,25]",
              "    REGIONS PLANNED 1 OF 100, PRUNED 99 BY PRIMARY KEY",
              "    SERVER FILTER BY FIRST KEY ONLY");
      assertThat(exact.steps(sql))
          .containsExactly(
              "CLIENT 100-CHUNK PARALLEL 100-WAY ROUND ROBIN RANGE SCAN OVER NI(N) [32769,5]",
              "    REGIONS PLANNED 100 OF 100",
              "    PROBE 100 REGIONS ON 1 SERVER",
              "    SERVER FILTER BY FIRST KEY ONLY");
      assertThat(exact.explain(sql + " AND K1 = 25").getRegionsPruned())
          .isEqualTo(Collections.singletonMap("PRIMARY KEY", 99));
      assertThat(exact.explain(sql).getRegionsPruned()).isEmpty();
      assertThat(exact.explain("SELECT /*+ NO_INDEX */ V FROM N").getRegionsPlanned()).isNull();
    }
  }

  @Test
  public void explainPrintsTheTextOfPhoenixIfConfigured() throws SQLException {
    String sql = "SELECT /*+ INDEX(N NI) */ V FROM N WHERE V = 5";
    try (Connectionless off = new Connectionless(PruningOptions.EXPLAIN_REGIONS, "false")) {
      RegionCounts.createNumbers(off);
      assertThat(off.steps(sql + " AND K1 = 25"))
          .containsExactly(
              "CLIENT 1-CHUNK PARALLEL 1-WAY ROUND ROBIN RANGE SCAN OVER NI(N) [32769,5,25]",
              "    SERVER FILTER BY FIRST KEY ONLY");
      assertThat(off.explain(sql).getRegionsPlanned()).isNull();
      assertThat(off.explain(sql).getRegionProbe()).isNull();
    }
  }

  @Test
  public void explainShowsProbes() throws SQLException {
    String sql = "SELECT /*+ INDEX(N NI) */ V FROM N WHERE V = 5";
    try (Connectionless byDefault = new Connectionless();
        Connectionless early = new Connectionless(PruningOptions.PROBE_MIN_REGIONS, "2");
        Connectionless off = new Connectionless(PruningOptions.PROBE, "false");
        Connectionless none =
            new Connectionless(
                PruningOptions.MODE, "none", PruningOptions.PROBE_MIN_REGIONS, "2")) {
      for (Connectionless driver : Arrays.asList(byDefault, early, off, none)) {
        RegionCounts.createNumbers(driver);
      }
      assertThat(byDefault.explain(sql).getRegionProbe())
          .isEqualTo("PROBE 100 REGIONS ON 1 SERVER");
      assertThat(byDefault.explain(sql + " AND K1 < 63").getRegionProbe()).isNull();
      assertThat(byDefault.explain(sql + " AND K1 < 64").getRegionProbe())
          .isEqualTo("PROBE 64 REGIONS ON 1 SERVER");
      assertThat(early.explain(sql + " AND K1 IN (1, 25)").getRegionProbe())
          .isEqualTo("PROBE 2 REGIONS ON 1 SERVER");
      assertThat(early.explain(sql + " AND K1 = 25").getRegionProbe()).isNull();
      assertThat(early.explain("SELECT /*+ NO_INDEX */ V FROM N").getRegionProbe()).isNull();
      assertThat(off.explain(sql).getRegionProbe()).isNull();
      assertThat(none.explain(sql).getRegionProbe()).isNull();
      assertThat(off.steps(sql)).noneMatch(step -> step.contains("PROBE"));
    }
  }

  @Test
  public void modeNonePlansAllRegionsAndModeStockShowsNone() throws SQLException {
    String sql = "SELECT /*+ INDEX(N NI) */ V FROM N WHERE V = 5 AND K1 = 25";
    try (Connectionless none = new Connectionless(PruningOptions.MODE, "none");
        Connectionless stock = new Connectionless(PruningOptions.MODE, "STOCK")) {
      RegionCounts.createNumbers(none);
      RegionCounts.createNumbers(stock);
      assertThat(none.explain(sql).getRegionsPlanned()).isEqualTo(RegionCounts.REGIONS);
      assertThat(stock.explain(sql).getRegionsPlanned()).isNull();
      assertThat(stock.steps(sql))
          .containsExactly(
              "CLIENT 2-CHUNK PARALLEL 2-WAY ROUND ROBIN RANGE SCAN OVER NI(N) [32769,5,25]",
              "    SERVER FILTER BY FIRST KEY ONLY");
    }
  }

  /** For these plans, Phoenix copies the attributes of EXPLAIN. */
  @Test
  public void attributesOfADeleteAndOfSortedRowsHaveTheRegionsToo() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      RegionCounts.createNumbers(driver);
      String where = " FROM N WHERE V = 5 AND K1 = 25";
      try (PreparedStatement delete =
          driver.connection().prepareStatement("DELETE /*+ INDEX(N NI) */" + where)) {
        assertThat(
                delete
                    .unwrap(PhoenixPreparedStatement.class)
                    .compileMutation()
                    .getExplainPlan()
                    .getPlanStepsAsAttributes()
                    .getRegionsPlanned())
            .isEqualTo(1);
      }
      assertThat(
              driver
                  .explain(
                      """
                      SELECT * FROM (SELECT /*+ INDEX(N NI) */ K2, COUNT(*) C%s GROUP BY K2 LIMIT 5)
                        ORDER BY C"""
                          .formatted(where))
                  .getRegionsPlanned())
          .isEqualTo(1);
    }
  }

  @Test
  public void explainsAQueryWithoutATable() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      assertThat(driver.steps("SELECT 1 + 1")).isEmpty();
    }
  }

  /** The subquery runs only when the query runs, so EXPLAIN has no key ranges. */
  @Test
  public void explainsAQueryWithASubqueryOverRegionsWithKeysOfAnyLength() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS Q");
      driver.createTable(
          "CREATE TABLE Q (K VARCHAR PRIMARY KEY, V INTEGER)",
          RegionCounts.strings("bbbb", "c", "dddd", "ee"));
      driver.execute("CREATE LOCAL INDEX QI ON Q (V)");
      String where = "K = (SELECT MAX(K) FROM Q WHERE V = 1)";
      assertThat(driver.steps("SELECT /*+ INDEX(Q QI) */ V FROM Q WHERE " + where))
          .anyMatch(step -> step.contains("REGIONS PLANNED 5 OF 5"));
    }
  }

  private static List<String> statementsOfOneRegion() {
    String select = "SELECT /*+ INDEX(N NI) */ V FROM N WHERE V = 5 AND K1 = 25";
    return List.of(
        select,
        select.replace(" V FROM", " DISTINCT V FROM"),
        select.replace(" V FROM", " COUNT(*) FROM"),
        select + " UNION ALL SELECT /*+ NO_INDEX */ K2 FROM N",
        "DELETE /*+ INDEX(N NI) */ FROM N WHERE V = 5 AND K1 = 25");
  }

  @Test
  @Parameters(method = "statementsOfOneRegion")
  public void explainPlansOnce(String sql) throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      RegionCounts.createNumbers(driver);
      AtomicInteger walks = new AtomicInteger();
      Answer<Object> counting =
          call -> {
            walks.addAndGet(call.getMethod().getName().equals("walk") ? 1 : 0);
            return call.callRealMethod();
          };
      try (MockedStatic<RegionWalk> walk = mockStatic(RegionWalk.class, counting)) {
        assertThat(driver.steps(sql)).anyMatch(step -> step.contains("REGIONS PLANNED 1 OF"));
      }
      assertThat(walks).hasValue(1);
    }
  }
}

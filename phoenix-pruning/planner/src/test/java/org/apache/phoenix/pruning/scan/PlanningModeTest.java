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

import java.sql.PreparedStatement;
import java.sql.SQLException;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests which plans have the mode of their connection. */
@RunWith(JUnitParamsRunner.class)
public class PlanningModeTest {

  private static PruningMode mode(Connectionless driver, String query) throws SQLException {
    try (PreparedStatement statement = driver.connection().prepareStatement(query)) {
      QueryPlan plan = statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery();
      return PlanningMode.of(plan);
    }
  }

  @Test
  @Parameters({"EXACT", "NONE", "STOCK"})
  public void onlyScansOfLocalIndexesHaveTheModeOfTheConnection(PruningMode mode)
      throws SQLException {
    try (Connectionless driver = new Connectionless(PruningOptions.MODE, mode.configured())) {
      driver.execute("CREATE TABLE T (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER)");
      driver.execute("CREATE LOCAL INDEX L ON T (V)");
      driver.execute("CREATE INDEX G ON T (W)");
      assertThat(mode(driver, "SELECT /*+ INDEX(T L) */ K FROM T WHERE V = 5")).isEqualTo(mode);
      assertThat(mode(driver, "SELECT /*+ INDEX(T G) */ K FROM T WHERE W = 5"))
          .isEqualTo(PruningMode.STOCK);
      assertThat(mode(driver, "SELECT /*+ NO_INDEX */ K FROM T WHERE V = 5"))
          .isEqualTo(PruningMode.STOCK);
      assertThat(mode(driver, "SELECT 1")).as("without a table").isEqualTo(PruningMode.STOCK);
      driver.execute("DROP TABLE T");
    }
  }
}

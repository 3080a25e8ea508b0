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
package org.apache.phoenix.pruning.prune;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Counts the regions for conditions on K1, an integer. Each region has one value of K1. The first
 * region also has the values below 0, and the last region also has the values above 99.
 */
@RunWith(JUnitParamsRunner.class)
public class RegionConditionsTest {

  private static Connectionless driver;

  @BeforeClass
  public static void createTable() throws SQLException {
    driver = new Connectionless();
    RegionCounts.createNumbers(driver);
  }

  @AfterClass
  public static void close() throws SQLException {
    driver.close();
  }

  public static Object[][] conditions() {
    return Map.ofEntries(
            Map.entry("NOT (K1 + 1 <> 26)", 1),
            Map.entry("(K1 + 1 = 26 OR K1 + 1 = 30)", 2),
            Map.entry("K1 + 1 = 26 AND K1 + 1 = 30", 0),
            Map.entry("K1 + 1 IN (26, 30)", 2),
            Map.entry("NOT (K1 + 1 IN (26, 30))", 98),
            Map.entry("K1 + 1 BETWEEN 26 AND 27", 2),
            Map.entry("26 > K1 + 1 AND 20 < K1 + 1", 5),
            Map.entry("K1 + 1 IS NOT NULL", 100),
            Map.entry("(K1 + 1 = 26 OR K2 = 3) AND K1 < 40", 40),
            Map.entry("CASE WHEN K1 + 1 = 26 THEN 1 WHEN K1 + 1 = 30 THEN 2 ELSE 0 END > 0", 2),
            Map.entry("CASE WHEN K1 + 1 = 26 THEN 1 WHEN K1 + 1 = 30 THEN 2 END > 1", 1),
            Map.entry("CASE WHEN K1 = 25 THEN K1 ELSE 7 END = 25", 1),
            Map.entry("CASE WHEN K1 = 25 THEN V = 5 END", 1),
            Map.entry("COALESCE(K1 + 1, 0) = 26", 1),
            Map.entry("CAST(K1 AS BIGINT) + 1 = 26", 1),
            Map.entry("CAST(K1 + 1 AS DECIMAL) = 26", 1),
            Map.entry("CAST(K1 + 1 AS DECIMAL) + 1 = 27", 1),
            Map.entry("CAST(K1 + 1 AS DECIMAL) < 6", 5),
            Map.entry("CAST(K2 + 1 AS DECIMAL) = 26", 100),
            Map.entry("CASE WHEN K1 > 50 THEN NULL ELSE K1 END = 30", 1),
            Map.entry("K1 / 10 = 3", 10),
            Map.entry("K1 * 1.5 = 30", 1),
            Map.entry("K1 - K1 = 0", 100),
            // The first and the last region have several values.
            Map.entry("K1 - K1 <> 0", 2),
            Map.entry("K1 % 2 = 3", 2),
            Map.entry("K1 + K2 = 5", 100),
            Map.entry("K1 NOT IN (25, 26)", 98),
            // Phoenix ignores the null.
            Map.entry("K1 NOT IN (25, NULL)", 99),
            Map.entry("25 = K1", 1),
            Map.entry("26 > K1 AND 20 < K1", 5),
            Map.entry("5 <> K1", 99))
        .entrySet()
        .stream()
        .map(condition -> new Object[] {condition.getKey(), condition.getValue()})
        .toArray(Object[][]::new);
  }

  @Test
  @Parameters(method = "conditions")
  public void planTheRegionsThatCanMatch(String condition, int regions) throws SQLException {
    String query = "SELECT /*+ INDEX(N NI) */ V FROM N WHERE V = 5 AND " + condition;
    long failures = Fallbacks.GLOBAL.failures();
    assertThat(driver.explain(query).getRegionsPlanned()).isEqualTo(regions);
    assertThat(Fallbacks.GLOBAL.failures()).isEqualTo(failures);
  }
}

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
import static org.assertj.core.api.Assertions.within;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.pruning.layout.TableKeyColumns;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests the assumed selectivity of conditions on a local index. */
@RunWith(JUnitParamsRunner.class)
public class KeySelectivityTest {

  private static final double ROWS = 1e12;

  private static Connectionless driver;

  @BeforeClass
  public static void createTable() throws SQLException {
    driver = new Connectionless();
    driver.execute(
        """
        CREATE TABLE T (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, K3 INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2, K3))""");
    driver.execute("CREATE LOCAL INDEX I ON T (V)");
  }

  @AfterClass
  public static void dropTable() throws SQLException {
    driver.execute("DROP TABLE T");
    driver.close();
  }

  private record Scanned(TableKeyColumns dataKey, TableKeyColumns columns, ScanRanges ranges) {

    KeySelectivity selectivity() {
      return KeySelectivity.of(columns, ranges);
    }

    boolean choosesRegions() {
      return KeySelectivity.choosesRegions(dataKey, columns, ranges, ranges.getRanges().size());
    }
  }

  private static Scanned scanned(String hint, String where) throws SQLException {
    try (PreparedStatement statement =
        driver
            .connection()
            .prepareStatement("SELECT /*+ " + hint + " */ K1 FROM T WHERE " + where)) {
      PhoenixPreparedStatement prepared = statement.unwrap(PhoenixPreparedStatement.class);
      QueryPlan dataPlan = prepared.compileQuery();
      QueryPlan plan = prepared.optimizeQuery();
      return new Scanned(
          new TableKeyColumns(dataPlan.getTableRef().getTable(), false),
          new TableKeyColumns(plan.getTableRef().getTable(), false),
          plan.getContext().getScanRanges());
    }
  }

  private static Scanned index(String where) throws SQLException {
    return scanned("INDEX(T I)", where);
  }

  /**
   * The assumed number of values of an indexed column is the square root of the number of rows. A
   * column of the data key is assumed to have rows^(1/3) values.
   */
  @Test
  public void anEqualityMatchesAsManyRowsAsTheColumnHasValues() throws SQLException {
    KeySelectivity selectivity = index("V = 5 AND K1 = 3").selectivity();
    assertThat(selectivity.partOfIndexed(ROWS)).isCloseTo(1e-6, within(1e-12));
    assertThat(selectivity.bindsDataKey()).isTrue();
    assertThat(selectivity.partOfDataKey(ROWS)).isCloseTo(1e-4, within(1e-10));
    assertThat(index("V IN (5, 6, 7)").selectivity().partOfIndexed(ROWS))
        .isCloseTo(3e-6, within(1e-12));
  }

  @Test
  public void aRangeMatchesAFractionOfTheRows() throws SQLException {
    assertThat(index("V BETWEEN 5 AND 7").selectivity().partOfIndexed(ROWS))
        .isCloseTo(1e-3, within(1e-9));
    assertThat(index("V > 5").selectivity().partOfIndexed(ROWS)).isCloseTo(1.0 / 3, within(1e-9));
    assertThat(index("V = 5 AND K1 > 3").selectivity().partOfDataKey(ROWS))
        .isCloseTo(1.0 / 3, within(1e-9));
    assertThat(index("V = 5 AND K1 BETWEEN 3 AND 7").selectivity().partOfDataKey(ROWS))
        .isCloseTo(1.0 / 4, within(1e-9));
  }

  @Test
  public void conditionsAfterARangeDoNotCount() throws SQLException {
    assertThat(index("V > 5 AND K1 = 3").selectivity().bindsDataKey()).isFalse();
  }

  @Test
  public void theFirstColumnOfTheDataKeyChoosesRegions() throws SQLException {
    assertThat(index("V = 5 AND K1 = 3").choosesRegions()).isTrue();
    assertThat(index("V = 5 AND K2 = 3").choosesRegions()).isFalse();
    assertThat(index("V = 5").choosesRegions()).isFalse();
    assertThat(scanned("NO_INDEX", "K1 > 3").choosesRegions()).isTrue();
  }

  /** Only two of ten regions with 1,000 rows can have rows outside a range. */
  @Test
  @Parameters({
    "5000, 10, 1, 900",
    "850, 10, 1, 850",
    "1, 10, 1, 800",
    "5000, 1, 1, 333",
    "1, 1, 1, 1",
    "5000, 10, 4, 600",
    "1, 10, 4, 200"
  })
  public void regionsLimitTheRowsOfARange(double guess, int regions, int buckets, double expected)
      throws SQLException {
    KeySelectivity selectivity = index("V = 5 AND K1 = 3").selectivity();
    assertThat(selectivity.limitToRegions(guess, 1_000, regions, buckets))
        .isCloseTo(expected, within(0.5));
  }
}

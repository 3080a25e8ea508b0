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

import java.sql.SQLException;
import java.util.stream.Collectors;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Tests which scans seek from prefix to prefix, and how EXPLAIN shows them. */
@RunWith(JUnitParamsRunner.class)
public class LooseIndexScanPlannerTest {

  private Connectionless driver;

  @Before
  public void createTable() throws SQLException {
    driver = new Connectionless();
    driver.execute(
        """
        CREATE TABLE T (K1 INTEGER NOT NULL, K2 VARCHAR NOT NULL, K3 INTEGER NOT NULL,
          V INTEGER, W INTEGER, X VARCHAR
          CONSTRAINT PK PRIMARY KEY (K1, K2, K3)) SPLIT ON (10, 20)""");
    driver.execute("CREATE LOCAL INDEX ONE ON T (K1, V)");
    driver.execute("CREATE LOCAL INDEX TWO ON T (K1, K2, W DESC)");
    driver.execute("CREATE LOCAL INDEX WHOLE ON T (K1, K2, K3, V)");
    driver.execute("CREATE LOCAL INDEX NATURAL ON T (V)");
  }

  @After
  public void close() throws SQLException {
    driver.close();
  }

  @Test
  public void seeksAfterAnUnrestrictedPrefix() throws SQLException {
    assertThat(looseScan("ONE", "V = 5")).isEqualTo("LOOSE INDEX SCAN SEEKS V IN EACH K1");
    assertThat(looseScan("ONE", "V IN (5, 7)")).isEqualTo("LOOSE INDEX SCAN SEEKS V IN EACH K1");
    assertThat(looseScan("ONE", "V BETWEEN 5 AND 7 AND K1 > 3"))
        .isEqualTo("LOOSE INDEX SCAN SEEKS V IN EACH K1");
    assertThat(looseScan("ONE", "V IS NULL AND X = 'a'"))
        .isEqualTo("LOOSE INDEX SCAN SEEKS V IN EACH K1");
    assertThat(looseScan("TWO", "W = 5")).isEqualTo("LOOSE INDEX SCAN SEEKS W IN EACH K1, K2");
    assertThat(looseScan("TWO", "W > 5 AND K2 = 'a'"))
        .isEqualTo("LOOSE INDEX SCAN SEEKS K2, W IN EACH K1");
    assertThat(looseScan("NATURAL", "V > 5 AND K1 = 3"))
        .isEqualTo("LOOSE INDEX SCAN SEEKS K1 IN EACH V");
  }

  @Test
  public void doesNotPlanIfThereIsNoPrefixToSeek() throws SQLException {
    // The scan is one range, or Phoenix's own skip scan.
    assertThat(looseScan("ONE", "V = 5 AND K1 = 3")).isNull();
    assertThat(looseScan("ONE", "V = 5 AND K1 IN (3, 4)")).isNull();
    assertThat(looseScan("ONE", "V = 5 AND K1 BETWEEN 3 AND 4")).isNull();
    assertThat(looseScan("ONE", "K1 > 3")).isNull();
    assertThat(looseScan("ONE", "X = 'a'")).isNull();
    // No two rows have the same prefix.
    assertThat(looseScan("WHOLE", "V = 5")).isNull();
    assertThat(looseScan("WHOLE", "V = 5 AND K2 = 'a'"))
        .isEqualTo("LOOSE INDEX SCAN SEEKS K2 IN EACH K1");
  }

  @Test
  @Parameters({"all\\,-empty-batch", "none"})
  public void doesNotSeekIfAnEmptyBatchEndsTheScan(String patches) throws SQLException {
    try (Connectionless without = new Connectionless(PruningOptions.PATCHES, patches)) {
      without.execute("CREATE TABLE E (K1 INTEGER NOT NULL PRIMARY KEY, V INTEGER)");
      without.execute("CREATE LOCAL INDEX E_I ON E (K1, V)");
      String query = "SELECT /*+ INDEX(E E_I) */ K1 FROM E WHERE V = 5";
      assertThat(without.explain(query).getLooseIndexScan()).isNull();
    }
  }

  /** Values of a VARBINARY may begin with a zero byte, as a null does. */
  @Test
  public void doesNotSeekBytes() throws SQLException {
    driver.execute(
        "CREATE TABLE B (K1 INTEGER NOT NULL, K2 VARBINARY, V INTEGER CONSTRAINT PK PRIMARY KEY (K1, K2))");
    driver.execute("CREATE LOCAL INDEX B_V ON B (K1, V)");
    String query = "SELECT /*+ INDEX(B B_V) */ K1 FROM B WHERE ";
    assertThat(driver.explain(query + "K2 IS NOT NULL").getLooseIndexScan()).isNull();
    assertThat(driver.explain(query + "K2 IS NOT NULL AND V = 5").getLooseIndexScan())
        .isEqualTo("LOOSE INDEX SCAN SEEKS V IN EACH K1");
  }

  /** Phoenix's key range for {@code FLOOR(K1, 'HOUR') >= ...} misses rows if K1 is descending. */
  @Test
  public void doesNotSeekRoundedValues() throws SQLException {
    driver.execute(
        """
        CREATE TABLE R (K1 DATE NOT NULL, K2 DECIMAL NOT NULL, V INTEGER, W INTEGER
          CONSTRAINT PK PRIMARY KEY (K1 DESC, K2))""");
    driver.execute("CREATE LOCAL INDEX R_V ON R (V)");
    driver.execute("CREATE LOCAL INDEX R_K2 ON R (W, K2)");
    String query = "SELECT /*+ INDEX(R R_V) */ K1 FROM R WHERE ";
    assertThat(driver.explain(query + "K1 >= TO_DATE('1970-01-05')").getLooseIndexScan())
        .isEqualTo("LOOSE INDEX SCAN SEEKS K1 IN EACH V");
    assertThat(
            driver
                .explain(query + "FLOOR(K1, 'HOUR') >= TO_DATE('1970-01-05')")
                .getLooseIndexScan())
        .isNull();
    assertThat(
            driver
                .explain("SELECT /*+ INDEX(R R_K2) */ K1 FROM R WHERE CEIL(K2, 2) = 1.25")
                .getLooseIndexScan())
        .isNull();
  }

  @Test
  public void doesNotAgainstAHintOrBackwards() throws SQLException {
    String index = "SELECT /*+ INDEX(T ONE) %s */ K1 FROM T WHERE V = 5 %s";
    assertThat(driver.explain(index.formatted("", "ORDER BY K1")).getLooseIndexScan())
        .isEqualTo("LOOSE INDEX SCAN SEEKS V IN EACH K1");
    assertThat(driver.explain(index.formatted("", "ORDER BY K1 DESC")).getLooseIndexScan())
        .isNull();
    assertThat(driver.explain(index.formatted("RANGE_SCAN", "")).getLooseIndexScan()).isNull();
    assertThat(driver.explain(index.formatted("SKIP_SCAN", "")).getLooseIndexScan()).isNull();
  }

  @Test
  @Parameters({"STOCK", "NONE"})
  public void doesNotInOtherModes(PruningMode mode) throws SQLException {
    try (Connectionless other = new Connectionless(PruningOptions.MODE, mode.configured())) {
      assertThat(
              other.explain("SELECT /*+ INDEX(T ONE) */ K1 FROM T WHERE V = 5").getLooseIndexScan())
          .isNull();
    }
  }

  @Test
  public void isAStepOfExplain() throws SQLException {
    assertThat(
            driver.steps("SELECT COUNT(*) FROM T WHERE W = 5").stream()
                .collect(Collectors.joining("\n")))
        .isEqualTo(
            """
            CLIENT 3-CHUNK PARALLEL 3-WAY RANGE SCAN OVER TWO(T) [32769]
                REGIONS PLANNED 3 OF 3
                LOOSE INDEX SCAN SEEKS W IN EACH K1, K2
                SERVER FILTER BY FIRST KEY ONLY AND TO_INTEGER("W") = 5
                SERVER AGGREGATE INTO SINGLE ROW""");
  }

  @Test
  public void isChosenBeforeTheTable() throws SQLException {
    assertThat(driver.scanned("SELECT COUNT(*) FROM T WHERE W = 5")).isEqualTo("TWO");
    assertThat(driver.scanned("SELECT MAX(X) FROM T WHERE W = 5")).isEqualTo("TWO");
    assertThat(driver.scanned("SELECT MAX(X) FROM T WHERE V = 5")).isEqualTo("NATURAL");
    assertThat(driver.scanned("SELECT MAX(X) FROM T WHERE V > 5")).isEqualTo("T");
  }

  private String looseScan(String index, String where) throws SQLException {
    return driver
        .explain("SELECT /*+ INDEX(T " + index + ") */ K1 FROM T WHERE " + where)
        .getLooseIndexScan();
  }
}

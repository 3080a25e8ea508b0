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

import java.sql.SQLException;
import java.util.List;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.schema.PColumn;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Tests the conditions and costs of scan estimates, without a cluster. */
public class ScanEstimateTest {

  private Connectionless driver;

  @Before
  public void createTables() throws SQLException {
    driver = new Connectionless();
    driver.execute("DROP TABLE IF EXISTS P");
    driver.execute("DROP TABLE IF EXISTS Q");
    createTable("P", " SPLIT ON (10, 20, 30, 40)");
    createTable(
        "Q",
        " SALT_BUCKETS = 4, IMMUTABLE_ROWS = true,"
            + " IMMUTABLE_STORAGE_SCHEME = SINGLE_CELL_ARRAY_WITH_OFFSETS");
  }

  private void createTable(String name, String options) throws SQLException {
    driver.execute(
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 VARCHAR NOT NULL, V INTEGER, A.W DECIMAL,
          X VARCHAR
          CONSTRAINT PK PRIMARY KEY (K1, K2 DESC))%s"""
            .formatted(name, options));
  }

  @After
  public void close() throws SQLException {
    driver.close();
  }

  private ScanEstimate scan(String sql, Object... binds) throws SQLException {
    List<ScanEstimate> scans = ScanEstimate.of(driver.connection(), sql, binds);
    assertThat(scans).as(sql).hasSize(1);
    return scans.get(0);
  }

  /**
   * Asserts which columns a condition compares, with the same result for both tables.
   *
   * @param equal names of the columns that are compared with single values
   * @param ranged names of the columns that are compared with ranges
   */
  private void assertThatConditions(String where, List<String> equal, List<String> ranged) {
    assertThat(List.of("P", "Q"))
        .as(where)
        .allSatisfy(
            table -> {
              ColumnConditions conditions =
                  scan("SELECT X FROM " + table + " WHERE " + where).conditions();
              assertThat(conditions.equal()).extracting(ScanEstimateTest::name).isEqualTo(equal);
              assertThat(conditions.ranged()).extracting(ScanEstimateTest::name).isEqualTo(ranged);
            });
  }

  private static String name(PColumn column) {
    return column.getName().getString();
  }

  @Test
  public void distinguishesEqualAndRangedColumns() {
    assertThatConditions(
        "V = 5 AND K1 = 3 AND W > 1.5 AND X IN ('a', 'b') AND K2 LIKE 'a%'",
        List.of("V", "K1", "X"), List.of("W", "K2"));
    assertThatConditions("W = 5", List.of("W"), List.of());
    assertThatConditions("W IS NULL AND V BETWEEN 1 AND 3", List.of("W"), List.of("V"));
    assertThatConditions("V > 3 AND V = 5", List.of("V"), List.of());
  }

  @Test
  public void reportsOnlyColumnsThatAllAlternativesLimit() {
    assertThatConditions("(V = 5 OR V = 7 AND W > 3)", List.of("V"), List.of());
    assertThatConditions("(V = 5 OR V > 7)", List.of(), List.of("V"));
    assertThatConditions("(V = 5 OR W = 7)", List.of(), List.of());
  }

  @Test
  public void reportsNoConditionThatNoIndexCanSeek() throws SQLException {
    assertThatConditions("V <> 5", List.of(), List.of());
    assertThatConditions("V = K1", List.of(), List.of());
    assertThatConditions("X LIKE '%a'", List.of(), List.of());
    assertThatConditions("UPPER(X) = 'A'", List.of(), List.of());
    assertThatConditions("W IS NOT NULL", List.of(), List.of());
    assertThatConditions("NOT (V = 5 AND W = 3)", List.of(), List.of());
    assertThat(scan("SELECT X FROM P").conditions().equal()).isEmpty();
  }

  @Test
  public void countsRegionsAndScansAndRows() throws SQLException {
    ScanEstimate all = scan("SELECT X FROM P WHERE V = ?", 5);
    assertThat(all.summary().clientScans()).isEqualTo(5);
    assertThat(all.cost().rows()).isEqualTo(500_000);
    assertThat(all.cost().bytes()).isGreaterThan(all.cost().rows());
    ScanEstimate one = scan("SELECT X FROM P WHERE V = 5 AND K1 = 15");
    assertThat(one.summary().clientScans()).isEqualTo(1);
    assertThat(one.cost().rows()).isLessThan(100_000);
    assertThat(one.cost().cost()).isLessThan(all.cost().cost() / 5);
    driver.execute("CREATE LOCAL INDEX PV ON P (V)");
    ScanEstimate indexed = scan("SELECT X FROM P WHERE V = 5");
    assertThat(indexed.summary().index()).contains("PV");
    assertThat(indexed.summary().clientScans()).isEqualTo(5);
    assertThat(indexed.cost().rows()).isLessThan(10_000);
  }

  private void assertThatReads(String sql, String... columns) throws SQLException {
    assertThat(scan(sql).readColumns())
        .as(sql)
        .extracting(ScanEstimateTest::name)
        .containsExactlyInAnyOrder(columns);
  }

  @Test
  public void reportsTheColumnsThatAreRead() throws SQLException {
    assertThatReads("SELECT X, K1 FROM P WHERE V = 5", "X", "V");
    assertThatReads("SELECT MAX(W) FROM P WHERE V = 5 GROUP BY X", "X", "V", "W");
    assertThatReads("SELECT * FROM P", "X", "V", "W");
    assertThatReads("SELECT COUNT(*) FROM P WHERE V = 5", "V");
    assertThatReads("SELECT X FROM Q", "X", "V", "W");
  }

  @Test
  public void hasAnEstimateForEachTableOfAJoin() throws SQLException {
    List<ScanEstimate> scans =
        ScanEstimate.of(
            driver.connection(),
            "SELECT P.X FROM P JOIN Q ON P.K1 = Q.K1 WHERE Q.V = 5 AND P.K1 = 15");
    assertThat(scans).extracting(scan -> scan.summary().table()).containsExactly("P", "Q");
    assertThat(scans).extracting(scan -> scan.summary().clientScans()).containsExactly(1, 4);
    assertThat(scans.get(1).conditions().equal())
        .extracting(ScanEstimateTest::name)
        .containsExactly("V");
  }

  @Test
  public void doesNotKnowAWhereWithAScalarSubquery() throws SQLException {
    List<ScanEstimate> scans =
        ScanEstimate.of(
            driver.connection(),
            "SELECT X FROM P WHERE K1 = 15 AND V > (SELECT MAX(V) FROM P WHERE K1 = 25)");
    assertThat(scans).extracting(ScanEstimate::isWhereKnown).containsExactly(false, true);
    assertThat(scan("SELECT X FROM P WHERE K1 = 15").isWhereKnown()).isTrue();
  }
}

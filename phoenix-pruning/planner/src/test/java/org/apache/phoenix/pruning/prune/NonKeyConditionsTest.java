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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Tests which regions are planned if conditions on other columns limit the key. Each table has ten
 * regions, with ten values of K in each.
 */
public class NonKeyConditionsTest {

  private Connectionless driver;

  @Before
  public void connect() throws SQLException {
    driver = new Connectionless();
  }

  @After
  public void dropTable() throws SQLException {
    driver.execute("DROP TABLE IF EXISTS T");
    driver.close();
  }

  private void create(String columns, String key, String index) throws SQLException {
    driver.execute("DROP TABLE IF EXISTS T");
    driver.execute(
        "CREATE TABLE T (K INTEGER NOT NULL, "
            + columns
            + " CONSTRAINT PK PRIMARY KEY ("
            + key
            + ")) SPLIT ON (10, 20, 30, 40, 50, 60, 70, 80, 90)");
    driver.execute("CREATE LOCAL INDEX I ON T " + index);
  }

  private void assertPlanned(int regions, String where, Object... binds) throws SQLException {
    Integer planned =
        driver
            .explain("SELECT /*+ INDEX(T I) */ K FROM T WHERE " + where, binds)
            .getRegionsPlanned();
    assertThat(planned == null ? 0 : planned).as(where).isEqualTo(regions);
  }

  @Test
  public void pagesByRowValues() throws SQLException {
    for (String index : List.of("(V)", "(V DESC)", "(V, W)", "(K, V)", "(W) INCLUDE (V)", "(W)")) {
      create("V INTEGER, W INTEGER", "K", index);
      assertPlanned(2, "V = 2 AND (V, K) > (2, 85)");
      assertPlanned(2, "V = ? AND (V, K) >= (?, ?)", 2, 2, 85);
      assertPlanned(1, "V = 2 AND (V, K) < (2, 5)");
      assertPlanned(1, "V = 2 AND (V, K) < (2, 10)");
      assertPlanned(2, "V = 2 AND (V, K) <= (2, 10)");
      assertPlanned(2, "V = 2 AND (V > 2 OR V = 2 AND K > 85)");
      assertPlanned(2, "V = 2 AND (V > 2 OR (V = 2 AND (K > 85)))");
      assertPlanned(9, "V = 2 AND NOT ((V, K) > (2, 85))");
      assertPlanned(10, "V >= 2 AND (V, K) > (2, 85)");
      assertPlanned(2, "V <= 2 AND (V, K) > (2, 85)");
      assertPlanned(10, "V IN (2, 3) AND (V, K) > (2, 85)");
      assertPlanned(3, "V IN (2, 3) AND (V, K) > (2, 85) AND (V, K) < (3, 5)");
      assertPlanned(2, "V = 2 AND W = 3 AND (V, W, K) > (2, 3, 85)");
      assertPlanned(10, "V = 2 AND (V, W, K) > (2, 3, 85)");
    }
  }

  @Test
  public void pagesByOtherTypes() throws SQLException {
    for (String index : List.of("(V)", "(V DESC)", "(W) INCLUDE (V)")) {
      for (String type : List.of("VARCHAR", "CHAR(3)")) {
        create("V " + type + ", W INTEGER", "K", index);
        assertPlanned(2, "V = 'x' AND (V <> 'x' OR V = 'x' AND K > 85)");
      }
      create("V VARCHAR, W INTEGER", "K", index);
      assertPlanned(2, "V = 'x' AND (V > 'x' OR V = 'x' AND K > 85)");
      create("V DATE, W INTEGER", "K", index);
      assertPlanned(2, "V = DATE '2020-01-01' AND (V, K) > (DATE '2020-01-01', 85)");
    }
    create("V CHAR(3), W INTEGER", "K", "(V)");
    assertPlanned(2, "V = 'x' AND (V > 'x' OR V = 'x' AND K > 85)");
    create("V VARCHAR, W INTEGER", "K", "(V)");
    assertPlanned(2, "V = 'x' AND (V, K) > ('x', 85)");
    assertPlanned(2, "V LIKE 'x%' AND (V < 'x' OR V >= 'y' OR K > 85)");
    assertPlanned(2, "V IS NULL AND (V = 'x' OR K > 85)");
  }

  @Test
  public void comparesColumns() throws SQLException {
    for (String index : List.of("(V)", "(V DESC)", "(V, W)", "(W) INCLUDE (V)")) {
      create("V INTEGER, W BIGINT", "K", index);
      assertPlanned(2, "V IN (2, 25) AND K = V");
      assertPlanned(2, "V IN (2, 25) AND V = K");
      assertPlanned(1, "(V = 2 OR V = 25 AND K < 20) AND K = V");
      assertPlanned(2, "(V = 2 AND K = V OR V = 25 AND K = V)");
      assertPlanned(3, "V BETWEEN 70 AND 95 AND V = K");
      assertPlanned(10, "V <> 5 AND K = V");
      assertPlanned(2, "W IN (2, 25) AND K = W");
      assertPlanned(1, "K = V AND V = W AND W = 25");
      assertPlanned(1, "V = 25 AND K + V = 50");
      assertPlanned(3, "V = 25 AND K < V");
      assertPlanned(2, "V < 20 AND K < V");
      assertPlanned(7, "V >= 30 AND K > V");
    }
  }

  @Test
  public void findsContradictions() throws SQLException {
    create("V INTEGER, W INTEGER", "K", "(V)");
    assertPlanned(0, "V = 2 AND (V > 2 AND K = 3 OR V < 2)");
    assertPlanned(1, "V = 2 AND (V > 2 OR K = 3)");
  }

  /** The cost depends on the sum of the lengths, and not on the product. */
  @Test
  public void combinesLongLists() throws SQLException {
    create("V INTEGER, W INTEGER", "K", "(V)");
    String values =
        IntStream.range(0, 3_000).mapToObj(Integer::toString).collect(Collectors.joining(", "));
    String rows =
        IntStream.range(0, 3_000)
            .mapToObj(i -> "(" + 2 * i + ", " + (i < 1_500 ? 1 : 55) + ")")
            .collect(Collectors.joining(", "));
    assertPlanned(1, "V IN (" + values + ") AND (V, K) IN (" + rows + ")");
  }

  @Test
  public void doesNotUseConditionsThatMayBeMetByNull() throws SQLException {
    create("V INTEGER, W INTEGER", "K", "(V)");
    assertPlanned(10, "(V = 2 OR V IS NULL) AND (V IS NULL OR V = 2 AND K > 85)");
    assertPlanned(2, "V = 2 AND (V IS NULL OR V = 2 AND K > 85)");
  }

  @Test
  public void computesTheBucket() throws SQLException {
    driver.execute("CREATE TABLE T (K INTEGER NOT NULL PRIMARY KEY, V INTEGER) SALT_BUCKETS = 8");
    driver.execute("CREATE LOCAL INDEX I ON T (V)");
    assertPlanned(1, "V = 5 AND K = V");
    assertPlanned(8, "V = 5 AND (V, K) > (5, 1)");
  }
}

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

import java.sql.Date;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.schema.types.PDate;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Tests which regions are planned if conditions on other columns limit the key. Each table has ten
 * regions, with ten values of K in each.
 */
@RunWith(JUnitParamsRunner.class)
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
        """
        CREATE TABLE T (K INTEGER NOT NULL, %s
          CONSTRAINT PK PRIMARY KEY (%s)) SPLIT ON (10, 20, 30, 40, 50, 60, 70, 80, 90)"""
            .formatted(columns, key));
    driver.execute("CREATE LOCAL INDEX I ON T " + index);
  }

  private void assertPlanned(int regions, String where, Object... binds) throws SQLException {
    long failures = Fallbacks.GLOBAL.failures();
    Integer planned =
        driver
            .explain("SELECT /*+ INDEX(T I) */ K FROM T WHERE " + where, binds)
            .getRegionsPlanned();
    assertThat(planned == null ? 0 : planned).as(where).isEqualTo(regions);
    assertThat(Fallbacks.GLOBAL.failures()).as(where).isEqualTo(failures);
  }

  @Test
  @Parameters({"(V)", "(V DESC)", "(V\\, W)", "(K\\, V)", "(W) INCLUDE (V)", "(W)"})
  public void pagesByRowValues(String index) throws SQLException {
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

  private static List<String[]> conditionsOfTypes() {
    String[][] typesAndConditions = {
      {"VARCHAR", "V = 'x' AND (V <> 'x' OR V = 'x' AND K > 85)"},
      {"CHAR(3)", "V = 'x' AND (V <> 'x' OR V = 'x' AND K > 85)"},
      {"VARCHAR", "V = 'x' AND (V > 'x' OR V = 'x' AND K > 85)"},
      {"DECIMAL", "V = 2 AND (V, K) > (2, 85)"},
      {"DOUBLE", "V = 2.5e0 AND (V > 2.5e0 OR V = 2.5e0 AND K > 85)"},
      {"DATE", "V = DATE '2020-01-01' AND (V, K) > (DATE '2020-01-01', 85)"},
    };
    List<String[]> cases = new ArrayList<>();
    for (String index : List.of("(V)", "(V DESC)", "(W) INCLUDE (V)")) {
      for (String[] of : typesAndConditions) {
        cases.add(new String[] {index, of[0], of[1]});
      }
    }
    return cases;
  }

  @Test
  @Parameters(method = "conditionsOfTypes")
  public void pagesByOtherTypes(String index, String type, String condition) throws SQLException {
    create("V " + type + ", W INTEGER", "K", index);
    assertPlanned(2, condition);
  }

  @Test
  public void pagesByTexts() throws SQLException {
    create("V CHAR(3), W INTEGER", "K", "(V)");
    assertPlanned(2, "V = 'x' AND (V > 'x' OR V = 'x' AND K > 85)");
    create("V VARCHAR, W INTEGER", "K", "(V)");
    assertPlanned(2, "V = 'x' AND (V, K) > ('x', 85)");
    assertPlanned(2, "V LIKE 'x%' AND (V < 'x' OR V >= 'y' OR K > 85)");
    assertPlanned(2, "V IS NULL AND (V = 'x' OR K > 85)");
  }

  /** Phoenix pads the constant and the value to the width of the column. */
  @Test
  @Parameters({"(V)", "(V DESC)", "(V\\, W)", "(W) INCLUDE (V)", "(W)"})
  public void pagesByTextsOfOneWidth(String index) throws SQLException {
    create("V CHAR(3), W INTEGER", "K", index);
    assertPlanned(2, "V = 'x' AND (V, K) > ('x', 85)");
    assertPlanned(2, "V = 'xxx' AND (V, K) >= ('xxx', ?)", 85);
    assertPlanned(1, "V = 'x' AND (V, K) < (?, ?)", "x", 10);
    assertPlanned(2, "V = 'x' AND (V, K) <= (?, 10)", "x  ");
    assertPlanned(2, "V = 'x' AND (V, K) IN (('x', 5), ('x', 85), ('y', 45))");
    assertPlanned(3, "V IN ('x', 'y') AND (V, K) > ('x', 85) AND (V, K) < ('y', 5)");
    assertPlanned(10, "V > 'w' AND (V, K) > ('x', 85)");
    assertPlanned(1, "V = 'y' AND (V < 'x' AND K > 85 OR (V, K) < ('y', 5))");
    assertPlanned(10, "V = ? AND (V, K) > (?, 85)", "x\u0001", "x\u0001");
  }

  /** A text with a control character is greater than {@code 'x'}, but less if it is padded. */
  @Test
  @Parameters({"(W) INCLUDE (V)", "(W)"})
  public void textsAreComparedWithTheirPadding(String index) throws SQLException {
    create("V CHAR(3), W INTEGER", "K", index);
    assertPlanned(10, "V > 'x' AND (V, K) < ('x', 5)");
  }

  /** Phoenix encodes a null as zeros, and decrements the next element. */
  @Test
  @Parameters({"(V)", "(V DESC)", "(V\\, W)", "(W) INCLUDE (V)", "(W)"})
  public void pagesByLeastAndGreatestNumbers(String index) throws SQLException {
    create("V INTEGER, W SMALLINT", "K", index);
    assertPlanned(2, "V = -2147483648 AND (V, K) > (-2147483648, 85)");
    assertPlanned(1, "V = -2147483648 AND (V, K) < (-2147483648, 5)");
    assertPlanned(2, "V = 2147483647 AND (V, K) > (2147483647, 85)");
    assertPlanned(1, "V = 2147483647 AND (V, K) < (2147483647, 5)");
    assertPlanned(2, "V = 7 AND W = -32768 AND (V, W, K) > (7, -32768, 85)");
    // The row value of 8, null and -2147483648 has the same bytes as 7, 32767 and 2147483647.
    assertPlanned(10, "V = 7 AND W = 32767 AND (V, W, K) > (7, 32767, 85)");
  }

  /** The row value of null and 90 has the same bytes as that of the least number and 89. */
  @Test
  @Parameters({"(W) INCLUDE (V)", "(W)"})
  public void keepsNullsThatPhoenixComparesAsTheLeastNumber(String index) throws SQLException {
    create("V INTEGER, W SMALLINT", "K", index);
    assertPlanned(2, "V IS NULL AND (V, K) > (-2147483648, 85)");
    assertPlanned(10, "V IS NULL AND (V, K) < (-2147483648, 5)");
    assertPlanned(0, "V IS NULL AND (V, K) > (2147483647, 85)");
  }

  @Test
  @Parameters({"(V)", "(V DESC)", "(V\\, W)", "(W) INCLUDE (V)"})
  public void comparesColumns(String index) throws SQLException {
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

  /** Creates a table with the regions of the texts below 'b', from 'b' to 'c', and so on. */
  private void createTexts(String columns, String index) throws SQLException {
    driver.execute("DROP TABLE IF EXISTS T");
    driver.execute(
        "CREATE TABLE T (K VARCHAR PRIMARY KEY, "
            + columns
            + ") SPLIT ON ('b', 'c', 'd', 'e', 'f')");
    driver.execute("CREATE LOCAL INDEX I ON T " + index);
  }

  /** The bounds of regions do not decide comparisons of texts. */
  @Test
  @Parameters({"(V)", "(V DESC)", "(V\\, W)", "(K\\, V)", "(W) INCLUDE (V)"})
  public void comparesColumnsOfTexts(String index) throws SQLException {
    createTexts("V VARCHAR, W VARCHAR, C CHAR(3)", index);
    assertPlanned(2, "V IN ('a', 'c') AND K = V");
    assertPlanned(2, "V > 'c' AND V < 'd5' AND K = V");
    assertPlanned(1, "V = 'c' AND NOT (K <> V)");
    assertPlanned(1, "K = V AND V = W AND W = 'c'");
    assertPlanned(2, "(V = 'a' AND K = V OR V = 'c' AND K = V)");
    assertPlanned(2, "V = 'c' AND (K = V OR K = 'a')");
    assertPlanned(2, "V = 'c' AND (K = V AND W = 'x' OR K = 'a')");
    assertPlanned(0, "V IS NULL AND K = V");
    assertPlanned(2, "C IN ('b', 'd') AND K = C");
    assertPlanned(6, "C > 'c' AND K = C");
    assertPlanned(1, "V > 'a' AND C = 'c' AND V = C AND K = V");
  }

  @Test
  public void comparesColumnsOfOtherTypes() throws SQLException {
    driver.execute("DROP TABLE IF EXISTS T");
    driver.execute("CREATE TABLE T (K CHAR(3) PRIMARY KEY, V CHAR(3)) SPLIT ON ('b', 'c', 'd')");
    driver.execute("CREATE LOCAL INDEX I ON T (V)");
    assertPlanned(1, "V = 'c' AND K = V");
    assertPlanned(2, "V IN ('b', 'd') AND K = V");
    assertPlanned(4, "V > 'b' AND V < 'd' AND K = V");
    driver.execute("DROP TABLE T");
    driver.execute("CREATE TABLE T (K BOOLEAN PRIMARY KEY, V BOOLEAN) SPLIT ON (TRUE)");
    driver.execute("CREATE LOCAL INDEX I ON T (V)");
    assertPlanned(1, "V = TRUE AND K = V");
    driver.execute("DROP TABLE T");
    driver.execute("CREATE TABLE T (K DOUBLE PRIMARY KEY, V DOUBLE) SPLIT ON (1.5, 2.5, 3.5)");
    driver.execute("CREATE LOCAL INDEX I ON T (V)");
    assertPlanned(4, "V = 2.5e0 AND K = V");
    driver.execute("DROP TABLE T");
    driver.createTable(
        "CREATE TABLE T (K DATE PRIMARY KEY, V DATE)",
        PDate.INSTANCE.toBytes(Date.valueOf("2011-01-01")),
        PDate.INSTANCE.toBytes(Date.valueOf("2012-01-01")),
        PDate.INSTANCE.toBytes(Date.valueOf("2013-01-01")));
    driver.execute("CREATE LOCAL INDEX I ON T (V)");
    assertPlanned(2, "V IN (DATE '2011-05-01', DATE '2013-05-01') AND K = V");
  }

  /**
   * Phoenix compares the bytes of row values. A text that no separator ends can contain the
   * separator byte, and the bytes of a descending column are inverted.
   */
  @Test
  @Parameters({
    "(V), 2",
    "(V\\, W), 2",
    "(V DESC), 6",
    "(K\\, V), 6",
    "(W) INCLUDE (V), 6",
    "(W), 6",
  })
  public void doesNotUseRowValuesIfTheirElementsMayEndAtOtherBytes(String index, int regions)
      throws SQLException {
    createTexts("V VARCHAR, W VARCHAR", index);
    assertPlanned(regions, "V = 'x' AND (V, K) > ('x', 'e')");
  }

  @Test
  public void knowsThatNullMeetsNoComparison() throws SQLException {
    create("V INTEGER, W INTEGER", "K", "(V)");
    assertPlanned(0, "V IS NULL AND K + V = 5");
    assertPlanned(1, "V IS NULL AND NOT (K + V <> 5 AND K + 1 <> 6)");
  }

  @Test
  public void doesNotUseColumnsOfBytes() throws SQLException {
    create("V VARBINARY, W BINARY(2)", "K", "(K, V)");
    assertPlanned(10, "V = X'01' AND (V <> X'01' OR V = X'01' AND K > 85)");
    assertPlanned(10, "W = X'0102' AND (W <> X'0102' OR W = X'0102' AND K > 85)");
  }

  @Test
  public void findsContradictions() throws SQLException {
    create("V INTEGER, W INTEGER", "K", "(V)");
    assertPlanned(0, "V = 2 AND (V > 2 AND K = 3 OR V < 2)");
    assertPlanned(1, "V = 2 AND (V > 2 OR K = 3)");
  }

  @Test
  @Parameters({"(V)", "(V DESC)", "(V\\, W)", "(W) INCLUDE (V)", "(W)"})
  public void findsElementsOfArraysThatContradictEachOther(String index) throws SQLException {
    create("V INTEGER, W INTEGER", "K", index);
    assertPlanned(1, "(K = 5 OR V = ALL (ARRAY[3, 25]))");
    assertPlanned(10, "(K = 5 OR V = ANY (ARRAY[3, 25]))");
    assertPlanned(10, "(K = 5 OR V = ALL (ARRAY[3, 3]))");
    assertPlanned(2, "(K = 5 OR V = ALL (ARRAY[3, ?]) OR K = 45)", 25);
    assertPlanned(10, "(K = 5 OR V > ALL (ARRAY[3, 25]))");
    assertPlanned(10, "(K = 5 OR NOT (V <> ANY (ARRAY[3, 3])))");
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

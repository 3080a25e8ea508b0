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

import static org.apache.phoenix.pruning.prune.RegionCounts.planned;
import static org.apache.phoenix.pruning.prune.RegionCounts.strings;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Array;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.ByteUtil;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Tests which regions are planned for key columns of different types and orders, without a cluster:
 * nullable columns, the last column, and values at the end of a type.
 */
@RunWith(JUnitParamsRunner.class)
public class KeyColumnPredicatesTest {

  /**
   * Phoenix truncates the number to the type of the column and makes key ranges from the result.
   */
  @Test
  public void comparesWithNumbersThatTheTypeDoesNotReach() throws SQLException {
    for (String type : List.of("TINYINT", "SMALLINT")) {
      for (String order : List.of("", " DESC")) {
        try (Connectionless driver = new Connectionless()) {
          driver.execute("DROP TABLE IF EXISTS M");
          driver.execute(
              """
              CREATE TABLE M (K1 %s NOT NULL, K2 INTEGER NOT NULL, V INTEGER
                CONSTRAINT PK PRIMARY KEY (K1%s, K2)) SPLIT ON (x'10', x'20', x'B0')"""
                  .formatted(type, order));
          driver.execute("CREATE LOCAL INDEX MI ON M (V)");
          for (String none : List.of("K1 >= 9223372036854775807", "K1 < -2147483648")) {
            assertThat(plannedOrDegenerate(driver, none)).as(type + order + ": " + none).isZero();
          }
          assertThat(plannedOrDegenerate(driver, "K1 <= 9223372036854775807"))
              .as(type + order)
              .isEqualTo(4);
        }
      }
    }
  }

  private static int plannedOrDegenerate(Connectionless driver, String condition)
      throws SQLException {
    Integer planned =
        driver
            .explain("SELECT /*+ INDEX(M MI) */ V FROM M WHERE V = 5 AND " + condition)
            .getRegionsPlanned();
    return planned == null ? 0 : planned;
  }

  /** Phoenix pads a CHAR constant that is shorter than the column. */
  @Test
  public void comparesRowValuesOfTexts() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS P");
      driver.execute(
          "CREATE TABLE P (K1 CHAR(3) NOT NULL, K2 INTEGER NOT NULL, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON ('b', 'c', 'd')");
      driver.execute("CREATE LOCAL INDEX PI ON P (V)");
      assertThat(planned(driver, "P", "V = 5 AND (K1, K2) > ('ccc', 5)")).isEqualTo(2);
      assertThat(planned(driver, "P", "V = 5 AND (K1, K2) > ('c', 5)")).isEqualTo(2);
      assertThat(planned(driver, "P", "V = 5 AND (K1, K2) <= (?, 5)", "b")).isEqualTo(2);
    }
  }

  /**
   * An array can have null elements. Phoenix compares null with a descending value as if null were
   * an empty string.
   */
  @Test
  @Parameters({"ASC", "DESC"})
  public void supportsArraysOfStrings(SortOrder order) throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      byte[][] boundaries = new byte[3][];
      for (int i = 0; i < boundaries.length; i++) {
        boundaries[i] = PVarchar.INSTANCE.toBytes("" + (char) ('b' + i), order);
      }
      Arrays.sort(boundaries, Bytes.BYTES_COMPARATOR);
      driver.execute("DROP TABLE IF EXISTS S");
      driver.createTable(
          """
          CREATE TABLE S (K VARCHAR NOT NULL, I VARCHAR NOT NULL, V INTEGER
            CONSTRAINT PK PRIMARY KEY (K %s, I))"""
              .formatted(order),
          boundaries);
      driver.execute("CREATE LOCAL INDEX SI ON S (V)");
      int all = boundaries.length + 1;
      boolean isAscending = order == SortOrder.ASC;
      assertThat(planned(driver, "S", "V = 5 AND K = ANY(ARRAY['b5', NULL])"))
          .isEqualTo(isAscending ? 1 : all);
      assertThat(planned(driver, "S", "V = 5 AND K > ANY(ARRAY[NULL, 'c5'])"))
          .isEqualTo(isAscending ? 2 : all);
      Array none = driver.connection().createArrayOf("VARCHAR", new Object[0]);
      long failures = Fallbacks.GLOBAL.failures();
      assertThat(planned(driver, "S", "V = 5 AND K = ANY(?)", none)).isZero();
      assertThat(planned(driver, "S", "V = 5 AND K = ALL(?)", none)).isEqualTo(all);
      assertThat(Fallbacks.GLOBAL.failures()).isEqualTo(failures);
    }
  }

  @Test
  @Parameters({
    "K <= ANY(ARRAY['b5'\\, 'c5']) | 2",
    "K > ALL(ARRAY['b5'\\, 'c5']) | 3",
    "K = ANY(ARRAY['b5'\\, NULL]) | 4",
    "K < ANY(ARRAY[NULL\\, 'c5']) | 2",
    "K >= ALL(ARRAY['c5'\\, NULL]) | 4"
  })
  public void negatesComparisonsWithArrays(String comparison, int regions) throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS S");
      driver.createTable(
          "CREATE TABLE S (K VARCHAR PRIMARY KEY, V INTEGER)", strings("b", "c", "d"));
      driver.execute("CREATE LOCAL INDEX SI ON S (V)");
      assertThat(planned(driver, "S", "V = 5 AND NOT (" + comparison + ")")).isEqualTo(regions);
    }
  }

  @Test
  public void supportsNullsInNullableColumns() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS U");
      driver.createTable(
          "CREATE TABLE U (K1 VARCHAR, K2 VARCHAR, K3 VARCHAR, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2, K3))",
          strings("a", "b", "c"));
      driver.execute("CREATE LOCAL INDEX UI ON U (V)");
      assertThat(planned(driver, "U", "V = 5 AND K1 IS NULL")).isEqualTo(1);
      assertThat(planned(driver, "U", "V = 5 AND K1 IS NOT NULL AND K1 < 'b'")).isEqualTo(2);
      // The boundary is 'b' with three separators. The key 'b' is below the boundary. The keys of a
      // view with more key columns are above the boundary.
      assertThat(planned(driver, "U", "V = 5 AND K1 = 'b' AND K2 IS NULL AND K3 IS NULL"))
          .isEqualTo(2);
      assertThat(planned(driver, "U", "V = 5 AND K1 = 'b' AND K3 = 'x'")).isEqualTo(1);
    }
  }

  @Test
  public void supportsTypesThatOnlyTheLastColumnCanHave() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      // If all key columns are known, stock reads the table instead of its index.
      String one = "V = 5 AND K1 > 0 AND K1 < 2 AND ";
      driver.execute("DROP TABLE IF EXISTS L");
      driver.createTable(
          "CREATE TABLE L (K1 INTEGER NOT NULL, K2 VARBINARY, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2))",
          key(1, 0, 7),
          key(1, 1),
          key(1, 1, 0));
      driver.execute("CREATE LOCAL INDEX LI ON L (V)");
      assertThat(planned(driver, "L", one + "K2 = X'01'")).isEqualTo(1);
      assertThat(planned(driver, "L", one + "K2 = X'0100'")).isEqualTo(1);
      assertThat(planned(driver, "L", one + "K2 > X'01'")).isEqualTo(1);
      assertThat(planned(driver, "L", one + "K2 <= X'0007'")).isEqualTo(2);
      assertThat(planned(driver, "L", one + "K2 IN (X'00', X'02')")).isEqualTo(2);
      assertThat(planned(driver, "L", one + "K2 IS NULL")).isEqualTo(1);

      driver.execute("DROP TABLE IF EXISTS A");
      driver.createTable(
          "CREATE TABLE A (K1 INTEGER NOT NULL, K2 VARCHAR ARRAY, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2))",
          key(1, 'b'),
          key(1, 'c'),
          key(2, 'b'));
      driver.execute("CREATE LOCAL INDEX AI ON A (V)");
      assertThat(planned(driver, "A", "V = 5 AND K1 = 1")).isEqualTo(3);
      assertThat(planned(driver, "A", one + "K2 = ARRAY['b', 'a']")).isEqualTo(1);
      assertThat(planned(driver, "A", one + "K2 = ARRAY['a']")).isEqualTo(1);
      assertThat(planned(driver, "A", one + "K2 > ARRAY['b']")).isEqualTo(3);
    }
  }

  private static byte[] key(int k1, int... k2) {
    byte[] last = new byte[k2.length];
    for (int i = 0; i < last.length; i++) {
      last[i] = (byte) k2[i];
    }
    return ByteUtil.concat(PInteger.INSTANCE.toBytes(k1), last);
  }

  @Test
  public void nullableDescendingColumnsCostNoRegion() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS E");
      driver.createTable(
          "CREATE TABLE E (K1 INTEGER NOT NULL, K2 VARCHAR, V INTEGER"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2 DESC))",
          key(20, 1),
          key(21));
      driver.execute("CREATE LOCAL INDEX EI ON E (V)");
      assertThat(planned(driver, "E", "V = 5 AND K1 = 20 AND K2 < 'm'")).isEqualTo(1);
      assertThat(planned(driver, "E", "V = 5 AND K1 = 20 AND K2 IS NOT NULL")).isEqualTo(2);
      assertThat(planned(driver, "E", "V = 5 AND K1 = 20")).isEqualTo(2);
    }
  }

  /**
   * Phoenix reads the zero byte as part of the value. This value sorts after the value without the
   * zero byte.
   */
  @Test
  public void zeroBytesAtTheEndOfADescendingKeyAreAfterTheValue() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("DROP TABLE IF EXISTS Z");
      driver.createTable(
          "CREATE TABLE Z (K VARCHAR NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K DESC))",
          new byte[] {(byte) ~'b', (byte) 0xFF},
          new byte[] {(byte) ~'a', (byte) 0xFF});
      driver.execute("CREATE LOCAL INDEX ZI ON Z (V)");
      String range = "V > 0 AND ";
      assertThat(planned(driver, "Z", range + "K > 'a'")).isEqualTo(3);
      assertThat(planned(driver, "Z", range + "K > 'c'")).isEqualTo(1);
      assertThat(planned(driver, "Z", range + "K >= ? AND K < 'b'", "a\u0000")).isEqualTo(2);
      assertThat(planned(driver, "Z", range + "K < 'a'")).isEqualTo(1);
    }
  }

  /**
   * The value of a descending VARCHAR at the end of a key may continue after bytes that look like a
   * separator.
   */
  @Test
  public void takesNoValueAtTheEndOfADescendingKeyForTheOnlyOne() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      byte[] separator = {(byte) 0xFF};
      byte[] a = Bytes.add(PVarchar.INSTANCE.toBytes("a", SortOrder.DESC), separator);
      byte[] b = Bytes.add(PVarchar.INSTANCE.toBytes("b", SortOrder.DESC), separator);
      driver.createTable(
          "CREATE TABLE Z (K VARCHAR NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K DESC))",
          a,
          Bytes.add(a, b));
      driver.execute("CREATE LOCAL INDEX ZV ON Z (V)");
      String select = "SELECT /*+ INDEX(Z ZV) */ V FROM Z WHERE V = 5 AND LENGTH(K) = 3";
      assertThat(driver.explain(select).getRegionsPlanned()).isEqualTo(3);
    }
  }
}

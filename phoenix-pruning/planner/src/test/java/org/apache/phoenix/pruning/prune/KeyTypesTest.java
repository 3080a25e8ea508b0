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

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.phoenix.compile.ExplainPlanAttributes;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/**
 * Tests every type and sort order of a key column. The table has four regions, which start at its
 * beginning and at the second, third and fourth of four values, in key order.
 */
@RunWith(Parameterized.class)
public class KeyTypesTest {

  private final String type;
  private final SortOrder order;
  private final Object[] values;

  public KeyTypesTest(String type, SortOrder order, Object[] values) {
    this.type = type;
    this.order = order;
    this.values = values;
  }

  @Parameters(name = "{0} {1}")
  public static Collection<Object[]> cases() {
    Object[][] types = {
      {"TINYINT", -3, 0, 7, 100},
      {"SMALLINT", -300, 0, 7, 10_000},
      {"INTEGER", -70_000, 0, 7, 70_000},
      {"BIGINT", -5_000_000_000L, 0L, 7L, 5_000_000_000L},
      {"UNSIGNED_TINYINT", 0, 1, 7, 100},
      {"UNSIGNED_SMALLINT", 0, 1, 7, 10_000},
      {"UNSIGNED_INT", 0, 1, 7, 70_000},
      {"UNSIGNED_LONG", 0L, 1L, 7L, 5_000_000_000L},
      {"FLOAT", -2.5f, -1.5f, 1.5f, 2.5f},
      {"DOUBLE", -2.5, -1.5, 1.5, 2.5},
      {"UNSIGNED_FLOAT", 0.5f, 1.5f, 2.5f, 3.5f},
      {"UNSIGNED_DOUBLE", 0.5, 1.5, 2.5, 3.5},
      {"DECIMAL", decimal("-20.5"), decimal("-1.25"), decimal("1.25"), decimal("200")},
      {"DECIMAL(10, 2)", decimal("-20.5"), decimal("-1.25"), decimal("1.25"), decimal("200")},
      {"VARCHAR", "a", "b", "ca", "d"},
      {"VARCHAR(5)", "a", "b", "ca", "d"},
      {"CHAR(2)", "aa", "bb", "bd", "cc"},
      {"BINARY(2)", bytes(0, 1), bytes(16, 0), bytes(16, 255), bytes(255, 0)},
      {"DATE", new Date(-9_999_999L), new Date(0), new Date(9), new Date(9_999_999_999L)},
      {"TIME", new Time(-9_999_999L), new Time(0), new Time(9), new Time(9_999_999_999L)},
      {
        "TIMESTAMP",
        new Timestamp(-9_999_999L),
        new Timestamp(0),
        Timestamp.valueOf("2020-02-29 01:02:03.004005006"),
        new Timestamp(9_999_999_999_999L)
      },
      {"UNSIGNED_DATE", new Date(0), new Date(1), new Date(9), new Date(9_999_999_999L)},
      {"UNSIGNED_TIME", new Time(0), new Time(1), new Time(9), new Time(9_999_999_999L)},
      {
        "UNSIGNED_TIMESTAMP",
        new Timestamp(0),
        new Timestamp(1),
        new Timestamp(9),
        new Timestamp(9_999_999_999L)
      },
    };
    List<Object[]> cases = new ArrayList<>();
    for (Object[] of : types) {
      for (SortOrder order : SortOrder.values()) {
        cases.add(new Object[] {of[0], order, Arrays.copyOfRange(of, 1, of.length)});
      }
    }
    return cases;
  }

  private static BigDecimal decimal(String value) {
    return new BigDecimal(value);
  }

  private static byte[] bytes(int... bytes) {
    byte[] result = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      result[i] = (byte) bytes[i];
    }
    return result;
  }

  @Test
  public void plansTheRegionsOfEveryOperatorAtABoundary() throws SQLException {
    boolean ascending = order == SortOrder.ASC;
    Object third = values[2];
    try (Connectionless driver = new Connectionless()) {
      createTable(driver);
      assertPlanned(driver, 1, "K = ?", third);
      assertPlanned(driver, 4, "K <> ?", third);
      assertPlanned(driver, 2, "K < ?", third);
      assertPlanned(driver, ascending ? 3 : 2, "K <= ?", third);
      // 'cab' is greater than 'ca', but its descending key starts with the same bytes.
      boolean longerIsBeside = !ascending && !columnType().isFixedWidth();
      // If the column is descending, Phoenix treats '  ' and 'b ' as greater than 'bd'.
      boolean shorterIsAbove = !ascending && type.startsWith("CHAR");
      assertPlanned(driver, shorterIsAbove ? 4 : longerIsBeside ? 3 : 2, "K > ?", third);
      assertPlanned(driver, shorterIsAbove ? 4 : ascending ? 2 : 3, "K >= ?", third);
      assertPlanned(driver, 2, "K IN (?, ?)", values[1], values[3]);
      assertPlanned(driver, 4, "K NOT IN (?, ?)", values[1], values[3]);
      assertPlanned(driver, 2, "K BETWEEN ? AND ?", values[1], third);
      assertPlanned(driver, shorterIsAbove ? 4 : ascending ? 2 : 3, "NOT (K < ?)", third);
      assertPlanned(driver, ascending ? 2 : 3, "(K, K2) > (?, 3)", third);
      assertPlanned(driver, 2, "(K, K2) IN ((?, 1), (?, 2))", values[0], third);
      assertPlanned(driver, 1, "K = ? AND K2 > 5", values[0]);
    }
  }

  void createTable(Connectionless driver) throws SQLException {
    byte[][] boundaries = new byte[values.length - 1][];
    for (int i = 0; i < boundaries.length; i++) {
      boundaries[i] =
          encoded(order == SortOrder.ASC ? values[i + 1] : values[boundaries.length - i]);
    }
    driver.execute("DROP TABLE IF EXISTS T CASCADE");
    driver.createTable(
        """
        CREATE TABLE T (K %s NOT NULL, K2 INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K %s, K2))"""
            .formatted(type, order),
        boundaries);
    driver.execute("CREATE LOCAL INDEX I ON T (V)");
  }

  /**
   * Returns the first bytes of the keys with {@code value}, without a separator. Phoenix pads this
   * split point with zeros.
   */
  private byte[] encoded(Object value) {
    return columnType().toBytes(columnType().toObject(value, typeOf(value)), order);
  }

  private PDataType<?> columnType() {
    return PDataType.fromSqlTypeName(type.replaceFirst("\\(.*", ""));
  }

  private static PDataType<?> typeOf(Object value) {
    return LiteralExpression.newConstant(value).getDataType();
  }

  private void assertPlanned(Connectionless driver, int regions, String where, Object... binds)
      throws SQLException {
    ExplainPlanAttributes plan =
        driver.explain("SELECT /*+ INDEX(T I) */ V FROM T WHERE V = 5 AND " + where, binds);
    assertThat(plan.getRegionsPlanned()).as("%s %s: %s", type, order, where).isEqualTo(regions);
    assertThat(plan.getRegionsTotal()).isEqualTo(4);
  }
}

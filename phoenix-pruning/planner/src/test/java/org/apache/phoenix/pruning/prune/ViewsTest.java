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
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.PhoenixRuntime;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Tests queries along a view's own index and along an index of its table, without a condition on
 * the key. Exactly the region of a row that Phoenix writes through the view must be planned.
 */
@RunWith(JUnitParamsRunner.class)
public class ViewsTest {

  private static void createTable(Connectionless driver, String definition, byte[]... boundaries)
      throws SQLException {
    driver.execute("DROP TABLE IF EXISTS T CASCADE");
    driver.createTable("CREATE TABLE T (" + definition, boundaries);
    driver.execute("CREATE LOCAL INDEX I ON T (V)");
  }

  private static void createView(Connectionless driver, String where) throws SQLException {
    driver.execute("CREATE VIEW W AS SELECT * FROM T" + where);
    driver.execute("CREATE LOCAL INDEX WI ON W (V)");
    driver.connection().setAutoCommit(false);
  }

  /** Returns the key of a row that is written through the view but not committed. */
  private static byte[] rowKey(Connectionless driver) throws SQLException {
    driver.execute("UPSERT INTO W (K2, V) VALUES (3, 5)");
    byte[] key =
        CellUtil.cloneRow(
            PhoenixRuntime.getUncommittedDataIterator(driver.connection())
                .next()
                .getSecond()
                .get(0));
    driver.connection().rollback();
    return key;
  }

  /** Asserts that only the region of the row is planned. */
  private static void assertRowIsPlanned(Connectionless driver, String what) throws SQLException {
    assertRowIsPlanned(driver, rowKey(driver), what);
  }

  private static void assertRowIsPlanned(Connectionless driver, byte[] rowKey, String what)
      throws SQLException {
    for (String index : Arrays.asList("WI", "W#I")) {
      String sql = "SELECT /*+ INDEX(W " + index + ") */ V FROM W WHERE V = 5";
      List<PlannedRegion> regions = driver.plannedRegions(sql);
      assertThat(regions).as("%s, %s", what, index).hasSize(1);
      assertThat(RowsThatMatchTest.holds(regions.get(0), rowKey))
          .as("%s, %s: %s in %s", what, index, Bytes.toStringBinary(rowKey), regions)
          .isTrue();
    }
  }

  private static String literal(Object value) {
    if (value instanceof Number) {
      return value.toString();
    }
    PDataType<?> type = LiteralExpression.newConstant(value).getDataType();
    String literal = type.toStringLiteral(value, null);
    return value instanceof Date ? type.getSqlTypeName() + " " + literal : literal;
  }

  @Test
  public void plansTheRegionOfAConstantOfEachTypeAndOrder() throws SQLException {
    for (Object[] of : KeyTypesTest.cases()) {
      KeyTypesTest types = new KeyTypesTest((String) of[0], (SortOrder) of[1], (Object[]) of[2]);
      for (Object value : (Object[]) of[2]) {
        try (Connectionless driver = new Connectionless()) {
          types.createTable(driver);
          createView(driver, " WHERE K = " + literal(value));
          assertRowIsPlanned(driver, of[0] + " " + of[1] + " " + literal(value));
        }
      }
    }
  }

  /**
   * Phoenix reads the zero byte as part of the value. This value sorts after the value without the
   * zero byte.
   */
  @Test
  public void plansTheRegionOfAConstantThatEndsWithAZeroByte() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      createTable(
          driver,
          "K VARCHAR NOT NULL, V INTEGER CONSTRAINT PK PRIMARY KEY (K DESC))",
          new byte[] {(byte) ~'b', (byte) 0xFF},
          new byte[] {(byte) ~'a', (byte) 0xFF});
      createView(driver, " WHERE K = 'a\u0000'");
      assertRowIsPlanned(driver, new byte[] {(byte) ~'a', (byte) ~0}, "a and a zero byte");
    }
  }

  @Test
  public void plansTheRegionsOfATenant() throws SQLException {
    for (String type : Arrays.asList("VARCHAR", "CHAR(3)", "INTEGER", "BIGINT", "DECIMAL")) {
      for (SortOrder order : SortOrder.values()) {
        for (String tenant : Arrays.asList("1", "3", "5", "8")) {
          assertTenantIsPlanned(type, order, tenant);
        }
      }
    }
  }

  private static void assertTenantIsPlanned(String type, SortOrder order, String tenant)
      throws SQLException {
    PDataType<?> dataType = PDataType.fromSqlTypeName(type.replaceFirst("\\(.*", ""));
    byte[][] boundaries = new byte[3][];
    for (int i = 0; i < boundaries.length; i++) {
      int value = order == SortOrder.ASC ? 3 + 2 * i : 7 - 2 * i;
      boundaries[i] = dataType.toBytes(dataType.toObject(Integer.toString(value)), order);
    }
    try (Connectionless owner = new Connectionless()) {
      createTable(
          owner,
          """
          T %s NOT NULL, K2 INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (T %s, K2)) MULTI_TENANT = true"""
              .formatted(type, order),
          boundaries);
      try (Connectionless driver = new Connectionless(PhoenixRuntime.TENANT_ID_ATTRIB, tenant)) {
        createView(driver, "");
        assertRowIsPlanned(driver, "tenant " + tenant + " of " + type + " " + order);
      }
    }
  }

  /** In an index of a view, a column that the view fixes is a constant. */
  @Test
  @Parameters({
    "(K\\, K2) > (7\\, 4) | 2",
    "(K\\, K2) <= (7\\, 2) | 1",
    "(K\\, K2) = (7\\, 4) | 1",
    "(K\\, K2) IN ((7\\, 2)\\, (8\\, 4)) | 1",
    "(K\\, K2) < (8\\, 0) | 3",
    "(K\\, K2) > (6\\, 9) | 3",
    "K IN (6\\, 8) OR K2 > 4 | 2",
    "NOT (K IN (6\\, 7)) OR K2 > 4 | 2"
  })
  public void comparesTheConstantOfTheView(String condition, int regions) throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      createTable(
          driver,
          """
          K INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K, K2))""",
          Bytes.add(PInteger.INSTANCE.toBytes(7), PInteger.INSTANCE.toBytes(3)),
          Bytes.add(PInteger.INSTANCE.toBytes(7), PInteger.INSTANCE.toBytes(6)));
      createView(driver, " WHERE K = 7");
      for (String index : Arrays.asList("WI", "W#I")) {
        String sql =
            "SELECT /*+ INDEX(W " + index + ") */ V FROM W WHERE V = 5 AND (" + condition + ")";
        assertThat(driver.plannedRegions(sql)).as(index).hasSize(regions);
      }
    }
  }
}

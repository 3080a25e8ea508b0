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
package org.apache.phoenix.pruning.patch;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Properties;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.util.PhoenixRuntime;

/**
 * Describes the bytes that Phoenix stores for values, given as literals and as parameters. Also
 * describes the key ranges that Phoenix scans for comparisons with the literals. Refers to
 * Phoenix's classes only, as {@link PhoenixPlans} does.
 *
 * <p>The first argument is the mode of the connection. The second argument is ignored.
 */
public final class PhoenixBytes implements BiFunction<String, Integer, List<String>> {

  /** SQL types, each followed by literals of the type. */
  private static final String[][] TYPES = {
    {"DECIMAL(10,2)", "-1.83", "2.7", "5", "-100", "1.239", "0", "-1.8399"},
    {"DECIMAL", "-1.83", "2.7", "5", "-100", "1.239", "12345678901234567.25"},
    {"BIGINT", "-5", "7", "123456789012345"},
    {"UNSIGNED_LONG", "5", "123456789012345678"},
    {"INTEGER", "-5", "7"},
    {"TINYINT", "-5", "127"},
    {"DOUBLE", "-1.83", "2.7", "5"},
    {"DATE", "TO_DATE('2026-11-01')", "TO_DATE('1969-01-01 05:06:07')"},
    {"UNSIGNED_DATE", "TO_DATE('2026-11-01')"},
    {"TIMESTAMP", "TO_TIMESTAMP('2026-11-01 01:02:03')"},
    {"VARCHAR", "'a'", "'ab c'"},
    {"VARCHAR(5)", "'a'", "'ab c'"},
    {"CHAR(4)", "'a'", "'ab c'"},
    {"BOOLEAN", "TRUE", "FALSE"},
  };

  @Override
  public List<String> apply(String mode, Integer unused) {
    try {
      Class.forName("org.apache.phoenix.jdbc.PhoenixDriver", true, getClass().getClassLoader());
      Properties properties = new Properties();
      properties.setProperty("phoenix.index.population.wait.time", "0");
      properties.setProperty("phoenix.pruning.mode", mode);
      List<String> descriptions = new ArrayList<>();
      try (Connection connection = DriverManager.getConnection("jdbc:phoenix:none", properties)) {
        for (String[] typeAndValues : TYPES) {
          for (String order : new String[] {"ASC", "DESC"}) {
            describe(connection, typeAndValues, order, descriptions);
          }
        }
      }
      return descriptions;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void describe(
      Connection connection, String[] typeAndValues, String order, List<String> descriptions)
      throws SQLException {
    String type = typeAndValues[0];
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS B");
      statement.execute(
          """
          CREATE TABLE B (L INTEGER NOT NULL, K %1$s NOT NULL, V %1$s
            CONSTRAINT PK PRIMARY KEY (L, K %2$s))"""
              .formatted(type, order));
      statement.execute("CREATE LOCAL INDEX B_I ON B (V " + order + ")");
    }
    for (int i = 1; i < typeAndValues.length; i++) {
      String value = typeAndValues[i];
      String name = type + " " + order + " " + value;
      String literal = written(connection, value, null);
      descriptions.add(name + " literal " + literal);
      if (value.matches("[-0-9.]+")) {
        descriptions.add(name + " parameter " + written(connection, "?", new BigDecimal(value)));
      }
      for (String where : new String[] {"L = 1 AND K = " + value, "L = 1 AND K >= " + value}) {
        descriptions.add(name + " " + scanned(connection, "NO_INDEX", where));
      }
      descriptions.add(name + " " + scanned(connection, "INDEX(B B_I)", "V = " + value));
    }
  }

  private static String written(Connection connection, String value, Object parameter)
      throws SQLException {
    String sql = "UPSERT INTO B VALUES (1, " + value + ", " + value + ")";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      if (parameter != null) {
        statement.setObject(1, parameter);
        statement.setObject(2, parameter);
      }
      statement.execute();
      StringBuilder bytes = new StringBuilder();
      Iterator<Pair<byte[], List<Cell>>> tables =
          PhoenixRuntime.getUncommittedDataIterator(connection, true);
      while (tables.hasNext()) {
        for (Cell cell : tables.next().getSecond()) {
          bytes
              .append(' ')
              .append(Bytes.toStringBinary(CellUtil.cloneRow(cell)))
              .append('=')
              .append(Bytes.toStringBinary(CellUtil.cloneValue(cell)));
        }
      }
      return bytes.toString();
    } catch (SQLException | RuntimeException e) {
      return e.toString();
    } finally {
      connection.rollback();
    }
  }

  private static String scanned(Connection connection, String hint, String where)
      throws SQLException {
    String sql = "SELECT /*+ " + hint + " */ L FROM B WHERE " + where;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return hint
          + " "
          + where
          + " "
          + statement
              .unwrap(PhoenixPreparedStatement.class)
              .optimizeQuery()
              .getContext()
              .getScanRanges()
              .getRanges();
    } catch (SQLException | RuntimeException e) {
      return where + " " + e;
    }
  }
}

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
package io.phoenixpruning.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** Selects all columns of tables whose families have columns of the same name. */
public class EqualColumnNamesIT extends ClusterTest {

  private static final String FIRST = "[1, 15, 11, 12, 13]";
  private static final String SECOND = "[2, 25, 21, 22, 23]";
  private static final String ALL = FIRST + ", " + SECOND;

  @Test
  public void selectsAllColumns() throws SQLException {
    try (Connection connection = connect(Map.of())) {
      execute(
          connection,
          """
          CREATE TABLE EQUAL_T (K INTEGER PRIMARY KEY, V INTEGER, F1.X INTEGER, F2.X INTEGER,
              "f3"."x" INTEGER) SPLIT ON (2)
          """,
          "CREATE LOCAL INDEX EQUAL_I ON EQUAL_T (V)",
          "CREATE TABLE EQUAL_E (ID INTEGER PRIMARY KEY, Y INTEGER)",
          "UPSERT INTO EQUAL_T (K, V, F1.X, F2.X, \"f3\".\"x\") VALUES (1, 15, 11, 12, 13)",
          "UPSERT INTO EQUAL_T (K, V, F1.X, F2.X, \"f3\".\"x\") VALUES (2, 25, 21, 22, 23)",
          "UPSERT INTO EQUAL_E VALUES (1, 5)");
      connection.commit();
      for (String hint : List.of("NO_INDEX", "INDEX(EQUAL_T EQUAL_I)")) {
        String select = "SELECT /*+ " + hint + " */ ";
        testRows(connection, select + "* FROM EQUAL_T", ALL);
        testRows(connection, select + "* FROM EQUAL_T WHERE V = 25", SECOND);
        testRows(connection, select + "F2.*, F1.X FROM EQUAL_T WHERE V = 15", "[12, 11]");
        testRows(connection, select + "* FROM (SELECT * FROM EQUAL_T WHERE V = 15)", FIRST);
      }
      testRows(
          connection,
          "SELECT /*+ NO_INDEX */ * FROM EQUAL_T WHERE K IN (SELECT ID FROM EQUAL_E)",
          FIRST);
      for (String hint : List.of("NO_INDEX", "INDEX(A EQUAL_I)")) {
        testRows(
            connection,
            "SELECT /*+ %s */ A.* FROM EQUAL_T A JOIN EQUAL_E ON A.K = ID WHERE A.V = 15"
                .formatted(hint),
            FIRST);
      }
      execute(connection, "UPSERT INTO EQUAL_T SELECT * FROM EQUAL_T WHERE V = 15");
      connection.commit();
      testRows(connection, "SELECT * FROM EQUAL_T", ALL);
    }
  }

  /** Tests a {@code *} of tables without an alias. EQUAL_G has a family of EQUAL_S. */
  @Test
  public void selectsAllColumnsOfJoins() throws SQLException {
    try (Connection connection = connect(Map.of())) {
      execute(
          connection,
          "CREATE TABLE EQUAL_S (K INTEGER PRIMARY KEY, V INTEGER, F1.X INTEGER, F2.X INTEGER)",
          "CREATE LOCAL INDEX EQUAL_SI ON EQUAL_S (V)",
          "CREATE LOCAL INDEX EQUAL_SC ON EQUAL_S (V) INCLUDE (F1.X, F2.X)",
          "CREATE TABLE EQUAL_F (ID INTEGER PRIMARY KEY, Y INTEGER)",
          "CREATE TABLE EQUAL_G (ID INTEGER PRIMARY KEY, F1.X INTEGER)",
          "UPSERT INTO EQUAL_S (K, V, F1.X, F2.X) VALUES (1, 15, 11, 12)",
          "UPSERT INTO EQUAL_S (K, V, F1.X, F2.X) VALUES (2, 25, 21, 22)",
          "UPSERT INTO EQUAL_F VALUES (1, 5)",
          "UPSERT INTO EQUAL_G VALUES (1, 6)");
      connection.commit();
      String row = "1, 15, 11, 12";
      for (String hint :
          List.of("NO_INDEX", "INDEX(EQUAL_S EQUAL_SI)", "INDEX(EQUAL_S EQUAL_SC)")) {
        String select = "SELECT /*+ " + hint + " */ ";
        String join = " FROM EQUAL_S JOIN EQUAL_F ON K = ID WHERE V = 15";
        testRows(connection, select + "*" + join, "[" + row + ", 1, 5]");
        testRows(connection, select + "EQUAL_S.*" + join, "[" + row + "]");
        testRows(
            connection,
            select.replace("*/", "USE_SORT_MERGE_JOIN */") + "*" + join,
            "[" + row + ", 1, 5]");
        testRows(
            connection,
            select + "* FROM EQUAL_F LEFT JOIN EQUAL_S ON K = ID AND V = 15",
            "[1, 5, " + row + "]");
        testRows(
            connection,
            select + "* FROM EQUAL_S WHERE V = 15 AND K IN (SELECT ID FROM EQUAL_F)",
            "[" + row + "]");
        testRows(
            connection,
            select + "EQUAL_S.* FROM EQUAL_S JOIN EQUAL_G ON K = ID WHERE V = 15",
            "[" + row + "]");
      }
      String along = "SELECT /*+ INDEX(EQUAL_S EQUAL_SI) */ * FROM EQUAL_S";
      assertThat(explain(connection, along + " JOIN EQUAL_F ON K = ID WHERE V = 15"))
          .asString()
          .contains("OVER EQUAL_SI");
    }
  }

  private static void testRows(Connection connection, String sql, String expected)
      throws SQLException {
    assertThat(rows(connection, sql)).as(sql).hasToString("[" + expected + "]");
  }
}

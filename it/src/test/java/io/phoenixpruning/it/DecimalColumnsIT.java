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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import org.junit.Test;

/** Tests columns that an index stores as DECIMAL, so that they can be null. */
public class DecimalColumnsIT extends IndexedColumnsTest {

  @Test
  public void joinsByTimesThatAreKeptAsDecimals() throws SQLException {
    execute(
        exact,
        "CREATE TABLE D_" + table + " (ID INTEGER PRIMARY KEY, T TIME, D DATE)",
        """
        UPSERT INTO D_%s VALUES (9, TO_TIME('1970-01-01 00:00:20'),
          DATE '2020-01-02 00:00:00')"""
            .formatted(table));
    for (String column : List.of("T", "D")) {
      for (String order : List.of(" ASC", " DESC")) {
        createIndex(column + order);
        for (String hint : List.of("", "USE_SORT_MERGE_JOIN ")) {
          String join = "*/ A.K, B.ID FROM $T A JOIN D_$T B ON A." + column + " = B." + column;
          String sql = "SELECT /*+ " + hint + join.replace("$T", table);
          List<List<Object>> right = rows(exact, sql.replace("/*+ ", "/*+ NO_INDEX "));
          assertThat(right).as(sql).hasSize(column.equals("T") ? 2 : 1);
          String along = sql.replace("/*+ ", "/*+ INDEX(A I_" + table + ") ");
          assertThat(explain(exact, along).toString()).as(along).contains("OVER I_" + table);
          assertThat(rows(exact, along)).as(along).isEqualTo(right);
        }
        execute(exact, "DROP INDEX I_" + table + " ON " + table);
      }
    }
  }

  /** Tests decimals with more digits than fit into the bytes of the column's type. */
  @Test
  public void readsLongDecimals() throws SQLException {
    String longs = "L_" + table;
    execute(
        exact,
        "CREATE TABLE " + longs + " (K INTEGER PRIMARY KEY, L UNSIGNED_LONG, D DATE)",
        "UPSERT INTO " + longs + " VALUES (1, 9223372036854775807, DATE '9020-01-01 10:20:30.123')",
        "UPSERT INTO " + longs + " VALUES (2, 202095989643365, DATE '9020-01-01 10:20:30.124')",
        "UPSERT INTO " + longs + " VALUES (3, 1, DATE '2020-01-01')");
    for (String column : List.of("L", "D")) {
      for (String order : List.of(" ASC", " DESC")) {
        String index = "I_" + longs;
        execute(
            exact, "CREATE LOCAL INDEX " + index + " ON " + longs + " (" + column + order + ")");
        for (String select :
            List.of(
                "K, $C FROM $T",
                "A.K, B.K FROM $T A JOIN $T B ON A.$C = B.$C",
                "K FROM $T WHERE $C IN (SELECT $C FROM $T)",
                "K FROM $T WHERE $C > (SELECT MIN($C) FROM $T)")) {
          String sql = select.replace("$T", longs).replace("$C", column);
          List<List<Object>> right = rows(exact, "SELECT /*+ NO_INDEX */ " + sql);
          String along = "SELECT /*+ INDEX(" + longs + " " + index + ") */ " + sql;
          assertThat(explain(exact, along).toString()).as(along).contains("OVER " + index);
          assertThat(rows(exact, along)).as(along).isEqualTo(right);
        }
        execute(exact, "DROP INDEX " + index + " ON " + longs);
      }
    }
  }

  /**
   * Checks the types of joined columns. Without the patch, a DATE is returned as a number, because
   * the index stores it as DECIMAL.
   */
  @Test
  public void keepsTheTypesOfJoins() throws SQLException {
    for (String index : List.of("D) INCLUDE (C, T", "D DESC) INCLUDE (C, T", "C DESC, T, D")) {
      createIndex(index);
      String where = " FROM $T WHERE K IN (SELECT K FROM $T WHERE K > 1)";
      assertThatRowsAreRight("K, D, C, T" + where);
      assertThatRowsAreRight("DISTINCT D, T" + where);
      assertThatRowsAreRight("D, MAX(T), COUNT(*)" + where + " GROUP BY D");
      assertThatRowsAreRight("D AS E, K" + where + " ORDER BY D DESC, K LIMIT 3");
      assertThatRowsAreRight("D, J FROM $T JOIN (SELECT K + 1 AS J FROM $T) AS O ON K = O.J");
      execute(exact, "DROP INDEX I_" + table + " ON " + table);
    }
  }

  /** Tests rounding of dates. Mode stock fails even if no hint names the index. */
  @Test
  public void roundsDatesThatAreKeptAsDecimals() throws SQLException {
    for (String order : List.of(" ASC", " DESC")) {
      createIndex("D" + order);
      for (String condition :
          List.of(
              "FLOOR(D, 'DAY') = DATE '2020-01-01'",
              "FLOOR(D, 'DAY') > DATE '2020-01-01'",
              "TRUNC(D, 'HOUR') <= DATE '2020-01-01 10:00:00'",
              "CEIL(D, 'DAY') IN (DATE '2020-01-02', DATE '2020-01-04')",
              "ROUND(D, 'MONTH') >= DATE '2020-01-01'")) {
        assertThatRowsAreRight("K FROM $T WHERE " + condition);
      }
      assertThatThrownBy(
              () ->
                  rows(
                      stock,
                      "SELECT K FROM " + table + " WHERE FLOOR(D, 'DAY') = DATE '2020-01-01'"))
          .as("D%s", order)
          .isInstanceOf(NullPointerException.class);
      execute(exact, "DROP INDEX I_" + table + " ON " + table);
    }
  }
}

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
import java.util.List;
import org.apache.phoenix.pruning.plan.PruningMode;
import org.junit.Test;

/** Conditions that the server evaluates on rows of a local index, where some have nulls. */
public class IndexFilterIT extends ClusterTest {

  private static final List<String> CONDITIONS =
      List.of(
          "V = 1 AND K2 BETWEEN 'b' AND 'y'",
          "V = 1 AND (K2 = 'c' OR K2 > 'd')",
          "V = 1 AND C BETWEEN 2 AND 8",
          "V = 1 AND NOT (C < 3 OR C > 7)",
          "V = 1 AND U > 4",
          "V = 1 AND U BETWEEN 2 AND 8",
          "V = 1 AND (U < 3 OR U > 7)",
          "V = 1 AND B AND K2 >= 'b'");

  private static String value(int row, int every, String value) {
    return row % every == 0 ? "NULL" : value;
  }

  @Test
  public void findsTheRowsBehindNulls() throws Exception {
    String table = generateUniqueName();
    try (Connection exact = connect(PruningMode.EXACT);
        Connection none = connect(PruningMode.NONE);
        Connection stock = connect(PruningMode.STOCK)) {
      execute(
          exact,
          "CREATE TABLE "
              + table
              + " (K1 INTEGER NOT NULL, K2 VARCHAR, K3 INTEGER NOT NULL, V INTEGER, C INTEGER,"
              + " B BOOLEAN, U INTEGER CONSTRAINT PK PRIMARY KEY (K1, K2, K3)) SPLIT ON (5)",
          "CREATE LOCAL INDEX I_" + table + " ON " + table + " (V) INCLUDE (C, B)");
      for (int row = 0; row < 60; row++) {
        String upsert =
            String.format(
                "UPSERT INTO %s VALUES (%d, %s, %d, 1, %s, %s, %s)",
                table,
                row / 6,
                value(row, 3, "'" + (char) ('a' + row % 26) + "'"),
                row,
                value(row, 4, Integer.toString(row % 10)),
                value(row, 5, row % 2 == 0 ? "TRUE" : "FALSE"),
                value(row, 7, Integer.toString(row % 9)));
        execute(exact, upsert);
      }
      exact.commit();
      for (String condition : CONDITIONS) {
        String sql = "K1, K2, K3 FROM " + table + " WHERE " + condition;
        List<List<Object>> right = rows(exact, "SELECT /*+ NO_INDEX */ " + sql);
        assertThat(right).as(condition).isNotEmpty();
        for (Connection connection : List.of(exact, none, stock)) {
          assertThat(rows(connection, "SELECT /*+ INDEX(" + table + " I_" + table + ") */ " + sql))
              .as(condition)
              .isEqualTo(right);
        }
      }
    }
  }
}

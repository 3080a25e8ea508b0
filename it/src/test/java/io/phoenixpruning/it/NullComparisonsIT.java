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

import java.sql.SQLException;
import java.util.List;
import org.junit.Test;

/** Tests comparisons with nulls in arrays, and in a CASE. */
public class NullComparisonsIT extends IndexedColumnsTest {

  @Test
  public void comparesNullsWithArrays() throws SQLException {
    for (String index : List.of("S) INCLUDE (C, N", "C DESC) INCLUDE (S, N", "D) INCLUDE (S, N")) {
      createIndex(index);
      for (String condition :
          List.of(
              "S <> ANY (ARRAY['x'])",
              "S = ANY (ARRAY['b', 'x'])",
              "S >= ALL (ARRAY['a', 'b'])",
              "NOT (S = ANY (ARRAY['b', 'x']))",
              "NOT (S >= ALL (ARRAY['b', 'bz']))",
              "K = 2 OR NOT (S <> ALL (ARRAY['bz', 'x']))",
              "S = ANY (ARRAY[NULL, 'b'])",
              "K = 2 OR S = ANY (CAST(NULL AS VARCHAR ARRAY))",
              "K = 2 OR 'b' = ANY (ARRAY[S, 'x'])",
              "K = 2 OR NULL = ANY (ARRAY[S, 'b'])",
              "K = 2 OR NOT (NULL <> ALL (ARRAY[S, 'b']))")) {
        assertThatRowsAreRight("K FROM $T WHERE " + condition);
      }
      for (String subquery :
          List.of(
              "K < 6 AND N <= ALL (SELECT N FROM $T WHERE K > 1 AND N > 0)",
              "N > ANY (SELECT N FROM $T WHERE K > 0) AND K <> 1",
              "K = 6 OR NOT (N <= ALL (SELECT N FROM $T WHERE K IN (1, 6)))")) {
        assertThatRowsAreRight("K FROM $T WHERE " + subquery);
      }
      assertThat(
              rows(
                  exact,
                  withIndexHint("K FROM $T WHERE NOT (S >= ALL (ARRAY['b', 'bz'])) ORDER BY K")))
          .as("b is not, null is not known, along (%s)", index)
          .hasSize(2);
      execute(exact, "DROP INDEX I_" + table + " ON " + table);
    }
  }

  /**
   * Tests AND and OR in a CASE. Phoenix does not reset them between rows, so it remembers a null of
   * the previous row.
   */
  @Test
  public void forgetsTheNullsOfOtherRowsInACase() throws SQLException {
    String nulls = "N_" + table;
    execute(
        exact,
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 VARCHAR, V INTEGER
          CONSTRAINT PK PRIMARY KEY (K1, K2))"""
            .formatted(nulls),
        "CREATE LOCAL INDEX I_" + nulls + " ON " + nulls + " (V)",
        "UPSERT INTO " + nulls + " VALUES (1, NULL, 1)",
        "UPSERT INTO " + nulls + " VALUES (2, 'a', 1)",
        "UPSERT INTO " + nulls + " VALUES (3, 'b', 1)");
    exact.commit();
    for (String hint : List.of("NO_INDEX", "INDEX(" + nulls + " I_" + nulls + ")")) {
      String select = "SELECT /*+ " + hint + " */ K1 FROM " + nulls + " WHERE V = 1 AND ";
      assertThat(rows(exact, select + "CASE WHEN K2 = 'a' AND K1 > 0 THEN 1 ELSE 0 END = 1"))
          .as(hint)
          .isEqualTo(rows(exact, "SELECT 2"));
      assertThat(rows(exact, select + "CASE WHEN K2 = 'a' OR K1 < 0 THEN 0 ELSE 1 END = 1"))
          .as(hint)
          .isEqualTo(rows(exact, "SELECT 1 UNION ALL SELECT 3"));
    }
  }
}

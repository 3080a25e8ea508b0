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
import static org.assertj.core.api.Assertions.entry;

import java.sql.Connection;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.Before;
import org.junit.Test;

/** Tests groups and arrays of CHAR and BINARY expressions whose length Phoenix does not know. */
public class CharExpressionsIT extends TableTest {

  /** Maps an expression to its groups, and to their numbers of rows. */
  private static final Map<String, String> GROUPS =
      Map.ofEntries(
          entry("CAST(S AS CHAR(5))", "[[, 1], [a long text, 2], [ab, 2], [null, 1]]"),
          entry("CASE WHEN V > 2 THEN C ELSE D END", "[[, 1], [ab, 2], [null, 1], [x, 2]]"),
          entry("CASE WHEN V > 2 THEN P ELSE 'zz' END", "[[a, 1], [b, 1], [c, 1], [zz, 3]]"),
          entry("CASE WHEN V > 2 THEN P END", "[[a, 1], [b, 1], [c, 1], [null, 3]]"),
          entry("CASE WHEN V > 2 THEN Q ELSE Q END", "[[\\x01\\x00, 1], [\\x01\\x02, 5]]"),
          entry(
              "CASE WHEN V > 2 THEN B ELSE E END",
              "[[\\x00\\x00\\x00, 2], [\\x01, 1], [\\x01\\x00\\x00, 1], [\\x02, 1], [null, 1]]"));

  private List<String> hints;

  @Before
  public void createTable() throws Exception {
    hints = List.of("NO_INDEX", "INDEX(%1$s I_%1$s)".formatted(table));
    execute(
        connection,
        """
        CREATE TABLE %s (K INTEGER NOT NULL, P CHAR(2) NOT NULL, Q BINARY(2) NOT NULL, C CHAR(2),
          D CHAR(5), S VARCHAR, B BINARY(1), E BINARY(3), V INTEGER, A CHAR(5) ARRAY
          CONSTRAINT PK PRIMARY KEY (K, P, Q))"""
            .formatted(table),
        "CREATE LOCAL INDEX I_%1$s ON %1$s (V) INCLUDE (C, S)".formatted(table));
    for (String values :
        List.of(
            "1, 'a', X'0102', 'ab', 'ab', 'ab', X'01', X'010000', 1",
            "2, 'b', X'0100', 'ab', 'abcd', 'ab  ', X'01', X'010203', 5",
            "3, 'c', X'0102', NULL, NULL, NULL, NULL, NULL, 3",
            "4, 'd', X'0102', '  ', '  ', '   ', X'00', X'00', 2",
            "5, 'e', X'0102', 'x', 'x', 'a long text', X'02', X'00', NULL",
            "6, 'a', X'0102', 'x', 'x', 'a long text ', X'02', X'00', 4")) {
      execute(
          connection,
          "UPSERT INTO %s (K, P, Q, C, D, S, B, E, V) VALUES (%s)".formatted(table, values));
    }
  }

  private void assertRows(String select, String rows) throws Exception {
    for (String hint : hints) {
      String sql = "SELECT /*+ " + hint + " */ " + select.replace("$", table);
      assertThat(rows(connection, sql)).as(sql).hasToString(rows);
    }
  }

  private void assertFails(Patch left, String select) throws Exception {
    try (Connection without = connect(allBut(left))) {
      for (String hint : hints) {
        String sql = "SELECT /*+ " + hint + " */ " + select.replace("$", table);
        assertThatThrownBy(() -> rows(without, sql)).as(sql).hasStackTraceContaining("intValue()");
      }
    }
  }

  @Test
  public void groupsByExpressionsWithoutALength() throws Exception {
    for (Map.Entry<String, String> group : GROUPS.entrySet()) {
      String sql = "%1$s, COUNT(*) FROM $ GROUP BY %1$s".formatted(group.getKey());
      assertRows(sql, group.getValue());
      assertFails(Patch.GROUP_LENGTH, sql);
    }
    assertRows("DISTINCT CAST(S AS CHAR(5)) FROM $", "[[], [a long text], [ab], [null]]");
  }

  @Test
  public void groupsBySeveralExpressionsWithoutALength() throws Exception {
    String text = "CASE WHEN V > 2 THEN P ELSE 'zz' END";
    assertRows(
        "%1$s, D, COUNT(*) FROM $ GROUP BY %1$s, D".formatted(text),
        "[[a, x, 1], [b, abcd, 1], [c, null, 1], [zz, , 1], [zz, ab, 1], [zz, x, 1]]");
    assertRows(
        "%1$s, COUNT(*) FROM $ GROUP BY %1$s HAVING %1$s > 'a' ORDER BY %1$s DESC".formatted(text),
        "[[zz, 3], [c, 1], [b, 1]]");
    String bytes = "CASE WHEN V > 2 THEN Q ELSE Q END";
    assertRows(
        "%1$s, D, COUNT(*) FROM $ WHERE V > 2 GROUP BY %1$s, D".formatted(bytes),
        "[[\\x01\\x00, abcd, 1], [\\x01\\x02, null, 1], [\\x01\\x02, x, 1]]");
    assertThatThrownBy(() -> assertRows("%1$s, B FROM $ GROUP BY %1$s, B".formatted(bytes), "[]"))
        .hasMessageContaining("ERROR 1058");
  }

  @Test
  public void readsArraysOfChars() throws Exception {
    Map<String, String> selects =
        Map.of(
            "K, ARRAY[C] FROM $ WHERE K < 4",
            "[[1, ['ab']], [2, ['ab']], [3, [null]]]",
            "K, ARRAY[C, D] FROM $ WHERE K IN (2, 4)",
            "[[2, ['ab', 'abcd']], [4, [' ', ' ']]]",
            "K, ARRAY[C, 'q', NULL] FROM $ WHERE K = 2",
            "[[2, ['ab', 'q', null]]]",
            "ARRAY_TO_STRING(ARRAY[P, D], ',') FROM $ WHERE K < 3",
            "[[a,ab], [b,abcd]]",
            "K FROM $ WHERE 'ab' = ANY(ARRAY[C, D])",
            "[[1], [2]]",
            "ARRAY[C][1], COUNT(*) FROM $ WHERE K <> 4 GROUP BY ARRAY[C][1]",
            "[[ab, 2], [null, 1], [x, 2]]");
    for (Map.Entry<String, String> select : selects.entrySet()) {
      assertRows(select.getKey(), select.getValue());
    }
    assertFails(Patch.CONSTRUCTED_ARRAY, "K, ARRAY[C] FROM $ WHERE K < 4");
  }

  /** A CHAR array has blanks at the end of its shorter elements. */
  @Test
  public void writesArraysOfChars() throws Exception {
    String upsert = "UPSERT INTO %1$s (K, P, Q, A) SELECT K, P, Q, ARRAY[C, D] FROM %1$s";
    execute(connection, upsert.formatted(table));
    String select = "K, A FROM $ WHERE K < 3";
    assertRows(select, "[[1, ['ab', 'ab']], [2, ['ab  ', 'abcd']]]");
    try (Connection without = connect(allBut(Patch.CONSTRUCTED_ARRAY))) {
      without.setAutoCommit(true);
      execute(without, upsert.formatted(table));
    }
    assertRows(select, "[[1, ['abab']], [2, ['ababc']]]");
  }
}

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

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.pruning.patch.Patch;

/** Base of the tests that compare the rows of queries with all patches and without one of them. */
abstract class PatchedRowsTest extends ExactModeTest {

  /**
   * Checks that each statement returns the expected rows with all patches. Returns the statements
   * that return other rows, or fail, without {@code patch}.
   */
  List<String> wrongWithout(Patch patch, Map<String, String> expectedRows) throws SQLException {
    List<String> wrong = new ArrayList<>();
    try (Connection without = connect(allBut(patch))) {
      expectedRows.forEach(
          (sql, expected) -> {
            assertThat(rowsOrError(exact, sql)).as(sql).isEqualTo(expected);
            if (!rowsOrError(without, sql).equals(expected)) {
              wrong.add(sql);
            }
          });
    }
    return wrong;
  }

  /**
   * Returns the rows as text, or the error. Sorts the rows by their text, unless the statement
   * itself has an ORDER BY outside parentheses.
   */
  static String rowsOrError(Connection connection, String sql) {
    try {
      List<String> rows =
          new ArrayList<>(rows(connection, sql).stream().map(PatchedRowsTest::text).toList());
      if (!sql.matches(".*ORDER BY[^)]*")) {
        rows.sort(null);
      }
      return rows.toString();
    } catch (SQLException | RuntimeException e) {
      return "fails: " + e;
    }
  }

  /** Returns a row as text. {@link BigDecimal#toString} would write 50 as 5E+1. */
  private static String text(List<Object> row) {
    return row.stream()
        .map(
            value ->
                value instanceof BigDecimal number ? number.toPlainString() : String.valueOf(value))
        .toList()
        .toString();
  }
}

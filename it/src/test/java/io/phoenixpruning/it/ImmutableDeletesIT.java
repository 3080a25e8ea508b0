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
import org.apache.phoenix.pruning.patch.Patch;
import org.junit.Test;

/** Tests DELETE statements of immutable tables, whose global indexes the client maintains. */
public class ImmutableDeletesIT extends IndexedTableTest {

  @Test
  public void deletesTheRowsOfGlobalIndexes() throws Exception {
    Map<String, String> without = allBut(Patch.IMMUTABLE_DELETE);
    for (boolean isAutoCommit : List.of(true, false)) {
      for (String delete :
          List.of(
              "DELETE FROM %s WHERE V = 5",
              "DELETE FROM %s WHERE V >= 5 LIMIT 9",
              "DELETE /*+ INDEX(%1$s H_%1$s) */ FROM %1$s WHERE X = 8",
              "DELETE /*+ INDEX(%1$s L_%1$s) */ FROM %1$s WHERE V = 5 AND W > 0")) {
        assertThat(countRowsOfGlobalIndex(delete, isAutoCommit, Map.of()))
            .as("%s, auto-commit: %s", delete, isAutoCommit)
            .isEqualTo(1);
        assertThat(countRowsOfGlobalIndex(delete, isAutoCommit, without))
            .as("%s, auto-commit: %s, without the patch", delete, isAutoCommit)
            .isEqualTo(2);
      }
    }
  }

  private int countRowsOfGlobalIndex(
      String delete, boolean isAutoCommit, Map<String, String> options) throws SQLException {
    String own = generateUniqueName();
    execute(
        connection,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER, X INTEGER) IMMUTABLE_ROWS = true"
            .formatted(own),
        "CREATE LOCAL INDEX L_%1$s ON %1$s (V)".formatted(own),
        "CREATE INDEX G_%1$s ON %1$s (W)".formatted(own),
        "CREATE INDEX H_%1$s ON %1$s (X, W)".formatted(own),
        "UPSERT INTO %s VALUES (1, 5, 6, 8)".formatted(own),
        "UPSERT INTO %s VALUES (2, 4, 7, 9)".formatted(own));
    try (Connection deleting = connect(options)) {
      deleting.setAutoCommit(isAutoCommit);
      execute(deleting, delete.formatted(own));
      deleting.commit();
    }
    assertThat(rows(connection, "SELECT /*+ NO_INDEX */ K FROM " + own))
        .as("%s, auto-commit: %s, %s", delete, isAutoCommit, options)
        .containsExactly(row(2));
    return rows(
            connection, "SELECT /*+ INDEX(%1$s G_%1$s) */ K FROM %1$s WHERE W > 0".formatted(own))
        .size();
  }
}

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

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.EnvironmentEdgeManager;
import org.apache.phoenix.util.PhoenixRuntime;
import org.awaitility.Awaitility;
import org.junit.Test;

/**
 * Tests writes of connections at an SCN. Phoenix's server runs some of them at the current time, so
 * the patches refuse these statements.
 */
public class PastWritesIT extends IndexedTableTest {

  /**
   * Tests writes through a view at an SCN. The server would write the rows with the current time,
   * and a DELETE would delete newer rows.
   */
  @Test
  public void refusesWritesThroughAViewAtAnScn() throws Exception {
    String view = "W_" + table;
    execute(
        connection,
        "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER)",
        "CREATE LOCAL INDEX " + index + " ON " + table + " (V)",
        "CREATE VIEW " + view + " AS SELECT * FROM " + table + " WHERE W = 1",
        "UPSERT INTO " + view + " (K, V) VALUES (1, 10)");
    String scn = Long.toString(EnvironmentEdgeManager.currentTimeMillis() + 1);
    try (Connection past = connect(Map.of(PhoenixRuntime.CURRENT_SCN_ATTRIB, scn))) {
      past.setAutoCommit(true);
      for (String write :
          List.of(
              "UPSERT INTO " + view + " (K, V) VALUES (1, 20)",
              "UPSERT INTO " + view + " (K, V) SELECT K, V + 1 FROM " + view,
              "DELETE FROM " + view + " WHERE K = 1",
              "DELETE FROM " + view + " WHERE V > 0")) {
        assertThatThrownBy(() -> execute(past, write))
            .as(write)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("ERROR 903 (43M14)");
        past.rollback();
        assertThat(rows(past, "SELECT K, V FROM " + view)).as(write).containsExactly(row(1, 10));
      }
    }
    assertThat(stored("K, V")).isEqualTo(indexed("K, V")).containsExactly(row(1, 10));
  }

  /** Tests a DELETE at an SCN. Without an index, Phoenix deletes at the right time. */
  @Test
  public void refusesDeletesAtAnScn() throws Exception {
    for (String condition : List.of("K = 1", "V > 0", "K > 0 AND W >= 0")) {
      for (boolean isIndexed : List.of(true, false)) {
        for (boolean isPatched : List.of(true, false)) {
          table = generateUniqueName();
          index = "I_" + table;
          execute(
              connection,
              "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER)");
          if (isIndexed) {
            execute(connection, "CREATE LOCAL INDEX " + index + " ON " + table + " (V)");
          }
          execute(connection, "UPSERT INTO " + table + " VALUES (1, 10, 1)");
          long time = EnvironmentEdgeManager.currentTimeMillis() + 1;
          Awaitility.await().until(() -> EnvironmentEdgeManager.currentTimeMillis() > time);
          execute(connection, "UPSERT INTO " + table + " VALUES (1, 20, 2)");
          String delete = "DELETE FROM " + table + " WHERE " + condition;
          try (Connection past =
              connect(
                  Map.of(
                      PhoenixRuntime.CURRENT_SCN_ATTRIB,
                      Long.toString(time),
                      PruningOptions.PATCHES,
                      isPatched ? "all" : "all,-" + Patch.PAST_DELETE.id()))) {
            past.setAutoCommit(true);
            if (isIndexed && isPatched) {
              assertThatThrownBy(() -> execute(past, delete))
                  .as(delete)
                  .isInstanceOf(SQLException.class)
                  .hasMessageContaining("ERROR 903 (43M14)");
            } else {
              execute(past, delete);
            }
          }
          assertThat(rows(connection, "SELECT K, V FROM " + table))
              .as("%s, index: %s, patch: %s", delete, isIndexed, isPatched)
              .isEqualTo(isIndexed && !isPatched ? List.of() : List.of(row(1, 20)));
        }
      }
    }
  }
}

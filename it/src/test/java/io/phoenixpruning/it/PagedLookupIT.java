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

import io.phoenixpruning.it.differential.PatchSwitch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.QueryServices;
import org.junit.Test;

/**
 * Reads a local index that includes a column, looks up another column, and ends a page after each
 * row. Without the patch, Phoenix fails.
 */
public class PagedLookupIT extends ClusterTest {

  /** Number of bytes of a column's number. With 0, columns have names. */
  private static final List<Integer> ENCODED_BYTES = List.of(0, 1, 2);

  private static final List<String> QUERIES =
      List.of(
          "SUM(N), SUM(B) FROM %s T WHERE V = 1",
          "V, SUM(N), MAX(B) FROM %s T WHERE V < 3 GROUP BY V",
          "B, COUNT(N) FROM %s T WHERE V < 3 GROUP BY B",
          "K, N, B FROM %s T WHERE V = 1",
          "K, N, B FROM %s T WHERE V = 1 ORDER BY B DESC, K",
          "K, N, B FROM %s T WHERE V < 3 AND B > 4 ORDER BY N, K LIMIT 5",
          "T.K, T.N, T.B, U.B FROM %1$s T JOIN %1$s U ON T.N = U.K WHERE T.V = 1"
              + " ORDER BY U.B, T.K LIMIT 6");

  @Test
  public void readsTheSameRowsInPages() throws Exception {
    for (int bytes : ENCODED_BYTES) {
      String table = "PAGED_" + bytes;
      fill(table, bytes);
      for (String query : QUERIES) {
        String sql = "SELECT /*+ INDEX(T I_%s) */ ".formatted(table) + query.formatted(table);
        assertThat(paged(sql)).as(sql).isEqualTo(whole(sql)).isNotEmpty();
      }
    }
    String sql = "SELECT /*+ INDEX(T I_PAGED_2) */ " + QUERIES.get(0).formatted("PAGED_2");
    PatchSwitch.switchPatchesOfJvm(patch -> patch != Patch.PAGED_LOOKUP && !patch.isOptIn());
    try {
      assertThatThrownBy(() -> paged(sql)).hasMessageContaining("qualifier bytes");
    } finally {
      PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
    }
  }

  private static void fill(String table, int bytes) throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      execute(
          connection,
          """
          CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, N INTEGER, B INTEGER)
              COLUMN_ENCODED_BYTES = %d SPLIT ON (10, 20)
          """
              .formatted(table, bytes),
          "CREATE LOCAL INDEX I_%1$s ON %1$s (V) INCLUDE (N)".formatted(table));
      for (int k = 0; k < 30; k++) {
        execute(
            connection,
            "UPSERT INTO %s VALUES (%d, %d, %d, %d)".formatted(table, k, k % 5, 29 - k, k % 7));
      }
      connection.commit();
    }
  }

  private static List<List<Object>> paged(String sql) throws SQLException {
    try (Connection connection = connect(Map.of(QueryServices.PHOENIX_SERVER_PAGE_SIZE_MS, "0"))) {
      return rows(connection, sql);
    }
  }

  private static List<List<Object>> whole(String sql) throws SQLException {
    try (Connection connection = connect(PruningMode.EXACT)) {
      return rows(connection, sql);
    }
  }
}

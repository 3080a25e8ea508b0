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
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.jdbc.PhoenixTestDriver;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.QueryServices;
import org.junit.Test;

/** Tests UPSERT SELECT of a table into itself, along an index on the column that it changes. */
public class RepeatedUpsertIT extends ClusterTest {

  private static final int ROWS = 3000;

  /**
   * Distance by which the statement moves a row in the index. It is about the length of one scan
   * (450 rows), so that a later scan reads the row again. A scan writes after each 100 rows.
   */
  private static final int MOVE = 500;

  @Test
  public void changesEachRowOnce() throws SQLException {
    // Runs one scan at a time, so that the other scans are opened after the first one has written.
    PhoenixTestDriver client = driver(Map.of(QueryServices.THREAD_POOL_SIZE_ATTRIB, "1"));
    try (Connection exact = connect(client, Map.of());
        Connection without = connect(client, allBut(Patch.REPEATED_UPSERT))) {
      String table = createTable(exact);
      for (int i = 0; i < 3; i++) {
        assertThat(growth(exact, table)).as("statement %s", i).isEqualTo((long) MOVE * ROWS);
      }
      assertThat(growth(without, createTable(exact)))
          .as("without the patch")
          .isGreaterThan((long) MOVE * ROWS);
    } finally {
      client.close();
    }
  }

  private static String createTable(Connection connection) throws SQLException {
    String table = generateUniqueName();
    execute(
        connection,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER) GUIDE_POSTS_WIDTH = 20000"
            .formatted(table),
        "CREATE LOCAL INDEX I_%1$s ON %1$s (V)".formatted(table));
    try (PreparedStatement upsert =
        connection.prepareStatement("UPSERT INTO %s VALUES (?, ?)".formatted(table))) {
      for (int k = 1; k <= ROWS; k++) {
        upsert.setInt(1, k);
        upsert.setInt(2, k);
        upsert.execute();
      }
    }
    connection.commit();
    execute(connection, "UPDATE STATISTICS " + table);
    return table;
  }

  /** Returns the difference between the sums of the column after and before the statement. */
  private static long growth(Connection connection, String table) throws SQLException {
    long before = sum(connection, table);
    connection.setAutoCommit(true);
    String upsert =
        "UPSERT INTO %1$s (K, V) SELECT /*+ INDEX(%1$s I_%1$s) */ K, V + %2$d FROM %1$s WHERE V > 0"
            .formatted(table, MOVE);
    List<String> plan = explain(connection, upsert);
    assertThat(plan.toString()).contains("I_" + table);
    execute(connection, upsert);
    return sum(connection, table) - before;
  }

  private static long sum(Connection connection, String table) throws SQLException {
    List<Object> sum =
        rows(connection, "SELECT /*+ NO_INDEX */ COUNT(*), SUM(V) FROM " + table).get(0);
    assertThat(((Number) sum.get(0)).longValue()).isEqualTo(ROWS);
    return ((Number) sum.get(1)).longValue();
  }
}

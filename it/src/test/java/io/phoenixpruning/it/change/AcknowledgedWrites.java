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
package io.phoenixpruning.it.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Rows whose commit has returned. A fault must not remove them from the table or its index. */
final class AcknowledgedWrites {

  /** Least K2 of these rows. No other rows have a K2 of this size. */
  private static final int FIRST_KEY = 1_000_000;

  private static final int VALUE = 300;

  private final Map<ChangingTable, List<List<Long>>> keys = new ConcurrentHashMap<>();

  private int written;

  /** Writes a row. A single thread calls this method. */
  void write(ChangingTable table, Random random, Connection connection) throws SQLException {
    int k1 = random.nextInt(ChangingTable.FIRST_KEYS);
    int k2 = FIRST_KEY + written++;
    try (PreparedStatement upsert = table.upsert(connection)) {
      ChangingTable.upsert(upsert, k1, k2, VALUE, 0, 0);
    }
    connection.commit();
    keys.computeIfAbsent(table, added -> new ArrayList<>()).add(List.of((long) k1, (long) k2));
  }

  /** Fails if a row is missing, and removes the rows. */
  void check(Connection connection) throws SQLException {
    for (Map.Entry<ChangingTable, List<List<Long>>> written : keys.entrySet()) {
      ChangingTable table = written.getKey();
      for (String hint : List.of(table.hint(), "/*+ NO_INDEX */ ")) {
        String sql =
            "SELECT %sK1, K2 FROM %s WHERE V = %d".formatted(hint, table.relation(), VALUE);
        assertThat(CheckedQuery.read(connection, sql)).as(sql).containsAll(written.getValue());
      }
      try (Statement delete = connection.createStatement()) {
        delete.executeUpdate(
            "DELETE /*+ NO_INDEX */ FROM " + table.relation() + " WHERE V = " + VALUE);
      }
      connection.commit();
    }
  }
}

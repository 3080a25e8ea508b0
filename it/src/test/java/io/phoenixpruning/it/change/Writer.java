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

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Random;

/** Makes changes that must not affect the result of any checked statement. */
final class Writer {

  /**
   * K2 of the rows that are inserted and deleted. The rows of deletions are separate: their K2
   * starts at 1000.
   */
  private static final int PASSING_KEY = 60;

  private static final int PASSING_VALUE = 200;

  private final ChangingTable table;
  private final Random random;

  Writer(ChangingTable table, Random random) {
    this.table = table;
    this.random = random;
  }

  /**
   * Writes to the rows of some K1, each row in one atomic batch. Changes A and B, switches the V of
   * the moving rows, and creates or deletes other rows.
   */
  void write(Connection connection) throws SQLException {
    int from = random.nextInt(ChangingTable.FIRST_KEYS);
    int to = Math.min(ChangingTable.FIRST_KEYS, from + 1 + random.nextInt(10));
    int value = ChangingTable.MOVING + random.nextInt(2);
    try (PreparedStatement updateBalance =
            connection.prepareStatement(
                "UPSERT INTO " + table.relation() + " (K1, K2, A, B) VALUES (?, ?, ?, ?)");
        PreparedStatement move =
            connection.prepareStatement(
                "UPSERT INTO " + table.relation() + " (K1, K2, V) VALUES (?, ?, ?)");
        PreparedStatement insert = table.upsert(connection);
        PreparedStatement delete =
            connection.prepareStatement(
                "DELETE FROM " + table.relation() + " WHERE K1 = ? AND K2 = ?")) {
      for (int k1 = from; k1 < to; k1++) {
        int a = random.nextInt(ChangingTable.BALANCE + 1);
        set(
            updateBalance,
            k1,
            random.nextInt(ChangingTable.SECOND_KEYS),
            a,
            ChangingTable.BALANCE - a);
        set(move, k1, ChangingTable.MOVING_KEY, value);
        if (random.nextBoolean()) {
          ChangingTable.upsert(insert, k1, PASSING_KEY, PASSING_VALUE + random.nextInt(9), 0, 0);
        } else {
          set(delete, k1, PASSING_KEY);
        }
      }
    }
    connection.commit();
  }

  private static void set(PreparedStatement statement, int... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setInt(i + 1, values[i]);
    }
    statement.execute();
  }
}

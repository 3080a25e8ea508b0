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

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables that the tests of MapReduce jobs read. */
final class MapReduceTable {

  private MapReduceTable() {}

  /** Creates an empty table with {@code options}, such as {@code SPLIT ON (10)}. */
  static void create(Connection connection, String name, String options) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE %s (PK1 INTEGER NOT NULL, PK2 INTEGER NOT NULL, V INTEGER, W INTEGER,
            X VARCHAR
            CONSTRAINT PK PRIMARY KEY (PK1, PK2)) %s"""
              .formatted(name, options));
    }
  }

  /**
   * Writes and commits rows. Each key PK1, from 0, has 10 rows. If {@code values} is 10, their V
   * are 0 to 9.
   *
   * @param values number of different values of V
   */
  static void write(Connection connection, String name, int rows, int values) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try (PreparedStatement upsert =
        connection.prepareStatement("UPSERT INTO " + name + " VALUES (?, ?, ?, ?, ?)")) {
      for (int i = 0; i < rows; i++) {
        upsert.setInt(1, i / 10);
        upsert.setInt(2, i % 10);
        upsert.setInt(3, (i * 7 + i / 10) % values);
        upsert.setInt(4, i % 7);
        upsert.setString(5, "x" + i);
        upsert.execute();
      }
    }
    connection.commit();
    connection.setAutoCommit(autoCommit);
  }
}

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

import io.phoenixpruning.it.change.ChangingTable.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * An UPSERT SELECT that copies the rows that match a condition into another table. Each statement
 * has its own number for its copies.
 */
final class CheckedUpsertSelect implements CheckedStatement {

  private static final String COPIES = "COPIES";

  private final ChangingTable table;
  private final RowPredicate where;
  private final int number;

  private int copied;

  CheckedUpsertSelect(ChangingTable table, RowPredicate where, int number) {
    this.table = table;
    this.where = where;
    this.number = number;
  }

  /** Creates the table of copies. */
  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE %s (N INTEGER NOT NULL, K1 INTEGER NOT NULL, K2 INTEGER NOT NULL,
            V INTEGER
            CONSTRAINT PK PRIMARY KEY (N, K1, K2))"""
              .formatted(COPIES));
    }
  }

  private String sql() {
    // Phoenix ignores a hint after SELECT.
    return "UPSERT %sINTO %s SELECT %d, K1, K2, V FROM %s WHERE %s"
        .formatted(table.hint(), COPIES, number, table.relation(), where.sql());
  }

  @Override
  public void run(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      copied = statement.executeUpdate(sql());
    }
  }

  @Override
  public void checkWritten(Connection connection, Outcome outcome) throws SQLException {
    List<List<Long>> expected = where.rows().stream().map(CheckedUpsertSelect::copyOf).toList();
    List<List<Long>> actual =
        CheckedQuery.read(connection, "SELECT K1, K2, V FROM " + COPIES + " WHERE N = " + number);
    if (outcome == Outcome.FAILED) {
      assertThat(actual).as("failed: %s", sql()).isSubsetOf(expected);
    } else {
      assertThat(actual).as(sql()).isEqualTo(expected);
    }
    if (outcome == Outcome.DONE) {
      assertThat(copied).as("counted by %s", sql()).isEqualTo(expected.size());
    }
  }

  private static List<Long> copyOf(Row row) {
    return List.of((long) row.k1(), (long) row.k2(), (long) row.v());
  }

  @Override
  public String toString() {
    return sql();
  }
}

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
import java.util.List;
import java.util.stream.LongStream;

/**
 * A DELETE of the rows in a range of K1. The statement deletes only rows that {@link #prepare} has
 * written, with a V that no other row has.
 */
final class CheckedDelete implements CheckedStatement {

  private final ChangingTable table;
  private final int v;
  private final int from;
  private final int to;

  private int deleted;

  CheckedDelete(ChangingTable table, int v, int from, int to) {
    this.table = table;
    this.v = v;
    this.from = from;
    this.to = to;
  }

  private String sql() {
    return "DELETE %sFROM %s WHERE V = %d AND K1 BETWEEN %d AND %d"
        .formatted(table.hint(), table.relation(), v, from, to);
  }

  @Override
  public void prepare(Connection connection) throws SQLException {
    try (PreparedStatement upsert = table.upsert(connection)) {
      for (int k1 = 0; k1 < ChangingTable.FIRST_KEYS; k1++) {
        ChangingTable.upsert(upsert, k1, v, v, 0, 0);
      }
    }
    connection.commit();
  }

  @Override
  public void run(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      deleted = statement.executeUpdate(sql());
    }
  }

  @Override
  public void checkWritten(Connection connection, Outcome outcome) throws SQLException {
    List<Long> all = LongStream.range(0, ChangingTable.FIRST_KEYS).boxed().toList();
    List<Long> remaining = all.stream().filter(k1 -> k1 < from || k1 > to).toList();
    for (String hint : List.of(table.hint(), "/*+ NO_INDEX */ ")) {
      List<Long> actual =
          CheckedQuery.read(
                  connection,
                  "SELECT %sK1 FROM %s WHERE V = %d ORDER BY K1"
                      .formatted(hint, table.relation(), v))
              .stream()
              .map(row -> row.get(0))
              .toList();
      if (outcome == Outcome.FAILED) {
        assertThat(actual).as("%s, failed: %s", hint, sql()).isSubsetOf(all).containsAll(remaining);
      } else {
        assertThat(actual).as("%s: %s", hint, sql()).isEqualTo(remaining);
      }
    }
    if (outcome == Outcome.DONE) {
      assertThat(deleted).as("counted by %s", sql()).isEqualTo(to - from + 1);
    }
    // Keeps the table from growing.
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "DELETE /*+ NO_INDEX */ FROM " + table.relation() + " WHERE K2 = " + v);
    }
    connection.commit();
  }

  @Override
  public String toString() {
    return sql();
  }
}

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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A query of integer columns whose rows are known. */
record CheckedQuery(String sql, Rows rows, List<List<Long>> expected, int limit)
    implements CheckedStatement {

  /** Relation of the actual rows to the expected rows. */
  enum Rows {
    IN_ORDER,
    IN_ANY_ORDER,
    /** Any subset of the expected rows, of the size that the limit determines. */
    SOME
  }

  /**
   * Number of rows fetched at a time; small, so that a scan needs several calls to its region
   * server.
   */
  private static final int FETCH_SIZE = 3;

  @Override
  public boolean opensScansLate() {
    return sql.contains(" LIMIT ");
  }

  @Override
  public void run(Connection connection) throws SQLException {
    List<List<Long>> actual = read(connection, sql);
    switch (rows) {
      case IN_ORDER -> assertThat(actual).as(sql).isEqualTo(expected);
      case IN_ANY_ORDER -> assertThat(actual).as(sql).containsExactlyInAnyOrderElementsOf(expected);
      case SOME ->
          assertThat(actual)
              .as(sql)
              .isSubsetOf(expected)
              .doesNotHaveDuplicates()
              .hasSize(Math.min(limit, expected.size()));
    }
  }

  static List<List<Long>> read(Connection connection, String sql) throws SQLException {
    List<List<Long>> read = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCH_SIZE);
      try (ResultSet result = statement.executeQuery(sql)) {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          List<Long> row = new ArrayList<>();
          for (int i = 1; i <= columns; i++) {
            row.add(result.getLong(i));
          }
          read.add(row);
        }
      }
    }
    return read;
  }

  @Override
  public String toString() {
    return sql;
  }
}

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
import org.apache.phoenix.pruning.config.PruningMode;
import org.junit.After;
import org.junit.Before;

/**
 * Base of the tests of columns of several types. Each test creates indexes on a column, and
 * compares queries along the index with the same queries on the data table.
 */
abstract class IndexedColumnsTest extends ClusterTest {

  String table;

  /** Columns of the index that the test created last. */
  String indexed;

  Connection exact;
  Connection none;
  Connection stock;

  @Before
  public void createTable() throws Exception {
    table = generateUniqueName();
    exact = connect(PruningMode.EXACT);
    none = connect(PruningMode.NONE);
    stock = connect(PruningMode.STOCK);
    exact.setAutoCommit(true);
    execute(
        exact,
        """
        CREATE TABLE %s (K INTEGER PRIMARY KEY, S VARCHAR, C CHAR(4), N DECIMAL, T TIME,
          D DATE) SPLIT ON (5)"""
            .formatted(table));
    for (String row :
        List.of(
            "1, 'b', 'b', 20000, TO_TIME('1970-01-01 00:00:20'), DATE '2020-01-01 10:00:00'",
            "2, 'bz', 'bz', 22000, TO_TIME('1970-01-01 00:00:22'), DATE '2020-01-02 00:00:00'",
            "3, NULL, NULL, NULL, NULL, NULL",
            "6, 'b', 'b', 20000, TO_TIME('1970-01-01 00:00:20'), DATE '2020-01-03 00:00:00'",
            "7, NULL, NULL, NULL, NULL, NULL")) {
      execute(exact, "UPSERT INTO " + table + " VALUES (" + row + ")");
    }
  }

  @After
  public void disconnect() throws SQLException {
    exact.close();
    none.close();
    stock.close();
  }

  void createIndex(String column) throws SQLException {
    indexed = column;
    execute(exact, "CREATE LOCAL INDEX I_" + table + " ON " + table + " (" + column + ")");
  }

  /** Returns the query along the index. In {@code select}, {@code $T} stands for the table. */
  String withIndexHint(String select) {
    return "SELECT /*+ INDEX(" + table + " I_" + table + ") */ " + select.replace("$T", table);
  }

  void assertThatRowsAreRight(String select) throws SQLException {
    List<List<Object>> expected =
        rows(exact, "SELECT /*+ NO_INDEX */ " + select.replace("$T", table));
    String what = select + " along (" + indexed + ")";
    assertThat(expected).as(what).isNotEmpty();
    for (Connection connection : List.of(exact, none)) {
      assertThat(explain(connection, withIndexHint(select)).toString())
          .as(what)
          .contains("OVER I_" + table);
      assertThat(rows(connection, withIndexHint(select))).as(what).isEqualTo(expected);
    }
  }
}

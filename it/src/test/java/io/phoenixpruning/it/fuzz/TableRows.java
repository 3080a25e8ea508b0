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
package io.phoenixpruning.it.fuzz;

import io.phoenixpruning.it.fuzz.RandomTable.Relation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.phoenix.pruning.config.PruningMode;

/** Writes, reads and restores the rows of a table on a cluster. */
final class TableRows {

  private final QueriedTable deployed;
  private final RandomTable table;

  /**
   * @param table the table with its rows
   */
  TableRows(QueriedTable deployed, RandomTable table) {
    this.deployed = deployed;
    this.table = table;
  }

  /** Writes all rows, and collects statistics if the table has them. */
  void write() throws SQLException {
    upsertRows(table.rows());
    Relation partners = table.partnerRelation();
    upsert(partners, partners.rows());
    if (table.statistics()) {
      deployed.execute(
          deployed.connection(PruningMode.EXACT, false), List.of("UPDATE STATISTICS $T"));
    }
  }

  /**
   * Writes rows. Rows of a view are written through the view, because Phoenix maintains the view's
   * index only then.
   */
  private void upsertRows(List<List<Object>> rows) throws SQLException {
    for (Relation relation : table.relations()) {
      // A tenant's view lacks the first column.
      int from = table.columns().size() - relation.columns().size();
      upsert(
          relation,
          rows.stream()
              .filter(row -> table.writtenThrough(row).equals(relation.name()))
              .map(row -> row.subList(from, row.size()))
              .toList());
    }
  }

  private void upsert(Relation relation, List<List<Object>> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    Connection connection = deployed.connection(PruningMode.EXACT, relation.ofTenant());
    List<Column> columns = relation.columns();
    String names = columns.stream().map(Column::name).collect(Collectors.joining(", "));
    String holes = columns.stream().map(column -> "?").collect(Collectors.joining(", "));
    try (PreparedStatement upsert =
        connection.prepareStatement(
            deployed.name(
                "UPSERT INTO " + relation.name() + " (" + names + ") VALUES (" + holes + ")"))) {
      for (List<Object> row : rows) {
        for (int i = 0; i < row.size(); i++) {
          upsert.setObject(i + 1, columns.get(i).type().toJdbc(row.get(i)));
        }
        upsert.execute();
      }
      connection.commit();
    }
  }

  /** Restores the rows of the table, which now has the rows {@code content}. */
  void restore(List<List<Object>> content) throws SQLException {
    List<List<Object>> lost = new ArrayList<>(table.rows());
    lost.removeAll(content);
    if (content.size() + lost.size() > table.rows().size()) {
      // Some rows have other keys or other values. Rows with other keys have to be deleted, so all
      // rows are deleted.
      Connection connection = deployed.connection(PruningMode.NONE, false);
      deployed.execute(connection, List.of("DELETE /*+ NO_INDEX */ FROM $T"));
      connection.commit();
      lost = table.rows();
    }
    nextMillisecond();
    upsertRows(lost);
  }

  /**
   * Waits for the next millisecond, because a row cannot be written in the millisecond in which it
   * was deleted.
   */
  private static void nextMillisecond() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() == now) {
      Thread.onSpinWait();
    }
  }

  /** Returns the rows of the table, without any index. */
  List<List<Object>> all() throws SQLException {
    String names = table.columns().stream().map(Column::name).collect(Collectors.joining(", "));
    try (Statement statement = deployed.connection(PruningMode.NONE, false).createStatement();
        ResultSet result =
            statement.executeQuery(deployed.name("SELECT /*+ NO_INDEX */ " + names + " FROM $T"))) {
      return read(result);
    }
  }

  /** Reads the rows of a result. */
  static List<List<Object>> read(ResultSet result) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      List<Object> row = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        row.add(ValueType.fromJdbc(result.getObject(i)));
      }
      rows.add(row);
    }
    return rows;
  }
}

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
package io.phoenixpruning.cli.explain;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.sql.Statement;
import org.apache.phoenix.parse.BindableStatement;
import org.apache.phoenix.parse.SQLParser;
import org.apache.phoenix.parse.SelectStatement;

/** Evaluates a statement's parameter values: SQL constants such as {@code 25, 'x'}. */
final class BindValues {

  private BindValues() {}

  /**
   * Evaluates constants in this process.
   *
   * @throws SQLException if {@code constants} has anything but constants
   */
  static Object[] evaluate(Connection connection, String constants) throws SQLException {
    String sql = "SELECT " + constants;
    BindableStatement parsed = new SQLParser(sql).parseStatement();
    if (!(parsed instanceof SelectStatement select) || select.getFrom() != null) {
      throw new SQLSyntaxErrorException("they are not constants");
    }
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      Object[] values = new Object[result.getMetaData().getColumnCount()];
      for (int i = 0; i < values.length; i++) {
        values[i] = result.getObject(i + 1);
      }
      return values;
    }
  }
}

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
package org.apache.phoenix.pruning.explain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.apache.phoenix.compile.DeleteCompiler.MultiRowDeleteMutationPlan;
import org.apache.phoenix.compile.MutationPlan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementPlan;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.parse.BindableStatement;
import org.apache.phoenix.parse.DeleteStatement;
import org.apache.phoenix.parse.SQLParser;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.parse.UpsertStatement;
import org.jspecify.annotations.Nullable;

/** Plans a statement as its connection would run it. No part of the statement is executed. */
final class StatementCompiler {

  /** Reads a plan while its statement is open. */
  interface Reader<T> {

    /**
     * Reads a plan.
     *
     * @param query the plan that reads rows, or null if the statement reads no rows
     */
    T read(StatementPlan plan, @Nullable QueryPlan query) throws SQLException;
  }

  private StatementCompiler() {}

  /**
   * Returns the result of {@code reader} for the plan of {@code sql}.
   *
   * @param sql a SELECT, an UPSERT or a DELETE
   * @param binds the values of the parameters, in order
   * @throws SQLException if {@code sql} is a statement of another kind, or if Phoenix refuses it
   */
  static <T> T compile(Connection connection, String sql, Object[] binds, Reader<T> reader)
      throws SQLException {
    BindableStatement parsed = new SQLParser(sql).parseStatement();
    boolean isQuery = parsed instanceof SelectStatement;
    if (!isQuery && !(parsed instanceof UpsertStatement) && !(parsed instanceof DeleteStatement)) {
      throw new SQLExceptionInfo.Builder(SQLExceptionCode.ILLEGAL_DATA)
          .setMessage(
              "The statement has no plan. Expected SELECT, UPSERT or DELETE without EXPLAIN")
          .build()
          .buildException();
    }
    if (parsed.getBindCount() != binds.length) {
      throw new SQLExceptionInfo.Builder(SQLExceptionCode.ILLEGAL_DATA)
          .setMessage(
              "Expected one value for each parameter. Parameters: "
                  + parsed.getBindCount()
                  + ", values: "
                  + binds.length)
          .build()
          .buildException();
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < binds.length; i++) {
        statement.setObject(i + 1, binds[i]);
      }
      PhoenixPreparedStatement phoenixStatement = statement.unwrap(PhoenixPreparedStatement.class);
      if (isQuery) {
        QueryPlan plan = phoenixStatement.optimizeQuery();
        return reader.read(plan, plan);
      }
      MutationPlan plan = phoenixStatement.compileMutation();
      // A DELETE by row keys does not read the rows first.
      return reader.read(
          plan, plan instanceof MultiRowDeleteMutationPlan ? null : plan.getQueryPlan());
    }
  }
}

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

/** A statement that is planned as a connection would run it, and is not run, nor any part of it. */
final class CompiledStatement {

  /** Looks at a plan while its statement is open. */
  interface Reader<T> {

    /**
     * Looks at a plan.
     *
     * @param query what reads rows; null if nothing does
     */
    T read(StatementPlan plan, QueryPlan query) throws SQLException;
  }

  private CompiledStatement() {}

  /**
   * What {@code reader} makes of the plan of {@code sql}.
   *
   * @param sql a SELECT, an UPSERT or a DELETE
   * @param binds the values of its parameters, in their order
   * @throws SQLException if it is another statement, or Phoenix refuses it
   */
  static <T> T with(Connection connection, String sql, Object[] binds, Reader<T> reader)
      throws SQLException {
    BindableStatement parsed = new SQLParser(sql).parseStatement();
    boolean isQuery = parsed instanceof SelectStatement;
    if (!isQuery && !(parsed instanceof UpsertStatement) && !(parsed instanceof DeleteStatement)) {
      throw new SQLExceptionInfo.Builder(SQLExceptionCode.ILLEGAL_DATA)
          .setMessage("Only a SELECT, an UPSERT or a DELETE has a plan. Leave EXPLAIN out")
          .build()
          .buildException();
    }
    if (parsed.getBindCount() != binds.length) {
      throw new SQLExceptionInfo.Builder(SQLExceptionCode.ILLEGAL_DATA)
          .setMessage(
              "The statement has "
                  + parsed.getBindCount()
                  + " parameters, but there are "
                  + binds.length
                  + " values for them")
          .build()
          .buildException();
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < binds.length; i++) {
        statement.setObject(i + 1, binds[i]);
      }
      PhoenixPreparedStatement phoenix = statement.unwrap(PhoenixPreparedStatement.class);
      if (isQuery) {
        QueryPlan plan = phoenix.optimizeQuery();
        return reader.read(plan, plan);
      }
      MutationPlan plan = phoenix.compileMutation();
      // Rows that are deleted by their keys are not read before.
      return reader.read(
          plan, plan instanceof MultiRowDeleteMutationPlan ? null : plan.getQueryPlan());
    }
  }
}

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
package io.phoenixpruning.assertions;

import java.sql.Connection;
import java.sql.SQLException;
import org.apache.phoenix.pruning.explain.PlanSummary;

/** Entry point for assertions on the plans of statements. No statement is run. */
public final class PlanAssertions {

  private PlanAssertions() {}

  /**
   * Plans {@code sql} as {@code connection} would run it, and returns assertions on the plan.
   *
   * @param connection Phoenix connection with the drop-in client jar, or a connectionless one
   * @param sql a SELECT, an UPSERT or a DELETE
   * @param binds values of the parameters, in order
   * @throws SQLException if Phoenix refuses the statement
   */
  public static PlanAssert assertThatPlan(Connection connection, String sql, Object... binds)
      throws SQLException {
    return new PlanAssert(PlanSummary.of(connection, sql, binds)).as("%s", sql);
  }
}

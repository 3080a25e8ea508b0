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
package org.apache.phoenix.pruning.patch.subquery;

import java.util.Objects;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Distinguishes subqueries that differ only in the parts of a UNION ALL, or in their OFFSET. {@code
 * StatementContext} keeps the results of subqueries by their statements. Phoenix's {@code
 * SelectStatement.equals} ignores the parts and the OFFSET, so both subqueries get one result (not
 * reported).
 *
 * <p>Example: {@code A = ANY (SELECT K FROM D UNION ALL SELECT A FROM D) OR A = ANY (SELECT K FROM
 * D UNION ALL SELECT A FROM E)} loses rows.
 */
public aspect SubqueryResultAspect {

  boolean around(SelectStatement statement, Object other) :
      execution(boolean SelectStatement.equals(Object))
      && this(statement)
      && args(other) {
    return proceed(statement, other)
        && (statement == other
            || !Patches.isOn(Patch.SUBQUERY_RESULT)
            || haveSameRows(statement, (SelectStatement) other));
  }

  private static boolean haveSameRows(SelectStatement statement, SelectStatement other) {
    return Objects.equals(statement.getOffset(), other.getOffset())
        && statement.getSelects().equals(other.getSelects());
  }
}

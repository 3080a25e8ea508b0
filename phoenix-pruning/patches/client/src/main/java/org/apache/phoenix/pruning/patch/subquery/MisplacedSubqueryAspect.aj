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

import java.sql.SQLException;
import org.apache.phoenix.compile.QueryCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Refuses a subquery outside conditions. Phoenix's {@code QueryCompiler} runs only the subqueries
 * of WHERE, HAVING and ON. A subquery in SELECT, GROUP BY or ORDER BY never runs, and counts as
 * null (not reported).
 *
 * <p>Example: {@code SELECT CASE WHEN EXISTS (SELECT 1 FROM D) THEN 1 ELSE 0 END FROM T} returns 0
 * although D has rows.
 */
public privileged aspect MisplacedSubqueryAspect {

  before(QueryCompiler compiler, SelectStatement select) throws SQLException :
      execution(QueryPlan QueryCompiler.compileSelect(SelectStatement))
      && this(compiler)
      && args(select) {
    if (MisplacedSubqueries.areIn(select)
        && Patches.isOn(Patch.MISPLACED_SUBQUERY, compiler.statement.getConnection())) {
      throw MisplacedSubqueries.unsupported();
    }
  }
}

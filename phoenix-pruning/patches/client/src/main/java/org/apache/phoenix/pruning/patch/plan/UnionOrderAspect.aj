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
package org.apache.phoenix.pruning.patch.plan;

import java.sql.SQLException;
import org.apache.phoenix.compile.QueryCompiler;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.parse.SelectStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Sorts each part of a UNION ALL by its own columns. Phoenix's {@code QueryCompiler} adds the ORDER
 * BY of the UNION ALL to each part. In a part, a name can stand for another column, or for none
 * (not reported).
 *
 * <p>Example: {@code SELECT ID K FROM T UNION ALL SELECT TS FROM D ORDER BY K LIMIT 1} sorts D by
 * its column K.
 */
public privileged aspect UnionOrderAspect {

  QueryPlan around(QueryCompiler compiler, SelectStatement part) throws SQLException :
      call(QueryPlan QueryCompiler.compileSubquery(SelectStatement, boolean))
      && withincode(QueryPlan QueryCompiler.compileUnionAll(SelectStatement))
      && this(compiler)
      && args(part, ..) {
    PhoenixConnection connection = compiler.statement.getConnection();
    return proceed(
        compiler,
        !part.getOrderBy().isEmpty() && Patches.isOn(Patch.UNION_ORDER, connection)
            ? UnionOrder.ofPart(part, compiler.select, connection)
            : part);
  }
}

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
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.schema.types.PBoolean;

/** Comparisons with the nulls of a subquery, for the patch {@code subquery-null}. */
public final class SubqueryNulls {

  private SubqueryNulls() {}

  public static Object[] withoutNulls(Object[] values) {
    return Arrays.stream(values).filter(Objects::nonNull).toArray();
  }

  /**
   * Adds a comparison with null, which is null, to the comparisons with the other values. So ANY is
   * never false, and ALL is never true.
   */
  public static Expression withNull(Expression comparison, boolean isAll) throws SQLException {
    List<Expression> both =
        Arrays.asList(comparison, LiteralExpression.newConstant(null, PBoolean.INSTANCE));
    return isAll ? new AndExpression(both) : new OrExpression(both);
  }
}

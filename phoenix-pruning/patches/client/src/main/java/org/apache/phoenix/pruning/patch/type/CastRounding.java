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
package org.apache.phoenix.pruning.patch.type;

import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.function.RoundDecimalExpression;
import org.apache.phoenix.expression.function.RoundTimestampExpression;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PDate;
import org.apache.phoenix.schema.types.PDecimal;
import org.apache.phoenix.schema.types.PLong;
import org.apache.phoenix.schema.types.PTimestamp;
import org.apache.phoenix.schema.types.PUnsignedTimestamp;

/** Rounds the values of a CAST to a type with fewer digits, as Phoenix does in a data table. */
public final class CastRounding {

  private CastRounding() {}

  /** Returns {@code child}, rounded if its type has fractions and {@code target} has none. */
  public static Expression round(Expression child, PDataType<?> target) throws SQLException {
    PDataType<?> from = child.getDataType();
    boolean isTimestamp = from == PTimestamp.INSTANCE || from == PUnsignedTimestamp.INSTANCE;
    if (from == target || (!isTimestamp && from != PDecimal.INSTANCE)) {
      return child;
    }
    List<Expression> children = Collections.singletonList(child);
    if (target.isCoercibleTo(PLong.INSTANCE)) {
      return RoundDecimalExpression.create(children);
    }
    return from != PTimestamp.INSTANCE && target.isCoercibleTo(PDate.INSTANCE)
        ? RoundTimestampExpression.create(children)
        : child;
  }
}

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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.phoenix.compile.GroupByCompiler.GroupBy;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.expression.CoerceExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.util.IndexUtil;

/** Keys of groups by expressions of type CHAR or BINARY whose length is unknown. */
public final class GroupKeys {

  private GroupKeys() {}

  /**
   * Tests if any of {@code expressions} has values of different lengths and a type of fixed width.
   */
  public static boolean haveUnknownLength(List<Expression> expressions) {
    // Without a stream or an iterator, because each compiled statement runs this.
    for (int i = 0; i < expressions.size(); i++) {
      if (hasUnknownLength(expressions.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasUnknownLength(Expression expression) {
    PDataType<?> type = expression.getDataType();
    return type != null
        && type.isFixedWidth()
        && type.getByteSize() == null
        && expression.getMaxLength() == null;
  }

  /**
   * Returns groups by {@code expressions}, in any order. The key of a group has a VARCHAR or a
   * VARBINARY for each expression of unknown length.
   *
   * @throws SQLException if two values have to be the last one of the key, as in Phoenix
   */
  public static GroupBy of(List<Expression> expressions) throws SQLException {
    List<Expression> ordered = new ArrayList<>(expressions);
    ordered.sort(Comparator.comparing(GroupKeys::isLastOfKey));
    int last = ordered.size() - 1;
    if (last > 0 && isLastOfKey(ordered.get(last - 1))) {
      throw new SQLExceptionInfo.Builder(SQLExceptionCode.UNSUPPORTED_GROUP_BY_EXPRESSIONS)
          .setMessage(ordered.get(last).toString())
          .build()
          .buildException();
    }
    List<Expression> keys = new ArrayList<>();
    for (int i = 0; i <= last; i++) {
      Expression expression = ordered.get(i);
      boolean isUnchanged = i == last && !hasUnknownLength(expression);
      keys.add(isUnchanged ? expression : key(expression));
    }
    return new GroupBy.GroupByBuilder().setExpressions(ordered).setKeyExpressions(keys).build();
  }

  private static boolean isLastOfKey(Expression expression) {
    PDataType<?> type = keyType(expression);
    return type.isArrayType() || type == PVarbinary.INSTANCE;
  }

  private static PDataType<?> keyType(Expression expression) {
    return IndexUtil.getIndexColumnDataType(
        expression.isNullable() || hasUnknownLength(expression), expression.getDataType());
  }

  private static Expression key(Expression expression) throws SQLException {
    return hasUnknownLength(expression)
            && expression.getDataType() != PBinary.INSTANCE
            && expression.getSortOrder() == SortOrder.ASC
        ? Unpadded.of(expression)
        : CoerceExpression.create(expression, keyType(expression));
  }
}

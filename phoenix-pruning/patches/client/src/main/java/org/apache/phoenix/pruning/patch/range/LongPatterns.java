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
package org.apache.phoenix.pruning.patch.range;

import org.apache.phoenix.expression.ColumnExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LikeExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PVarchar;

/** Decides which patterns of LIKE are too long for a column. */
public final class LongPatterns {

  private LongPatterns() {}

  /**
   * Returns true if no value of {@code text} can match {@code pattern}, because the characters
   * before the first wildcard are more than a value can have. Returns false for all texts that are
   * no column of a type with a length, and for patterns that are no literal.
   */
  public static boolean isTooLong(Expression pattern, Expression text) {
    if (!(text instanceof ColumnExpression)
        || !(pattern instanceof LiteralExpression)
        || (text.getDataType() != PVarchar.INSTANCE && text.getDataType() != PChar.INSTANCE)) {
      return false;
    }
    Integer length = text.getMaxLength();
    Object value = ((LiteralExpression) pattern).getValue();
    if (length == null || !(value instanceof String)) {
      return false;
    }
    String characters = (String) value;
    int wildcard = LikeExpression.indexOfWildcard(characters);
    return wildcard >= 0
        && LikeExpression.unescapeLike(characters.substring(0, wildcard)).length() > length;
  }
}

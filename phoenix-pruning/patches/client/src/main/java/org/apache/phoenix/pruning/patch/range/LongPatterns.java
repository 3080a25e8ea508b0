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
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.function.SubstrFunction;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.StringUtil;

/** Decides which patterns of LIKE are too long for a text. */
public final class LongPatterns {

  private LongPatterns() {}

  /**
   * Returns true if no value of {@code text} can match {@code pattern}, because there are more
   * characters before the first wildcard than a value can have. Returns false if {@code text} is
   * not a column or SUBSTR with a length, or if {@code pattern} is not a literal.
   *
   * <p>Phoenix would compute a key range of SUBSTR that ignores its length. Values of other
   * functions can be longer than Phoenix states: UPPER of a German sharp s has two characters.
   */
  public static boolean isTooLong(Expression pattern, Expression text) {
    if (!(text instanceof ColumnExpression || text instanceof SubstrFunction)
        || !(pattern instanceof LiteralExpression)
        || (text.getDataType() != PVarchar.INSTANCE && text.getDataType() != PChar.INSTANCE)) {
      return false;
    }
    Integer length = text.getMaxLength();
    Object value = ((LiteralExpression) pattern).getValue();
    if (length == null || !(value instanceof String)) {
      return false;
    }
    return lengthBeforeWildcard((String) value) > length;
  }

  /**
   * Returns the number of characters before the first wildcard, without the backslashes that escape
   * them. Returns 0 if there is no wildcard.
   */
  private static int lengthBeforeWildcard(String pattern) {
    int length = 0;
    for (int i = 0; i < pattern.length(); i = pattern.offsetByCodePoints(i, 1)) {
      char c = pattern.charAt(i);
      if (c == StringUtil.MULTI_CHAR_LIKE || c == StringUtil.SINGLE_CHAR_LIKE) {
        return length;
      }
      if (c == '\\' && i + 1 < pattern.length()) {
        i++;
      }
      length++;
    }
    return 0;
  }
}

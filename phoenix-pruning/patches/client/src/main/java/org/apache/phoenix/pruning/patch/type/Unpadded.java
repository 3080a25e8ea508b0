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
import java.util.Arrays;
import org.apache.phoenix.expression.Determinism;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.function.CoalesceFunction;
import org.apache.phoenix.expression.function.StringBasedRegexpReplaceFunction;
import org.apache.phoenix.expression.function.SubstrFunction;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;

/** Texts without the blanks at their end, with which Phoenix pads a CHAR. */
public final class Unpadded {

  private static final String BLANKS_AT_THE_END = " +\\z";

  private Unpadded() {}

  /**
   * Returns a VARCHAR expression with the value of the ascending {@code text}, without the blanks
   * at its end. A value that has only blanks becomes one blank, because Phoenix takes an empty text
   * for null. Uses functions that each server of Phoenix has. RTRIM would also remove control
   * characters.
   */
  public static Expression of(Expression text) {
    try {
      Expression one = LiteralExpression.newConstant(1, PInteger.INSTANCE, Determinism.ALWAYS);
      return new CoalesceFunction(
          Arrays.asList(
              new StringBasedRegexpReplaceFunction(
                  Arrays.asList(
                      text,
                      LiteralExpression.newConstant(
                          BLANKS_AT_THE_END, PVarchar.INSTANCE, Determinism.ALWAYS),
                      LiteralExpression.newConstant(null, PVarchar.INSTANCE, Determinism.ALWAYS))),
              new SubstrFunction(Arrays.asList(text, one, one))));
    } catch (SQLException e) {
      throw new IllegalStateException("Phoenix refuses to build an expression of texts", e);
    }
  }
}

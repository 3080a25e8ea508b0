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
package org.apache.phoenix.pruning.patch.nulls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.BaseTerminalExpression;
import org.apache.phoenix.expression.CaseExpression;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.visitor.ExpressionVisitor;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.schema.types.PInteger;
import org.junit.Test;

/** Tests that a CASE starts each row without state, because Phoenix resets it before each row. */
public class CaseResetTest {

  private final Column a = new Column();
  private final Column b = new Column();

  /** A boolean column of the current row. */
  private static final class Column extends BaseTerminalExpression {

    private Boolean value;

    @Override
    public boolean evaluate(Tuple row, ImmutableBytesWritable result) {
      result.set(value == null ? new byte[0] : PBoolean.INSTANCE.toBytes(value));
      return true;
    }

    @Override
    public PDataType<?> getDataType() {
      return PBoolean.INSTANCE;
    }

    @Override
    public <T> T accept(ExpressionVisitor<T> visitor) {
      return visitor.defaultReturn(this, null);
    }
  }

  private static Expression constant(Object value) {
    return LiteralExpression.newConstant(value);
  }

  private Object next(Expression expression, Boolean valueOfA, Boolean valueOfB) {
    a.value = valueOfA;
    b.value = valueOfB;
    expression.reset();
    ImmutableBytesWritable result = new ImmutableBytesWritable();
    assertThat(expression.evaluate(null, result)).isTrue();
    return PInteger.INSTANCE.toObject(result);
  }

  @Test
  public void forgetsTheNullOfAnAnd() {
    assertForgetsNull(new AndExpression(List.of(a, b)));
  }

  @Test
  public void forgetsTheNullOfAnInnerCase() {
    Expression and = new AndExpression(List.of(a, b));
    assertForgetsNull(new CaseExpression(List.of(constant(true), and)));
  }

  private void assertForgetsNull(Expression condition) {
    Expression expression = new CaseExpression(List.of(constant(1), condition, constant(2)));
    assertThat(next(expression, true, null)).isEqualTo(2);
    assertThat(next(expression, true, true)).isEqualTo(1);
    assertThat(next(expression, null, true)).isEqualTo(2);
    assertThat(next(expression, true, true)).isEqualTo(1);
  }
}

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

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Set;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.compile.KeyPart;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.function.SubstrFunction;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PVarbinary;
import org.apache.phoenix.schema.types.PVarchar;
import org.apache.phoenix.util.ByteUtil;
import org.jspecify.annotations.Nullable;

/**
 * Creates the key ranges of comparisons of {@code SUBSTR(column, 1, n)} with a text, where the
 * column is a VARCHAR.
 *
 * <p>A text of fewer than n characters is compared with the whole value. For example, {@code
 * SUBSTR(K, 1, 3) = 'aa'} is false for {@code 'aab'}. For a longer text, only the first n
 * characters matter. For example, {@code SUBSTR(K, 1, 1) <= 'aa'} is true for {@code 'ab'}.
 *
 * <p>Phoenix creates ranges of n characters in both cases. For descending columns, Phoenix makes
 * two more mistakes. The ranges of {@code <=} and {@code >} are swapped. The range of {@code =}
 * also has values that do not begin with the text.
 */
public final class SubstringKeyPart implements KeyPart {

  private final int characters;
  private final KeyPart value;
  private final KeyPart prefix;

  /**
   * Creates a key part for {@code function}.
   *
   * @param value makes the ranges of the whole column
   * @param prefix makes the ranges of prefixes of n characters
   */
  public SubstringKeyPart(SubstrFunction function, KeyPart value, KeyPart prefix) {
    this.characters = comparedCharacters(function);
    this.value = value;
    this.prefix = prefix;
  }

  /**
   * Returns the number of characters to compare. Without a length argument, all characters are
   * compared.
   */
  private static int comparedCharacters(SubstrFunction function) {
    Object length = ((LiteralExpression) function.getChildren().get(2)).getValue();
    return length == null ? Integer.MAX_VALUE : ((Number) length).intValue();
  }

  @Override
  public KeyRange getKeyRange(CompareOperator operator, Expression constant) {
    String text = text(constant);
    if (text == null || characters < 1) {
      return prefix.getKeyRange(operator, constant);
    }
    int length = text.codePointCount(0, text.length());
    if (length < characters) {
      return value.getKeyRange(operator, constant);
    }
    boolean isLonger = length > characters;
    Expression after =
        firstAfterPrefix(
            text.substring(0, text.offsetByCodePoints(0, characters)), constant.getSortOrder());
    switch (operator) {
      case EQUAL:
        return isLonger
            ? KeyRange.EMPTY_RANGE
            : value
                .getKeyRange(CompareOperator.GREATER_OR_EQUAL, constant)
                .intersect(value.getKeyRange(CompareOperator.LESS, after));
      case LESS:
        return value.getKeyRange(operator, isLonger ? after : constant);
      case LESS_OR_EQUAL:
        return value.getKeyRange(CompareOperator.LESS, after);
      case GREATER:
        return value.getKeyRange(CompareOperator.GREATER_OR_EQUAL, after);
      case GREATER_OR_EQUAL:
        return value.getKeyRange(operator, isLonger ? after : constant);
      default:
        return prefix.getKeyRange(operator, constant);
    }
  }

  /** Returns the value of a VARCHAR, or null for SQL NULL and for other types. */
  private static @Nullable String text(Expression constant) {
    ImmutableBytesWritable bytes = new ImmutableBytesWritable();
    return constant.getDataType() == PVarchar.INSTANCE && constant.evaluate(null, bytes)
        ? (String) PVarchar.INSTANCE.toObject(bytes, constant.getSortOrder())
        : null;
  }

  /** Returns the first value that is greater than all values that begin with the prefix. */
  private static Expression firstAfterPrefix(String prefix, SortOrder order) {
    byte[] after = ByteUtil.nextKey(prefix.getBytes(StandardCharsets.UTF_8));
    try {
      return LiteralExpression.newConstant(after, PVarbinary.INSTANCE, order);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot create a VARBINARY constant", e);
    }
  }

  @Override
  public Set<Expression> getExtractNodes() {
    return prefix.getExtractNodes();
  }

  @Override
  public PColumn getColumn() {
    return prefix.getColumn();
  }

  @Override
  public PTable getTable() {
    return prefix.getTable();
  }
}

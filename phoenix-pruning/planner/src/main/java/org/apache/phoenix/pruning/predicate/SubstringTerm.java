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
package org.apache.phoenix.pruning.predicate;

import static org.apache.phoenix.pruning.predicate.ColumnTerm.ranges;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.phoenix.pruning.key.ValueBound;
import org.apache.phoenix.pruning.key.ValueRange;
import org.jspecify.annotations.Nullable;

/**
 * {@code SUBSTR(column, 1, n)} of a VARCHAR column: a prefix of the value, so never greater than
 * the value.
 *
 * <p>{@code SUBSTR(c, 1, 2) > 'abc'} implies more than {@code c > 'abc'}, namely {@code c >= 'ac'}.
 * {@code SUBSTR(c, 1, 3) > 'ab'} is true for 'abc', although stock Phoenix's key range excludes it.
 */
final class SubstringTerm implements KeyTerm {

  private final ColumnTerm column;
  private final int characters;

  SubstringTerm(ColumnTerm column, int characters) {
    this.column = column;
    this.characters = characters;
  }

  @Override
  public int column() {
    return column.column();
  }

  @Override
  public boolean isNullWithColumn() {
    return true;
  }

  @Override
  public @Nullable List<ValueRange> where(CompareOperator operator, Constant constant) {
    if (!ColumnTypes.isText(constant.type())) {
      return null;
    }
    String text = new String(constant.encoded(), StandardCharsets.UTF_8);
    int length = text.codePointCount(0, text.length());
    if (length < characters) {
      return column.where(operator, constant);
    }
    byte[] head =
        text.substring(0, text.offsetByCodePoints(0, characters)).getBytes(StandardCharsets.UTF_8);
    ValueBound before = ValueBound.before(head);
    ValueBound after = ValueBound.afterPrefix(head);
    if (length == characters) {
      return ColumnTerm.between(operator, before, after);
    }
    switch (operator) {
      case EQUAL:
        return ranges();
      case NOT_EQUAL:
        return ranges(ValueRange.NOT_NULL);
      case LESS:
      case LESS_OR_EQUAL:
        return ranges(ValueRange.below(after));
      case GREATER:
      case GREATER_OR_EQUAL:
        return ranges(ValueRange.above(after));
      default:
        return null;
    }
  }

  @Override
  public @Nullable List<ValueRange> whereStartsWith(byte[] prefix) {
    return column.whereStartsWith(prefix);
  }
}

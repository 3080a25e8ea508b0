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

import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.ValueBound;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.schema.types.PDataType;
import org.jspecify.annotations.Nullable;

/** Bounds of the values that {@link NonKeyColumns} have in the rows that satisfy a WHERE. */
public final class NonKeyBounds {

  /** Bounds of no column. */
  public static final NonKeyBounds NONE = new NonKeyBounds(NonKeyColumns.NONE, new ArrayList<>());

  private final NonKeyColumns columns;

  /** Possible values of each column. An element is null if nothing is known of its column. */
  private final List<@Nullable ValueInterval> intervals;

  private NonKeyBounds(NonKeyColumns columns, List<@Nullable ValueInterval> intervals) {
    this.columns = columns;
    this.intervals = intervals;
  }

  /** Returns the bounds of the columns in a set of rows. */
  static NonKeyBounds of(NonKeyColumns columns, KeySpace rows) {
    List<@Nullable ValueInterval> intervals = new ArrayList<>();
    boolean isKnown = false;
    for (int i = 0; i < columns.size(); i++) {
      ValueInterval interval = interval(columns.type(i), rows.valuesOfNonKey(i));
      intervals.add(interval);
      isKnown |= interval != null;
    }
    return isKnown ? new NonKeyBounds(columns, intervals) : NONE;
  }

  private static @Nullable ValueInterval interval(
      PDataType<?> type, @Nullable List<ValueRange> values) {
    if (values == null || values.isEmpty() || !ComparableValues.supports(type)) {
      return null;
    }
    ValueRange first = values.get(0);
    ValueRange last = values.get(values.size() - 1);
    if (last.isNull()) {
      return ValueInterval.NULL;
    }
    ValueRange lowest = first.isNull() ? values.get(1) : first;
    return ComparableValues.between(bytes(lowest.lower()), bytes(last.upper()), type)
        .orNull(first.isNull());
  }

  private static byte @Nullable [] bytes(@Nullable ValueBound bound) {
    return bound == null ? null : bound.bytes();
  }

  /** Returns the possible values of a column, or null if they are not known. */
  @Nullable ValueInterval of(Expression expression) {
    int index = columns.indexOf(expression);
    return index < 0 ? null : intervals.get(index);
  }
}

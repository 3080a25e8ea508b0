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

import java.util.Arrays;
import java.util.List;
import org.apache.phoenix.query.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * Combines the key ranges of one AND after the other. Phoenix calls these methods for each key
 * column, with the ranges of the column and the trailing ranges of earlier columns. Not
 * thread-safe.
 *
 * <p>In all methods, {@code position} is the position of a bound's first column in the row key.
 */
public final class RowValueAndRanges {

  /**
   * Range of all values that results from a combination of ranges. {@code
   * KeyRange.EVERYTHING_RANGE} stands for a missing condition instead.
   */
  public static final KeyRange ANYTHING = new Anything();

  /** Range of all values that is another object than {@code KeyRange.EVERYTHING_RANGE}. */
  private static final class Anything extends KeyRange {
    Anything() {
      super(UNBOUND, false, UNBOUND, false, false);
    }
  }

  private final RowValueColumns columns;

  /** Position of the key column whose ranges are being combined. */
  private int position;

  /** True while the range of a column is combined with a trailing range of earlier columns. */
  private boolean isTrailing;

  /** True if a range of the column has become smaller because of the ranges of a later column. */
  private boolean isTrimmed;

  private boolean isWider;

  public RowValueAndRanges(RowValueColumns columns) {
    this.columns = columns;
  }

  /** Starts to combine the ranges of another AND. */
  public void start() {
    isWider = false;
  }

  /** Starts to combine ranges of one column. */
  public void startColumn() {
    isTrailing = false;
  }

  /** Starts to combine a range of the column with trailing ranges of earlier columns. */
  public void startTrailing() {
    isTrailing = true;
  }

  /** Returns whether the ranges of the current AND contain keys that do not match it. */
  public boolean isWider() {
    return isWider;
  }

  /**
   * Returns the intersection of two ranges of the same column.
   *
   * @param one a range, or null if there is only {@code other}
   * @param later ranges of later columns; see {@link RowValueIntersection#intersect}
   */
  public KeyRange intersect(
      int position, @Nullable KeyRange one, KeyRange other, KeyRange[] later) {
    this.position = position;
    if (one == null) {
      return other;
    }
    if (other == ANYTHING) {
      return one;
    }
    RowValueIntersection intersection = new RowValueIntersection(columns);
    KeyRange common = intersection.intersect(position, one, other, later);
    // Phoenix keeps a range although the trailing ranges of earlier columns exclude it.
    isWider |= intersection.isWider() || (isTrailing && common == KeyRange.EMPTY_RANGE);
    return common;
  }

  /**
   * Returns the ranges of the column in a form in which their bytes can be compared. The AND is
   * wider if the ranges have different trailing ranges.
   *
   * @param later the trailing ranges of each range
   */
  public List<KeyRange> normalized(List<KeyRange> all, List<KeyRange[]> later) {
    for (int i = 1; i < later.size(); i++) {
      isWider |= !Arrays.equals(later.get(i), later.get(0));
    }
    return normalized(all);
  }

  private List<KeyRange> normalized(List<KeyRange> all) {
    if (all.size() == 1) {
      return all;
    }
    RowValueNormalizer normalizer = new RowValueNormalizer(columns);
    List<KeyRange> normalized = normalizer.toSameColumns(position, all);
    isWider |= normalizer.isWider();
    return normalized;
  }

  /** Restricts a range to keys whose column at {@code laterPosition} is in {@code laterRange}. */
  public KeyRange intersectLater(
      int position, KeyRange range, KeyRange laterRange, int laterPosition) {
    this.position = position;
    RowValueIntersection intersection = new RowValueIntersection(columns);
    KeyRange remaining = intersection.intersectLater(position, range, laterRange, laterPosition);
    isWider |= intersection.isWider() || remaining == KeyRange.EMPTY_RANGE;
    isTrimmed |= remaining != range;
    return remaining;
  }

  /**
   * Returns the ranges that remain of the column after each range of later columns was applied, in
   * a form in which their bytes can be compared.
   */
  public List<KeyRange> remaining(List<KeyRange> all) {
    isWider |= isTrimmed && all.size() > 1;
    isTrimmed = false;
    return normalized(all);
  }
}

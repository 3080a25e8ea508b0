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
package io.phoenixpruning.it.fuzz;

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;

/**
 * A set of values of one column.
 *
 * @param ranges ranges of the values that are not null
 * @param nullable whether null belongs to the set
 */
record Domain(ImmutableRangeSet<Comparable<Object>> ranges, boolean nullable) {

  static final Domain ALL = new Domain(ImmutableRangeSet.of(Range.all()), true);
  static final Domain NOT_NULL = new Domain(ImmutableRangeSet.of(Range.all()), false);
  static final Domain NULL = new Domain(ImmutableRangeSet.of(), true);

  static Domain of(RangeSet<Comparable<Object>> ranges, boolean nullable) {
    return new Domain(ImmutableRangeSet.copyOf(ranges), nullable);
  }

  static Domain of(Range<Comparable<Object>> range) {
    return new Domain(ImmutableRangeSet.of(range), false);
  }

  Domain and(Domain other) {
    TreeRangeSet<Comparable<Object>> both = TreeRangeSet.create(ranges);
    both.removeAll(other.ranges.complement());
    return of(both, nullable && other.nullable);
  }
}

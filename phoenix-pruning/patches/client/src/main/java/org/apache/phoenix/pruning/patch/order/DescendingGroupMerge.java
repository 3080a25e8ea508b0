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
package org.apache.phoenix.pruning.patch.order;

import java.util.List;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.GroupByCompiler.GroupBy;
import org.apache.phoenix.execute.AggregatePlan;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.iterate.MergeSortRowKeyResultIterator;
import org.apache.phoenix.iterate.ResultIterators;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * Merges groups that servers return in row key order. The key of each group is one descending value
 * of variable width.
 *
 * <p>In a row key, such a value is followed by a separator that is greater than all bytes of the
 * value. Therefore, {@code bz} sorts before {@code b}. The key of a group lacks this separator.
 */
public final class DescendingGroupMerge extends MergeSortRowKeyResultIterator {

  private final ImmutableBytesWritable one = new ImmutableBytesWritable();
  private final ImmutableBytesWritable other = new ImmutableBytesWritable();
  private final boolean reverse;

  /**
   * Creates a merge of the groups of several scans.
   *
   * @param iterators iterators that return groups in row key order, or in reverse order
   */
  public DescendingGroupMerge(ResultIterators iterators, boolean reverse) {
    super(iterators, 0, reverse);
    this.reverse = reverse;
  }

  /**
   * Returns whether the groups of a plan are not in the byte order of their keys. Returns false for
   * a table from before PHOENIX-2067, whose separator is zero.
   */
  public static boolean isNeededFor(AggregatePlan plan) {
    GroupBy groupBy = plan.getGroupBy();
    List<Expression> expressions = groupBy.getKeyExpressions();
    return plan.getTableRef().getTable().rowKeyOrderOptimizable()
        && groupBy.isOrderPreserving()
        && expressions.size() == 1
        && expressions.get(0).getSortOrder() == SortOrder.DESC
        && !expressions.get(0).getDataType().isFixedWidth();
  }

  /**
   * Returns whether the client sorts groups by their keys, and so returns a value after its own
   * prefixes. An ORDER BY of this value returns the value before them.
   */
  public static boolean isSortedByKey(GroupBy groupBy) {
    List<Expression> expressions = groupBy.getKeyExpressions();
    return !groupBy.isOrderPreserving()
        && expressions.size() == 1
        && expressions.get(0).getSortOrder() == SortOrder.DESC
        && !expressions.get(0).getDataType().isFixedWidth();
  }

  @Override
  protected int compare(Tuple t1, Tuple t2) {
    t1.getKey(one);
    t2.getKey(other);
    return reverse ? compare(other, one) : compare(one, other);
  }

  /**
   * Compares two group keys. Null, which is empty, sorts first. A value sorts before its own
   * prefixes.
   */
  private static int compare(ImmutableBytesWritable key1, ImmutableBytesWritable key2) {
    int length1 = key1.getLength();
    int length2 = key2.getLength();
    int shorter = Math.min(length1, length2);
    int order =
        Bytes.compareTo(
            key1.get(), key1.getOffset(), shorter, key2.get(), key2.getOffset(), shorter);
    if (order != 0) {
      return order;
    }
    return shorter == 0 ? Integer.compare(length1, length2) : Integer.compare(length2, length1);
  }
}

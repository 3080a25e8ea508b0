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
package org.apache.phoenix.pruning.where;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * Keys that one execution of a hash join finds on its build side, as a condition on the probe side.
 * A row of the probe side that has none of these keys is not in the result.
 *
 * <p>Up to {@value #MAX_KEYS} different keys are kept exactly. If there are more, each column keeps
 * at most {@value #MAX_KEYS} ranges that enclose its values. Memory is thus bounded by {@value
 * #MAX_KEYS} times two values per column, for any number of rows on the build side.
 *
 * <p>One thread adds the keys. Other threads may read the keys after {@link #complete}.
 */
public final class JoinKeys {

  static final int MAX_KEYS = 10_000;

  private final List<Expression> probe;
  private final List<Expression> build;
  private final ImmutableBytesWritable value = new ImmutableBytesWritable();

  /**
   * Distinct keys with the ascending bytes of each column, which are empty for null. The set is
   * empty once there are ranges.
   */
  private final TreeSet<byte[][]> keys = new TreeSet<>(JoinKeys::compare);

  /** Ranges of each column, or null as long as the keys are kept exactly. */
  private @Nullable List<EnclosingRanges> ranges;

  private volatile boolean isComplete;

  /** The condition, or null until it is first needed. */
  private @Nullable Expression condition;

  /**
   * Creates an empty set of keys.
   *
   * @param probe the columns of the join on the side that is scanned
   * @param build the columns on the other side, in the same order and of the same types
   */
  JoinKeys(List<Expression> probe, List<Expression> build) {
    this.probe = probe;
    this.build = build;
  }

  private static int compare(byte[][] one, byte[][] other) {
    int order = 0;
    for (int i = 0; i < one.length && order == 0; i++) {
      order = Bytes.compareTo(one[i], other[i]);
    }
    return order;
  }

  /** Adds the key of a row of the build side. */
  public void add(Tuple row) {
    byte[][] key = build.stream().map(column -> ascending(column, row)).toArray(byte[][]::new);
    if (ranges != null) {
      addTo(ranges, key);
      return;
    }
    keys.add(key);
    if (keys.size() > MAX_KEYS) {
      ranges = toRanges();
      keys.clear();
    }
  }

  private byte[] ascending(Expression column, Tuple row) {
    column.reset();
    if (!column.evaluate(row, value) || value.getLength() == 0) {
      return new byte[0];
    }
    byte[] bytes = value.copyBytes();
    return column.getSortOrder() == SortOrder.DESC
        ? SortOrder.invert(bytes, 0, bytes.length)
        : bytes;
  }

  private List<EnclosingRanges> toRanges() {
    List<EnclosingRanges> all = new ArrayList<>();
    for (int i = 0; i < build.size(); i++) {
      all.add(new EnclosingRanges(MAX_KEYS));
    }
    keys.forEach(key -> addTo(all, key));
    return all;
  }

  private static void addTo(List<EnclosingRanges> ranges, byte[][] key) {
    for (int i = 0; i < key.length; i++) {
      ranges.get(i).add(key[i]);
    }
  }

  /** Marks the keys as complete, because all rows of the build side have been added. */
  public void complete() {
    isComplete = true;
  }

  public boolean isComplete() {
    return isComplete;
  }

  /**
   * Returns a condition that is true for each row of the probe side whose key is among these keys.
   * It may be true for other rows. May be called only if the keys are complete.
   */
  synchronized Expression condition() throws SQLException {
    if (condition == null) {
      JoinKeyCondition keyCondition = new JoinKeyCondition(probe, build);
      condition = ranges == null ? keyCondition.isIn(keys) : keyCondition.isWithin(ranges);
    }
    return condition;
  }

  @Override
  public String toString() {
    return probe + " IN " + build + (isComplete ? "" : ", not complete");
  }
}

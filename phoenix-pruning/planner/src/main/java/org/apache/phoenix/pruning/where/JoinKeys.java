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
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.expression.AndExpression;
import org.apache.phoenix.expression.ComparisonExpression;
import org.apache.phoenix.expression.Determinism;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.expression.IsNullExpression;
import org.apache.phoenix.expression.LiteralExpression;
import org.apache.phoenix.expression.OrExpression;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.schema.types.PBinary;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.schema.types.PChar;
import org.apache.phoenix.schema.types.PDataType;
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
  private @Nullable List<Ranges> ranges;

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

  private List<Ranges> toRanges() {
    List<Ranges> all = new ArrayList<>();
    for (int i = 0; i < build.size(); i++) {
      all.add(new Ranges());
    }
    keys.forEach(key -> addTo(all, key));
    return all;
  }

  private static void addTo(List<Ranges> ranges, byte[][] key) {
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
      condition = ranges == null ? isOneOfTheKeys() : isIn(ranges);
    }
    return condition;
  }

  private Expression isOneOfTheKeys() throws SQLException {
    List<Expression> each = new ArrayList<>();
    for (byte[][] key : keys) {
      each.add(isKey(key));
    }
    return anyOf(each);
  }

  private Expression isIn(List<Ranges> ranges) throws SQLException {
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < probe.size(); i++) {
      columns.add(ranges.get(i).include(probe.get(i), build.get(i).getDataType()));
    }
    return allOf(columns);
  }

  private Expression isKey(byte[][] key) throws SQLException {
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < key.length; i++) {
      PDataType<?> type = build.get(i).getDataType();
      columns.add(
          key[i].length == 0
              ? isNull(probe.get(i))
              : compare(probe.get(i), CompareOperator.EQUAL, key[i], type));
    }
    return allOf(columns);
  }

  private static Expression isNull(Expression column) throws SQLException {
    return IsNullExpression.create(column, false, new ImmutableBytesWritable());
  }

  /**
   * Returns a comparison of a column with a value. Returns the constant true if Phoenix changes the
   * value when it converts the value to a literal and back. An example is a CHAR that consists of
   * blanks.
   */
  private static Expression compare(
      Expression column, CompareOperator operator, byte[] ascending, PDataType<?> type)
      throws SQLException {
    Object value = type.toObject(ascending);
    LiteralExpression constant = LiteralExpression.newConstant(value, type, column.getSortOrder());
    return constant.getValue() == null || !isSame(type, type.toBytes(value), ascending)
        ? constant(true)
        : new ComparisonExpression(Arrays.asList(column, constant), operator);
  }

  private static boolean isSame(PDataType<?> type, byte[] one, byte[] other) {
    int length = Math.min(one.length, other.length);
    boolean isPadded = type == PChar.INSTANCE || type == PBinary.INSTANCE;
    return isPadded
        ? Arrays.equals(Arrays.copyOf(one, length), Arrays.copyOf(other, length))
        : Arrays.equals(one, other);
  }

  private static Expression constant(boolean value) throws SQLException {
    return LiteralExpression.newConstant(value, PBoolean.INSTANCE, Determinism.ALWAYS);
  }

  private static Expression allOf(List<Expression> conditions) {
    return conditions.size() == 1 ? conditions.get(0) : new AndExpression(conditions);
  }

  private static Expression anyOf(List<Expression> conditions) throws SQLException {
    if (conditions.isEmpty()) {
      return constant(false);
    }
    return conditions.size() == 1 ? conditions.get(0) : new OrExpression(conditions);
  }

  /**
   * Ranges that enclose the values of a column. If there are too many ranges, about half of them
   * are merged with a neighbor.
   */
  private static final class Ranges {

    /** Last value of each range, by the first value of the range. */
    private TreeMap<byte[], byte[]> lastByFirst = new TreeMap<>(Bytes.BYTES_COMPARATOR);

    private boolean hasNull;

    void add(byte[] bytes) {
      if (bytes.length == 0) {
        hasNull = true;
        return;
      }
      Map.Entry<byte[], byte[]> before = lastByFirst.floorEntry(bytes);
      if (before == null || Bytes.compareTo(before.getValue(), bytes) < 0) {
        lastByFirst.put(bytes, bytes);
        if (lastByFirst.size() > MAX_KEYS) {
          joinHalf();
        }
      }
    }

    /**
     * Merges each range with the range before it if the gap between them is at most the median gap.
     */
    private void joinHalf() {
      int common = commonBytes(lastByFirst.firstKey(), lastByFirst.lastEntry().getValue());
      List<Long> gaps = new ArrayList<>();
      byte[] last = null;
      for (Map.Entry<byte[], byte[]> range : lastByFirst.entrySet()) {
        if (last != null) {
          gaps.add(number(range.getKey(), common) - number(last, common));
        }
        last = range.getValue();
      }
      List<Long> sorted = new ArrayList<>(gaps);
      Collections.sort(sorted);
      long median = sorted.get(sorted.size() / 2);
      TreeMap<byte[], byte[]> joined = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      Iterator<Long> gap = gaps.iterator();
      for (Map.Entry<byte[], byte[]> range : lastByFirst.entrySet()) {
        if (!joined.isEmpty() && gap.next() <= median) {
          joined.put(joined.lastKey(), range.getValue());
        } else {
          joined.put(range.getKey(), range.getValue());
        }
      }
      lastByFirst = joined;
    }

    private static int commonBytes(byte[] one, byte[] other) {
      int common = 0;
      while (common < Math.min(one.length, other.length) && one[common] == other[common]) {
        common++;
      }
      return common;
    }

    /** Returns the first eight bytes after the common prefix as a non-negative number. */
    private static long number(byte[] bytes, int common) {
      return Bytes.toLong(Arrays.copyOfRange(bytes, common, common + Long.BYTES)) >>> 1;
    }

    Expression include(Expression column, PDataType<?> type) throws SQLException {
      List<Expression> each = new ArrayList<>();
      if (hasNull) {
        each.add(isNull(column));
      }
      for (Map.Entry<byte[], byte[]> range : lastByFirst.entrySet()) {
        each.add(
            new AndExpression(
                Arrays.asList(
                    compare(column, CompareOperator.GREATER_OR_EQUAL, range.getKey(), type),
                    compare(column, CompareOperator.LESS_OR_EQUAL, range.getValue(), type))));
      }
      return anyOf(each);
    }
  }

  @Override
  public String toString() {
    return probe + " IN " + build + (isComplete ? "" : ", not complete");
  }
}

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

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PDataType;

/**
 * Decides for each region whether it could hold a row that matches. The oracle searches, column by
 * column, for a matching key between the values of the region's boundaries. In a salted table, the
 * oracle searches in each bucket that the region overlaps.
 */
final class RegionOracle {

  /** Result for a region. */
  enum Verdict {
    /** The region can hold a key, {@link #witness}, for which the condition is true. */
    NEEDED,
    /** The region can hold no such key. */
    NOT_NEEDED,
    UNKNOWN
  }

  private static final int MAX_RANGES = 50;

  private final QueriedTable deployed;
  private final List<Column> keys;
  private final int buckets;
  private final ConditionBoxes condition;
  private RegionInfo region;
  private List<Object> start;
  private List<Object> end;
  private boolean isUncertain;
  private byte[] witness;

  RegionOracle(QueriedTable deployed, ConditionBoxes condition) {
    this.deployed = deployed;
    this.keys = deployed.table().keys();
    this.buckets = deployed.table().saltBuckets();
    this.condition = condition;
  }

  /** Returns the row key that the last search found, or null if it found none. */
  byte[] witness() {
    return witness;
  }

  Verdict verdict(RegionInfo ofRegion) throws SQLException {
    region = ofRegion;
    witness = null;
    isUncertain = false;
    return isNeeded() ? Verdict.NEEDED : isUncertain ? Verdict.UNKNOWN : Verdict.NOT_NEEDED;
  }

  private boolean isNeeded() throws SQLException {
    if (buckets == 0) {
      return isNeeded(region.getStartKey(), region.getEndKey());
    }
    for (int bucket = 0; bucket < buckets; bucket++) {
      byte[] first = {(byte) bucket};
      byte[] next = {(byte) (bucket + 1)};
      if (region.isOverlap(bucketOf(first, next))
          && isNeeded(inBucket(region.getStartKey(), first), inBucket(region.getEndKey(), first))) {
        return true;
      }
    }
    return false;
  }

  private RegionInfo bucketOf(byte[] first, byte[] next) {
    return RegionInfoBuilder.newBuilder(region.getTable())
        .setStartKey(first)
        .setEndKey(next)
        .build();
  }

  /**
   * Returns a boundary without its salt byte, or an empty key if the boundary lies in another
   * bucket.
   */
  private static byte[] inBucket(byte[] boundary, byte[] bucket) {
    return Bytes.startsWith(boundary, bucket)
        ? Arrays.copyOfRange(boundary, 1, boundary.length)
        : new byte[0];
  }

  private boolean isNeeded(byte[] startKey, byte[] endKey) throws SQLException {
    start = decode(startKey);
    end = decode(endKey);
    if (start == null || end == null) {
      isUncertain = true;
      return false;
    }
    for (Map<Integer, Domain> box : condition.boxes()) {
      boolean found = find(box, new ArrayList<>(), true, endKey.length > 0);
      if (found && condition.isExact() && hasRow(box)) {
        return true;
      }
      // If conditions on values contradict each other, a planner is not expected to notice.
      isUncertain |= found;
    }
    return false;
  }

  /** Returns false if the values of a column contradict each other, or are not of its type. */
  private boolean hasRow(Map<Integer, Domain> box) {
    return box.entrySet().stream()
        .allMatch(
            column -> {
              Domain domain = column.getValue();
              ValueType type = deployed.table().columns().get(column.getKey()).type();
              return domain.nullable()
                  || domain.ranges().asRanges().stream()
                      .anyMatch(range -> !Values.isEmpty(range, type));
            });
  }

  /**
   * Searches for values of the next columns.
   *
   * @param low whether the values so far equal those of the start key
   * @param high whether the values so far equal those of the end key
   */
  private boolean find(Map<Integer, Domain> box, List<Object> values, boolean low, boolean high)
      throws SQLException {
    int at = values.size();
    if (at == keys.size()) {
      byte[] key = deployed.rowKey(values);
      if (region.containsRow(key)) {
        witness = key;
        return true;
      }
      // The result is unknown in two cases. The key may equal a boundary in all columns, or be too
      // near to decide. Or the key may fall into another bucket, while other keys might fall into
      // this one.
      isUncertain |= low || high || buckets > 0;
      return false;
    }
    Domain domain = box.getOrDefault(at, keys.get(at).nullable() ? Domain.ALL : Domain.NOT_NULL);
    isUncertain |= domain.nullable() && keys.get(at).nullable();
    boolean lowHere = low && at < start.size();
    if (high && at >= end.size()) {
      return false;
    }
    Object from = lowHere ? start.get(at) : null;
    Object to = high ? end.get(at) : null;
    isUncertain |= canBeOnTheOtherSide(domain, keys.get(at).descending() ? from : to);
    for (Object boundary : Arrays.asList(from, to)) {
      if (boundary != null
          && domain.ranges().contains(ConditionBoxes.comparable(boundary))
          && find(box, with(values, boundary), boundary.equals(from), boundary.equals(to))) {
        return true;
      }
    }
    Object inside = inside(domain, from, to, keys.get(at));
    return inside != null && find(box, with(values, inside), false, false);
  }

  /**
   * Returns true if a domain may have a text that begins with {@code boundary} and goes on with a
   * control character. In SQL, such a text is greater than the boundary. In a CHAR column, its
   * bytes are less than those of the boundary, which is padded with blanks.
   */
  private static boolean canBeOnTheOtherSide(Domain domain, Object boundary) {
    return boundary instanceof String text
        && domain
            .ranges()
            .intersects(
                Range.open(ConditionBoxes.comparable(text), ConditionBoxes.comparable(text + "!")));
  }

  private static List<Object> with(List<Object> values, Object value) {
    List<Object> more = new ArrayList<>(values);
    more.add(value);
    return more;
  }

  /**
   * Returns a value of the domain between two other values in key order, exclusive. Returns null if
   * there is none.
   */
  private Object inside(Domain domain, Object from, Object to, Column column) {
    Object low = column.descending() ? to : from;
    Object high = column.descending() ? from : to;
    RangeSet<Comparable<Object>> between = domain.ranges();
    if (low != null) {
      between = between.subRangeSet(Range.greaterThan(ConditionBoxes.comparable(low)));
    }
    if (high != null) {
      between = between.subRangeSet(Range.lessThan(ConditionBoxes.comparable(high)));
    }
    int tried = 0;
    for (Range<Comparable<Object>> range : between.asRanges()) {
      Object value = Values.in(range, column.type());
      if (value != null) {
        return value;
      }
      isUncertain |= !Values.isEmpty(range, column.type());
      if (++tried > MAX_RANGES) {
        isUncertain = true;
        return null;
      }
    }
    return null;
  }

  /**
   * Decodes the values of the leading columns of a boundary. Returns null if the boundary does not
   * consist of whole values.
   */
  private List<Object> decode(byte[] boundary) {
    List<Object> values = new ArrayList<>();
    int at = 0;
    for (int i = 0; i < keys.size() && at < boundary.length; i++) {
      Column column = keys.get(i);
      int length = length(column, i == keys.size() - 1, boundary, at);
      boolean isCut = at + length >= boundary.length && !column.type().isFixedWidth();
      if (isCut && column.descending()) {
        // Longer values also begin with these bytes, and sort before the separator.
        return null;
      }
      byte[] token = Arrays.copyOfRange(boundary, at, at + length);
      Object value = decode(column, token);
      if (value == null) {
        return null;
      }
      values.add(value);
      at += length + (column.type().isFixedWidth() ? 0 : 1);
    }
    return values;
  }

  /**
   * Returns the length of a column's value. If the value exceeds the boundary, zeros extend the
   * boundary.
   */
  private static int length(Column column, boolean last, byte[] boundary, int at) {
    if (column.type().isFixedWidth()) {
      Integer max = column.type().maxLength();
      return max != null ? max : column.type().phoenixType().getByteSize();
    }
    if (last) {
      return boundary.length - at;
    }
    byte separator = column.descending() ? (byte) 0xff : 0;
    int to = at;
    while (to < boundary.length && boundary[to] != separator) {
      to++;
    }
    return to - at;
  }

  /** Returns true if a text has characters that sort before the blanks that pad a CHAR. */
  private static boolean hasControlCharacter(String text) {
    return text.chars().anyMatch(character -> character < ' ');
  }

  private static Object decode(Column column, byte[] token) {
    PDataType<?> type = column.type().phoenixType();
    SortOrder order = column.descending() ? SortOrder.DESC : SortOrder.ASC;
    byte[] plain = column.descending() ? SortOrder.invert(token, 0, token.length) : token;
    try {
      Object value = ValueType.fromJdbc(type.toObject(token, 0, token.length, type, order));
      return value != null
              && Arrays.equals(column.type().keyBytes(value), plain)
              && !(value instanceof String text && hasControlCharacter(text))
          ? value
          : null;
    } catch (RuntimeException e) {
      // The bytes are not a value of the type.
      return null;
    }
  }
}

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
package org.apache.phoenix.pruning.optimize;

import java.util.List;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.pruning.plan.KeyColumns;
import org.apache.phoenix.query.KeyRange;

/**
 * How far the key ranges of a scan narrow its rows, where nothing else is known of their values: by
 * columns of the data table's key, and by those that an index adds.
 *
 * <p>Columns are taken to be independent of each other. The n columns of the data table's key tell
 * as many rows apart each, so that one of them equals a value in rows^(1 - 1/n) rows. A column is
 * indexed to find few rows: it equals a value in as many rows as it has values, rows^(1/2), and
 * lies between two in the root of that part. Of the key, a quarter of the rows lies between two
 * values, and of any column a third above or below one (Selinger et al., Access Path Selection,
 * 1979). A skip scan seeks to each value of a range, so columns behind one count by half; a loose
 * index scan steps where that is faster, so they count in full.
 */
final class KeyShape {

  private static final double INDEXED = 0.5;
  private static final double ONE_SIDED = 1.0 / 3;
  private static final double TWO_SIDED = 1.0 / 4;

  /** What some columns leave of the rows. */
  private static final class Part {

    private double exponent;
    private double factor = 1;
    private long ranges = 1;
    private boolean isBound;

    void addPoint(double exponent) {
      isBound = true;
      this.exponent += exponent;
    }

    void addRange(double factor) {
      isBound = true;
      this.factor *= factor;
    }

    double of(double rows) {
      return Math.min(1, ranges * factor * Math.pow(Math.max(1, rows), -Math.min(1, exponent)));
    }
  }

  private final Part dataKey = new Part();
  private final Part indexed = new Part();

  /** The shape of ranges of keys with {@code columns}, but for a lookup of whole keys. */
  static KeyShape of(KeyColumns columns, ScanRanges scanRanges) {
    return of(columns, scanRanges, 0);
  }

  /** The shape of ranges of which a loose index scan goes by the first {@code slots}. */
  static KeyShape of(KeyColumns columns, ScanRanges scanRanges, int slots) {
    KeyShape shape = new KeyShape();
    if (!scanRanges.isEverything() && !scanRanges.isPointLookup()) {
      shape.add(scanRanges, columns, slots);
    }
    return shape;
  }

  private void add(ScanRanges scanRanges, KeyColumns key, int slotsOfSeeks) {
    double weight = 1;
    int position = 0;
    List<List<KeyRange>> slots = scanRanges.getRanges();
    for (int i = 0; i < slots.size(); i++) {
      List<KeyRange> slot = slots.get(i);
      boolean isAny = slot.contains(KeyRange.EVERYTHING_RANGE);
      if (isAny && i >= slotsOfSeeks) {
        return;
      }
      boolean isPoints = slot.stream().allMatch(KeyRange::isSingleKey);
      boolean isOneSided = slot.stream().anyMatch(KeyRange::isUnbound);
      for (int span = scanRanges.getSlotSpans()[i]; span >= 0; span--, position++) {
        if (key.isVariable(position) && !isAny) {
          boolean isOfDataKey = key.isOfDataKey(position);
          Part part = isOfDataKey ? dataKey : indexed;
          // Of a row value, only the last column is in a range.
          part.ranges *= span == 0 ? slot.size() : 1;
          if (isPoints || span > 0) {
            part.addPoint(weight * exponent(key, position));
          } else if (isOneSided || isOfDataKey) {
            part.addRange(Math.pow(isOneSided ? ONE_SIDED : TWO_SIDED, weight));
          } else {
            part.addPoint(weight * INDEXED / 2);
          }
        }
      }
      if (!isPoints && i >= slotsOfSeeks) {
        if (!scanRanges.useSkipScanFilter()) {
          return;
        }
        weight = 0.5;
      }
    }
  }

  /** The power of the number of rows that is the number of a column's values. */
  static double exponent(KeyColumns key, int position) {
    return key.isOfDataKey(position)
        ? 1.0 / Math.max(1, key.dataKeyColumns(0, key.count()))
        : INDEXED;
  }

  /** Whether a column of the data table's key is bound. */
  boolean bindsDataKey() {
    return dataKey.isBound;
  }

  /** How many ranges of the data table's key there are, of one or more values each. */
  long dataKeyRanges() {
    return dataKey.ranges;
  }

  /** The part of {@code rows} that columns of the data table's key leave. */
  double partOfDataKey(double rows) {
    return dataKey.of(rows);
  }

  /** The part of {@code rows} that the columns leave that an index adds. */
  double partOfIndexed(double rows) {
    return indexed.of(rows);
  }

  /** Whether one of the first {@code slots} of {@code ranges} binds the column {@code name}. */
  static boolean binds(KeyColumns key, ScanRanges ranges, int slots, String name) {
    int position = 0;
    for (int i = 0; i < slots; i++) {
      boolean isAny = ranges.getRanges().get(i).contains(KeyRange.EVERYTHING_RANGE);
      for (int span = ranges.getSlotSpans()[i]; span >= 0; span--, position++) {
        if (!isAny && key.isOfDataKey(position) && key.name(position).equals(name)) {
          return true;
        }
      }
    }
    return false;
  }
}

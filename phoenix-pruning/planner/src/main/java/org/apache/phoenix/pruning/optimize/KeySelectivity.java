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
import org.apache.phoenix.pruning.layout.TableKeyColumns;
import org.apache.phoenix.query.KeyRange;

/**
 * Estimated selectivity of the key ranges of a scan if nothing else is known about the values.
 * Columns of the data table's key and columns that an index adds are estimated separately.
 *
 * <p>Columns are assumed to be independent of each other. The estimates are:
 *
 * <ul>
 *   <li>Each of the n columns of the data table's key has rows^(1/n) values. So an equality on one
 *       of these columns matches rows^(1 - 1/n) rows.
 *   <li>Conditions on an indexed column usually match few rows. An equality on an indexed column
 *       matches as many rows as the column has values, rows^(1/2).
 *   <li>A range with two bounds on an indexed column matches rows^(3/4) rows. Its fraction of the
 *       rows is the square root of the fraction for an equality.
 *   <li>A range with two bounds on a column of the data table's key matches a quarter of the rows.
 *       A range with one bound on any column matches a third (Selinger et al., Access Path
 *       Selection, 1979).
 * </ul>
 *
 * <p>A skip scan seeks to each value of a range. So each condition on a later column counts with
 * the square root of its fraction. A loose index scan steps instead if that is faster, so later
 * conditions count in full.
 */
final class KeySelectivity {

  private static final double INDEXED = 0.5;
  private static final double ONE_SIDED = 1.0 / 3;
  private static final double TWO_SIDED = 1.0 / 4;

  /** Fraction of the rows that match the conditions on some columns. */
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

  /** Returns the selectivity of the ranges of a scan. The ranges of a point lookup are ignored. */
  static KeySelectivity of(TableKeyColumns columns, ScanRanges scanRanges) {
    return of(columns, scanRanges, 0);
  }

  /**
   * Returns the selectivity of the ranges of a loose index scan that seeks by the first {@code
   * slots} slots.
   */
  static KeySelectivity of(TableKeyColumns columns, ScanRanges scanRanges, int slots) {
    KeySelectivity selectivity = new KeySelectivity();
    if (!scanRanges.isEverything() && !scanRanges.isPointLookup()) {
      selectivity.add(scanRanges, columns, slots);
    }
    return selectivity;
  }

  private void add(ScanRanges scanRanges, TableKeyColumns key, int slotsOfSeeks) {
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
          boolean isOfDataKey = key.isDataKeyColumn(position);
          Part part = isOfDataKey ? dataKey : indexed;
          // Only the last column of a row value can be in a range.
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

  /** Returns the exponent e of a column that is assumed to have rows^e values. */
  static double exponent(TableKeyColumns key, int position) {
    return key.isDataKeyColumn(position)
        ? 1.0 / Math.max(1, key.countDataKeyColumns(0, key.count()))
        : INDEXED;
  }

  /** Returns whether a column of the data table's key is bound. */
  boolean bindsDataKey() {
    return dataKey.isBound;
  }

  /** Returns the fraction of {@code rows} that match the conditions on the data table's key. */
  double partOfDataKey(double rows) {
    return dataKey.of(rows);
  }

  /**
   * Returns the fraction of {@code rows} that match the conditions on columns outside the key of
   * the data table, which an index may have in its key.
   */
  double partOfIndexed(double rows) {
    return indexed.of(rows);
  }

  /**
   * Limits a guess for ranges of the data table's key to what the scanned regions allow. Only the
   * first and the last region of a range can also hold rows outside the range. On average, half of
   * their rows are outside.
   *
   * @param guess the number of rows in the ranges, estimated for the whole table
   * @param ofRegions the number of rows in the scanned regions
   * @param regions the number of scanned regions
   * @param buckets the number of salt buckets of the data table, or 1
   */
  double limitToRegions(double guess, double ofRegions, int regions, int buckets) {
    double ranges = (double) dataKey.ranges * buckets;
    double count = Math.max(1, regions);
    double least = ofRegions * Math.max(0, 1 - 2 * ranges / count);
    double most = ofRegions * Math.max(1.0 / 3, 1 - ranges / count);
    return Math.max(least, Math.min(most, guess));
  }

  /**
   * Returns whether one of the first {@code slots} of {@code ranges} binds the first variable
   * column of the data table's key. This column determines the regions.
   *
   * @param dataKey the key columns of the data table
   * @param key the key columns of the table or index that is scanned
   */
  static boolean choosesRegions(
      TableKeyColumns dataKey, TableKeyColumns key, ScanRanges ranges, int slots) {
    String first = firstVariable(dataKey);
    int position = 0;
    for (int i = 0; i < slots; i++) {
      boolean isAny = ranges.getRanges().get(i).contains(KeyRange.EVERYTHING_RANGE);
      for (int span = ranges.getSlotSpans()[i]; span >= 0; span--, position++) {
        if (!isAny && key.isDataKeyColumn(position) && key.name(position).equals(first)) {
          return true;
        }
      }
    }
    return false;
  }

  private static String firstVariable(TableKeyColumns key) {
    int first = 0;
    while (first < key.count() - 1 && !key.isVariable(first)) {
      first++;
    }
    return key.name(first);
  }
}

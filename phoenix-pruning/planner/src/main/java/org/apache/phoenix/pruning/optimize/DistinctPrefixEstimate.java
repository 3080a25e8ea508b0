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

import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.pruning.key.KeyBounds;
import org.apache.phoenix.pruning.layout.TableKeyColumns;
import org.apache.phoenix.pruning.predicate.DataKey;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.PTable;
import org.jspecify.annotations.Nullable;

/**
 * Estimated number of seeks of a loose index scan if nothing is known about the values. The scan
 * seeks to each range after each distinct prefix.
 *
 * <p>Each column is assumed to have as many values as in {@link KeySelectivity}. A column of the
 * data table's key has at most the values that lie between the boundaries of a region.
 */
final class DistinctPrefixEstimate {

  /** Column of the prefix. */
  private static final class Column {

    private final double exponent;

    /**
     * Position in the data table's key; negative if the column is not in this key, or is not
     * supported.
     */
    private final int inDataKey;

    Column(double exponent, int inDataKey) {
      this.exponent = exponent;
      this.inDataKey = inDataKey;
    }

    double values(double rows, @Nullable KeyBounds bounds) {
      double guess = Math.pow(rows, exponent);
      return inDataKey < 0 || bounds == null
          ? guess
          : Math.min(guess, bounds.column(inDataKey).count());
    }
  }

  /** Key of the data table, or null if the key is not supported. */
  private final @Nullable DataKey dataKey;

  private final List<Column> columns = new ArrayList<>();

  /** Number of ranges to which the scan seeks after each prefix. */
  private double seeksPerPrefix = 1;

  /** Creates the estimate for a scan that seeks by the first {@code slots} of {@code ranges}. */
  DistinctPrefixEstimate(PTable dataTable, TableKeyColumns key, ScanRanges ranges, int slots) {
    dataKey = DataKey.of(dataTable);
    int position = 0;
    for (int i = 0; i < slots; i++) {
      List<KeyRange> slot = ranges.getRanges().get(i);
      boolean isSought = i == slots - 1 || slot.stream().allMatch(KeyRange::isSingleKey);
      if (isSought) {
        seeksPerPrefix *= slot.size();
      }
      for (int span = ranges.getSlotSpans()[i]; span >= 0; span--, position++) {
        if (!isSought && key.isVariable(position)) {
          columns.add(column(key, position));
        }
      }
    }
  }

  private Column column(TableKeyColumns key, int position) {
    return key.isDataKeyColumn(position)
        ? new Column(
            KeySelectivity.exponent(key, position),
            dataKey == null ? -1 : dataKey.indexOf(key.name(position)))
        : new Column(1, -1);
  }

  /**
   * Returns the estimated number of seeks in a region, at most {@code rows}.
   *
   * @param rows the number of index rows in the region
   * @param start the start key of the region, inclusive; empty for the first region
   * @param end the end key of the region, exclusive; empty for the last region
   */
  double seeks(double rows, byte[] start, byte[] end) {
    KeyBounds bounds = dataKey == null ? null : KeyBounds.of(dataKey.layout(), start, end);
    double seeks = seeksPerPrefix;
    for (Column column : columns) {
      seeks *= column.values(rows, bounds);
    }
    return Math.min(rows, seeks);
  }
}

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
import org.apache.phoenix.pruning.plan.KeyColumns;
import org.apache.phoenix.pruning.predicate.DataKey;
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.PTable;

/**
 * How many times a loose index scan seeks, where nothing is known of the values: to each range
 * behind each distinct prefix, with as many values of a column as {@link KeyShape} takes it to
 * have, but no more of the data table's key than lie between the boundaries of a region.
 */
final class PrefixCount {

  /** The columns of the prefix. */
  private static final class Column {

    private final double exponent;

    /** In the data table's key; less than 0 if it is not in there, or not understood. */
    private final int inDataKey;

    Column(double exponent, int inDataKey) {
      this.exponent = exponent;
      this.inDataKey = inDataKey;
    }

    double values(double rows, KeyBounds bounds) {
      double guess = Math.pow(rows, exponent);
      return inDataKey < 0 ? guess : Math.min(guess, bounds.column(inDataKey).count());
    }
  }

  /** Null if nothing is understood of it. */
  private final DataKey dataKey;

  private final List<Column> columns = new ArrayList<>();
  private double factor = 1;

  /** For a scan that goes by the first {@code slots} of {@code ranges}. */
  PrefixCount(PTable dataTable, KeyColumns key, ScanRanges ranges, int slots) {
    dataKey = DataKey.of(dataTable);
    int position = 0;
    for (int i = 0; i < slots; i++) {
      List<KeyRange> slot = ranges.getRanges().get(i);
      boolean isSought = i == slots - 1 || slot.stream().allMatch(KeyRange::isSingleKey);
      if (isSought) {
        factor *= slot.size();
      }
      for (int span = ranges.getSlotSpans()[i]; span >= 0; span--, position++) {
        if (!isSought && key.isVariable(position)) {
          columns.add(column(key, position));
        }
      }
    }
  }

  private Column column(KeyColumns key, int position) {
    return key.isOfDataKey(position)
        ? new Column(
            KeyShape.exponent(key, position),
            dataKey == null ? -1 : dataKey.indexOf(key.name(position)))
        : new Column(1, -1);
  }

  /**
   * In the part of an index with {@code rows} that is in a region; no more than these.
   *
   * @param start of the region, inclusive; empty for the first key
   * @param end of the region, exclusive; empty for no end
   */
  double in(double rows, byte[] start, byte[] end) {
    KeyBounds bounds = dataKey == null ? null : KeyBounds.of(dataKey.layout(), start, end);
    double seeks = factor;
    for (Column column : columns) {
      seeks *= column.values(rows, bounds);
    }
    return Math.min(rows, seeks);
  }
}

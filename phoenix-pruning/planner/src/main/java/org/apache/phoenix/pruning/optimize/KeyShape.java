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
import org.apache.phoenix.query.KeyRange;
import org.apache.phoenix.schema.PColumn;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.util.IndexUtil;

/**
 * How far the key ranges of a scan narrow its rows, where nothing else is known of their values: by
 * columns of the data table's key, and by those that an index adds.
 *
 * <p>Columns are taken to be independent of each other. The n columns of the data table's key tell
 * as many rows apart each, so that one of them equals a value in rows^(1 - 1/n) rows. A column is
 * indexed to find few rows: it equals a value in as many rows as it has values, rows^(1/2), and
 * lies between two in the root of that part. Of the key, a quarter of the rows lies between two
 * values, and of any column a third above or below one (Selinger et al., Access Path Selection,
 * 1979). A skip scan seeks to each value of a range, so columns behind one count by half.
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

  /** The shape of what scans {@code table}, but for a lookup of whole keys. */
  static KeyShape of(PTable table, ScanRanges scanRanges, boolean isOfTenant) {
    KeyShape shape = new KeyShape();
    if (!scanRanges.isEverything() && !scanRanges.isPointLookup()) {
      shape.add(scanRanges, new KeyColumns(table, isOfTenant));
    }
    return shape;
  }

  /** The columns of a row key. */
  private static final class KeyColumns {

    private final List<PColumn> columns;
    private final boolean isIndex;
    private final int constants;
    private final int dataKeyColumns;

    /**
     * The columns of the key of {@code table}.
     *
     * @param isOfTenant whether the connection has a tenant, which then leads the keys
     */
    KeyColumns(PTable table, boolean isOfTenant) {
      columns = table.getPKColumns();
      isIndex = table.getType() == PTableType.INDEX;
      constants =
          (table.getBucketNum() == null ? 0 : 1)
              + (table.getViewIndexId() == null ? 0 : 1)
              + (isOfTenant && table.isMultiTenant() ? 1 : 0);
      int count = 0;
      for (int i = 0; i < columns.size(); i++) {
        count += isVariable(i) && isOfDataKey(i) ? 1 : 0;
      }
      dataKeyColumns = Math.max(1, count);
    }

    /** Whether not all rows of the table have one value in the column. */
    boolean isVariable(int position) {
      return position >= constants && columns.get(position).getViewConstant() == null;
    }

    /** Columns of an index are named {@code family:column}, those of the key {@code :column}. */
    boolean isOfDataKey(int position) {
      String name = columns.get(position).getName().getString();
      return !isIndex || name.startsWith(IndexUtil.INDEX_COLUMN_NAME_SEP);
    }
  }

  private void add(ScanRanges scanRanges, KeyColumns key) {
    double weight = 1;
    int position = 0;
    List<List<KeyRange>> slots = scanRanges.getRanges();
    for (int i = 0; i < slots.size(); i++) {
      List<KeyRange> slot = slots.get(i);
      if (slot.contains(KeyRange.EVERYTHING_RANGE)) {
        return;
      }
      boolean isPoints = slot.stream().allMatch(KeyRange::isSingleKey);
      boolean isOneSided = slot.stream().anyMatch(KeyRange::isUnbound);
      for (int span = scanRanges.getSlotSpans()[i]; span >= 0; span--, position++) {
        if (key.isVariable(position)) {
          boolean isOfDataKey = key.isOfDataKey(position);
          Part part = isOfDataKey ? dataKey : indexed;
          // Of a row value, only the last column is in a range.
          part.ranges *= span == 0 ? slot.size() : 1;
          if (isPoints || span > 0) {
            part.addPoint(weight * (isOfDataKey ? 1.0 / key.dataKeyColumns : INDEXED));
          } else if (isOneSided || isOfDataKey) {
            part.addRange(Math.pow(isOneSided ? ONE_SIDED : TWO_SIDED, weight));
          } else {
            part.addPoint(weight * INDEXED / 2);
          }
        }
      }
      if (!isPoints) {
        if (!scanRanges.useSkipScanFilter()) {
          return;
        }
        weight = 0.5;
      }
    }
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
}

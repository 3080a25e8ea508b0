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
package io.phoenixpruning.cli.layout;

import io.phoenixpruning.report.format.Figures;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.layout.IndexRow;
import org.apache.phoenix.pruning.stats.RowCountBounds;
import org.apache.phoenix.pruning.stats.TableStatistics;

/**
 * Row count, size, stored rows and lookup costs of one index.
 *
 * @param rows number of rows, for people
 * @param size total size of the rows, for people
 * @param stored stored rows of one region, or empty if no row was found
 * @param lookups costs of lookups; empty if no row was found whose values could be looked up
 */
public record IndexReport(
    IndexLayout layout,
    String rows,
    String size,
    Optional<StoredRows> stored,
    List<LookupCost> lookups) {

  private static final String UNKNOWN = "not known: no statistics; --count counts the rows";

  /**
   * Reports on an index. Reads a few of its rows and plans lookups of their values.
   *
   * @param counted number of rows of the index, or empty if the rows were not counted
   */
  public static IndexReport of(IndexedTable indexed, IndexLayout layout, OptionalLong counted)
      throws SQLException, IOException {
    Optional<StoredRows> stored = StoredRows.of(indexed, layout);
    List<LookupCost> lookups = new ArrayList<>();
    if (stored.isPresent()) {
      for (PredicateShape shape : PredicateShape.of(layout, fullest(stored.get().rows()))) {
        lookups.add(LookupCost.of(indexed, layout, shape));
      }
    }
    if (counted.isPresent()) {
      return new IndexReport(
          layout,
          String.format(Locale.ROOT, "%,d, counted", counted.getAsLong()),
          stored.map(rows -> about(counted.getAsLong() * rows.bytesPerRow())).orElse("0 bytes"),
          stored,
          lookups);
    }
    TableStatistics statistics = TableStatistics.of(indexed.connection(), indexed.index(layout));
    if (!statistics.isKnown()) {
      return new IndexReport(layout, UNKNOWN, "not known", stored, lookups);
    }
    RowCountBounds bounds = bounds(indexed, layout, statistics);
    return new IndexReport(
        layout,
        String.format(Locale.ROOT, "%,d to %,d, from statistics", bounds.min(), bounds.max()),
        about((bounds.min() + bounds.max()) / 2.0 * statistics.bytesPerRow()),
        stored,
        lookups);
  }

  private static String about(double bytes) {
    return "about " + Figures.bytes(bytes);
  }

  /** Returns the row with the fewest nulls, because lookups are usually for values. */
  private static IndexRow fullest(List<IndexRow> rows) {
    return rows.stream()
        .reduce((one, other) -> nulls(other) < nulls(one) ? other : one)
        .orElseThrow();
  }

  private static long nulls(IndexRow row) {
    return row.values().stream().filter(value -> value == null).count();
  }

  private static RowCountBounds bounds(
      IndexedTable indexed, IndexLayout layout, TableStatistics statistics) {
    RowCountBounds bounds = RowCountBounds.NONE;
    for (RegionInfo region : indexed.regions()) {
      byte[] start = region.getStartKey();
      byte[] end = region.getEndKey();
      bounds =
          bounds.plus(statistics.within(layout.rowPrefix(start, end), layout.rowsEnd(start, end)));
    }
    return bounds;
  }
}

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

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.layout.IndexRow;

/**
 * The first rows of an index in one region, as stored in HBase.
 *
 * @param rows at least one and at most 100 rows
 * @param bytesPerKey mean length of the row keys
 * @param bytesPerRow mean size of the cells of a row
 */
record StoredRows(RegionInfo region, List<IndexRow> rows, double bytesPerKey, double bytesPerRow) {

  private static final int MAX_ROWS = 100;

  /** Maximum number of regions that are searched for rows. */
  private static final int MAX_REGIONS = 8;

  /**
   * Reads rows of a region in the middle of the table or, if that region is empty, of another
   * region. Returns empty if all searched regions are empty.
   */
  static Optional<StoredRows> of(IndexedTable indexed, IndexLayout layout)
      throws SQLException, IOException {
    List<RegionInfo> regions = indexed.regions();
    int looks = Math.min(MAX_REGIONS, regions.size());
    byte[] name = indexed.table().getPhysicalName().getBytes();
    try (Table table = indexed.connection().getQueryServices().getTable(name)) {
      for (int i = 0; i < looks; i++) {
        int position = (regions.size() / 2 + i * regions.size() / looks) % regions.size();
        Optional<StoredRows> rows = of(table, layout, regions.get(position));
        if (rows.isPresent()) {
          return rows;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<StoredRows> of(Table table, IndexLayout layout, RegionInfo region)
      throws IOException {
    List<IndexRow> rows = new ArrayList<>();
    long ofKeys = 0;
    long ofCells = 0;
    try (ResultScanner scanner = table.getScanner(scan(layout, region))) {
      for (Result result : scanner) {
        rows.add(layout.read(result.getRow(), region.getStartKey(), region.getEndKey()));
        ofKeys += result.getRow().length;
        for (Cell cell : result.rawCells()) {
          ofCells += cell.getSerializedSize();
        }
      }
    }
    double count = rows.size();
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(new StoredRows(region, rows, ofKeys / count, ofCells / count));
  }

  private static Scan scan(IndexLayout layout, RegionInfo region) {
    byte[] start = region.getStartKey();
    byte[] end = region.getEndKey();
    Scan scan =
        new Scan()
            .withStartRow(layout.rowPrefix(start, end))
            .withStopRow(layout.rowsEnd(start, end))
            .setLimit(MAX_ROWS)
            .setCaching(MAX_ROWS);
    layout.families().forEach(family -> scan.addFamily(Bytes.toBytes(family)));
    return scan;
  }
}

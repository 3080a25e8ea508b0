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
package io.phoenixpruning.it.change;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.PInteger;

/**
 * Loads files with copies of rows that are never deleted. The copies have the timestamps of the
 * rows, so no statement sees a difference.
 */
final class BulkLoad {

  private final HBaseTestingUtility utility;
  private final TableName table;

  BulkLoad(HBaseTestingUtility utility, ChangingTable table) {
    this.utility = utility;
    this.table = TableName.valueOf(table.name());
  }

  /** Loads a file for each of the regions and each of their families. */
  void loadCopies(List<RegionInfo> regions) throws IOException {
    Path folder = new Path(utility.getDataTestDirOnTestFS(), UUID.randomUUID().toString());
    try (Table source = utility.getConnection().getTable(table)) {
      for (byte[] family : source.getDescriptor().getColumnFamilyNames()) {
        for (RegionInfo region : regions) {
          write(
              copies(source, region, family),
              new Path(new Path(folder, Bytes.toString(family)), region.getEncodedName()));
        }
      }
    }
    BulkLoadHFiles.create(utility.getConfiguration()).bulkLoad(table, folder);
  }

  private static List<Cell> copies(Table source, RegionInfo region, byte[] family)
      throws IOException {
    Scan scan =
        new Scan()
            .addFamily(family)
            .withStartRow(region.getStartKey())
            .withStopRow(region.getEndKey());
    List<Cell> copies = new ArrayList<>();
    try (ResultScanner rows = source.getScanner(scan)) {
      for (Result row : rows) {
        if (isKept(row.getRow())) {
          copies.addAll(row.listCells());
        }
      }
    }
    return copies;
  }

  /** The keys of the table and of its index end with K2. */
  private static boolean isKept(byte[] key) {
    int k2 =
        PInteger.INSTANCE.getCodec().decodeInt(key, key.length - Bytes.SIZEOF_INT, SortOrder.ASC);
    return k2 < ChangingTable.SECOND_KEYS;
  }

  private void write(List<Cell> cells, Path file) throws IOException {
    if (cells.isEmpty()) {
      return;
    }
    Configuration configuration = utility.getConfiguration();
    try (HFile.Writer writer =
        HFile.getWriterFactory(configuration, CacheConfig.DISABLED)
            .withPath(utility.getTestFileSystem(), file)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      for (Cell cell : cells) {
        writer.append(cell);
      }
    }
  }
}

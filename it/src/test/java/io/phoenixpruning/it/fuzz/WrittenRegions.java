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

import io.phoenixpruning.it.RegionChanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.QueryConstants;

/** Changes and reads the regions of a table on a mini cluster. */
final class WrittenRegions {

  private static final ByteString LAST_INDEX_ID = new ByteString(new byte[] {(byte) 0x80, 0x7f});

  private final HBaseTestingUtility utility;
  private final RegionChanges changes;
  private final String table;
  private final boolean salted;

  WrittenRegions(HBaseTestingUtility utility, String table, boolean salted) {
    this.utility = utility;
    this.changes = new RegionChanges(utility);
    this.table = table;
    this.salted = salted;
  }

  /**
   * Creates the HBase table again with other boundaries. SPLIT ON would pad them, and would need
   * constants of the key's types.
   */
  void create(List<ByteString> boundaries) throws Exception {
    TableName name = TableName.valueOf(table);
    Admin admin = utility.getAdmin();
    TableDescriptor descriptor = admin.getDescriptor(name);
    admin.disableTable(name);
    admin.deleteTable(name);
    admin.createTable(
        descriptor, boundaries.stream().map(ByteString::getBytes).toArray(byte[][]::new));
  }

  void flush() throws Exception {
    for (HRegion region : utility.getHBaseCluster().getRegions(TableName.valueOf(table))) {
      region.flush(true);
    }
  }

  /** Flushes, and makes a major compaction. */
  void compact() throws Exception {
    for (HRegion region : utility.getHBaseCluster().getRegions(TableName.valueOf(table))) {
      region.flush(true);
      region.compact(true);
    }
  }

  /** Returns the start keys of all regions except the first one. */
  List<ByteString> boundaries() throws Exception {
    List<ByteString> boundaries = new ArrayList<>();
    for (RegionInfo region : changes.regions(table)) {
      if (region.getStartKey().length > 0) {
        boundaries.add(new ByteString(region.getStartKey()));
      }
    }
    return boundaries;
  }

  /** Splits the region that has the key, unless HBase would then refuse index rows. */
  void split(byte[] boundary) throws Exception {
    for (RegionInfo region : changes.regions(table)) {
      if (region.containsRow(boundary)
          && !Arrays.equals(region.getStartKey(), boundary)
          && isWritable(region.getStartKey(), boundary)
          && (region.getEndKey().length == 0 || isWritable(boundary, region.getEndKey()))) {
        changes.split(region, boundary);
      }
    }
  }

  /** Merges the two regions at a boundary, unless they are buckets of a salted table. */
  void merge(byte[] boundary) throws Exception {
    List<RegionInfo> regions = changes.regions(table);
    for (int i = 1; i < regions.size(); i++) {
      if (Arrays.equals(regions.get(i).getStartKey(), boundary)
          && !(salted && boundary.length == 1)) {
        changes.merge(regions.get(i - 1), regions.get(i));
      }
    }
  }

  /**
   * Returns whether HBase accepts the index rows of a region. The key of an index row begins with
   * the start key of the region, followed by the index ID, and must lie before the end key. In the
   * first region, zeros replace the start key, as many as the end key has bytes.
   */
  static boolean isWritable(byte[] start, byte[] end) {
    ByteString first = new ByteString(start.length == 0 ? new byte[end.length] : start);
    return first.concat(LAST_INDEX_ID).compareTo(new ByteString(end)) < 0;
  }

  /** Returns the number of rows in the families of local indexes. */
  long countIndexRows() throws Exception {
    long rows = 0;
    TableName name = TableName.valueOf(table);
    Scan scan = new Scan();
    for (byte[] family : utility.getAdmin().getDescriptor(name).getColumnFamilyNames()) {
      if (Bytes.toString(family).startsWith(QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX)) {
        scan.addFamily(family);
      }
    }
    if (!scan.hasFamilies()) {
      return 0;
    }
    try (Table opened = utility.getConnection().getTable(name);
        ResultScanner scanner = opened.getScanner(scan)) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }
}

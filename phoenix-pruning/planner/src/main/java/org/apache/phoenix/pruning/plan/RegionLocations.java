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
package org.apache.phoenix.pruning.plan;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.thirdparty.com.google.common.cache.CacheBuilder;
import org.apache.phoenix.util.ClientUtil;

/**
 * The region locations that an HBase client remembers: read in bulk where many are needed, and
 * looked up anew where they are not as remembered.
 */
public final class RegionLocations {

  /** Tables may have been dropped by others. */
  private static final int MAX_TABLES = 10_000;

  private static final PerClient<RegionLocations> ALL = new PerClient<>(RegionLocations::new);

  /** How many regions the tables had that were read whole. */
  private final Map<TableName, Integer> readWhole =
      CacheBuilder.newBuilder().maximumSize(MAX_TABLES).<TableName, Integer>build().asMap();

  private RegionLocations() {}

  static RegionLocations of(ConnectionQueryServices services) {
    return ALL.of(services);
  }

  /** The client has forgotten the regions of a table. */
  public static void forgotten(TableName table) {
    ALL.all().forEach(ofClient -> ofClient.readWhole.remove(table));
  }

  /** How many regions {@code table} had when all were read, if the client still knows them. */
  OptionalInt count(byte[] table) {
    Integer count = readWhole.get(TableName.valueOf(table));
    return count == null ? OptionalInt.empty() : OptionalInt.of(count);
  }

  /**
   * Reads all regions of a table, a hundred or so with each RPC, unless this has been done since
   * the client forgot them last.
   */
  void readAll(ConnectionQueryServices services, byte[] tableName) throws SQLException {
    TableName name = TableName.valueOf(tableName);
    if (!readWhole.containsKey(name)) {
      try (Table table = services.getTable(tableName);
          RegionLocator locator = table.getRegionLocator()) {
        readWhole.put(name, locator.getAllRegionLocations().size());
      } catch (IOException e) {
        throw ClientUtil.parseServerException(e);
      }
    }
  }

  /**
   * Looks up the regions of a range of row keys anew.
   *
   * @param from inclusive, empty for the start of the table
   * @param to exclusive, empty for the end of the table
   * @return how many were looked up
   */
  public static int refresh(
      ConnectionQueryServices services, byte[] tableName, byte[] from, byte[] to)
      throws SQLException {
    try (Table table = services.getTable(tableName);
        RegionLocator locator = table.getRegionLocator()) {
      int lookups = 0;
      byte[] key = from;
      do {
        key = locator.getRegionLocation(key, true).getRegion().getEndKey();
        lookups++;
      } while (key.length > 0 && (to.length == 0 || Bytes.compareTo(key, to) < 0));
      return lookups;
    } catch (IOException e) {
      throw ClientUtil.parseServerException(e);
    }
  }
}

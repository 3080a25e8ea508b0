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
package org.apache.phoenix.pruning.region;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.config.ClientScoped;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.thirdparty.com.google.common.cache.CacheBuilder;
import org.apache.phoenix.util.ClientUtil;

/**
 * Region locations in the cache of an HBase client. Locations are read in bulk if many are needed,
 * and refreshed if they are outdated.
 */
public final class RegionLocationCache {

  /** Maximum number of tables that are remembered. Other clients may have dropped some of them. */
  private static final int MAX_TABLES = 10_000;

  private static final ClientScoped<RegionLocationCache> BY_CLIENT =
      new ClientScoped<>(RegionLocationCache::new);

  /** Number of regions of each table whose regions were all read. */
  private final Map<TableName, Integer> regionCounts =
      CacheBuilder.newBuilder().maximumSize(MAX_TABLES).<TableName, Integer>build().asMap();

  private RegionLocationCache() {}

  static RegionLocationCache of(ConnectionQueryServices services) {
    return BY_CLIENT.get(services);
  }

  /**
   * Forgets the number of regions of {@code table}, for all clients of this JVM. Call this method
   * when a client has cleared its cached regions of the table.
   */
  public static void forget(TableName table) {
    BY_CLIENT.values().forEach(cache -> cache.regionCounts.remove(table));
  }

  /**
   * Returns the number of regions that {@code table} had when all of them were last read. Returns
   * empty if they were never read, or if they were cleared since then.
   */
  OptionalInt count(byte[] table) {
    Integer count = regionCounts.get(TableName.valueOf(table));
    return count == null ? OptionalInt.empty() : OptionalInt.of(count);
  }

  /**
   * Reads all regions of a table, about a hundred with each RPC. Does nothing if all regions were
   * already read and not cleared since then.
   */
  void readAll(ConnectionQueryServices services, byte[] tableName) throws SQLException {
    TableName name = TableName.valueOf(tableName);
    if (!regionCounts.containsKey(name)) {
      try (Table table = services.getTable(tableName);
          RegionLocator locator = table.getRegionLocator()) {
        regionCounts.put(name, locator.getAllRegionLocations().size());
      } catch (IOException e) {
        throw ClientUtil.parseServerException(e);
      }
    }
  }

  /**
   * Refreshes the cached regions of a range of row keys.
   *
   * @param from inclusive, empty for the start of the table
   * @param to exclusive, empty for the end of the table
   * @return the number of lookups
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

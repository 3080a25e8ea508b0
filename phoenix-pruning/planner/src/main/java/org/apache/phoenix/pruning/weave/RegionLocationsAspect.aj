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
package org.apache.phoenix.pruning.weave;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.phoenix.cache.ServerCacheClient.ServerCache;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.iterate.TableResultIterator;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.join.HashCacheClient;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.pruning.region.RegionLocationCache;
import org.apache.phoenix.pruning.scan.PlanningMode;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.ConnectionQueryServicesImpl;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.tuple.Tuple;

/**
 * Keeps the cached locations of regions that have not changed. Phoenix's {@code
 * BaseResultIterators} and {@code TableResultIterator} clear the locations of all regions of a
 * table.
 */
public privileged aspect RegionLocationsAspect {

  /** Keeps the cache, because planning a stale scan again refreshes the locations of the scan. */
  void around(BaseResultIterators iterators) :
      call(void ConnectionQueryServices.clearTableRegionCache(TableName))
      && withincode(List BaseResultIterators.getIterators(List, ..))
      && this(iterators) {
    if (iterators.localIndexScanPlanner == null) {
      proceed(iterators);
    }
  }

  void around(TableResultIterator iterator) :
      call(void ConnectionQueryServices.clearTableRegionCache(TableName))
      && withincode(Tuple TableResultIterator.next())
      && this(iterator) {
    if (PlannedRegion.of(iterator.scan) == null) {
      proceed(iterator);
    }
  }

  /**
   * Refreshes the location of a region before a hash table is sent there again. The server that now
   * has the region then receives the hash table.
   */
  before(byte[] key, PTable table, HashCacheClient client) throws SQLException :
      call(boolean HashCacheClient.addHashCacheToServer(byte[], ServerCache, PTable))
      && args(key, *, table)
      && target(client) {
    PhoenixConnection connection = client.serverCache.getConnection();
    if (PlanningMode.of(table, connection) != PruningMode.STOCK) {
      RegionLocationCache.refresh(
          connection.getQueryServices(),
          table.getPhysicalName().getBytes(),
          key,
          Arrays.copyOf(key, key.length + 1));
    }
  }

  after(TableName table) returning :
      execution(void ConnectionQueryServicesImpl.clearTableRegionCache(TableName)) && args(table) {
    RegionLocationCache.forget(table);
  }
}

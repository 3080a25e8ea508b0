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
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.cache.ServerCacheClient.ServerCache;
import org.apache.phoenix.cache.ServerCacheClient;
import org.apache.phoenix.compile.ScanRanges;
import org.apache.phoenix.execute.HashJoinPlan.HashSubPlan;
import org.apache.phoenix.execute.HashJoinPlan;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.scan.HashCacheRegions;
import org.apache.phoenix.pruning.scan.PlanningMode;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.schema.PTable;

/**
 * Sends the hash table of a join only to the servers of regions that can hold matching rows, and
 * removes it only from these servers. Phoenix's {@code ServerCacheClient} looks up all regions for
 * both steps.
 *
 * <p>If a region has moved in the meantime, its new server reports a missing hash table and then
 * receives it, as in stock.
 */
public privileged aspect JoinCacheAspect {

  List<HRegionLocation> around(HashSubPlan join, HashJoinPlan plan) throws SQLException :
      call(List ConnectionQueryServices.getAllTableRegions(byte[], int))
      && withincode(ServerCache ServerCacheClient.addServerCache(ScanRanges, ..))
      && cflow(
          execution(ServerCache HashSubPlan.execute(HashJoinPlan))
          && this(join)
          && args(plan)) {
    // Later executions use a persistent cache, and can have other regions.
    List<HRegionLocation> planned =
        join.usePersistentCache
            ? null
            : HashCacheRegions.of(plan.delegate, !plan.recompileWhereClause);
    return planned == null ? proceed(join, plan) : planned;
  }

  List<HRegionLocation> around(
      ConnectionQueryServices services,
      byte[] table,
      ServerCacheClient client,
      ServerCache cache,
      Set<HRegionLocation> servers) throws SQLException :
      call(List ConnectionQueryServices.getAllTableRegions(byte[], int))
      && withincode(void ServerCacheClient.removeServerCache(ServerCache, Set))
      && target(services)
      && args(table, *)
      && this(client)
      && cflow(
          execution(void ServerCacheClient.removeServerCache(ServerCache, Set))
          && args(cache, servers)) {
    PTable cachingTable = client.cacheUsingTableMap.get(Bytes.mapKey(cache.getId()));
    List<HRegionLocation> current =
        PlanningMode.of(cachingTable, client.getConnection()) != PruningMode.STOCK
            ? HashCacheRegions.current(services, table, servers)
            : null;
    return current == null ? proceed(services, table, client, cache, servers) : current;
  }
}

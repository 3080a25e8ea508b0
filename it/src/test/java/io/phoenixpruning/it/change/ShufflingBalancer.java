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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.master.balancer.BaseLoadBalancer;

/**
 * A balancer that always has regions to move: half of all regions, each to another server. The
 * master creates it.
 */
public final class ShufflingBalancer extends BaseLoadBalancer {

  private final Random random = new Random(1);

  @Override
  protected List<RegionPlan> balanceTable(
      TableName tableName, Map<ServerName, List<RegionInfo>> loadOfOneTable) {
    List<RegionPlan> plans = new ArrayList<>();
    for (ServerName source : loadOfOneTable.keySet()) {
      List<ServerName> others = new ArrayList<>(loadOfOneTable.keySet());
      others.remove(source);
      for (RegionInfo region : loadOfOneTable.get(source)) {
        if (!others.isEmpty() && !isOfHBase(region) && random.nextBoolean()) {
          plans.add(new RegionPlan(region, source, others.get(random.nextInt(others.size()))));
        }
      }
    }
    return plans;
  }

  private static boolean isOfHBase(RegionInfo region) {
    return region
        .getTable()
        .getNamespaceAsString()
        .equals(NamespaceDescriptor.SYSTEM_NAMESPACE_NAME_STR);
  }
}

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

import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.protocol.PatchRequest;

/** Adds to each scan the names of the patches with which the scan was planned. */
public privileged aspect PatchRequestAspect {

  before(QueryPlan plan, Scan scan) :
      execution(static void BaseResultIterators.initializeScan(QueryPlan, Integer, Integer, Scan))
      && args(plan, *, *, scan) {
    PatchRequest.set(scan, Patches.of(plan.getContext().getConnection()));
  }
}

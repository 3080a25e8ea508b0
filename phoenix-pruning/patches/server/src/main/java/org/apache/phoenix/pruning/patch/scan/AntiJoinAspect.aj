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
package org.apache.phoenix.pruning.patch.scan;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.coprocessor.HashJoinRegionScanner;
import org.apache.phoenix.join.HashJoinInfo;
import org.apache.phoenix.parse.JoinTableNode.JoinType;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.pruning.protocol.PatchRequest;

/**
 * Drops the rows of an anti-join that have a match, if the join compares a column of a table other
 * than the scanned one. Phoenix's {@code HashJoinRegionScanner} evaluates such a join last, and
 * drops no row (not reported). The aspect decides once for each scanner.
 *
 * <p>Example: {@code SELECT T.K FROM T JOIN D ON T.V = D.ID WHERE D.Y NOT IN (SELECT X FROM E)}
 * also returns rows whose Y is in E.
 */
public privileged aspect AntiJoinAspect {

  after(HashJoinRegionScanner scanner, Scan scan, HashJoinInfo join) returning :
      execution(HashJoinRegionScanner.new(*, *, Scan, *, *, *, HashJoinInfo, ..))
      && this(scanner)
      && args(*, *, scan, *, *, *, join, ..) {
    for (int i = 0; i < scanner.hashCaches.length; i++) {
      if (join.getJoinTypes()[i] == JoinType.Anti
          && !join.earlyEvaluation()[i]
          && scanner.hashCaches[i] != null
          && PatchRequest.of(scan).has(Patch.ANTI_JOIN)) {
        scanner.hashCaches[i] = new AntiJoinCache(scanner.hashCaches[i]);
      }
    }
  }
}

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
package io.phoenixpruning.cli.advise;

import io.phoenixpruning.cli.console.RefusedException;
import java.sql.SQLException;
import java.util.Optional;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.explain.PlanSummary;
import org.apache.phoenix.pruning.explain.ScanSummary;

/** Refuses statements that cannot be planned in a copy of a cluster's tables. */
public final class CopyableTables implements Workload.Check {

  private final PhoenixConnection cluster;

  public CopyableTables(PhoenixConnection cluster) {
    this.cluster = cluster;
  }

  /**
   * Checks the tables that a statement reads, and the table that it writes.
   *
   * @throws RefusedException if a table cannot be copied
   */
  @Override
  public void check(PlanSummary plan, String sql) throws SQLException {
    for (ScanSummary scan : plan.scans()) {
      TableCopier.refuseUnlessPlannable(cluster.getTable(scan.table()));
    }
    Optional<String> target = UpsertTarget.of(cluster, sql);
    if (target.isPresent()) {
      TableCopier.refuseUnlessPlannable(cluster.getTable(target.get()));
    }
  }
}

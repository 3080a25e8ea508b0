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
package org.apache.phoenix.pruning.optimize;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.execute.DelegateQueryPlan;
import org.apache.phoenix.execute.UnionPlan;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.protocol.PlanStamp;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/** Refuses a plan that would misread the rows of a scan from another process. */
public final class PlanStampCheck {

  /** End of an error message. */
  static final String REMEDY =
      "Plan the scans again (restart the job), or choose the index in the statement with the hint"
          + " INDEX or NO_INDEX";

  private PlanStampCheck() {}

  /**
   * Checks that {@code plan} can read {@code scan}, which may come from another process.
   *
   * @throws SQLException if the plan cannot read the scan. The message names the planned table or
   *     index, the compiled table or index, and a remedy
   */
  public static void check(QueryPlan plan, Scan scan, @Nullable ParallelScanGrouper grouper)
      throws SQLException {
    if (!PlanPinning.isReadByStatement(grouper)) {
      check(plan, scan);
    }
  }

  /** Checks that {@code plan} can read {@code scan}, which comes from another process. */
  static void check(QueryPlan plan, Scan scan) throws SQLException {
    PlanStamp planned = PlanStamp.of(scan);
    if (planned == null && ConnectionMode.of(plan) == PruningMode.STOCK) {
      return;
    }
    List<QueryPlan> scanning = scanningParts(plan);
    if (planned == null) {
      checkUnmarked(scanning, scan);
    } else if (!scanning.isEmpty()
        && scanning.stream().noneMatch(part -> PlanPinning.stampOf(part).equals(planned))) {
      throw new SQLException(
          "Scans were planned "
              + PlanPinning.stampOf(scanning.get(0)).differenceFrom(planned)
              + ". The reader would misread their rows, because statistics, settings or indexes"
              + " have changed. "
              + REMEDY);
    }
  }

  /**
   * Returns the part of {@code plan} that reads {@code scan}, or null if this part is not known. A
   * scan without a stamp is read by the only part that makes scans.
   */
  public static @Nullable QueryPlan readerOf(QueryPlan plan, Scan scan) throws SQLException {
    PlanStamp planned = PlanStamp.of(scan);
    List<QueryPlan> scanning = scanningParts(plan);
    if (planned == null) {
      return scanning.size() == 1 ? scanning.get(0) : null;
    }
    for (QueryPlan part : scanning) {
      if (PlanPinning.stampOf(part).equals(planned)) {
        return part;
      }
    }
    return null;
  }

  /** Returns the parts of {@code plan} that make scans. */
  static List<QueryPlan> scanningParts(QueryPlan plan) {
    List<QueryPlan> scanning = new ArrayList<>();
    addScanning(plan, scanning);
    return scanning;
  }

  private static void addScanning(QueryPlan plan, List<QueryPlan> scanning) {
    if (plan instanceof BaseQueryPlan) {
      scanning.add(plan);
    } else if (plan instanceof DelegateQueryPlan) {
      addScanning(((DelegateQueryPlan) plan).getDelegate(), scanning);
    } else if (plan instanceof UnionPlan) {
      ((UnionPlan) plan).getSubPlans().forEach(part -> addScanning(part, scanning));
    }
  }

  /** Refuses to read data rows as rows of a local index, or the reverse. */
  private static void checkUnmarked(List<QueryPlan> scanning, Scan scan) throws SQLException {
    if (!scanning.isEmpty() && scanning.stream().noneMatch(part -> isOfSameKind(part, scan))) {
      throw new SQLException(
          "Scans were planned for "
              + (ScanUtil.isLocalIndex(scan) ? "a local index" : "the rows of a table")
              + ", but this reader has compiled its statement for "
              + scanning.get(0).getTableRef().getTable().getName()
              + ". The reader would misread their rows, because indexes or settings have changed. "
              + REMEDY);
    }
  }

  /** Returns whether plan and scan both read a local index, or both read other rows. */
  static boolean isOfSameKind(QueryPlan plan, Scan scan) {
    PTable table = plan.getTableRef().getTable();
    boolean isLocal = table.getIndexType() == IndexType.LOCAL;
    // The projected table of a join does not show whether an index is scanned.
    return table.getType() == PTableType.PROJECTED || isLocal == ScanUtil.isLocalIndex(scan);
  }
}

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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.compile.StatementContext;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.pruning.region.PlannedRegion;
import org.apache.phoenix.util.ClientUtil;
import org.apache.phoenix.util.ScanUtil;

/**
 * Looks for matching rows where pruning says that there are none. It costs a scan for each region
 * that was pruned: for tests, and for a careful first day in production.
 */
final class PruningVerification {

  /** What makes a scan do more than return its rows. */
  private static final String[] BEYOND_READING = {
    BaseScannerRegionObserverConstants.AGGREGATORS,
    BaseScannerRegionObserverConstants.DELETE_AGG,
    BaseScannerRegionObserverConstants.GROUP_BY_LIMIT,
    BaseScannerRegionObserverConstants.KEY_ORDERED_GROUP_BY_EXPRESSIONS,
    BaseScannerRegionObserverConstants.REVERSE_SCAN,
    BaseScannerRegionObserverConstants.SCAN_OFFSET,
    BaseScannerRegionObserverConstants.TOPN,
    BaseScannerRegionObserverConstants.UNGROUPED_AGG,
    BaseScannerRegionObserverConstants.UNORDERED_GROUP_BY_EXPRESSIONS,
    BaseScannerRegionObserverConstants.UPSERT_SELECT_EXPRS,
    BaseScannerRegionObserverConstants.UPSERT_SELECT_TABLE,
    // Of HashJoinInfo: a row that a join would drop is looked at as if it stayed.
    "HashJoin"
  };

  private final QueryPlan plan;
  private final LocalIndexScans scans;

  PruningVerification(QueryPlan plan, LocalIndexScans scans) {
    this.plan = plan;
    this.scans = scans;
  }

  /**
   * Fails if a region of {@code all} that is not in {@code planned} holds a matching row.
   *
   * @throws SQLException that names the region and the row of the index
   */
  void verify(List<HRegionLocation> all, List<HRegionLocation> planned) throws SQLException {
    Set<PlannedRegion> scanned = new HashSet<>();
    for (HRegionLocation location : planned) {
      scanned.add(PlannedRegion.of(location.getRegion()));
    }
    StatementContext context = plan.getContext();
    byte[] name = plan.getTableRef().getTable().getPhysicalName().getBytes();
    try (Table table = context.getConnection().getQueryServices().getTable(name)) {
      for (HRegionLocation location : all) {
        if (!scanned.contains(PlannedRegion.of(location.getRegion()))) {
          for (Scan scan : scans.ofRegion(location.getRegion())) {
            verifyEmpty(table, scan, location);
          }
        }
      }
    } catch (IOException e) {
      throw ClientUtil.parseServerException(e);
    }
  }

  private void verifyEmpty(Table table, Scan scan, HRegionLocation location)
      throws IOException, SQLException {
    for (String attribute : BEYOND_READING) {
      scan.setAttribute(attribute, null);
    }
    scan.setAttribute(
        BaseScannerRegionObserverConstants.NON_AGGREGATE_QUERY, new byte[] {(byte) 1});
    PlannedRegion.of(location.getRegion()).stamp(scan);
    ScanUtil.setScanAttributesForClient(
        scan, plan.getTableRef().getTable(), plan.getContext().getConnection());
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        if (!ScanUtil.isDummy(row)) {
          throw violation(row, location);
        }
      }
    }
  }

  private SQLException violation(Result row, HRegionLocation location) {
    return new SQLException(
        PruningOptions.VERIFY
            + ": region "
            + location.getRegion().getRegionNameAsString()
            + " was pruned, but holds the matching index row "
            + Bytes.toStringBinary(row.getRow())
            + " of "
            + plan.getTableRef().getTable().getName()
            + ". Set "
            + PruningOptions.MODE
            + "="
            + PruningMode.NONE.configured()
            + " and report the statement with its EXPLAIN.");
  }
}

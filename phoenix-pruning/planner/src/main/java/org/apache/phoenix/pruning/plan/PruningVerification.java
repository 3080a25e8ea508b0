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
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.region.DataRowRange;
import org.apache.phoenix.pruning.region.PlannedRegion;
import org.apache.phoenix.pruning.region.RegionLocator;
import org.apache.phoenix.schema.StaleRegionBoundaryCacheException;
import org.apache.phoenix.schema.tuple.ResultTuple;
import org.apache.phoenix.schema.types.PBoolean;
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
    // Of HashJoinInfo: what joins say is asked of each row.
    "HashJoin"
  };

  /** How often a region that was not found as it was looked up is looked up again. */
  private static final int MAX_REFRESHES = 10;

  private final QueryPlan plan;
  private final TableRegions regions;
  private final LocalIndexScans scans;
  private final List<Expression> ofJoins;

  PruningVerification(QueryPlan plan, TableRegions regions, LocalIndexScans scans)
      throws SQLException {
    this.plan = plan;
    this.regions = regions;
    this.scans = scans;
    this.ofJoins = JoinConditions.of(plan.getContext()).known();
  }

  /**
   * Fails if there is a matching row that is in none of the regions {@code planned}. The others are
   * looked up anew: regions can have split, merged or moved since.
   *
   * @param planned in key order
   * @throws SQLException that names the region and the row of the index
   */
  void verify(List<HRegionLocation> planned) throws SQLException {
    byte[] name = plan.getTableRef().getTable().getPhysicalName().getBytes();
    try (Table table = plan.getContext().getConnection().getQueryServices().getTable(name)) {
      for (DataRowRange pruned : DataRowRange.outside(planned)) {
        verifyEmpty(table, pruned);
      }
    } catch (IOException e) {
      throw ClientUtil.parseServerException(e);
    }
  }

  private void verifyEmpty(Table table, DataRowRange rows) throws SQLException {
    for (int refreshes = 0; ; refreshes++) {
      try {
        RegionLocator locator = regions.locator();
        for (HRegionLocation location :
            KeyConstraints.unknown().regionsWithin(rows.start(), rows.end(), locator)) {
          for (Scan scan : scans.ofRows(rows, location.getRegion())) {
            verifyEmpty(table, scan, location);
          }
        }
        return;
      } catch (StaleRegionBoundaryCacheException e) {
        if (refreshes == MAX_REFRESHES) {
          throw e;
        }
        regions.locator().refresh(rows.start(), rows.end());
      }
    }
  }

  private void verifyEmpty(Table table, Scan scan, HRegionLocation location) throws SQLException {
    for (String attribute : BEYOND_READING) {
      scan.setAttribute(attribute, null);
    }
    scan.setAttribute(
        BaseScannerRegionObserverConstants.NON_AGGREGATE_QUERY, new byte[] {(byte) 1});
    PlannedRegion.of(location.getRegion()).stamp(scan);
    ScanUtil.setScanAttributesForClient(
        scan, plan.getTableRef().getTable(), plan.getContext().getConnection());
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        if (!ScanUtil.isDummy(row) && canJoin(row)) {
          throw violation(row, location);
        }
      }
    } catch (IOException e) {
      throw ClientUtil.parseServerException(e);
    }
  }

  /** Columns that are not in the row key may have been projected to others. */
  private boolean canJoin(Result row) {
    ResultTuple tuple = new ResultTuple(row);
    ImmutableBytesWritable value = new ImmutableBytesWritable();
    for (Expression condition : ofJoins) {
      condition.reset();
      if (condition.evaluate(tuple, value)
          && !Boolean.TRUE.equals(PBoolean.INSTANCE.toObject(value))) {
        return false;
      }
    }
    return true;
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

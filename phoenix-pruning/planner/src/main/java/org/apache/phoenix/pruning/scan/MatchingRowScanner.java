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
package org.apache.phoenix.pruning.scan;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.protocol.DataRowRange;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.pruning.region.TableRegions;
import org.apache.phoenix.pruning.where.JoinConditions;
import org.apache.phoenix.schema.StaleRegionBoundaryCacheException;
import org.apache.phoenix.schema.tuple.ResultTuple;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.util.ClientUtil;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/**
 * Scans for the first index row that matches the conditions of a plan, including the conditions of
 * its joins. The scans only read: they aggregate, sort, write and join nothing.
 */
final class MatchingRowScanner {

  /** Plans scans in the current regions. */
  interface ScanSource {
    List<Scan> scans() throws SQLException;
  }

  /** Matching index row, and the region for which its scan was planned, or null if unknown. */
  static final class Match {

    private final @Nullable PlannedRegion region;
    private final Result row;

    Match(@Nullable PlannedRegion region, Result row) {
      this.region = region;
      this.row = row;
    }

    @Nullable PlannedRegion region() {
      return region;
    }

    byte[] key() {
      return row.getRow();
    }
  }

  /** Attributes that make a scan do more than return its rows. */
  private static final String[] OPERATION_ATTRIBUTES = {
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
    // The attribute of HashJoinInfo. Join conditions are tested on each row instead.
    "HashJoin"
  };

  /** Maximum number of times that changed regions are looked up again. */
  private static final int MAX_REFRESHES = 10;

  private final QueryPlan plan;
  private final TableRegions regions;
  private final List<Expression> joinConditions;

  MatchingRowScanner(QueryPlan plan, TableRegions regions) throws SQLException {
    this.plan = plan;
    this.regions = regions;
    this.joinConditions = JoinConditions.of(plan.getContext()).known();
  }

  /**
   * Returns the first row of scans that read {@code rows}. The scans are planned again if regions
   * change.
   */
  Optional<Match> firstMatch(DataRowRange rows, ScanSource source) throws SQLException {
    byte[] name = plan.getTableRef().getTable().getPhysicalName().getBytes();
    try (Table table = plan.getContext().getConnection().getQueryServices().getTable(name)) {
      for (int refreshes = 0; ; refreshes++) {
        try {
          return firstMatch(table, source.scans());
        } catch (StaleRegionBoundaryCacheException e) {
          if (refreshes == MAX_REFRESHES) {
            throw e;
          }
          regions.locator().refresh(rows.start(), rows.end());
        }
      }
    } catch (IOException e) {
      throw ClientUtil.parseServerException(e);
    }
  }

  private Optional<Match> firstMatch(Table table, List<Scan> scans) throws SQLException {
    for (Scan scan : scans) {
      prepareToRead(scan);
      try (ResultScanner rows = table.getScanner(scan)) {
        for (Result row = rows.next(); row != null; row = rows.next()) {
          if (!ScanUtil.isDummy(row) && meetsJoinConditions(row)) {
            return Optional.of(new Match(PlannedRegion.of(scan), row));
          }
        }
      } catch (IOException e) {
        throw ClientUtil.parseServerException(e);
      }
    }
    return Optional.empty();
  }

  private void prepareToRead(Scan scan) throws SQLException {
    for (String attribute : OPERATION_ATTRIBUTES) {
      scan.setAttribute(attribute, null);
    }
    scan.setAttribute(
        BaseScannerRegionObserverConstants.NON_AGGREGATE_QUERY, new byte[] {(byte) 1});
    ScanUtil.setScanAttributesForClient(
        scan, plan.getTableRef().getTable(), plan.getContext().getConnection());
  }

  /**
   * Returns whether a row meets all join conditions. A condition that cannot be evaluated counts as
   * met, because columns outside the row key may have been projected to other columns.
   */
  private boolean meetsJoinConditions(Result row) {
    ResultTuple tuple = new ResultTuple(row);
    ImmutableBytesWritable value = new ImmutableBytesWritable();
    for (Expression condition : joinConditions) {
      condition.reset();
      if (condition.evaluate(tuple, value)
          && !Boolean.TRUE.equals(PBoolean.INSTANCE.toObject(value))) {
        return false;
      }
    }
    return true;
  }
}

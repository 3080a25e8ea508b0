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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.layout.KeyText;
import org.apache.phoenix.pruning.probe.ExclusionCheck;
import org.apache.phoenix.pruning.protocol.DataRowRange;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.pruning.prune.KeyConstraints;
import org.apache.phoenix.pruning.prune.LocalIndexRegions;
import org.apache.phoenix.pruning.region.KeyRegionLocator;
import org.apache.phoenix.pruning.where.JoinConditions;
import org.apache.phoenix.schema.StaleRegionBoundaryCacheException;
import org.apache.phoenix.schema.tuple.ResultTuple;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.util.ClientUtil;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;

/**
 * Searches for matching rows in regions that pruning or a server probe has excluded. Verification
 * costs one scan for each such region. Use verification in tests, and on a careful first day in
 * production.
 */
final class PruningVerifier {

  /** Attributes that make a scan do more than return its rows. */
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
    // The attribute of HashJoinInfo. Join conditions are tested on each row instead.
    "HashJoin"
  };

  /** Maximum number of times that changed regions are looked up again. */
  private static final int MAX_REFRESHES = 10;

  private final QueryPlan plan;
  private final LocalIndexRegions regions;
  private final RegionScanBuilder scans;
  private final List<Expression> ofJoins;

  PruningVerifier(QueryPlan plan, LocalIndexRegions regions, RegionScanBuilder scans)
      throws SQLException {
    this.plan = plan;
    this.regions = regions;
    this.scans = scans;
    this.ofJoins = JoinConditions.of(plan.getContext()).known();
  }

  /**
   * Throws an exception if a matching row is in none of the regions {@code planned}. The other
   * regions are looked up again, because they can have split, merged or moved.
   *
   * @param planned the planned regions, in key order
   * @throws SQLException if there is such a row. The message names the region and the index row.
   */
  void verify(List<HRegionLocation> planned) throws SQLException {
    for (DataRowRange pruned : DataRowRange.outside(planned)) {
      Optional<Match> match =
          firstMatch(
              pruned,
              () -> {
                List<Scan> all = new ArrayList<>();
                for (HRegionLocation region :
                    KeyConstraints.unknown()
                        .regionsWithin(pruned.start(), pruned.end(), locator())) {
                  all.addAll(scans.ofRows(pruned, region.getRegion()));
                }
                return all;
              });
      if (match.isPresent()) {
        throw violation("was pruned,", match.get());
      }
    }
  }

  /**
   * Throws an exception if {@code excluded} returns a row, although its server says again that
   * there is none.
   *
   * @throws SQLException if there is such a row. The message names the region and the index row.
   */
  void verify(Scan excluded, ExclusionCheck.Recheck again) throws SQLException {
    if (matchOf(excluded).isPresent() && again.isExcluded()) {
      Optional<Match> match = matchOf(excluded);
      if (match.isPresent()) {
        throw violation("was skipped because its server reported no matching row,", match.get());
      }
    }
  }

  private Optional<Match> matchOf(Scan excluded) throws SQLException {
    DataRowRange rows = DataRowRange.of(excluded);
    return firstMatch(
        rows,
        () ->
            scans.again(excluded, rows, regions.within(rows)).scans().stream()
                .flatMap(List::stream)
                .collect(Collectors.toList()));
  }

  /** Plans scans in the current regions. */
  private interface Planning {
    List<Scan> scans() throws SQLException;
  }

  private KeyRegionLocator locator() throws SQLException {
    return regions.ofTable().locator();
  }

  /**
   * Returns the first row of scans that read {@code rows}. The scans are planned again if regions
   * change.
   */
  private Optional<Match> firstMatch(DataRowRange rows, Planning planning) throws SQLException {
    byte[] name = plan.getTableRef().getTable().getPhysicalName().getBytes();
    try (Table table = plan.getContext().getConnection().getQueryServices().getTable(name)) {
      for (int refreshes = 0; ; refreshes++) {
        try {
          return firstMatch(table, planning.scans());
        } catch (StaleRegionBoundaryCacheException e) {
          if (refreshes == MAX_REFRESHES) {
            throw e;
          }
          locator().refresh(rows.start(), rows.end());
        }
      }
    } catch (IOException e) {
      throw ClientUtil.parseServerException(e);
    }
  }

  private Optional<Match> firstMatch(Table table, List<Scan> all) throws SQLException {
    for (Scan scan : all) {
      for (String attribute : BEYOND_READING) {
        scan.setAttribute(attribute, null);
      }
      scan.setAttribute(
          BaseScannerRegionObserverConstants.NON_AGGREGATE_QUERY, new byte[] {(byte) 1});
      ScanUtil.setScanAttributesForClient(
          scan, plan.getTableRef().getTable(), plan.getContext().getConnection());
      try (ResultScanner rows = table.getScanner(scan)) {
        for (Result row = rows.next(); row != null; row = rows.next()) {
          if (!ScanUtil.isDummy(row) && canJoin(row)) {
            return Optional.of(new Match(PlannedRegion.of(scan), row));
          }
        }
      } catch (IOException e) {
        throw ClientUtil.parseServerException(e);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns whether a row meets all join conditions. A condition that cannot be evaluated counts as
   * met, because columns outside the row key may have been projected to others.
   */
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

  private SQLException violation(String what, Match match) {
    return new SQLException(
        PruningOptions.VERIFY
            + ": region "
            + match.region
            + " of "
            + plan.getTableRef().getTable().getPhysicalName()
            + " "
            + what
            + " but holds the matching index row "
            + KeyText.brief(match.row.getRow())
            + " of "
            + plan.getTableRef().getTable().getName()
            + ". Set "
            + PruningOptions.MODE
            + "="
            + PruningMode.NONE.configured()
            + " and report the statement with its EXPLAIN.");
  }

  /** Matching row in a region that was excluded. */
  private static final class Match {
    private final @Nullable PlannedRegion region;
    private final Result row;

    Match(@Nullable PlannedRegion region, Result row) {
      this.region = region;
      this.row = row;
    }
  }
}

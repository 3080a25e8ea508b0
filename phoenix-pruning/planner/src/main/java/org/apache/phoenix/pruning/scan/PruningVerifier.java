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

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.layout.KeyText;
import org.apache.phoenix.pruning.probe.ExclusionCheck;
import org.apache.phoenix.pruning.protocol.DataRowRange;
import org.apache.phoenix.pruning.prune.KeyConstraints;
import org.apache.phoenix.pruning.prune.LocalIndexRegions;
import org.apache.phoenix.pruning.scan.MatchingRowScanner.Match;

/**
 * Searches for matching rows in regions that pruning or a server probe has excluded. Verification
 * costs one scan for each such region. Use verification in tests, and during the first days in
 * production.
 */
final class PruningVerifier {

  private final QueryPlan plan;
  private final LocalIndexRegions regions;
  private final RegionScanBuilder builder;
  private final MatchingRowScanner scanner;

  PruningVerifier(QueryPlan plan, LocalIndexRegions regions, RegionScanBuilder builder)
      throws SQLException {
    this.plan = plan;
    this.regions = regions;
    this.builder = builder;
    this.scanner = new MatchingRowScanner(plan, regions.ofTable());
  }

  /**
   * Throws an exception if a matching row is in none of the regions {@code planned}. The other
   * regions are looked up again, because they can have split, merged or moved.
   *
   * @param planned the planned regions, in key order
   * @throws SQLException if there is such a row. The message names the region and the index row.
   */
  void verifyPruned(List<HRegionLocation> planned) throws SQLException {
    for (DataRowRange pruned : DataRowRange.outside(planned)) {
      Optional<Match> match = scanner.firstMatch(pruned, () -> scansOf(pruned));
      if (match.isPresent()) {
        throw violation("was pruned,", match.get());
      }
    }
  }

  /** Returns scans of all current regions that hold {@code rows}. */
  private List<Scan> scansOf(DataRowRange rows) throws SQLException {
    List<Scan> scans = new ArrayList<>();
    for (HRegionLocation region :
        KeyConstraints.unknown()
            .regionsWithin(rows.start(), rows.end(), regions.ofTable().locator())) {
      scans.addAll(builder.buildForRows(rows, region.getRegion()));
    }
    return scans;
  }

  /**
   * Throws an exception if {@code excluded} returns a row, although its server says again that
   * there is none.
   *
   * @throws SQLException if there is such a row. The message names the region and the index row.
   */
  void verifyExcluded(Scan excluded, ExclusionCheck.Recheck again) throws SQLException {
    if (matchOf(excluded).isPresent() && again.isExcluded()) {
      Optional<Match> match = matchOf(excluded);
      if (match.isPresent()) {
        throw violation("was skipped because its server reported no matching row,", match.get());
      }
    }
  }

  private Optional<Match> matchOf(Scan excluded) throws SQLException {
    DataRowRange rows = DataRowRange.of(excluded);
    return scanner.firstMatch(
        rows,
        () ->
            builder.rebuild(excluded, rows, regions.within(rows)).scans().stream()
                .flatMap(List::stream)
                .collect(Collectors.toList()));
  }

  private SQLException violation(String what, Match match) {
    return new SQLException(
        PruningOptions.VERIFY
            + ": region "
            + match.region()
            + " of "
            + plan.getTableRef().getTable().getPhysicalName()
            + " "
            + what
            + " but holds the matching index row "
            + KeyText.brief(match.key())
            + " of "
            + plan.getTableRef().getTable().getName()
            + ". Set "
            + PruningOptions.MODE
            + "="
            + PruningMode.NONE.configured()
            + " and report the statement with its EXPLAIN.");
  }
}

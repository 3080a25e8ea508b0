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
package io.phoenixpruning.it.fuzz;

import io.phoenixpruning.it.fuzz.RegionOracle.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.protocol.PlannedRegion;

/** Compares the planned regions with the regions that could hold a row that matches. */
final class PlannedRegionCheck {

  private final QueriedTable deployed;
  private final Oracle oracle;
  private final FuzzReport report;
  private final RandomQuery query;
  private Optional<ConditionBoxes> boxes;

  PlannedRegionCheck(QueriedTable deployed, Oracle oracle, FuzzReport report, RandomQuery query) {
    this.deployed = deployed;
    this.oracle = oracle;
    this.report = report;
    this.query = query;
  }

  /** Returns whether the planned regions of a query can be compared. */
  static boolean appliesTo(RandomQuery query) {
    return query.form().isOneScan()
        && query.where().kinds().stream().noneMatch(kind -> kind.endsWith("subquery"));
  }

  /**
   * Returns a region that is needed and not planned, or empty. Unneeded regions that are planned
   * are only counted.
   *
   * @param planned planned regions; null if the plan does not use a local index
   */
  Optional<Disagreement> compare(List<PlannedRegion> planned) throws Exception {
    if (planned == null || !appliesTo(query)) {
      return Optional.empty();
    }
    if (boxes == null) {
      boxes = report.times().timed("boxes", this::boxes);
    }
    return report.times().timed("regions", () -> compareRegions(planned));
  }

  private Optional<Disagreement> compareRegions(List<PlannedRegion> planned) throws Exception {
    int known = 0;
    int tooMany = 0;
    if (boxes.isPresent()) {
      RegionOracle regionOracle = new RegionOracle(deployed, boxes.get());
      for (RegionInfo region : deployed.regions()) {
        Verdict verdict = regionOracle.verdict(region);
        boolean isPlanned = planned.contains(PlannedRegion.of(region));
        if (verdict == Verdict.NEEDED && !isPlanned) {
          return Optional.of(
              new Disagreement(
                  "planned regions",
                  true,
                  List.of(
                      List.of(
                          PlannedRegion.of(region),
                          "can hold " + Bytes.toStringBinary(regionOracle.witness()))),
                  planned));
        }
        known += verdict == Verdict.UNKNOWN ? 0 : 1;
        tooMany += verdict == Verdict.NOT_NEEDED && isPlanned ? 1 : 0;
      }
    }
    report.countRegions(deployed, query, known, tooMany);
    return Optional.empty();
  }

  /**
   * Returns the boxes of the query's condition, over the columns of the table. The condition
   * includes the key columns that a view fixes.
   */
  private Optional<ConditionBoxes> boxes() throws Exception {
    List<String> terms = new ArrayList<>();
    if (query.relation().equals("$W")) {
      terms.add(deployed.table().viewCondition().calcite());
    }
    if (query.ofTenant()) {
      terms.add("K1 = '" + RandomTable.TENANT + "'");
    }
    terms.add("(" + query.where().sql().calcite() + ")");
    return ConditionBoxes.of(oracle.condition(String.join(" AND ", terms)), oracle.types());
  }
}

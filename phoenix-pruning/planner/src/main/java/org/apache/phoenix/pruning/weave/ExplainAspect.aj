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

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.ExplainPlanAttributes.ExplainPlanAttributesBuilder;
import org.apache.phoenix.compile.ExplainPlanAttributes;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.iterate.ExplainTable;
import org.apache.phoenix.iterate.ParallelScanGrouper;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.explain.ExplainedScan;
import org.apache.phoenix.pruning.optimize.PlanDecisions;
import org.apache.phoenix.pruning.probe.ProbePlan;
import org.apache.phoenix.pruning.prune.RegionReport;
import org.apache.phoenix.pruning.scan.LocalIndexScanReport;
import org.apache.phoenix.pruning.scan.LooseIndexScan;
import org.apache.phoenix.pruning.scan.PlanningMode;

/**
 * Adds to EXPLAIN the number of planned regions, the number of all regions, the rules that pruned
 * the others, and how the planned regions are read.
 */
public privileged aspect ExplainAspect {

  declare parents : ExplainPlanAttributes implements ExplainedScan;

  private static final String INDENT = "    ";

  private RegionReport ExplainPlanAttributes.regionReport;

  private RegionReport ExplainPlanAttributesBuilder.regionReport;

  private LooseIndexScan ExplainPlanAttributes.looseIndexScan;

  private LooseIndexScan ExplainPlanAttributesBuilder.looseIndexScan;

  private ProbePlan ExplainPlanAttributes.probePlan;

  private ProbePlan ExplainPlanAttributesBuilder.probePlan;

  private List<HRegionLocation> ExplainPlanAttributes.scanLocations;

  private List<HRegionLocation> ExplainPlanAttributesBuilder.scanLocations;

  public RegionReport ExplainPlanAttributes.getRegionReport() {
    return regionReport;
  }

  public List<HRegionLocation> ExplainPlanAttributes.getScanLocations() {
    return scanLocations;
  }

  /**
   * Returns the number of regions that a local index scan is planned for, or null for other plans.
   */
  public Integer ExplainPlanAttributes.getRegionsPlanned() {
    return regionReport == null ? null : regionReport.planned();
  }

  /** Returns the number of regions of the table, or null for other plans. */
  public Integer ExplainPlanAttributes.getRegionsTotal() {
    return regionReport == null ? null : regionReport.total();
  }

  /** Returns the number of pruned regions by the name of the rule, or null for other plans. */
  public Map<String, Integer> ExplainPlanAttributes.getRegionsPruned() {
    return regionReport == null ? null : regionReport.prunedByRuleName();
  }

  /** Returns a description of the loose index scan, or null if the plan has none. */
  public String ExplainPlanAttributes.getLooseIndexScan() {
    return looseIndexScan == null ? null : looseIndexScan.toString();
  }

  /** Returns a description of the region probe, or null if the plan has none. */
  public String ExplainPlanAttributes.getRegionProbe() {
    return probePlan == null ? null : probePlan.toString();
  }

  void around(
      ExplainTable table,
      List<String> steps,
      ExplainPlanAttributesBuilder builder,
      List<HRegionLocation> locations) :
      execution(void ExplainTable.explain(String, List, ExplainPlanAttributesBuilder, List))
      && this(table) && args(*, steps, builder, locations) {
    int client = steps.size();
    proceed(table, steps, builder, locations);
    if (builder != null) {
      builder.scanLocations = locations;
    }
    PlanDecisions choices = table.context.getStatement().getPlanChoices();
    int line = client + 1;
    for (String candidate : choices.lines(table.tableRef)) {
      steps.add(line++, INDENT + candidate);
    }
    LocalIndexScanReport scans = LocalIndexScanReport.of(table);
    if (scans != null) {
      describe(scans, steps, client + 1, builder);
    }
  }

  /** Inserts the lines about the planned scans of a local index at {@code line}. */
  private static void describe(
      LocalIndexScanReport scans,
      List<String> steps,
      int line,
      ExplainPlanAttributesBuilder builder) {
    LooseIndexScan loose = scans.looseScan();
    if (loose != null) {
      steps.add(line, INDENT + loose);
      if (builder != null) {
        builder.looseIndexScan = loose;
      }
    }
    ProbePlan probe = scans.probe();
    if (probe != null) {
      steps.add(line, INDENT + probe);
      if (builder != null) {
        builder.probePlan = probe;
      }
    }
    RegionReport regions = scans.regions();
    if (regions != null) {
      steps.add(line, INDENT + regions);
      if (builder != null) {
        builder.regionReport = regions;
      }
    }
  }

  after(ExplainPlanAttributesBuilder builder) returning(ExplainPlanAttributes attributes) :
      execution(ExplainPlanAttributes ExplainPlanAttributesBuilder.build()) && this(builder) {
    attributes.regionReport = builder.regionReport;
    attributes.looseIndexScan = builder.looseIndexScan;
    attributes.probePlan = builder.probePlan;
    attributes.scanLocations = builder.scanLocations;
  }

  /**
   * Copies the fields, because a DELETE, an UPSERT SELECT and client-side steps extend a copy of
   * the attributes.
   */
  after(ExplainPlanAttributesBuilder copy, ExplainPlanAttributes attributes) returning :
      execution(ExplainPlanAttributesBuilder.new(ExplainPlanAttributes))
      && this(copy) && args(attributes) {
    copy.regionReport = attributes.regionReport;
    copy.looseIndexScan = attributes.looseIndexScan;
    copy.probePlan = attributes.probePlan;
    copy.scanLocations = attributes.scanLocations;
  }

  /**
   * Marks the estimates as computed, because each iterator computes them. Otherwise Phoenix's
   * {@code BaseQueryPlan} would create another iterator, and plan the regions again, only for
   * estimates.
   */
  after(BaseQueryPlan plan) returning throws SQLException :
      execution(ResultIterator BaseQueryPlan.iterator(Map, ParallelScanGrouper, Scan))
      && this(plan) {
    if (PlanningMode.of(plan) != PruningMode.STOCK) {
      plan.getEstimatesCalled = true;
    }
  }
}

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

import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.phoenix.compile.ExplainPlanAttributes.ExplainPlanAttributesBuilder;
import org.apache.phoenix.iterate.ExplainTable;
import org.apache.phoenix.pruning.explain.ScanAttributes;
import org.apache.phoenix.pruning.explain.ScanSteps;
import org.apache.phoenix.pruning.scan.LocalIndexScanReport;

/**
 * Adds to EXPLAIN the number of planned regions, the number of all regions, the rules that pruned
 * the others, and how the planned regions are read.
 */
public privileged aspect ExplainAspect {

  void around(
      ExplainTable table,
      List<String> steps,
      ExplainPlanAttributesBuilder builder,
      List<HRegionLocation> locations) :
      execution(void ExplainTable.explain(String, List, ExplainPlanAttributesBuilder, List))
      && this(table) && args(*, steps, builder, locations) {
    ScanSteps added = new ScanSteps(steps);
    proceed(table, steps, builder, locations);
    added.addCandidates(table.context.getStatement().getPlanDecisions().lines(table.tableRef));
    ScanAttributes attributes =
        added.addReport(
            LocalIndexScanReport.of(table),
            builder == null ? ScanAttributes.NONE : builder.scanAttributes());
    if (builder != null) {
      builder.scanAttributes = attributes.withLocations(locations);
    }
  }
}

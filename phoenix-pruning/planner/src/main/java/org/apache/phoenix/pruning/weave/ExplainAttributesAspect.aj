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
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.phoenix.compile.ExplainPlanAttributes.ExplainPlanAttributesBuilder;
import org.apache.phoenix.compile.ExplainPlanAttributes;
import org.apache.phoenix.pruning.explain.ExplainedScan;
import org.apache.phoenix.pruning.explain.ScanAttributes;
import org.apache.phoenix.pruning.prune.RegionReport;

/** Adds attributes about the regions of a scan to Phoenix's {@code ExplainPlanAttributes}. */
public privileged aspect ExplainAttributesAspect {

  declare parents : ExplainPlanAttributes implements ExplainedScan;

  /** Values of the added attributes; null in attributes that no builder made. */
  private ScanAttributes ExplainPlanAttributes.scanAttributes;

  /** Values of the added attributes; null until a scan is explained. */
  ScanAttributes ExplainPlanAttributesBuilder.scanAttributes;

  private ScanAttributes ExplainPlanAttributes.scanAttributes() {
    return scanAttributes == null ? ScanAttributes.NONE : scanAttributes;
  }

  ScanAttributes ExplainPlanAttributesBuilder.scanAttributes() {
    return scanAttributes == null ? ScanAttributes.NONE : scanAttributes;
  }

  public RegionReport ExplainPlanAttributes.getRegionReport() {
    return scanAttributes().regions();
  }

  public List<HRegionLocation> ExplainPlanAttributes.getScanLocations() {
    return scanAttributes().locations();
  }

  /**
   * Returns the number of regions that a local index scan is planned for, or null for other plans.
   */
  public Integer ExplainPlanAttributes.getRegionsPlanned() {
    return scanAttributes().regionsPlanned();
  }

  /** Returns the number of regions of the table, or null for other plans. */
  public Integer ExplainPlanAttributes.getRegionsTotal() {
    return scanAttributes().regionsTotal();
  }

  /** Returns the number of pruned regions by the name of the rule, or null for other plans. */
  public Map<String, Integer> ExplainPlanAttributes.getRegionsPruned() {
    return scanAttributes().regionsPruned();
  }

  /** Returns a description of the loose index scan, or null if the plan has none. */
  public String ExplainPlanAttributes.getLooseIndexScan() {
    return scanAttributes().looseScan();
  }

  /** Returns a description of the region probe, or null if the plan has none. */
  public String ExplainPlanAttributes.getRegionProbe() {
    return scanAttributes().probe();
  }

  after(ExplainPlanAttributesBuilder builder) returning(ExplainPlanAttributes attributes) :
      execution(ExplainPlanAttributes ExplainPlanAttributesBuilder.build()) && this(builder) {
    attributes.scanAttributes = builder.scanAttributes;
  }

  /**
   * Copies the values, because a DELETE, an UPSERT SELECT and client-side steps extend a copy of
   * the attributes.
   */
  after(ExplainPlanAttributesBuilder copy, ExplainPlanAttributes attributes) returning :
      execution(ExplainPlanAttributesBuilder.new(ExplainPlanAttributes))
      && this(copy) && args(attributes) {
    copy.scanAttributes = attributes.scanAttributes;
  }
}

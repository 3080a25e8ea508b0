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
package org.apache.phoenix.pruning.explain;

import java.util.List;
import org.apache.phoenix.pruning.probe.ProbePlan;
import org.apache.phoenix.pruning.prune.RegionReport;
import org.apache.phoenix.pruning.scan.LocalIndexScanReport;
import org.apache.phoenix.pruning.scan.LooseIndexScan;
import org.jspecify.annotations.Nullable;

/** Inserts lines about a scan of a local index into EXPLAIN, after Phoenix's line of the scan. */
public final class ScanSteps {

  private static final String INDENT = "    ";

  private final List<String> steps;
  private final int line;

  /**
   * Creates the lines of the scan that Phoenix describes next.
   *
   * @param steps the lines of EXPLAIN, to which Phoenix has not added the scan yet
   */
  public ScanSteps(List<String> steps) {
    this.steps = steps;
    this.line = steps.size() + 1;
  }

  /** Inserts lines about the candidates between which the optimizer chose. */
  public void addCandidates(List<String> candidates) {
    int next = line;
    for (String candidate : candidates) {
      steps.add(next++, INDENT + candidate);
    }
  }

  /**
   * Inserts the lines of {@code scans} before the lines about the candidates.
   *
   * @param scans the report on the planned scans, or null if there is none
   * @return {@code attributes} with the values of the report
   */
  public ScanAttributes addReport(@Nullable LocalIndexScanReport scans, ScanAttributes attributes) {
    if (scans == null) {
      return attributes;
    }
    ScanAttributes extended = attributes;
    LooseIndexScan loose = scans.looseScan();
    if (loose != null) {
      steps.add(line, INDENT + loose);
      extended = extended.withLooseScan(loose);
    }
    ProbePlan probe = scans.probe();
    if (probe != null) {
      steps.add(line, INDENT + probe);
      extended = extended.withProbe(probe);
    }
    RegionReport regions = scans.regions();
    if (regions != null) {
      steps.add(line, INDENT + regions);
      extended = extended.withRegions(regions);
    }
    return extended;
  }
}

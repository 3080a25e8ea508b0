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

import org.apache.phoenix.pruning.probe.ProbePlan;
import org.apache.phoenix.pruning.region.RegionReport;

/**
 * In the place of the planner's: EXPLAIN prints what stock's does. A test of Phoenix's that
 * compares it with an expected text goes on, to the rows of the query.
 */
public final class RegionReports {

  private RegionReports() {}

  /** No report, whatever is explained. */
  public static RegionReport of(@SuppressWarnings("unused") Object iterators) {
    return null;
  }

  /** No seeks, whatever is explained. */
  public static LooseIndexScan looseScanOf(@SuppressWarnings("unused") Object iterators) {
    return null;
  }

  /** No server is asked, whatever is explained. */
  public static ProbePlan probeOf(@SuppressWarnings("unused") Object iterators) {
    return null;
  }
}

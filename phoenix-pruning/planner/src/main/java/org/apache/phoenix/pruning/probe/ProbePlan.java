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
package org.apache.phoenix.pruning.probe;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.hadoop.hbase.HRegionLocation;

/**
 * Number of servers that a statement probes before it scans, and number of regions in the requests.
 */
public final class ProbePlan {

  private final int regions;
  private final int servers;

  private ProbePlan(int regions, int servers) {
    this.regions = regions;
    this.servers = servers;
  }

  /** Returns the plan for scans of {@code regions}. Several scans may read the same region. */
  static ProbePlan of(List<HRegionLocation> regions) {
    return new ProbePlan(
        count(regions, HRegionLocation::getRegion), count(regions, HRegionLocation::getServerName));
  }

  private static int count(List<HRegionLocation> regions, Function<HRegionLocation, ?> property) {
    return (int) regions.stream().map(property).filter(Objects::nonNull).distinct().count();
  }

  /** Returns the number of regions. */
  public int regions() {
    return regions;
  }

  /** Returns the number of servers. */
  public int servers() {
    return servers;
  }

  /** Returns the step of EXPLAIN, for example {@code PROBE 10000 REGIONS ON 4 SERVERS}. */
  @Override
  public String toString() {
    return "PROBE " + regions + " REGIONS ON " + servers + (servers == 1 ? " SERVER" : " SERVERS");
  }
}

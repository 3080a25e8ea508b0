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
package io.phoenixpruning.cli.check;

import java.util.List;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.protocol.IndexDifference;

/**
 * Result of a check.
 *
 * @param isComplete whether all regions were compared; the check ends early if it finds too many
 *     differences
 */
public record CheckResult(CheckedTable checked, List<RegionAnswer> regions, boolean isComplete) {

  public CheckResult {
    regions = List.copyOf(regions);
  }

  /** Returns all entries that differ, in the order of the regions. */
  public List<Difference> differences() {
    return regions.stream().flatMap(region -> region.differences().stream()).toList();
  }

  /** Returns the entries of one index that differ. */
  List<Difference> differences(IndexLayout layout) {
    return differences().stream().filter(each -> each.layout() == layout).toList();
  }

  /** Returns the number of differences of {@code kind}. */
  public long count(IndexDifference.Kind kind) {
    return differences().stream().filter(each -> each.kind() == kind).count();
  }

  /** Returns the number of data rows. */
  public long rows() {
    return regions.stream().mapToLong(RegionAnswer::rows).sum();
  }

  /** Returns the number of stored entries of the index at {@code position}. */
  public long entries(int position) {
    return regions.stream().mapToLong(region -> region.entries().get(position)).sum();
  }

  /** Returns the number of regions that this client compared. */
  public long regionsComparedByClient() {
    return regions.stream().filter(region -> !region.isComparedByServer()).count();
  }

  /** Returns the number of rows and entries that crossed the network. */
  public long transferred() {
    return regions.stream().mapToLong(RegionAnswer::transferred).sum();
  }
}

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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Result of the comparison in one region.
 *
 * @param rows number of data rows
 * @param entries number of entries of each index
 * @param differences the entries that differ
 * @param isComparedByServer whether the server compared the region; otherwise, this client did
 * @param transferred number of rows and entries that crossed the network
 */
record RegionAnswer(
    RegionInfo region,
    long rows,
    List<Long> entries,
    List<Difference> differences,
    boolean isComparedByServer,
    long transferred) {

  RegionAnswer {
    entries = List.copyOf(entries);
    differences = List.copyOf(differences);
  }

  /** Combines this result with the result for other indexes in the same region. */
  RegionAnswer plus(RegionAnswer other) {
    List<Long> allEntries = new ArrayList<>(entries);
    allEntries.addAll(other.entries);
    List<Difference> allDifferences = new ArrayList<>(differences);
    allDifferences.addAll(other.differences);
    return new RegionAnswer(
        region,
        Math.max(rows, other.rows),
        allEntries,
        allDifferences,
        isComparedByServer && other.isComparedByServer,
        transferred + other.transferred);
  }
}

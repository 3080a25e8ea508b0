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

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.predicate.ResidualCheck;
import org.apache.phoenix.pruning.region.RegionLocator;
import org.apache.phoenix.pruning.region.RegionWalk;

/** What a statement says about the row keys that can match. */
final class RegionConstraints {

  /** After so many regions of which the check dropped none, it is given up. */
  private static final int MAX_IN_VAIN = 1_000;

  private final KeySpace keys;

  /** Null if the key space says it all. */
  private final ResidualCheck check;

  RegionConstraints(KeySpace keys, ResidualCheck check) {
    this.keys = keys;
    this.check = check == null || check.isEmpty() ? null : check;
  }

  /** The regions that can hold a matching row, in key order. */
  List<HRegionLocation> regions(RegionLocator locator) throws SQLException {
    List<HRegionLocation> walked = RegionWalk.plan(keys, locator);
    return check == null ? walked : checked(walked);
  }

  /** The first of them, of as many as {@code limit} regions that the key space leaves. */
  RegionSample first(int limit, RegionLocator locator) throws SQLException {
    List<HRegionLocation> walked = RegionWalk.first(limit + 1, keys, locator);
    boolean isAll = walked.size() <= limit;
    List<HRegionLocation> first = isAll ? walked : walked.subList(0, limit);
    return new RegionSample(check == null ? first : checked(first), isAll);
  }

  /**
   * The regions that can hold a row key of the key space in a range: where a region that was
   * planned was, there is always one.
   *
   * @param from inclusive, empty for the start of the table
   * @param to exclusive, empty for the end of the table
   */
  List<HRegionLocation> regionsWithin(byte[] from, byte[] to, RegionLocator locator)
      throws SQLException {
    return RegionWalk.plan(keys, from, to, locator);
  }

  private List<HRegionLocation> checked(List<HRegionLocation> walked) {
    List<HRegionLocation> left = new ArrayList<>(walked.size());
    for (int i = 0; i < walked.size(); i++) {
      if (i == MAX_IN_VAIN && left.size() == i) {
        return walked;
      }
      RegionInfo region = walked.get(i).getRegion();
      if (check.canMatch(region.getStartKey(), region.getEndKey())) {
        left.add(walked.get(i));
      }
    }
    return left;
  }
}

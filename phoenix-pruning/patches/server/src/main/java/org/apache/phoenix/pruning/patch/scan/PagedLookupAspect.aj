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
package org.apache.phoenix.pruning.patch.scan;

import java.io.IOException;
import java.util.List;
import org.apache.phoenix.coprocessor.UncoveredLocalIndexRegionScanner;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.util.ScanUtil;
import org.apache.phoenix.util.ServerIndexUtil;

/**
 * Leaves the row that ends a page as it is. If a scan takes longer than a page, the server returns
 * a row without a column, and the client continues from this row. If the scan looks up columns,
 * Phoenix's {@code UncoveredLocalIndexRegionScanner} replaces the cell of this row as in an index
 * row. It then fails, because a column without a name has no number (not reported).
 *
 * <p>Example: {@code SELECT SUM(N), SUM(B) FROM T WHERE V = 1} along a local index on V that
 * includes N fails if it takes longer than a page.
 */
public aspect PagedLookupAspect {

  void around(List row) throws IOException :
      call(void ServerIndexUtil.wrapResultUsingOffset(List, int))
      && within(UncoveredLocalIndexRegionScanner)
      && args(row, *) {
    if (!ScanUtil.isDummy(row) || !Patches.isOn(Patch.PAGED_LOOKUP)) {
      proceed(row);
    }
  }
}

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

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.phoenix.coprocessor.PagingRegionScanner;
import org.apache.phoenix.pruning.server.ServerMode;

/**
 * Reads on where HBase returns no cell though there are more rows: once a scan has read four blocks
 * it does so for each row that a filter drops, so that it can go on with a stream (HBASE-20457).
 * Phoenix's {@code UncoveredIndexRegionScanner} takes a page that begins so for the last one. The
 * paging filter limits the time, so there is none of this without it.
 */
public privileged aspect EmptyRowAspect {

  boolean around(PagingRegionScanner pages, List cells) throws IOException :
      call(boolean RegionScanner.next*(List))
      && withincode(boolean PagingRegionScanner.next(List, boolean))
      && this(pages)
      && args(cells) {
    boolean hasMore = proceed(pages, cells);
    if (pages.pagingFilter == null || ServerMode.isStock(pages.region)) {
      return hasMore;
    }
    while (hasMore && cells.isEmpty()) {
      hasMore = proceed(pages, cells);
    }
    return hasMore;
  }
}

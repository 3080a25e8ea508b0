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
package io.phoenixpruning.perf.fanout;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Admin;

/** State of the servers' block caches when a query starts. */
enum BlockCache {
  /** Blocks that earlier queries left in the cache. */
  WARM {
    @Override
    void prepare(Admin admin) {}
  },

  /** No block of the table. The operating system may still have the table's files in memory. */
  COLD {
    @Override
    void prepare(Admin admin) throws IOException {
      if (admin.clearBlockCache(FanOutTable.NAME).getExceptionCount() > 0) {
        throw new IOException("Cannot clear the block cache of " + FanOutTable.NAME);
      }
    }
  };

  /** Brings the block caches into this state. */
  abstract void prepare(Admin admin) throws IOException;
}

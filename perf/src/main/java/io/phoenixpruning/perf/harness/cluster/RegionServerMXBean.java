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
package io.phoenixpruning.perf.harness.cluster;

import javax.management.ObjectName;

/** Reports counters of a region server's process, from its start, and controls the server. */
public interface RegionServerMXBean {

  /** Name of this bean in the server's process. */
  ObjectName NAME = BeanName.of("io.phoenixpruning:type=RegionServer");

  /**
   * Returns the number of scan RPCs that arrived for {@code table}. RPCs for scanners that were no
   * longer open are included; there should be none.
   */
  long scanRpcs(String table);

  /** Returns the number of requested data blocks that were not in the block cache. */
  long getDataBlockMisses();

  /** Returns the milliseconds spent on garbage collection. */
  long getGcMillis();

  /** Returns the CPU time and the allocated bytes of the threads that do not serve JMX. */
  ProcessUsage getUsage();

  /** Collects garbage and returns the bytes of the heap that are still in use. */
  long collectGarbage();

  /** Flushes the memstores of the regions of {@code table} on this server to files. */
  void flush(String table);

  /**
   * Compacts all files of the regions of {@code table} on this server, one region after the other.
   */
  void compact(String table);

  /**
   * Returns the total size in bytes of files of {@code table} in its regions on this server. Counts
   * all families whose name begins with {@code family}.
   */
  long storeFileBytes(String table, String family);
}

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
package io.phoenixpruning.perf.cluster;

import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** What a region server's process counts, from its start on, and does when it is told. */
public interface RegionServerMXBean {

  /** Its name in the process. */
  ObjectName NAME = name("io.phoenixpruning:type=RegionServer");

  /**
   * The Scan RPCs that arrived for {@code table}, and those for scanners that were no longer open,
   * of which there should be none.
   */
  long scanRpcs(String table);

  /** The data blocks that were not in the block cache when they were wanted. */
  long getDataBlockMisses();

  /** The milliseconds spent on collecting garbage. */
  long getGcMillis();

  /** Returns the CPU time and the allocated bytes of the threads that do not answer JMX. */
  ProcessUsage getUsage();

  /** Writes what the regions of {@code table} on this server have in memory to files. */
  void flush(String table);

  /**
   * Compacts all files of the regions of {@code table} that this server has, one after the other.
   */
  void compact(String table);

  /**
   * The bytes of the files of the regions of {@code table} that this server has, of families whose
   * name begins with {@code family}.
   */
  long storeFileBytes(String table, String family);

  private static ObjectName name(String name) {
    try {
      return new ObjectName(name);
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(name, e);
    }
  }
}

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

import java.beans.ConstructorProperties;

/** The CPU time and the allocated bytes of a process. */
public final class ProcessUsage {

  private final long cpuNanos;
  private final long allocatedBytes;

  /**
   * Creates a usage.
   *
   * @param cpuNanos CPU time of the Java threads
   * @param allocatedBytes bytes that the Java threads allocated on the heap
   */
  @ConstructorProperties({"cpuNanos", "allocatedBytes"})
  public ProcessUsage(long cpuNanos, long allocatedBytes) {
    this.cpuNanos = cpuNanos;
    this.allocatedBytes = allocatedBytes;
  }

  public long getCpuNanos() {
    return cpuNanos;
  }

  public long getAllocatedBytes() {
    return allocatedBytes;
  }

  /** Returns the usage since {@code earlier}. */
  public ProcessUsage since(ProcessUsage earlier) {
    return new ProcessUsage(cpuNanos - earlier.cpuNanos, allocatedBytes - earlier.allocatedBytes);
  }
}

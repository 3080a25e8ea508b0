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
package io.phoenixpruning.cli;

/** Computes how many open regions fit into a heap. */
final class HeapBudget {

  /** Heap in MB for HBase, Phoenix, a loaded table and its queries, without the regions. */
  private static final int BASE_MB = 400;

  /**
   * Heap in MB for each open region of a table with local indexes. A measurement at 200 regions
   * gave 1.4 MB; the rest is left to the garbage collector. Most of a region's heap holds copies of
   * the configuration, which the region's Phoenix coprocessors keep.
   */
  private static final double REGION_MB = 1.8;

  private final long heapMb;

  HeapBudget(long heapBytes) {
    this.heapMb = heapBytes >> 20;
  }

  static HeapBudget ofThisJvm() {
    return new HeapBudget(Runtime.getRuntime().maxMemory());
  }

  /** Returns the size of the heap in MB. */
  long heapMb() {
    return heapMb;
  }

  /** Returns the maximum number of regions that fit, 0 or more. */
  int maxRegions() {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(0, (heapMb - BASE_MB) / REGION_MB));
  }

  /** Returns the heap in MB for {@code regions} regions. */
  long neededMb(int regions) {
    return BASE_MB + (long) Math.ceil(regions * REGION_MB);
  }
}

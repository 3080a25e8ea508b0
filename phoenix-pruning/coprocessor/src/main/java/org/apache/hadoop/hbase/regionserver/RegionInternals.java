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
package org.apache.hadoop.hbase.regionserver;

import java.util.concurrent.TimeUnit;

/** Gives access to what HBase shows to its own package only. */
public final class RegionInternals {

  private RegionInternals() {}

  /**
   * Takes the lock of a region for reading, unless a writer has it or waits for it: a bulk load, or
   * a close. {@link HRegion#startRegionOperation} waits for that lock up to {@code
   * hbase.busy.wait.duration}, a minute by default. It returns at once for a thread that has
   * entered here, because the lock is reentrant.
   *
   * @return false if the lock is not free, or if the thread is interrupted, which it then still is
   */
  public static boolean tryEnter(HRegion region) {
    try {
      return region.lock.readLock().tryLock(0, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Releases the lock, by the thread that has entered. */
  public static void leave(HRegion region) {
    region.lock.readLock().unlock();
  }

  /** Returns whether a limit of {@code context} ended the last call within a row. */
  public static boolean isWithinRow(ScannerContext context) {
    return context.mayHaveMoreCellsInRow();
  }
}

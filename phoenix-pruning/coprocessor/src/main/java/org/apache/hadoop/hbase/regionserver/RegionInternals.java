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
import org.jspecify.annotations.NullMarked;

/** Gives access to package-private members of HBase. */
@NullMarked
public final class RegionInternals {

  private RegionInternals() {}

  /**
   * Acquires a region's read lock without waiting. Fails if a writer (a bulk load or a close) holds
   * the lock or waits for it.
   *
   * <p>By contrast, {@link HRegion#startRegionOperation} waits for this lock up to {@code
   * hbase.busy.wait.duration}, a minute by default. After a successful {@code tryReadLock}, that
   * method returns at once in the same thread because the lock is reentrant.
   *
   * @return true if the lock was acquired; false if it is not free or the thread is interrupted
   *     (the interrupt flag stays set)
   */
  public static boolean tryReadLock(HRegion region) {
    try {
      return region.lock.readLock().tryLock(0, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Releases the lock. Only the thread that acquired the lock may call this method. */
  public static void readUnlock(HRegion region) {
    region.lock.readLock().unlock();
  }

  /** Returns whether a limit of {@code context} ended the last call within a row. */
  public static boolean isWithinRow(ScannerContext context) {
    return context.mayHaveMoreCellsInRow();
  }
}

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
package io.phoenixpruning.it.change;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.phoenix.schema.StaleRegionBoundaryCacheException;

/** Records whether regions moved during a statement that is not held at a gate. */
final class RegionMoves {

  private final FaultKind kind;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicLong ended = new AtomicLong();

  RegionMoves(FaultKind kind) {
    this.kind = kind;
  }

  /**
   * Returns whether a statement can fail in this way: because a region has changed since its scan
   * was planned, or because the fault disables the table. Joins wrap the exception.
   */
  boolean mayCause(Throwable failure) {
    return ExceptionUtils.indexOfType(failure, StaleRegionBoundaryCacheException.class) >= 0
        || kind.disablesTable()
            && ExceptionUtils.indexOfType(failure, TableNotEnabledException.class) >= 0;
  }

  void begin() {
    running.incrementAndGet();
  }

  void end() {
    ended.incrementAndGet();
    running.decrementAndGet();
  }

  /** Returns a mark for {@link #changedSince}. */
  long mark() {
    return ended.get();
  }

  /** Returns whether regions were moving at any time since {@code mark}. */
  boolean changedSince(long mark) {
    return running.get() > 0 || ended.get() > mark;
  }
}

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
package io.phoenixpruning.it;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.filter.FilterBase;

/**
 * Drops all rows, and takes 100 ms for each. So a few rows take as long as millions of rows with a
 * common filter.
 */
public final class SlowFilter extends FilterBase {

  private static final AtomicInteger ROWS = new AtomicInteger();

  static void resetCount() {
    ROWS.set(0);
  }

  /** Returns the number of dropped rows. */
  static int rows() {
    return ROWS.get();
  }

  /** Creates a filter. HBase calls this method by its name. */
  public static SlowFilter parseFrom(byte[] unused) {
    return new SlowFilter();
  }

  @Override
  public byte[] toByteArray() {
    return new byte[0];
  }

  @Override
  public boolean filterRowKey(Cell cell) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
    ROWS.incrementAndGet();
    return true;
  }
}

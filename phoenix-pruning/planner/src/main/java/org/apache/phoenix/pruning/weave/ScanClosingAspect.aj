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

import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import org.apache.phoenix.iterate.BaseResultIterators;

/** Lets one thread close the scans of a statement while another thread reads them. */
public privileged aspect ScanClosingAspect {

  /**
   * Locks the lists of scans while they change, because another thread may be closing the scans.
   * This also locks lists that only the reader uses, which costs little.
   */
  boolean around(BaseResultIterators iterators) :
      call(boolean List.add(Object))
      && withincode(private List BaseResultIterators.getIterators(List, ..))
      && this(iterators) {
    if (iterators.scanLimiter == null) {
      return proceed(iterators);
    }
    synchronized (iterators.allFutures) {
      return proceed(iterators);
    }
  }

  void around(BaseResultIterators iterators) :
      call(void Iterator.remove())
      && withincode(private List BaseResultIterators.recreateIterators(..))
      && this(iterators) {
    if (iterators.scanLimiter == null) {
      proceed(iterators);
      return;
    }
    synchronized (iterators.allFutures) {
      proceed(iterators);
    }
  }

  /**
   * Closes the scans in one thread at a time. If one thread closes the scans while another thread
   * reads them, the reader fails at the first cancelled scan, and then also closes the scans.
   */
  void around(BaseResultIterators iterators) throws SQLException :
      execution(public void BaseResultIterators.close()) && this(iterators) {
    if (iterators.scanLimiter == null) {
      proceed(iterators);
      return;
    }
    iterators.scanLimiter.stop();
    synchronized (iterators.allFutures) {
      proceed(iterators);
    }
  }
}

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
import java.util.List;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.iterate.RoundRobinResultIterator;
import org.apache.phoenix.schema.tuple.Tuple;

/** Reads waves of scans in Phoenix's {@code RoundRobinResultIterator}. */
public privileged aspect RoundRobinWavesAspect {

  private boolean RoundRobinResultIterator.hasMoreWaves() {
    return resultIterators instanceof BaseResultIterators
        && ((BaseResultIterators) resultIterators).waves != null
        && ((BaseResultIterators) resultIterators).waves.hasNext();
  }

  /** Returns the iterators of the next wave instead of all iterators. */
  List around(BaseResultIterators iterators) throws SQLException :
      ScanWavesAspect.reads(iterators)
      && withincode(private List RoundRobinResultIterator.getIterators()) {
    if (iterators.waves == null) {
      iterators.isReadInTurn = true;
      List all = proceed(iterators);
      if (iterators.waves == null) {
        return all;
      }
    }
    return iterators.waves.open();
  }

  /**
   * Goes on to the next wave if no iterator has more rows. Phoenix's {@code
   * RoundRobinResultIterator} would end the result.
   */
  List around(RoundRobinResultIterator rows) throws SQLException :
      execution(private List RoundRobinResultIterator.getIterators()) && this(rows) {
    List open = proceed(rows);
    while (open.isEmpty() && !rows.closed && rows.hasMoreWaves()) {
      open = proceed(rows);
    }
    return open;
  }

  void around(RoundRobinResultIterator rows) throws SQLException :
      call(void RoundRobinResultIterator.close())
      && withincode(public Tuple RoundRobinResultIterator.next())
      && this(rows) {
    if (!rows.hasMoreWaves()) {
      proceed(rows);
    }
  }
}

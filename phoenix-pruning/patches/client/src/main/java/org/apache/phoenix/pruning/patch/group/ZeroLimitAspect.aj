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
package org.apache.phoenix.pruning.patch.group;

import java.sql.SQLException;
import org.apache.phoenix.iterate.OrderedResultIterator;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Lets a client that sorts return no rows for LIMIT 0. Phoenix's queue of sorted rows cannot be
 * empty, so {@code BufferedSortedQueue} fails with an {@code IllegalArgumentException} (not
 * reported).
 *
 * <p>Example: {@code SELECT V, COUNT(*) FROM T GROUP BY V ORDER BY COUNT(*) LIMIT 0}.
 */
public privileged aspect ZeroLimitAspect {

  PeekingResultIterator around(OrderedResultIterator rows) throws SQLException :
      execution(PeekingResultIterator OrderedResultIterator.getResultIterator())
      && this(rows) {
    if (rows.limit != null
        && rows.limit == 0
        && !rows.resultIteratorReady
        && Patches.isOn(Patch.ZERO_LIMIT)) {
      rows.delegate.close();
      rows.resultIterator = PeekingResultIterator.EMPTY_ITERATOR;
      rows.resultIteratorReady = true;
    }
    return proceed(rows);
  }
}

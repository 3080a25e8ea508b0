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
package org.apache.phoenix.pruning.scan;

import java.sql.SQLException;
import org.apache.phoenix.iterate.DelegateResultIterator;
import org.apache.phoenix.iterate.ResultIterator;
import org.apache.phoenix.pruning.metrics.Fallbacks;
import org.apache.phoenix.pruning.where.JoinKeys;
import org.apache.phoenix.schema.tuple.Tuple;
import org.jspecify.annotations.Nullable;

/** Collects the join keys of the rows that pass through this iterator. */
public final class JoinKeyReader extends DelegateResultIterator {

  private final JoinKeys keys;
  private boolean hasFailed;

  /** Creates an iterator that returns {@code rows} and adds their keys to {@code keys}. */
  public JoinKeyReader(ResultIterator rows, JoinKeys keys) {
    super(rows);
    this.keys = keys;
  }

  @Override
  public @Nullable Tuple next() throws SQLException {
    Tuple row = super.next();
    if (!hasFailed) {
      read(row);
    }
    return row;
  }

  private void read(@Nullable Tuple row) {
    try {
      if (row == null) {
        keys.complete();
      } else {
        keys.add(row);
      }
    } catch (RuntimeException e) {
      hasFailed = true;
      recordFailure(e);
    }
  }

  /** Records that join keys cannot prune a scan. No query may fail because of pruning. */
  public static void recordFailure(Exception cause) {
    Fallbacks.GLOBAL.pruningFailed("by the keys of a join", cause);
  }
}

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
package org.apache.phoenix.pruning.patch.index;

import java.util.Collection;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.hbase.index.covered.NonTxIndexBuilder;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Keeps the row of a local index whose key stays the same although an indexed column has changed.
 *
 * <p>If an indexed column changes, Phoenix's {@code IndexMaintainer} deletes the old index row and
 * writes the new one, both with the timestamp of the change. A function of the column can have the
 * same value as before, so both may be the same row. HBase then hides the new cells, because a
 * delete marker hides cells with its timestamp (not reported).
 *
 * <p>Example: {@code UPSERT INTO T VALUES (1, 'A')} loses the row in an index on {@code UPPER(S)}
 * if S was {@code 'a'}.
 */
public aspect UnchangedIndexKeyAspect {

  after() returning(Collection<Pair<Mutation, byte[]>> updates) :
      execution(Collection NonTxIndexBuilder.getIndexUpdate(..)) {
    if (updates.size() > 1 && Patches.isOn(Patch.UNCHANGED_INDEX_KEY)) {
      UnchangedIndexKeys.keepPuts(updates);
    }
  }
}

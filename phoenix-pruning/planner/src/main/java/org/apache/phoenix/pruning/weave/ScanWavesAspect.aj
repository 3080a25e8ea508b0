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
import java.util.ArrayList;
import java.util.List;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.iterate.ConcatResultIterator;
import org.apache.phoenix.iterate.ParallelIterators;
import org.apache.phoenix.iterate.ResultIterators;
import org.apache.phoenix.iterate.RowKeyOrderedAggregateResultIterator;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.pruning.fanout.ScanWavePlanner;
import org.apache.phoenix.pruning.fanout.ScanWaves;
import org.apache.phoenix.pruning.fanout.WavesIterator;

/**
 * Opens the scans of a statement in waves if their rows are read one scan after the other.
 * Phoenix's {@code BaseResultIterators} opens all scans at once.
 */
public privileged aspect ScanWavesAspect {

  /** Waves of the scans, or null if all scans are opened at once. */
  ScanWaves BaseResultIterators.waves;

  /** True if the iterators are read one after the other. */
  boolean BaseResultIterators.isReadInTurn;

  /** True if the iterators are read by a statement that writes. */
  private boolean BaseResultIterators.isReadByWriter;

  pointcut reads(BaseResultIterators iterators) :
      call(List ResultIterators.getIterators()) && target(iterators);

  before(BaseResultIterators iterators) :
      reads(iterators)
      && (withincode(private List ConcatResultIterator.getIterators())
          || withincode(private List RowKeyOrderedAggregateResultIterator.getIterators())) {
    iterators.isReadInTurn = true;
  }

  before(BaseResultIterators iterators) :
      execution(public List BaseResultIterators.getIterators())
      && this(iterators)
      && cflow(execution(int PhoenixStatement.executeMutation(..))) {
    iterators.isReadByWriter = true;
  }

  List around(BaseResultIterators iterators, List scans) throws SQLException :
      call(private List BaseResultIterators.getIterators(List, ..))
      && withincode(public List BaseResultIterators.getIterators())
      && this(iterators) && args(scans, ..) {
    if (iterators.isReadInTurn && iterators instanceof ParallelIterators) {
      iterators.waves =
          ScanWavePlanner.plan(
              (ScanWaves.Opener) (Object) iterators,
              iterators.plan,
              iterators.scan,
              scans,
              !iterators.caches.isEmpty(),
              iterators.isReadByWriter);
      iterators.previousScan = new BaseResultIterators.ScanWrapper(null);
    }
    if (iterators.waves == null) {
      return proceed(iterators, scans);
    }
    List all = new ArrayList();
    all.add(new WavesIterator(iterators.waves));
    return all;
  }
}

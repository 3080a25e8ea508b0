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
import java.util.Collection;
import java.util.List;
import org.apache.phoenix.iterate.BaseResultIterators;
import org.apache.phoenix.iterate.ConcatResultIterator;
import org.apache.phoenix.iterate.ParallelIterators;
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.iterate.ResultIterators;
import org.apache.phoenix.iterate.RoundRobinResultIterator;
import org.apache.phoenix.iterate.RowKeyOrderedAggregateResultIterator;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.pruning.fanout.ScanConcurrency;
import org.apache.phoenix.pruning.fanout.ScanWaves;
import org.apache.phoenix.pruning.fanout.Wave;
import org.apache.phoenix.pruning.fanout.WavesIterator;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.tuple.Tuple;
import org.apache.phoenix.util.ScanUtil;

/**
 * Opens the scans of a statement in waves if their rows are read one scan after the other.
 * Phoenix's {@code BaseResultIterators} opens all scans at once.
 */
public privileged aspect ScanWavesAspect {

  /** Probes the servers first, because scans that a probe has answered need not be opened. */
  declare precedence : LocalIndexScansAspect, ScanWavesAspect;

  declare parents : BaseResultIterators implements ScanWaves.Opener;

  /** Waves of the scans, or null if all scans are opened at once. */
  private ScanWaves BaseResultIterators.waves;

  /** True if the iterators are read one after the other. */
  private boolean BaseResultIterators.isReadInTurn;

  /** True if the iterators are read by a statement that writes. */
  private boolean BaseResultIterators.isReadByWriter;

  /** Wave whose tasks are already submitted, so that stock only waits for them. */
  private Wave BaseResultIterators.openingWave;

  /**
   * Previous scan, kept between waves. Stock needs it to drop scans of a merged region that it has
   * already read.
   */
  private BaseResultIterators.ScanWrapper BaseResultIterators.previousScan;

  public void BaseResultIterators.start(Wave wave, long deadlineMillis) throws SQLException {
    synchronized (allFutures) {
      allFutures.add(wave.futures());
      submitWork(
          wave.scans(),
          wave.futures(),
          wave.opened(),
          wave.scans().size(),
          ScanUtil.isReversed(scan),
          scanGrouper,
          deadlineMillis);
    }
  }

  public List<PeekingResultIterator> BaseResultIterators.open(
      Wave wave, Collection<Wave> started, long deadlineMillis) throws SQLException {
    synchronized (allFutures) {
      // Scans that have been read need not be closed.
      allFutures.clear();
      allFutures.add(wave.futures());
      for (Wave startedWave : started) {
        allFutures.add(startedWave.futures());
      }
    }
    openingWave = wave;
    ConnectionQueryServices services = context.getConnection().getQueryServices();
    return getIterators(
        wave.scans(),
        services,
        getTable().getIndexType() == IndexType.LOCAL,
        wave.opened(),
        new ArrayList<>(),
        ScanUtil.isReversed(scan),
        deadlineMillis,
        wave.scans().size(),
        previousScan,
        services
            .getConfiguration()
            .getInt(
                QueryConstants.HASH_JOIN_CACHE_RETRIES,
                QueryConstants.DEFAULT_HASH_JOIN_CACHE_RETRIES));
  }

  private boolean RoundRobinResultIterator.hasMoreWaves() {
    return resultIterators instanceof BaseResultIterators
        && ((BaseResultIterators) resultIterators).waves != null
        && ((BaseResultIterators) resultIterators).waves.hasNext();
  }

  pointcut reads(BaseResultIterators iterators) :
      call(List ResultIterators.getIterators()) && target(iterators);

  before(BaseResultIterators iterators) :
      reads(iterators)
      && (withincode(private List ConcatResultIterator.getIterators())
          || withincode(private List RowKeyOrderedAggregateResultIterator.getIterators())) {
    iterators.isReadInTurn = true;
  }

  /** Returns the iterators of the next wave instead of all iterators. */
  List around(BaseResultIterators iterators) throws SQLException :
      reads(iterators) && withincode(private List RoundRobinResultIterator.getIterators()) {
    if (iterators.waves == null) {
      iterators.isReadInTurn = true;
      List all = proceed(iterators);
      if (iterators.waves == null) {
        return all;
      }
    }
    return iterators.waves.open();
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
          ScanConcurrency.waves(
              iterators,
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

  void around(BaseResultIterators iterators, List scans, List futures) throws SQLException :
      call(void BaseResultIterators.submitWork(..))
      && withincode(private List BaseResultIterators.getIterators(List, ..))
      && this(iterators)
      && args(scans, futures, ..) {
    Wave opening = iterators.openingWave;
    if (opening == null || opening.scans() != scans) {
      proceed(iterators, scans, futures);
    } else {
      iterators.openingWave = null;
      synchronized (iterators.allFutures) {
        futures.addAll(opening.futures());
      }
    }
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

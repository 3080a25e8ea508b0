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
import org.apache.phoenix.iterate.PeekingResultIterator;
import org.apache.phoenix.pruning.fanout.ScanWaves;
import org.apache.phoenix.pruning.fanout.Wave;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.util.ScanUtil;

/** Opens one wave of scans with the code with which Phoenix opens all scans. */
public privileged aspect WaveOpeningAspect {

  declare parents : BaseResultIterators implements ScanWaves.Opener;

  /** Wave whose tasks are already submitted, so that stock only waits for them. */
  private Wave BaseResultIterators.openingWave;

  /**
   * Previous scan, kept between waves. Stock needs it to drop scans of a merged region that it has
   * already read.
   */
  BaseResultIterators.ScanWrapper BaseResultIterators.previousScan;

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
}

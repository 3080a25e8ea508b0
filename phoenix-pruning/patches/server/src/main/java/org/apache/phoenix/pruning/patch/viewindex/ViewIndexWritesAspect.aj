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
package org.apache.phoenix.pruning.patch.viewindex;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.phoenix.coprocessor.UngroupedAggregateRegionObserver;
import org.apache.phoenix.hbase.index.IndexRegionObserver;
import org.apache.phoenix.hbase.index.covered.IndexCodec;
import org.apache.phoenix.hbase.index.covered.IndexMetaData;
import org.apache.phoenix.hbase.index.covered.NonTxIndexBuilder;
import org.apache.phoenix.hbase.index.covered.TableState;
import org.apache.phoenix.index.PhoenixIndexMetaData;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;

/**
 * Lets a write maintain the local indexes of all views that have the row. Phoenix's client sends
 * only the indexes of the table or view to which it writes, and the metadata of a table does not
 * list the indexes of its views (not reported).
 *
 * <p>Example: {@code UPSERT INTO T VALUES (1, 5)} leaves the old row of K = 1 in a local index on V
 * of {@code CREATE VIEW W AS SELECT * FROM T}.
 */
public privileged aspect ViewIndexWritesAspect {

  // A rebuild may refuse the scan.
  declare precedence :
      org.apache.phoenix.pruning.patch.index.LocalIndexRebuildAspect, ViewIndexWritesAspect;

  /** Indexes of the views of the region's table, or null if the table has no local index. */
  private ViewIndexes IndexRegionObserver.viewIndexes;

  after(IndexRegionObserver observer, CoprocessorEnvironment environment) returning :
      execution(void IndexRegionObserver.start(CoprocessorEnvironment))
      && this(observer)
      && args(environment) {
    observer.viewIndexes = ViewIndexes.of((RegionCoprocessorEnvironment) environment);
  }

  PhoenixIndexMetaData around(IndexRegionObserver observer, MiniBatchOperationInProgress batch)
      throws IOException :
      execution(PhoenixIndexMetaData IndexRegionObserver.getPhoenixIndexMetaData(..))
      && this(observer)
      && args(*, batch) {
    PhoenixIndexMetaData sent = proceed(observer, batch);
    if (observer.viewIndexes == null || !Patches.isOn(Patch.VIEW_INDEX_WRITES)) {
      return sent;
    }
    List<ViewIndex> indexes = observer.viewIndexes.read();
    return indexes.isEmpty() ? sent : ViewIndexMetaData.of(sent, indexes, batch);
  }

  Iterable around(NonTxIndexBuilder builder, TableState row, IndexMetaData indexes)
      throws IOException :
      call(Iterable IndexCodec+.getIndexDeletes(..))
      && withincode(* NonTxIndexBuilder.*(..))
      && this(builder)
      && args(row, indexes, ..) {
    return indexes instanceof ViewIndexMetaData
        ? ((ViewIndexMetaData) indexes).deletes(row, builder.getEnv().getRegionInfo())
        : proceed(builder, row, indexes);
  }

  Iterable around(NonTxIndexBuilder builder, TableState row, IndexMetaData indexes)
      throws IOException :
      call(Iterable IndexCodec+.getIndexUpserts(..))
      && withincode(* NonTxIndexBuilder.*(..))
      && this(builder)
      && args(row, indexes, ..) {
    return indexes instanceof ViewIndexMetaData
        ? ((ViewIndexMetaData) indexes).upserts(row, builder.getEnv().getRegionInfo())
        : proceed(builder, row, indexes);
  }

  before(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) throws IOException :
      execution(void UngroupedAggregateRegionObserver.preScannerOpen(ObserverContext, Scan))
      && args(context, scan) {
    boolean builds = ViewIndexes.isBuilt(scan);
    if ((builds || ViewIndexes.mayBeDropped(scan))
        && Patches.isOn(Patch.VIEW_INDEX_WRITES)
        && context.getEnvironment().getRegion() instanceof HRegion) {
      HRegion region = (HRegion) context.getEnvironment().getRegion();
      IndexRegionObserver observer =
          region.getCoprocessorHost().findCoprocessor(IndexRegionObserver.class);
      if (observer != null && observer.viewIndexes != null) {
        observer.viewIndexes.prepare(region, builds);
      }
    }
  }
}

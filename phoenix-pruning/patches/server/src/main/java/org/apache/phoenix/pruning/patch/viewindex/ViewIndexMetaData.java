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

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.cache.IndexMetaDataCache;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.hbase.index.ValueGetter;
import org.apache.phoenix.hbase.index.covered.IndexUpdate;
import org.apache.phoenix.hbase.index.covered.TableState;
import org.apache.phoenix.hbase.index.covered.update.ColumnReference;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.index.PhoenixIndexBuilderHelper;
import org.apache.phoenix.index.PhoenixIndexCodec;
import org.apache.phoenix.index.PhoenixIndexMetaData;
import org.apache.phoenix.schema.tuple.ValueGetterTuple;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.transaction.PhoenixTransactionContext;
import org.apache.phoenix.util.EnvironmentEdgeManager;

/**
 * Indexes that a batch maintains: those that the client has sent, and local indexes of views. An
 * index of a view has the rows for which the condition of the view is true. Not thread-safe.
 */
public final class ViewIndexMetaData extends PhoenixIndexMetaData {

  /** Attribute that tells Phoenix to maintain indexes for a mutation. Its value is not read. */
  private static final byte[] MAINTAINED = Bytes.toBytes("view-index-writes");

  /**
   * Maximum age of a timestamp that the server has just set, in milliseconds. HBase sets it in the
   * thread that then calls this class, so only a pause of the JVM can make it older.
   */
  private static final long MAX_PAUSE = 60_000;

  /** Phoenix maintains the other indexes, which have tables of their own, in another way. */
  private final List<IndexMaintainer> local = new ArrayList<>();

  /** Conditions of the maintainers that belong to views. */
  private final Map<IndexMaintainer, Expression> conditions;

  /** Keys that the row which is being written has in indexes of views before the write. */
  private final Map<IndexMaintainer, byte[]> oldKeys = new IdentityHashMap<>();

  private ViewIndexMetaData(
      IndexMetaDataCache indexes,
      Map<String, byte[]> attributes,
      Map<IndexMaintainer, Expression> conditions)
      throws IOException {
    super(indexes, attributes);
    this.conditions = conditions;
    for (IndexMaintainer maintainer : indexes.getIndexMaintainers()) {
      if (maintainer.isLocalIndex()) {
        local.add(maintainer);
      }
    }
  }

  /**
   * Adds those of {@code indexes} that a client has not sent with a batch. Also replaces those that
   * a client has sent, if the batch has an ON DUPLICATE KEY: its row may exist already, and may not
   * be in the view.
   *
   * @return {@code sent} if the client has sent all, or if the batch must be written as it is
   */
  public static PhoenixIndexMetaData of(
      PhoenixIndexMetaData sent,
      List<ViewIndex> indexes,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    boolean checksAll = hasOnDuplicateKey(batch);
    List<ViewIndex> added = new ArrayList<>(indexes);
    List<IndexMaintainer> maintainers = new ArrayList<>();
    for (IndexMaintainer maintainer : sent.getIndexMaintainers()) {
      ByteString id = IndexMaintainer.toProto(maintainer).getViewIndexId();
      Predicate<ViewIndex> isSent = index -> id.equals(ByteString.copyFrom(index.id()));
      if (!checksAll || added.stream().noneMatch(isSent)) {
        maintainers.add(maintainer);
        added.removeIf(isSent);
      }
    }
    if (added.isEmpty()
        || sent.getReplayWrite() != null
        || sent.getIndexMaintainers().isEmpty() && !startMaintaining(batch)) {
      return sent;
    }
    Map<IndexMaintainer, Expression> conditions = new IdentityHashMap<>();
    for (ViewIndex index : added) {
      IndexMaintainer maintainer = index.newMaintainer();
      maintainers.add(maintainer);
      Expression condition = index.newCondition();
      if (condition != null) {
        conditions.put(maintainer, condition);
      }
    }
    return new ViewIndexMetaData(
        new MaintainedIndexes(sent, maintainers),
        batch.getOperation(0).getAttributesMap(),
        conditions);
  }

  private static boolean hasOnDuplicateKey(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.getOperation(i).getAttribute(PhoenixIndexBuilderHelper.ATOMIC_OP_ATTRIB) != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Tells Phoenix to maintain indexes for a batch without indexes. Phoenix then gives the batch the
   * time of the server.
   *
   * @return false if the batch must be written as it is: it has rows of local indexes, it was
   *     replicated, or a client has set its timestamps
   */
  private static boolean startMaintaining(MiniBatchOperationInProgress<Mutation> batch) {
    long now = EnvironmentEdgeManager.currentTimeMillis();
    for (int i = 0; i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      if (!mutation.getClusterIds().isEmpty()
          || !hasTimeOfServer(mutation, now)
          || isIndexRow(mutation)) {
        return false;
      }
    }
    for (int i = 0; i < batch.size(); i++) {
      batch.getOperation(i).setAttribute(PhoenixIndexCodec.INDEX_UUID, MAINTAINED);
    }
    return true;
  }

  /** A build, a rebuild and a repair of an index write its rows directly. */
  private static boolean isIndexRow(Mutation mutation) {
    for (byte[] family : mutation.getFamilyCellMap().keySet()) {
      if (!ViewIndexes.isOfLocalIndexes(family)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasTimeOfServer(Mutation mutation, long now) {
    for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        long timestamp = cell.getTimestamp();
        if (timestamp != HConstants.LATEST_TIMESTAMP
            && (timestamp > now || timestamp < now - MAX_PAUSE)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns true, because only the old row tells which views have had it. */
  @Override
  public boolean requiresPriorRowState(Mutation mutation) {
    return true;
  }

  /** Returns the changes that remove the old state of a row from the local indexes. */
  public Iterable<IndexUpdate> deletes(TableState row, RegionInfo region) throws IOException {
    oldKeys.clear();
    byte[] start = region.getStartKey();
    byte[] end = region.getEndKey();
    ImmutableBytesWritable key = new ImmutableBytesWritable(row.getCurrentRowKey());
    ColumnReference emptyColumn = emptyColumn();
    List<IndexUpdate> updates = new ArrayList<>();
    for (IndexMaintainer maintainer : local) {
      Set<ColumnReference> columns = new HashSet<>(maintainer.getAllColumns());
      columns.add(emptyColumn);
      Pair<ValueGetter, IndexUpdate> state =
          row.getIndexUpdateState(columns, getReplayWrite() != null, true, this);
      ValueGetter old = state.getFirst();
      if (old == null || !isInView(maintainer, old, row.getCurrentTimestamp())) {
        continue;
      }
      if (conditions.containsKey(maintainer)) {
        oldKeys.put(
            maintainer, maintainer.buildRowKey(old, key, start, end, row.getCurrentTimestamp()));
      }
      IndexUpdate update = state.getSecond();
      update.setTable(region.getTable().getName());
      update.setUpdate(
          maintainer.buildDeleteMutation(
              PhoenixIndexCodec.KV_BUILDER,
              old,
              key,
              row.getPendingUpdate(),
              row.getCurrentTimestamp(),
              start,
              end));
      updates.add(update);
    }
    return updates;
  }

  /** Returns the changes that write the new state of a row into the local indexes. */
  public Iterable<IndexUpdate> upserts(TableState row, RegionInfo region) throws IOException {
    if (isDeleted(row.getPendingUpdate())) {
      return Collections.emptyList();
    }
    byte[] start = region.getStartKey();
    byte[] end = region.getEndKey();
    ImmutableBytesWritable key = new ImmutableBytesWritable(row.getCurrentRowKey());
    long timestamp = row.getCurrentTimestamp();
    List<IndexUpdate> updates = new ArrayList<>();
    for (IndexMaintainer maintainer : local) {
      Pair<ValueGetter, IndexUpdate> state =
          row.getIndexUpdateState(
              maintainer.getAllColumns(), getReplayWrite() != null, false, this);
      IndexUpdate update = state.getSecond();
      if (isInView(maintainer, state.getFirst(), timestamp)) {
        update.setUpdate(
            maintainer.buildUpdateMutation(
                PhoenixIndexCodec.KV_BUILDER, state.getFirst(), key, timestamp, start, end, false));
      } else if (oldKeys.containsKey(maintainer)) {
        update.setUpdate(
            maintainer.buildRowDeleteMutation(
                oldKeys.get(maintainer), IndexMaintainer.DeleteType.ALL_VERSIONS, timestamp));
      } else {
        continue;
      }
      update.setTable(region.getTable().getName());
      updates.add(update);
    }
    return updates;
  }

  private boolean isInView(IndexMaintainer maintainer, ValueGetter row, long timestamp) {
    Expression condition = conditions.get(maintainer);
    if (condition == null) {
      return true;
    }
    condition.reset();
    ImmutableBytesWritable value = new ImmutableBytesWritable();
    return condition.evaluate(new ValueGetterTuple(row, timestamp), value)
        && Boolean.TRUE.equals(PBoolean.INSTANCE.toObject(value, condition.getSortOrder()));
  }

  /** Phoenix deletes a row with a marker in each family, so also in that of the empty column. */
  private boolean isDeleted(Collection<Cell> update) {
    byte[] family = emptyColumn().getFamily();
    for (Cell cell : update) {
      if (cell.getType() == Cell.Type.DeleteFamily && CellUtil.matchingFamily(cell, family)) {
        return true;
      }
    }
    return false;
  }

  private ColumnReference emptyColumn() {
    IndexMaintainer first = getIndexMaintainers().get(0);
    return new ColumnReference(first.getDataEmptyKeyValueCF(), first.getEmptyKeyValueQualifier());
  }

  /** The indexes of a batch, with the client's transaction and version. */
  private static final class MaintainedIndexes implements IndexMetaDataCache {

    private final PhoenixIndexMetaData sent;
    private final List<IndexMaintainer> maintainers;

    MaintainedIndexes(PhoenixIndexMetaData sent, List<IndexMaintainer> maintainers) {
      this.sent = sent;
      this.maintainers = maintainers;
    }

    @Override
    public List<IndexMaintainer> getIndexMaintainers() {
      return maintainers;
    }

    @Override
    public PhoenixTransactionContext getTransactionContext() {
      return sent.getTransactionContext();
    }

    @Override
    public int getClientVersion() {
      return sent.getClientVersion();
    }

    @Override
    public void close() {}
  }
}

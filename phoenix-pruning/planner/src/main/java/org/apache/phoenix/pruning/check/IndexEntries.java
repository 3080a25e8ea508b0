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
package org.apache.phoenix.pruning.check;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.expression.Expression;
import org.apache.phoenix.hbase.index.util.GenericKeyValueBuilder;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.pruning.layout.IndexRowPrefix;
import org.apache.phoenix.pruning.protocol.CheckRequest;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.tuple.MultiKeyValueTuple;
import org.apache.phoenix.schema.types.PBoolean;
import org.apache.phoenix.util.ByteUtil;
import org.jspecify.annotations.Nullable;

/**
 * Reads the entries of local indexes from the rows of a region: those that are stored, and those
 * that the data rows require, computed with Phoenix's own code.
 *
 * <p>A region keeps data rows and entries under different keys, but in one key range. If a key is
 * used for both, the column families tell the cells apart.
 */
public final class IndexEntries {

  private static final byte[] NO_KEY = {};

  private final byte[] regionStart;
  private final byte[] regionEnd;
  private final int seed;
  private final @Nullable Expression condition;
  private final List<IndexMaintainer> maintainers = new ArrayList<>();
  private final List<byte[]> prefixes = new ArrayList<>();

  /**
   * Prepares to read the region of {@code request}.
   *
   * @throws IOException if an index of the request cannot be read
   */
  public IndexEntries(CheckRequest request) throws IOException {
    this.regionStart = request.regionStart();
    this.regionEnd = request.regionEnd();
    this.seed = request.seed();
    this.condition = request.newCondition();
    for (CheckRequest.Index index : request.indexes()) {
      maintainers.add(index.newMaintainer());
      prefixes.add(ByteUtil.concat(IndexRowPrefix.of(regionStart, regionEnd), index.id()));
    }
  }

  /** Returns whether {@code cell} belongs to an entry of a local index. */
  public static boolean isOfIndex(Cell cell) {
    byte[] prefix = QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX_BYTES;
    return cell.getFamilyLength() >= prefix.length
        && Bytes.equals(
            cell.getFamilyArray(), cell.getFamilyOffset(), prefix.length, prefix, 0, prefix.length);
  }

  /**
   * Reads one row.
   *
   * @param row all cells of the row, in HBase's order
   * @param required receives the entries that the row requires
   * @param stored receives the entry that the row stores, if any
   * @return true if the row is a data row that satisfies the condition of the view
   */
  boolean read(List<Cell> row, Consumer<IndexEntry> required, Consumer<IndexEntry> stored)
      throws IOException {
    List<Cell> data = new ArrayList<>(row.size());
    List<Cell> entry = new ArrayList<>();
    for (Cell cell : row) {
      (isOfIndex(cell) ? entry : data).add(cell);
    }
    if (!entry.isEmpty()) {
      readStored(entry, stored);
    }
    if (data.isEmpty() || !satisfiesCondition(data)) {
      return false;
    }
    for (int i = 0; i < maintainers.size(); i++) {
      Put put = required(i, data, data.get(0).getTimestamp());
      List<Cell> cells = new ArrayList<>();
      put.getFamilyCellMap().values().forEach(cells::addAll);
      required.accept(
          new IndexEntry(
              i, put.getRow(), CellUtil.cloneRow(data.get(0)), cells, emptyColumn(i), seed));
    }
    return true;
  }

  private void readStored(List<Cell> entry, Consumer<IndexEntry> stored) {
    Cell first = entry.get(0);
    for (int i = 0; i < prefixes.size(); i++) {
      byte[] prefix = prefixes.get(i);
      if (first.getRowLength() > prefix.length
          && Bytes.equals(
              first.getRowArray(), first.getRowOffset(), prefix.length, prefix, 0, prefix.length)) {
        stored.accept(
            new IndexEntry(i, CellUtil.cloneRow(first), NO_KEY, entry, emptyColumn(i), seed));
        return;
      }
    }
  }

  /**
   * Returns whether a row satisfies the condition of the view. Returns true if the indexes belong
   * to a table.
   *
   * @param data the cells of the data row, in HBase's order
   */
  public boolean satisfiesCondition(List<Cell> data) {
    if (condition == null) {
      return true;
    }
    condition.reset();
    ImmutableBytesWritable value = new ImmutableBytesWritable(NO_KEY);
    return condition.evaluate(new MultiKeyValueTuple(data), value)
        && Boolean.TRUE.equals(PBoolean.INSTANCE.toObject(value));
  }

  /**
   * Returns the entry that a data row requires.
   *
   * @param index position of the index in the request
   * @param data the cells of the data row
   * @param timestamp timestamp of the cells of the entry
   */
  public Put required(int index, List<Cell> data, long timestamp) throws IOException {
    byte[] key = CellUtil.cloneRow(data.get(0));
    IndexMaintainer maintainer = maintainers.get(index);
    Put put =
        maintainer.buildUpdateMutation(
            GenericKeyValueBuilder.INSTANCE,
            maintainer.createGetterFromKeyValues(key, data),
            new ImmutableBytesWritable(key),
            timestamp,
            regionStart,
            regionEnd,
            false);
    if (put == null) {
      throw new IOException("Phoenix returns no entry for the row " + Bytes.toStringBinary(key));
    }
    return put;
  }

  private byte[] emptyColumn(int index) {
    return maintainers.get(index).getEmptyKeyValueQualifier();
  }
}

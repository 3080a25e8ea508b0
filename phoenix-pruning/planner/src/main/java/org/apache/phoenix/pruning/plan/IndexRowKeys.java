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
package org.apache.phoenix.pruning.plan;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Collections;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.phoenix.coprocessor.generated.ServerCachingProtos;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.expression.ExpressionType;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.types.PDataType;
import org.apache.phoenix.util.IndexUtil;

/**
 * Finds the row key of the data in that of an index row, from what a client sent about the index.
 *
 * <p>Phoenix's parser takes every length that it reads for granted, and a server that runs out of
 * memory stops. So what is sent is gone through before: whatever Phoenix allocates by a number is
 * bounded by {@link #MAX_BYTES}, but for the expressions of a functional index, which Phoenix reads
 * in its own filters, too.
 */
final class IndexRowKeys {

  /** More than any row key has, and than any description of an index takes. */
  private static final int MAX_BYTES = 1 << 20;

  private static final int COLUMN = ExpressionType.KeyValue.ordinal();

  private final IndexMaintainer maintainer;

  /** Null if there are none. */
  private final byte[][] viewConstants;

  private IndexRowKeys(IndexMaintainer maintainer, byte[][] viewConstants) {
    this.maintainer = maintainer;
    this.viewConstants = viewConstants;
  }

  /** What {@link #read} needs to know of {@code index}. */
  static byte[] serializeMaintainer(PTable dataTable, PTable index, PhoenixConnection connection)
      throws SQLException {
    ImmutableBytesWritable maintainer = new ImmutableBytesWritable();
    IndexMaintainer.serialize(dataTable, maintainer, Collections.singletonList(index), connection);
    return maintainer.copyBytes();
  }

  /** The constants of a view; empty if there are none. */
  static byte[] serializeViewConstants(PTable dataTable) {
    Scan scan = new Scan();
    BaseQueryPlan.serializeViewConstantsIntoScan(scan, dataTable);
    byte[] constants = scan.getAttribute(BaseScannerRegionObserverConstants.VIEW_CONSTANTS);
    return constants == null ? new byte[0] : constants;
  }

  /**
   * Reads what the other methods wrote.
   *
   * @throws IOException if it is something else
   */
  static IndexRowKeys read(byte[] maintainer, byte[] viewConstants) throws IOException {
    try {
      checkMaintainer(maintainer);
      checkViewConstants(viewConstants);
      IndexMaintainer index = IndexMaintainer.deserialize(maintainer, true).get(0);
      return new IndexRowKeys(index, deserializeViewConstants(viewConstants));
    } catch (RuntimeException e) {
      throw new IOException("These bytes do not describe a local index: " + e, e);
    }
  }

  /** The key of the data row of an index row, whose key stands here without the region's prefix. */
  byte[] dataRowKey(ImmutableBytesWritable indexRowKey) {
    return maintainer.buildDataRowKey(indexRowKey, viewConstants);
  }

  private static byte[][] deserializeViewConstants(byte[] serialized) {
    if (serialized.length == 0) {
      return null;
    }
    Scan scan = new Scan();
    scan.setAttribute(BaseScannerRegionObserverConstants.VIEW_CONSTANTS, serialized);
    return IndexUtil.deserializeViewConstantsFromScan(scan);
  }

  private static void checkMaintainer(byte[] serialized) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
    // Negative if the data table is salted.
    requireWithin("the number of indexes", Math.abs((long) WritableUtils.readVInt(in)), 1, 1);
    checkRowKeySchema(in);
    int length = WritableUtils.readVInt(in);
    requireWithin("the length of the index", length, in.available(), in.available());
    byte[] index = new byte[length];
    in.readFully(index);
    ServerCachingProtos.IndexMaintainer proto =
        ServerCachingProtos.IndexMaintainer.parseFrom(index);
    requireWithin(
        "the estimated length of a row key", proto.getIndexRowKeyByteSize(), 0, MAX_BYTES);
    checkIndexedColumns(proto.getIndexedExpressions().toByteArray());
  }

  /** Up to the first expression that is not a column. */
  private static void checkIndexedColumns(byte[] serialized) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
    while (in.available() > 0 && WritableUtils.readVInt(in) == COLUMN) {
      int flags = WritableUtils.readVInt(in);
      // The scale, the length, and the order.
      for (int i = Integer.bitCount(flags & 6); i >= 0; i--) {
        WritableUtils.readVInt(in);
      }
      skipBytes("the length of a column family", in);
      skipBytes("the length of a column", in);
    }
  }

  private static void checkRowKeySchema(DataInputStream in) throws IOException {
    WritableUtils.readVInt(in);
    // Negative if the row key has the order of its columns.
    long fields = Math.abs((long) WritableUtils.readVInt(in));
    requireWithin("the number of key columns", fields, 1, in.available());
    long positions = 0;
    for (long i = 0; i < fields; i++) {
      // Negative if it is nullable, and negative if it is descending.
      long type = Math.abs((long) WritableUtils.readVInt(in));
      requireWithin("the type of a key column", type, 1, PDataType.values().length);
      positions += Math.abs((long) WritableUtils.readVInt(in));
      requireWithin("the number of key columns", positions, 1, Short.MAX_VALUE);
      PDataType<?> dataType = PDataType.values()[(int) type - 1];
      if (dataType.isFixedWidth() && dataType.getByteSize() == null) {
        int length = WritableUtils.readVInt(in);
        requireWithin("the length of a key column", length, 0, MAX_BYTES);
      }
    }
  }

  private static void checkViewConstants(byte[] serialized) throws IOException {
    if (serialized.length > 0) {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
      int constants = WritableUtils.readVInt(in);
      requireWithin("the number of view constants", constants, 0, in.available());
      for (int i = 0; i < constants; i++) {
        skipBytes("the length of a view constant", in);
      }
    }
  }

  private static void skipBytes(String what, DataInputStream in) throws IOException {
    int length = WritableUtils.readVInt(in);
    requireWithin(what, length, 0, in.available());
    in.readFully(new byte[length]);
  }

  private static void requireWithin(String what, long value, long min, long max)
      throws IOException {
    if (value < min || value > max) {
      throw new IOException(
          String.format(
              "These bytes do not describe a local index: %s is %d, but has to be %s",
              what, value, min == max ? min : "between " + min + " and " + max));
    }
  }
}

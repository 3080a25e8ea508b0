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
package org.apache.phoenix.pruning.protocol;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Collections;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.phoenix.coprocessor.generated.ServerCachingProtos;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.expression.ExpressionType;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.IndexRowMapping;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.IndexUtil;
import org.jspecify.annotations.Nullable;

/**
 * Serializes the description of a local index on the client, and parses it on the server. The
 * server uses the description to compute data row keys from index row keys.
 *
 * <p>The input is checked before Phoenix parses it, so that no number in the input causes an
 * unbounded allocation. Only the expressions of a functional index are not checked. They add no new
 * risk, because Phoenix's own filters also parse expressions from clients.
 */
final class IndexRowKeys {

  private static final String SUBJECT = "a local index";

  private static final int COLUMN = ExpressionType.KeyValue.ordinal();

  private IndexRowKeys() {}

  /** Serializes the description of {@code index} for {@link #read}. */
  static byte[] serializeMaintainer(PTable dataTable, PTable index, PhoenixConnection connection)
      throws SQLException {
    ImmutableBytesWritable maintainer = new ImmutableBytesWritable();
    IndexMaintainer.serialize(dataTable, maintainer, Collections.singletonList(index), connection);
    return maintainer.copyBytes();
  }

  /** Serializes the constants of a view. Returns an empty array if there are none. */
  static byte[] serializeViewConstants(PTable dataTable) {
    Scan scan = new Scan();
    BaseQueryPlan.serializeViewConstantsIntoScan(scan, dataTable);
    byte[] constants = scan.getAttribute(BaseScannerRegionObserverConstants.VIEW_CONSTANTS);
    return constants == null ? new byte[0] : constants;
  }

  /**
   * Parses the output of {@link #serializeMaintainer} and {@link #serializeViewConstants}.
   *
   * @throws IOException if the bytes do not describe a local index
   */
  static IndexRowMapping read(byte[] maintainer, byte[] viewConstants) throws IOException {
    try {
      checkViewConstants(viewConstants);
      return new IndexRowMapping(
          readMaintainer(maintainer), deserializeViewConstants(viewConstants));
    } catch (RuntimeException e) {
      throw new IOException("These bytes do not describe a local index: " + e, e);
    }
  }

  /**
   * Parses the output of {@link #serializeMaintainer}.
   *
   * @throws IOException if the bytes do not describe a local index
   */
  static IndexMaintainer readMaintainer(byte[] serialized) throws IOException {
    try {
      return IndexMaintainer.deserialize(checked(serialized), true).get(0);
    } catch (RuntimeException | StackOverflowError e) {
      throw new IOException("These bytes do not describe a local index: " + e, e);
    }
  }

  private static byte @Nullable [][] deserializeViewConstants(byte[] serialized) {
    if (serialized.length == 0) {
      return null;
    }
    Scan scan = new Scan();
    scan.setAttribute(BaseScannerRegionObserverConstants.VIEW_CONSTANTS, serialized);
    return IndexUtil.deserializeViewConstantsFromScan(scan);
  }

  /**
   * Checks a serialized maintainer, and returns a copy for Phoenix to parse. The copy lacks the
   * condition of a partial index, because that condition consists of expressions. The estimated key
   * length in the copy is at most the maximum length of a row key.
   */
  private static byte[] checked(byte[] serialized) throws IOException {
    BoundedInput in = new BoundedInput(SUBJECT, serialized);
    // The number is negative if the data table is salted.
    in.requireWithin("the number of indexes", Math.abs((long) in.readVInt()), 1, 1);
    int columns = in.skipRowKeySchema();
    int before = serialized.length - in.available();
    int length = in.readVInt();
    in.requireWithin("the length of the index", length, in.available(), in.available());
    ServerCachingProtos.IndexMaintainer proto =
        ServerCachingProtos.IndexMaintainer.parseFrom(in.readBytes("the index", length));
    in.requireWithin(
        "the estimated length of a row key",
        proto.getIndexRowKeyByteSize(),
        0,
        BoundedInput.MAX_BYTES);
    // -1 stands for all columns.
    in.requireWithin(
        "the number of data key columns", proto.getIndexDataColumnCount(), -1, columns);
    checkIndexedColumns(proto.getIndexedExpressions().toByteArray());
    byte[] index =
        proto.toBuilder()
            .clearIndexWhere()
            .clearIndexWhereColumns()
            .setIndexRowKeyByteSize(
                Math.min(proto.getIndexRowKeyByteSize(), HConstants.MAX_ROW_LENGTH))
            .build()
            .toByteArray();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(serialized, 0, before);
    WritableUtils.writeVInt(out, index.length);
    out.write(index);
    return bytes.toByteArray();
  }

  /** Checks the columns before the first expression that is not a column. */
  private static void checkIndexedColumns(byte[] serialized) throws IOException {
    BoundedInput in = new BoundedInput(SUBJECT, serialized);
    while (in.available() > 0 && in.readVInt() == COLUMN) {
      int flags = in.readVInt();
      // The scale and the length, if their flags are set, and the sort order.
      for (int i = Integer.bitCount(flags & 6); i >= 0; i--) {
        in.readVInt();
      }
      in.readBytes("the length of a column family", in.readVInt());
      in.readBytes("the length of a column", in.readVInt());
    }
  }

  private static void checkViewConstants(byte[] serialized) throws IOException {
    if (serialized.length > 0) {
      BoundedInput in = new BoundedInput(SUBJECT, serialized);
      int constants = in.readVInt();
      in.requireWithin("the number of view constants", constants, 0, in.available());
      for (int i = 0; i < constants; i++) {
        in.readBytes("the length of a view constant", in.readVInt());
      }
    }
  }
}

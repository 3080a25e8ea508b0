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
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Collections;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.coprocessorclient.BaseScannerRegionObserverConstants;
import org.apache.phoenix.execute.BaseQueryPlan;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.region.DataRowRange;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.IndexUtil;
import org.apache.phoenix.util.ScanUtil;

/**
 * Passes the rows of a local index whose data rows are in a range.
 *
 * <p>A server without pruning does not have this class, so it refuses a scan with this filter,
 * rather than return rows that another scan returns as well.
 */
public final class DataRowFilter extends FilterBase {

  private final DataRowRange range;
  private final int prefixLength;
  private final byte[] serializedMaintainer;
  private final byte[] serializedViewConstants;

  /** Null until the first row. */
  private IndexMaintainer maintainer;

  private byte[][] viewConstants;

  /**
   * Takes apart the keys of an index.
   *
   * @param prefixLength how many bytes stand before an index row's own key
   * @param serializedViewConstants empty if there are none
   */
  private DataRowFilter(
      DataRowRange range,
      int prefixLength,
      byte[] serializedMaintainer,
      byte[] serializedViewConstants) {
    this.range = range;
    this.prefixLength = prefixLength;
    this.serializedMaintainer = serializedMaintainer;
    this.serializedViewConstants = serializedViewConstants;
  }

  /** Passes the rows of {@code index} in {@code region} whose rows of {@code dataTable} are in. */
  static DataRowFilter of(
      DataRowRange range,
      RegionInfo region,
      PTable dataTable,
      PTable index,
      PhoenixConnection connection)
      throws SQLException {
    ImmutableBytesWritable maintainer = new ImmutableBytesWritable();
    IndexMaintainer.serialize(dataTable, maintainer, Collections.singletonList(index), connection);
    Scan scan = new Scan();
    BaseQueryPlan.serializeViewConstantsIntoScan(scan, dataTable);
    byte[] constants = scan.getAttribute(BaseScannerRegionObserverConstants.VIEW_CONSTANTS);
    return new DataRowFilter(
        range,
        ScanUtil.getRowKeyOffset(region.getStartKey(), region.getEndKey()),
        maintainer.copyBytes(),
        constants == null ? new byte[0] : constants);
  }

  @Override
  public boolean filterRowKey(Cell firstRowCell) throws IOException {
    if (maintainer == null) {
      maintainer = IndexMaintainer.deserialize(serializedMaintainer, true).get(0);
      viewConstants = deserializeViewConstants();
    }
    ImmutableBytesWritable indexKey =
        new ImmutableBytesWritable(
            firstRowCell.getRowArray(),
            firstRowCell.getRowOffset() + prefixLength,
            firstRowCell.getRowLength() - prefixLength);
    return !range.contains(maintainer.buildDataRowKey(indexKey, viewConstants));
  }

  private byte[][] deserializeViewConstants() {
    if (serializedViewConstants.length == 0) {
      return null;
    }
    Scan scan = new Scan();
    scan.setAttribute(BaseScannerRegionObserverConstants.VIEW_CONSTANTS, serializedViewConstants);
    return IndexUtil.deserializeViewConstantsFromScan(scan);
  }

  @Override
  public byte[] toByteArray() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    Bytes.writeByteArray(out, range.start());
    Bytes.writeByteArray(out, range.end());
    out.writeInt(prefixLength);
    Bytes.writeByteArray(out, serializedMaintainer);
    Bytes.writeByteArray(out, serializedViewConstants);
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #toByteArray} wrote; called by HBase.
   *
   * @throws DeserializationException if it was not written by it
   */
  public static DataRowFilter parseFrom(byte[] bytes) throws DeserializationException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      return new DataRowFilter(
          DataRowRange.between(Bytes.readByteArray(in), Bytes.readByteArray(in)),
          in.readInt(),
          Bytes.readByteArray(in),
          Bytes.readByteArray(in));
    } catch (IOException e) {
      throw new DeserializationException(e);
    }
  }

  @Override
  public String toString() {
    return "DataRowFilter " + range;
  }
}

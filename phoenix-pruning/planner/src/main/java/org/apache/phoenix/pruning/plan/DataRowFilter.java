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
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.IndexRowMapping;
import org.apache.phoenix.pruning.region.DataRowRange;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.ScanUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the rows of a local index whose data rows are in a range.
 *
 * <p>A server without pruning does not have this class, so it refuses a scan with this filter,
 * rather than return rows that another scan returns as well.
 *
 * <p>Servers read it from whoever can connect to them. It only ever drops rows of a scan that is
 * allowed without it, and whatever is not a filter is refused, for good, before anything is
 * allocated by a length that it names. What it says of the index is read with the first row, when
 * HBase has checked that the user may read.
 */
public final class DataRowFilter extends FilterBase {

  private static final Logger LOG = LoggerFactory.getLogger(DataRowFilter.class);

  private final DataRowRange range;
  private final int prefixLength;
  private final byte[] serializedMaintainer;
  private final byte[] serializedViewConstants;

  /** Null until the first row. */
  private IndexRowMapping indexRows;

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
    return new DataRowFilter(
        range,
        ScanUtil.getRowKeyOffset(region.getStartKey(), region.getEndKey()),
        IndexRowKeys.serializeMaintainer(dataTable, index, connection),
        IndexRowKeys.serializeViewConstants(dataTable));
  }

  /**
   * Whether the row is not in the range.
   *
   * @throws DoNotRetryIOException if it is no row of the index that was sent. It tells nothing of
   *     the row: HBase asks this before it looks at the rights to the row's cells.
   */
  @Override
  public boolean filterRowKey(Cell firstRowCell) throws IOException {
    if (indexRows == null) {
      indexRows = readIndexRows();
    }
    int length = firstRowCell.getRowLength() - prefixLength;
    if (length < 0) {
      throw foreignRow(firstRowCell);
    }
    ImmutableBytesWritable indexRowKey =
        new ImmutableBytesWritable(
            firstRowCell.getRowArray(), firstRowCell.getRowOffset() + prefixLength, length);
    try {
      return !range.contains(indexRows.dataRowKey(indexRowKey));
    } catch (RuntimeException e) {
      LOG.debug("Phoenix finds no data row in {} of {}", firstRowCell, this, e);
      throw foreignRow(firstRowCell);
    }
  }

  private IndexRowMapping readIndexRows() throws DoNotRetryIOException {
    try {
      return IndexRowKeys.read(serializedMaintainer, serializedViewConstants);
    } catch (IOException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  private DoNotRetryIOException foreignRow(Cell cell) {
    return new DoNotRetryIOException(
        String.format(
            "A row of %d bytes is none of the local index that %s names, whose rows have a prefix"
                + " of %d bytes",
            cell.getRowLength(), this, prefixLength));
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
      DataRowFilter filter =
          new DataRowFilter(
              DataRowRange.between(readBytes(in), readBytes(in)),
              in.readInt(),
              readBytes(in),
              readBytes(in));
      if (filter.prefixLength < 0 || in.available() > 0) {
        throw new IOException(
            "a prefix of " + filter.prefixLength + " bytes, and " + in.available() + " bytes more");
      }
      return filter;
    } catch (IOException e) {
      throw new DeserializationException(
          String.format(
              "%d bytes are not a DataRowFilter, that is start and end of a range, length of a"
                  + " prefix, index and view constants: %s",
              bytes.length, e),
          e);
    }
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    int length = WritableUtils.readVInt(in);
    if (length < 0 || length > in.available()) {
      throw new IOException("a length of " + length + " where " + in.available() + " bytes follow");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  @Override
  public String toString() {
    return "DataRowFilter " + range;
  }
}

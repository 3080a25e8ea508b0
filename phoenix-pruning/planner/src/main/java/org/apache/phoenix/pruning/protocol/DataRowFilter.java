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
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.ScanUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Filter that passes the rows of a local index whose data rows are in a range.
 *
 * <p>A server without Phoenix Pruning does not have this class, so it refuses a scan with this
 * filter. Without the filter, the scan would return rows that another scan returns as well.
 *
 * <p>Region servers read this filter from any client that can connect. The filter only drops rows
 * of a scan that is allowed without the filter. Bytes that are not a filter are refused without
 * retries, before memory is allocated for any length that they contain. The description of the
 * index is read with the first row, after HBase has checked that the user may read.
 */
public final class DataRowFilter extends FilterBase {

  private static final Logger LOG = LoggerFactory.getLogger(DataRowFilter.class);

  private final DataRowRange range;
  private final int prefixLength;
  private final byte[] serializedMaintainer;
  private final byte[] serializedViewConstants;

  /** Mapping of index rows to data rows, or null before the first row. */
  private @Nullable IndexRowMapping indexRows;

  /**
   * Creates a filter for the row keys of an index.
   *
   * @param prefixLength number of bytes before an index row's own key
   * @param serializedViewConstants the constants of the view, or empty if there are none
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

  /**
   * Returns a filter for the rows of {@code index} in {@code region}. The filter passes an index
   * row if its row in {@code dataTable} is in {@code range}.
   */
  public static DataRowFilter of(
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
   * Returns true if the data row is not in the range.
   *
   * @throws DoNotRetryIOException if the description of the index cannot be read, or if the row
   *     does not belong to the index. The message contains nothing from the row, because HBase
   *     calls this method before it checks the user's rights to the cells.
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
      LOG.debug("Phoenix cannot compute the data row key of {} for {}", firstRowCell, this, e);
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
            "A row key of length %d does not belong to the local index of %s. Expected a prefix of"
                + " length %d",
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
   * Parses the bytes that {@link #toByteArray} wrote. HBase calls this method.
   *
   * @throws DeserializationException if the bytes are not a serialized filter
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
            "prefix length: " + filter.prefixLength + ", unread bytes: " + in.available());
      }
      return filter;
    } catch (IOException e) {
      throw new DeserializationException(
          String.format(
              "The input of length %d is not a DataRowFilter. Expected start and end of a range,"
                  + " length of a prefix, index, and view constants: %s",
              bytes.length, e),
          e);
    }
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    int length = WritableUtils.readVInt(in);
    if (length < 0 || length > in.available()) {
      throw new IOException("a length is " + length + ". Expected 0 to " + in.available());
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

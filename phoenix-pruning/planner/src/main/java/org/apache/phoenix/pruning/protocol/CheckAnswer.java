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
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Answer of a region to a {@link CheckRequest}. The answer travels in an {@link AnswerCell}. */
public final class CheckAnswer {

  /** State of the comparison. */
  public enum Status {
    /** The server has read a part of the region. Another answer follows. */
    PROGRESS,
    /** The server has compared the whole region. */
    COMPARED,
    /** The server already runs its maximum number of checks. The client asks again later. */
    BUSY,
    /** The region has other boundaries than the request, or the scan was resumed in its middle. */
    OTHER_REGION
  }

  private static final byte VERSION = 1;
  private static final byte[] QUALIFIER = Bytes.toBytes("check");

  private final Status status;
  private final long rows;
  private final long[] entries;
  private final List<int[]> buckets;
  private final List<IndexDifference> differences;

  private CheckAnswer(
      Status status,
      long rows,
      long[] entries,
      List<int[]> buckets,
      List<IndexDifference> differences) {
    this.status = status;
    this.rows = rows;
    this.entries = entries;
    this.buckets = buckets;
    this.differences = differences;
  }

  /** Returns an answer without a result. */
  public static CheckAnswer of(Status status, long rows) {
    return new CheckAnswer(
        status,
        rows,
        new long[0],
        Collections.<int[]>emptyList(),
        Collections.<IndexDifference>emptyList());
  }

  /**
   * Returns the result of a comparison.
   *
   * @param rows number of data rows in the region
   * @param entries number of entries of each index in the region
   * @param buckets for each index, the buckets that differ, or those that were requested and not
   *     compared
   * @param differences the entries that differ in the requested buckets
   */
  public static CheckAnswer compared(
      long rows, long[] entries, List<int[]> buckets, List<IndexDifference> differences) {
    return new CheckAnswer(Status.COMPARED, rows, entries, buckets, differences);
  }

  public Status status() {
    return status;
  }

  /** Returns the number of data rows that were read. */
  public long rows() {
    return rows;
  }

  /** Returns the number of entries of each index. */
  public long[] entries() {
    return entries;
  }

  /**
   * Returns the buckets of each index that differ. If the request has buckets, returns those of
   * them whose entries did not fit into memory. The client requests these buckets again.
   */
  public List<int[]> buckets() {
    return Collections.unmodifiableList(buckets);
  }

  /** Returns the entries that differ in the requested buckets. */
  public List<IndexDifference> differences() {
    return Collections.unmodifiableList(differences);
  }

  /**
   * Returns the cell in which this answer travels.
   *
   * @param row a {@linkplain AnswerCell#rowKey row key} of the region that carries the request
   */
  public Cell toCell(byte[] row) {
    return AnswerCell.of(row, QUALIFIER, toBytes());
  }

  private byte[] toBytes() {
    return WireFormat.toBytes(
        out -> {
          out.writeByte(VERSION);
          out.writeByte(status.ordinal());
          out.writeLong(rows);
          out.writeInt(entries.length);
          for (int i = 0; i < entries.length; i++) {
            out.writeLong(entries[i]);
            WireFormat.write(out, buckets.get(i));
          }
          out.writeInt(differences.size());
          for (IndexDifference difference : differences) {
            out.writeInt(difference.index());
            out.writeByte(difference.kind().ordinal());
            WireFormat.write(out, difference.indexRowKey());
            WireFormat.write(out, difference.dataRowKey());
          }
        });
  }

  /**
   * Reads the answer of a server. Returns empty if {@code row} is not an answer, because the server
   * does not know the request.
   *
   * @throws IOException if {@code row} is an answer that cannot be read
   */
  public static Optional<CheckAnswer> read(Result row) throws IOException {
    Optional<byte[]> value = AnswerCell.read(row, QUALIFIER);
    if (!value.isPresent()) {
      return Optional.empty();
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value.get()))) {
      byte version = in.readByte();
      if (version != VERSION) {
        throw new IOException("version " + version + " of the answer is not supported");
      }
      Status status = Status.values()[checkOrdinal(in.readByte(), Status.values().length)];
      long rows = in.readLong();
      long[] entries = new long[WireFormat.readCount(in, CheckRequest.MAX_INDEXES)];
      List<int[]> buckets = new ArrayList<>();
      for (int i = 0; i < entries.length; i++) {
        entries[i] = in.readLong();
        buckets.add(WireFormat.readInts(in, CheckRequest.MAX_BUCKETS));
      }
      return Optional.of(
          new CheckAnswer(status, rows, entries, buckets, readDifferences(in, entries.length)));
    }
  }

  private static List<IndexDifference> readDifferences(DataInputStream in, int indexes)
      throws IOException {
    int count = WireFormat.readCount(in, in.available());
    List<IndexDifference> differences = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int index = checkOrdinal(in.readInt(), indexes);
      int kind = checkOrdinal(in.readByte(), IndexDifference.Kind.values().length);
      differences.add(
          new IndexDifference(
              index,
              IndexDifference.Kind.values()[kind],
              WireFormat.read(in),
              WireFormat.read(in)));
    }
    return differences;
  }

  private static int checkOrdinal(int ordinal, int count) throws IOException {
    if (ordinal < 0 || ordinal >= count) {
      throw new IOException("a number is " + ordinal + ". Expected less than " + count);
    }
    return ordinal;
  }

  @Override
  public String toString() {
    return status
        + " after "
        + rows
        + " rows, entries "
        + Arrays.toString(entries)
        + ", buckets "
        + Arrays.deepToString(buckets.toArray())
        + ", differences "
        + differences;
  }
}

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
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Answer of a region server to a {@link ProbeRequest}, with a finding for each range. The answer
 * travels in an {@link AnswerCell}.
 */
public final class ProbeAnswer {

  /** Result for one range. A range without a result is {@link #MAY_MATCH}. */
  public enum Finding {
    /** The range has to be scanned. */
    MAY_MATCH,
    /** The range had no row that a scan would return, at the time of the check. */
    NO_ROW,
    /** The range had exactly the rows that come with the answer, at the time of the scan. */
    ROWS
  }

  private static final byte VERSION = 1;
  private static final byte ANSWERED = 0;
  private static final byte REJECTED = 1;
  private static final byte[] QUALIFIER = Bytes.toBytes("answer");

  private final boolean isRejected;
  private final byte[] findings;
  private final List<@Nullable List<Result>> rows;

  private ProbeAnswer(boolean isRejected, byte[] findings, List<@Nullable List<Result>> rows) {
    this.isRejected = isRejected;
    this.findings = findings;
    this.rows = rows;
  }

  /** Returns the answer of a server that is too busy to check the ranges. */
  public static ProbeAnswer rejected() {
    return new ProbeAnswer(true, new byte[0], Collections.<List<Result>>emptyList());
  }

  /** Returns an answer without findings for {@code ranges} ranges. */
  public static ProbeAnswer of(int ranges) {
    return new ProbeAnswer(
        false, new byte[ranges], new ArrayList<>(Collections.nCopies(ranges, (List<Result>) null)));
  }

  /** Records that the range at {@code index} has no row. */
  public void setNoRow(int index) {
    findings[index] = (byte) Finding.NO_ROW.ordinal();
  }

  /** Records that the range at {@code index} has exactly the rows in {@code rowsOfRange}. */
  public void setRows(int index, List<Result> rowsOfRange) {
    findings[index] = (byte) Finding.ROWS.ordinal();
    rows.set(index, rowsOfRange);
  }

  /** Returns whether the server was too busy to check the ranges. */
  public boolean isRejected() {
    return isRejected;
  }

  /** Returns the finding for the range at {@code index}. */
  public Finding finding(int index) {
    byte finding = index < findings.length ? findings[index] : 0;
    return finding >= 0 && finding < Finding.values().length
        ? Finding.values()[finding]
        : Finding.MAY_MATCH;
  }

  /** Returns the rows of the range at {@code index}, if its finding is {@link Finding#ROWS}. */
  public List<Result> rowsOf(int index) {
    return rows.get(index);
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
          out.writeByte(isRejected ? REJECTED : ANSWERED);
          WireFormat.write(out, findings);
          for (List<Result> rowsOfRange : rows) {
            if (rowsOfRange != null) {
              out.writeInt(rowsOfRange.size());
              for (Result row : rowsOfRange) {
                write(row, out);
              }
            }
          }
        });
  }

  /**
   * Writes a row as HBase sends cells to clients: each cell after its length, and without the tags
   * that hold its access rights.
   */
  private static void write(Result row, DataOutputStream out) throws IOException {
    out.writeInt(row.size());
    Codec.Encoder encoder = new KeyValueCodec().getEncoder(out);
    for (Cell cell : row.rawCells()) {
      encoder.write(cell);
    }
    encoder.flush();
  }

  /**
   * Reads the answer of a server. Returns empty if {@code row} is not an answer, because the server
   * does not know the request.
   *
   * @param row first row that the server returned, or null if it returned none
   * @throws IOException if {@code row} is an answer that cannot be read
   */
  public static Optional<ProbeAnswer> read(@Nullable Result row) throws IOException {
    Optional<byte[]> value = AnswerCell.read(row, QUALIFIER);
    if (!value.isPresent()) {
      return Optional.empty();
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value.get()))) {
      byte version = in.readByte();
      if (version != VERSION) {
        return Optional.empty();
      }
      if (in.readByte() != ANSWERED) {
        return Optional.of(rejected());
      }
      byte[] findings = WireFormat.read(in);
      ProbeAnswer answer = of(findings.length);
      System.arraycopy(findings, 0, answer.findings, 0, findings.length);
      for (int i = 0; i < findings.length; i++) {
        if (answer.finding(i) == Finding.ROWS) {
          answer.rows.set(i, rows(in));
        }
      }
      return Optional.of(answer);
    }
  }

  private static List<Result> rows(DataInputStream in) throws IOException {
    int count = WireFormat.readCount(in, in.available());
    List<Result> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(readRow(in));
    }
    return rows;
  }

  private static Result readRow(DataInputStream in) throws IOException {
    int count = WireFormat.readCount(in, in.available());
    if (count == 0) {
      throw new IOException("a row has no cell");
    }
    List<Cell> row = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] cell = WireFormat.read(in);
      try {
        row.add(new KeyValue(cell, 0, cell.length));
      } catch (RuntimeException e) {
        throw new IOException("these bytes are not a cell: " + Bytes.toStringBinary(cell), e);
      }
    }
    return Result.create(row);
  }

  @Override
  public String toString() {
    return isRejected ? "rejected" : "findings " + Arrays.toString(findings);
  }
}

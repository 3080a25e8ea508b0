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
package org.apache.phoenix.pruning.probe;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a region server knows of the ranges that it was asked for. It travels as the only cell of a
 * row of the region that carries the request, in a column family that no table has.
 */
public final class ProbeAnswer {

  /** What is known of a range. A server that says nothing says {@link #MAY_MATCH}. */
  public enum Finding {
    /** It has to be scanned. */
    MAY_MATCH,
    /** When it was looked at, it had no row that a scan would return. */
    NO_ROW,
    /** When it was scanned, it had exactly the rows that come with the answer. */
    ROWS
  }

  private static final byte VERSION = 1;
  private static final byte ANSWERED = 0;
  private static final byte REJECTED = 1;

  /** Stands for the start of the first region of a table: a cell needs a row key. */
  private static final byte[] FIRST_ROW = {0};

  private static final byte[] FAMILY = Bytes.toBytes("PhoenixPruning");
  private static final byte[] QUALIFIER = Bytes.toBytes("answer");

  private final boolean isRejected;
  private final byte[] findings;
  private final List<List<Result>> rows;

  private ProbeAnswer(boolean isRejected, byte[] findings, List<List<Result>> rows) {
    this.isRejected = isRejected;
    this.findings = findings;
    this.rows = rows;
  }

  /** That the server is too busy to look. */
  public static ProbeAnswer rejected() {
    return new ProbeAnswer(true, new byte[0], Collections.<List<Result>>emptyList());
  }

  /** One that says nothing yet of {@code ranges} ranges. */
  public static ProbeAnswer of(int ranges) {
    return new ProbeAnswer(
        false, new byte[ranges], new ArrayList<>(Collections.nCopies(ranges, (List<Result>) null)));
  }

  /** Says that the range at {@code index} has no row. */
  public void noRow(int index) {
    findings[index] = (byte) Finding.NO_ROW.ordinal();
  }

  /** Says which rows the range at {@code index} has, all of them. */
  public void rows(int index, List<Result> all) {
    findings[index] = (byte) Finding.ROWS.ordinal();
    rows.set(index, all);
  }

  /** Whether the server was too busy to look. */
  public boolean isRejected() {
    return isRejected;
  }

  /** What is known of the range at {@code index}. */
  public Finding finding(int index) {
    byte finding = index < findings.length ? findings[index] : 0;
    return finding >= 0 && finding < Finding.values().length
        ? Finding.values()[finding]
        : Finding.MAY_MATCH;
  }

  /** The rows of the range at {@code index}, which were found. */
  public List<Result> rowsOf(int index) {
    return rows.get(index);
  }

  /**
   * Returns the row key of an answer to a request that starts at {@code startRow}. Hooks of the
   * region see the answer, and expect keys of the region.
   */
  public static byte[] row(byte[] startRow) {
    return startRow.length == 0 ? FIRST_ROW : startRow;
  }

  /**
   * Returns the cell that it travels as.
   *
   * @param row a {@linkplain #row row key} of the region that carries the request
   */
  public Cell toCell(byte[] row) {
    return CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(row)
        .setFamily(FAMILY)
        .setQualifier(QUALIFIER)
        .setTimestamp(0)
        .setType(Cell.Type.Put)
        .setValue(toBytes())
        .build();
  }

  private byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeByte(isRejected ? REJECTED : ANSWERED);
      WireFormat.write(out, findings);
      for (List<Result> ofRange : rows) {
        if (ofRange != null) {
          out.writeInt(ofRange.size());
          for (Result row : ofRange) {
            write(row, out);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("an array can be written to", e);
    }
    return bytes.toByteArray();
  }

  /** As HBase sends cells to clients: each behind its length, without the tags of its rights. */
  private static void write(Result row, DataOutputStream out) throws IOException {
    out.writeInt(row.size());
    Codec.Encoder encoder = new KeyValueCodec().getEncoder(out);
    for (Cell cell : row.rawCells()) {
      encoder.write(cell);
    }
    encoder.flush();
  }

  /**
   * The answer that a server gave; empty if {@code row} is none, as the server does not know what
   * it was asked.
   *
   * @param row null if there was none
   * @throws IOException if it is an answer that cannot be read
   */
  public static Optional<ProbeAnswer> read(Result row) throws IOException {
    if (row == null
        || row.size() != 1
        || !CellUtil.matchingColumn(row.rawCells()[0], FAMILY, QUALIFIER)) {
      return Optional.empty();
    }
    byte[] value = CellUtil.cloneValue(row.rawCells()[0]);
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value))) {
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
    int count = WireFormat.count(in, in.available());
    List<Result> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row(in));
    }
    return rows;
  }

  private static Result row(DataInputStream in) throws IOException {
    int count = WireFormat.count(in, in.available());
    if (count == 0) {
      throw new IOException("a row has no cell");
    }
    List<Cell> row = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] cell = WireFormat.read(in);
      try {
        row.add(new KeyValue(cell, 0, cell.length));
      } catch (RuntimeException e) {
        throw new IOException("these bytes are no cell: " + Bytes.toStringBinary(cell), e);
      }
    }
    return Result.create(row);
  }

  @Override
  public String toString() {
    return isRejected ? "rejected" : "findings " + Arrays.toString(findings);
  }
}

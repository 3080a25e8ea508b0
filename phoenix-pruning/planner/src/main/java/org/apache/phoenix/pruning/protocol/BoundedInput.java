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
import org.apache.hadoop.io.WritableUtils;
import org.apache.phoenix.schema.types.PDataType;

/**
 * Checks serialized input from a client before Phoenix reads it. Phoenix trusts every length in
 * such input, so a wrong length could exhaust the memory of a region server. The server would then
 * stop.
 */
public final class BoundedInput {

  /** Maximum length in bytes, which no row key and no description of an index reaches. */
  static final int MAX_BYTES = 1 << 20;

  /**
   * Maximum number of columns of a row key, which no table reaches. The time to compute a data row
   * key grows with the square of this number.
   */
  private static final int MAX_COLUMNS = 1_000;

  private final String subject;
  private final DataInputStream in;

  /**
   * Creates an input of the bytes {@code serialized}.
   *
   * @param subject name of the serialized object, for error messages
   */
  public BoundedInput(String subject, byte[] serialized) {
    this.subject = subject;
    this.in = new DataInputStream(new ByteArrayInputStream(serialized));
  }

  public int available() throws IOException {
    return in.available();
  }

  public int readInt() throws IOException {
    return in.readInt();
  }

  public int readVInt() throws IOException {
    return WritableUtils.readVInt(in);
  }

  /** Reads the next {@code length} bytes, or fails if fewer bytes are left. */
  public byte[] readBytes(String what, long length) throws IOException {
    requireWithin(what, length, 0, in.available());
    byte[] bytes = new byte[(int) length];
    in.readFully(bytes);
    return bytes;
  }

  /** Checks and skips a row key schema in Phoenix's format. Returns the number of its columns. */
  public int skipRowKeySchema() throws IOException {
    // Phoenix allocates memory for this number of columns.
    requireWithin("the capacity for key columns", readVInt(), 0, MAX_COLUMNS);
    // The number is negative if the schema is rowKeyOrderOptimizable.
    long fields = Math.abs((long) readVInt());
    requireWithin("the number of key columns", fields, 1, in.available());
    long positions = 0;
    for (long i = 0; i < fields; i++) {
      // The type is negative for a nullable column. The number of columns is negative for a
      // descending column.
      long type = Math.abs((long) readVInt());
      requireWithin("the type of a key column", type, 1, PDataType.values().length);
      positions += Math.abs((long) readVInt());
      requireWithin("the number of key columns", positions, 1, MAX_COLUMNS);
      PDataType<?> dataType = PDataType.values()[(int) type - 1];
      if (dataType.isFixedWidth() && dataType.getByteSize() == null) {
        requireWithin("the length of a key column", readVInt(), 0, MAX_BYTES);
      }
    }
    return (int) positions;
  }

  /**
   * Checks that a number is in a range.
   *
   * @throws IOException if {@code value} is less than {@code min} or greater than {@code max}
   */
  public void requireWithin(String what, long value, long min, long max) throws IOException {
    if (value < min || value > max) {
      throw new IOException(
          String.format(
              "These bytes do not describe %s: %s is %d. Expected %s",
              subject, what, value, min == max ? min : min + " to " + max));
    }
  }
}

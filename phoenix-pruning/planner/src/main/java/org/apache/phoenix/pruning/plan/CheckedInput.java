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
import org.apache.hadoop.io.WritableUtils;
import org.apache.phoenix.schema.types.PDataType;

/**
 * Goes through what a client serialized, before Phoenix reads it, which takes every length for
 * granted: a server that runs out of memory stops.
 */
final class CheckedInput {

  /** More than any row key has, and than any description of an index takes. */
  static final int MAX_BYTES = 1 << 20;

  private final String subject;
  private final DataInputStream in;

  /**
   * What is in {@code serialized}.
   *
   * @param subject what it has to describe, for messages
   */
  CheckedInput(String subject, byte[] serialized) {
    this.subject = subject;
    this.in = new DataInputStream(new ByteArrayInputStream(serialized));
  }

  int available() throws IOException {
    return in.available();
  }

  int readInt() throws IOException {
    return in.readInt();
  }

  int readVInt() throws IOException {
    return WritableUtils.readVInt(in);
  }

  /** Reads the next {@code length} bytes, no more than there are. */
  byte[] readBytes(String what, long length) throws IOException {
    requireWithin(what, length, 0, in.available());
    byte[] bytes = new byte[(int) length];
    in.readFully(bytes);
    return bytes;
  }

  /** Goes through a row-key schema as Phoenix writes it. */
  void skipRowKeySchema() throws IOException {
    readVInt();
    // Negative if the row key has the order of its columns.
    long fields = Math.abs((long) readVInt());
    requireWithin("the number of key columns", fields, 1, in.available());
    long positions = 0;
    for (long i = 0; i < fields; i++) {
      // Negative if it is nullable, and negative if it is descending.
      long type = Math.abs((long) readVInt());
      requireWithin("the type of a key column", type, 1, PDataType.values().length);
      positions += Math.abs((long) readVInt());
      requireWithin("the number of key columns", positions, 1, Short.MAX_VALUE);
      PDataType<?> dataType = PDataType.values()[(int) type - 1];
      if (dataType.isFixedWidth() && dataType.getByteSize() == null) {
        requireWithin("the length of a key column", readVInt(), 0, MAX_BYTES);
      }
    }
  }

  /**
   * Checks a number.
   *
   * @throws IOException if it is not from {@code min} to {@code max}, both inclusive
   */
  void requireWithin(String what, long value, long min, long max) throws IOException {
    if (value < min || value > max) {
      throw new IOException(
          String.format(
              "These bytes do not describe %s: %s is %d, but has to be %s",
              subject, what, value, min == max ? min : "between " + min + " and " + max));
    }
  }
}

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
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Reads and writes messages and length-prefixed arrays. A length is checked before memory is
 * allocated.
 */
final class WireFormat {

  private WireFormat() {}

  /** Writes the fields of a message. */
  interface Fields {
    void writeTo(DataOutputStream out) throws IOException;
  }

  /** Returns the bytes that {@code fields} writes. */
  static byte[] toBytes(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      fields.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Checks the length and the version of a request. Returns a stream that starts after the version.
   *
   * @throws IOException if the request is longer than {@code maxBytes}, or has another version
   */
  static DataInputStream openRequest(byte[] request, int maxBytes, byte version)
      throws IOException {
    if (request.length > maxBytes) {
      throw new IOException(
          "the request has " + request.length + " bytes, but at most " + maxBytes + " are allowed");
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(request));
    byte actual = in.readByte();
    if (actual != version) {
      throw new IOException("version " + actual + " of the request is not supported");
    }
    return in;
  }

  static void write(DataOutput out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /**
   * Reads a byte array that {@link #write(DataOutput, byte[])} wrote.
   *
   * @param in stream that knows how many bytes are left, such as one over a byte array
   * @throws IOException if the length is negative or greater than the number of bytes left
   */
  static byte[] read(DataInputStream in) throws IOException {
    byte[] bytes = new byte[checkLength(in.readInt(), in.available())];
    in.readFully(bytes);
    return bytes;
  }

  static void write(DataOutput out, int[] numbers) throws IOException {
    out.writeInt(numbers.length);
    for (int number : numbers) {
      out.writeInt(number);
    }
  }

  /**
   * Reads an array of numbers that {@link #write(DataOutput, int[])} wrote.
   *
   * @param in stream that knows how many bytes are left, such as one over a byte array
   * @throws IOException if the array has more than {@code max} numbers, or more than there are
   *     bytes left
   */
  static int[] readInts(DataInputStream in, int max) throws IOException {
    int[] numbers = new int[checkLength(in.readInt(), Math.min(max, in.available()))];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = in.readInt();
    }
    return numbers;
  }

  /** Reads a number from 0 to {@code max}. */
  static int readCount(DataInput in, int max) throws IOException {
    return checkLength(in.readInt(), max);
  }

  private static int checkLength(int length, int max) throws IOException {
    if (length < 0 || length > max) {
      throw new IOException("a length is " + length + ". Expected 0 to " + max);
    }
    return length;
  }
}

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
package org.apache.phoenix.pruning.region;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.key.KeyColumn;

/**
 * Primary-key column with a finite domain, from which a test fills a table. Null has no bytes, as
 * in Phoenix.
 */
record TestColumn(
    String name, Kind kind, int width, boolean descending, boolean nullable, List<byte[]> domain) {

  enum Kind {
    FIXED,
    VARIABLE,
    TRAILING_BINARY
  }

  static final byte[] NULL = {};

  KeyColumn keyColumn() {
    return switch (kind) {
      case FIXED -> KeyColumn.fixed(name, width, descending);
      case VARIABLE -> KeyColumn.variable(name, descending, nullable);
      case TRAILING_BINARY -> KeyColumn.trailingBinary(name, nullable);
    };
  }

  boolean isFixed() {
    return kind == Kind.FIXED;
  }

  /** Returns whether a row can have {@code value}. */
  boolean accepts(byte[] value) {
    if (value.length == 0) {
      return nullable;
    }
    return switch (kind) {
      case FIXED -> value.length == width;
      case VARIABLE -> Bytes.indexOf(value, (byte) 0) < 0;
      case TRAILING_BINARY -> true;
    };
  }

  /** Returns {@code value} as it is encoded in a row key, without separator. */
  byte[] encode(byte[] value) {
    byte[] encoded = value.clone();
    for (int i = 0; descending && i < encoded.length; i++) {
      encoded[i] = (byte) ~encoded[i];
    }
    return encoded;
  }

  /**
   * Returns values near the value at the start of {@code rest}: the value itself, its neighbours in
   * key order, and the values just before and after all values that start with it.
   *
   * @param rest the rest of a row key, from this column to the end
   */
  SortedSet<byte[]> near(byte[] rest) {
    byte separator = (byte) (descending ? 0xFF : 0);
    int end = Bytes.indexOf(rest, separator);
    byte[] head = isFixed() ? Arrays.copyOf(rest, width) : rest;
    if (kind == Kind.VARIABLE && end >= 0) {
      head = Arrays.copyOf(rest, end);
    }
    List<byte[]> encoded = new ArrayList<>();
    for (int length = 0; length <= head.length; length++) {
      encoded.addAll(neighbours(Arrays.copyOf(head, length)));
    }
    SortedSet<byte[]> values = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (byte[] bytes : encoded) {
      byte[] value = encode(bytes);
      if (isFixed() && value.length != width) {
        value = Arrays.copyOf(value, width);
      }
      if (accepts(value)) {
        values.add(value);
      }
    }
    return values;
  }

  private static List<byte[]> neighbours(byte[] bytes) {
    List<byte[]> result = new ArrayList<>();
    result.add(bytes);
    result.add(Bytes.add(bytes, new byte[] {0}));
    result.add(Bytes.add(bytes, new byte[] {0, 0}));
    result.add(Bytes.add(bytes, new byte[] {1}));
    result.add(Bytes.add(bytes, new byte[] {(byte) 0xFE}));
    result.add(Bytes.add(bytes, new byte[] {(byte) 0xFF}));
    if (bytes.length > 0) {
      byte[] above = bytes.clone();
      above[bytes.length - 1]++;
      result.add(above);
      byte[] below = bytes.clone();
      below[bytes.length - 1]--;
      result.add(below);
      result.add(Bytes.add(below, new byte[] {(byte) 0xFE}));
    }
    return result;
  }

  @Override
  public String toString() {
    return keyColumn().toString() + (kind == Kind.TRAILING_BINARY ? " BINARY" : "");
  }
}

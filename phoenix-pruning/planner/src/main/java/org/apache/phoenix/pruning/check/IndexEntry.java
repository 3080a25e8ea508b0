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
package org.apache.phoenix.pruning.check;

import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.thirdparty.com.google.common.hash.HashFunction;
import org.apache.phoenix.thirdparty.com.google.common.hash.Hasher;
import org.apache.phoenix.thirdparty.com.google.common.hash.Hashing;

/**
 * An entry of a local index, reduced to its keys and a hash of its cells. The hash depends on
 * neither timestamps nor the value of the empty column. A cell without a value counts as no cell,
 * because both mean null.
 */
final class IndexEntry {

  private static final Comparator<Cell> ORDER =
      (a, b) -> {
        int families =
            Bytes.compareTo(
                a.getFamilyArray(),
                a.getFamilyOffset(),
                a.getFamilyLength(),
                b.getFamilyArray(),
                b.getFamilyOffset(),
                b.getFamilyLength());
        return families != 0
            ? families
            : Bytes.compareTo(
                a.getQualifierArray(),
                a.getQualifierOffset(),
                a.getQualifierLength(),
                b.getQualifierArray(),
                b.getQualifierOffset(),
                b.getQualifierLength());
      };

  private final int index;
  private final byte[] key;
  private final byte[] dataKey;
  private final long keyHash;
  private final long firstHash;
  private final long secondHash;

  /**
   * Creates an entry.
   *
   * @param index position of the index in the request
   * @param key row key of the entry, as stored in the region
   * @param dataKey row key of the data row that requires the entry; empty for a stored entry
   * @param cells cells of the entry in any order; the constructor sorts this list
   * @param emptyColumn qualifier of the empty column
   * @param seed start value of all hashes
   */
  IndexEntry(
      int index, byte[] key, byte[] dataKey, List<Cell> cells, byte[] emptyColumn, int seed) {
    this.index = index;
    this.key = key;
    this.dataKey = dataKey;
    HashFunction hash = Hashing.murmur3_128(seed);
    this.keyHash = hash.hashBytes(key).asLong();
    cells.sort(ORDER);
    Hasher hasher = hash.newHasher().putInt(index).putInt(key.length).putBytes(key);
    for (Cell cell : cells) {
      put(hasher, cell, emptyColumn);
    }
    byte[] hashed = hasher.hash().asBytes();
    this.firstHash = Bytes.toLong(hashed);
    this.secondHash = Bytes.toLong(hashed, Long.BYTES);
  }

  private static void put(Hasher hasher, Cell cell, byte[] emptyColumn) {
    boolean isEmptyColumn =
        Bytes.equals(
            cell.getQualifierArray(),
            cell.getQualifierOffset(),
            cell.getQualifierLength(),
            emptyColumn,
            0,
            emptyColumn.length);
    if (!isEmptyColumn && cell.getValueLength() == 0) {
      return;
    }
    put(hasher, cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength());
    put(hasher, cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
    if (!isEmptyColumn) {
      put(hasher, cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    }
  }

  private static void put(Hasher hasher, byte[] bytes, int offset, int length) {
    hasher.putInt(length).putBytes(bytes, offset, length);
  }

  /** Returns the position of the index in the request. */
  int index() {
    return index;
  }

  /** Returns the row key of the entry, as stored in the region. */
  byte[] key() {
    return key;
  }

  /** Returns the row key of the data row that requires the entry, or empty for a stored entry. */
  byte[] dataKey() {
    return dataKey;
  }

  /** Returns the bucket of the entry, a number of {@code bits} bits. */
  int bucket(int bits) {
    return (int) (keyHash & ((1L << bits) - 1));
  }

  /** Returns the first half of the hash of the key and the cells. */
  long firstHash() {
    return firstHash;
  }

  /** Returns the second half of the hash of the key and the cells. */
  long secondHash() {
    return secondHash;
  }

  /** Returns whether {@code other}, an entry with the same key, has the same cells. */
  boolean hasCellsOf(IndexEntry other) {
    return firstHash == other.firstHash && secondHash == other.secondHash;
  }
}

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

import org.apache.hadoop.hbase.util.Bytes;

/** An entry of a local index that differs from its table. */
public final class IndexDifference {

  /** Ways in which an entry differs. */
  public enum Kind {
    /** The index lacks an entry that a data row requires. */
    MISSING,
    /** The index has an entry that no data row requires. */
    EXTRA,
    /** The index has the entry, but its columns outside the key differ from the data row. */
    STALE
  }

  private final int index;
  private final Kind kind;
  private final byte[] indexRowKey;
  private final byte[] dataRowKey;

  /**
   * Creates a difference.
   *
   * @param index position of the index in the request
   * @param indexRowKey row key of the entry, as stored in the region
   * @param dataRowKey row key of the data row that requires the entry; empty for an extra entry
   */
  public IndexDifference(int index, Kind kind, byte[] indexRowKey, byte[] dataRowKey) {
    this.index = index;
    this.kind = kind;
    this.indexRowKey = indexRowKey;
    this.dataRowKey = dataRowKey;
  }

  /** Returns the position of the index in the request. */
  public int index() {
    return index;
  }

  public Kind kind() {
    return kind;
  }

  /** Returns the row key of the entry, as stored in the region. */
  public byte[] indexRowKey() {
    return indexRowKey;
  }

  /** Returns the row key of the data row that requires the entry, or empty for an extra entry. */
  public byte[] dataRowKey() {
    return dataRowKey;
  }

  @Override
  public String toString() {
    return kind + " " + Bytes.toStringBinary(indexRowKey) + " of index " + index;
  }
}

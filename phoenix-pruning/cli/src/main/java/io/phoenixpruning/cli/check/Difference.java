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
package io.phoenixpruning.cli.check;

import java.util.Optional;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.protocol.IndexDifference;

/**
 * An entry that differs from its table.
 *
 * @param position position of the index in {@link CheckedTable#layouts}
 * @param region the region of the entry at the time of the check
 */
public record Difference(
    int position, IndexLayout layout, RegionInfo region, IndexDifference found) {

  /** Returns how the entry differs. */
  public IndexDifference.Kind kind() {
    return found.kind();
  }

  /**
   * Returns the row key of the data row. Returns empty if the entry is extra and its key cannot be
   * read.
   */
  Optional<byte[]> dataRowKey() {
    if (kind() != IndexDifference.Kind.EXTRA) {
      return Optional.of(found.dataRowKey());
    }
    try {
      return Optional.of(
              layout
                  .read(found.indexRowKey(), region.getStartKey(), region.getEndKey())
                  .dataRowKey())
          .filter(key -> key.length > 0);
    } catch (RuntimeException malformed) {
      return Optional.empty();
    }
  }

  /**
   * Returns the values of the key and the row key of the data row. If the key cannot be read,
   * returns its bytes.
   */
  public String text() {
    try {
      return layout.read(found.indexRowKey(), region.getStartKey(), region.getEndKey()).toString();
    } catch (RuntimeException malformed) {
      return "the key " + Bytes.toStringBinary(found.indexRowKey()) + ", which cannot be read";
    }
  }
}

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
package org.apache.phoenix.pruning.explain;

import java.util.Locale;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;
import org.apache.phoenix.schema.PTableType;

/** The kind of index that a scan reads. */
public enum IndexKind {
  /** No index. The scan reads the table. */
  NONE,

  /** An index that is stored in the regions of its table. */
  LOCAL,

  /** An index that is stored in a separate table, covered or uncovered. */
  GLOBAL;

  static IndexKind of(PTable scanned) {
    if (scanned.getIndexType() == IndexType.LOCAL) {
      return LOCAL;
    }
    return scanned.getType() == PTableType.INDEX ? GLOBAL : NONE;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

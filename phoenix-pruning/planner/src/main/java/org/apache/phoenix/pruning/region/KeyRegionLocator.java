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

import java.sql.SQLException;
import org.apache.hadoop.hbase.HRegionLocation;

/** Finds the region of a table that holds a row key. */
public interface KeyRegionLocator {

  /**
   * Returns the region with start key &lt;= {@code rowKey} &lt; end key.
   *
   * @param rowKey a row key; empty for the first region
   */
  HRegionLocation locate(byte[] rowKey) throws SQLException;

  /**
   * Looks up the regions of a range of row keys again, because their cached locations are out of
   * date. Looks up no other regions.
   *
   * @param from inclusive start key; empty for the start of the table
   * @param to exclusive end key; empty for the end of the table
   */
  default void refresh(byte[] from, byte[] to) throws SQLException {}
}

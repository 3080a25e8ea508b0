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

import java.sql.SQLException;
import org.apache.hadoop.hbase.client.Scan;

/** Checks the scans that are not sent because a server says that they have no row. */
public interface ExclusionCheck {

  /** Repeats the request to the server. */
  interface Recheck {

    /** Returns whether the server still says that there is no row. */
    boolean isExcluded() throws SQLException;
  }

  /** Trusts the server and checks nothing. */
  ExclusionCheck NONE = (scan, recheck) -> {};

  /**
   * Reads what {@code scan} would read.
   *
   * @throws SQLException if the scan has a row and the server still says that it has none. If the
   *     server now finds a row, it may have been written in between.
   */
  void check(Scan scan, Recheck recheck) throws SQLException;
}

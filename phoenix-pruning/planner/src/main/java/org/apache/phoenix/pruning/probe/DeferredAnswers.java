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

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;

/** The answers for scans of which the first is about to be sent. Asks once, if at all. */
final class DeferredAnswers {

  /** Asks servers. */
  interface Asking {

    /** The scans with those that need not be sent replaced: by null, or by one with its rows. */
    List<Scan> ask() throws SQLException;
  }

  private final Asking asking;
  private List<Scan> answered;

  DeferredAnswers(Asking asking) {
    this.asking = asking;
  }

  /** What has become of the scan at {@code index}. */
  synchronized Scan scan(int index) throws IOException {
    if (answered == null) {
      try {
        answered = asking.ask();
      } catch (SQLException e) {
        throw new IOException(e);
      }
    }
    return answered.get(index);
  }
}

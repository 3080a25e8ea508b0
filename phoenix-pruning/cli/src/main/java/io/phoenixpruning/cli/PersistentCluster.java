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
package io.phoenixpruning.cli;

import io.phoenixpruning.cli.cluster.EmbeddedCluster;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;

/** A cluster that keeps its data in a folder from one run to the next. */
final class PersistentCluster {

  private final DataFolder folder;
  private final EmbeddedCluster cluster;
  private volatile boolean started;

  PersistentCluster(DataFolder folder) {
    this.folder = folder;
    this.cluster = new EmbeddedCluster(folder.path());
  }

  /** Starts HBase and Phoenix. */
  void start() throws IOException, InterruptedException, SQLException {
    cluster.start();
    cluster.connect(Map.of()).close();
    started = true;
  }

  String url() {
    return cluster.url();
  }

  /** Stops, and writes all data. What never came up for the first time leaves nothing behind. */
  void stop() throws IOException {
    if (started) {
      cluster.close();
      folder.close();
    } else {
      cluster.abort();
      if (folder.isNew()) {
        folder.delete();
      } else {
        folder.close();
      }
    }
  }
}

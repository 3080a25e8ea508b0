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

import io.phoenixpruning.cli.console.LoggedException;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.testing.EmbeddedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A cluster that keeps its data in a folder between runs. */
final class PersistentCluster {

  private final Path dir;
  private @Nullable DataFolder folder;
  private @Nullable EmbeddedCluster cluster;
  private boolean stopped;
  private volatile boolean started;

  /** Creates a cluster that is not running. Does not access {@code dir}. */
  PersistentCluster(Path dir) {
    this.dir = dir;
  }

  /**
   * Locks the folder for this process.
   *
   * @throws RefusedException if the folder cannot hold the data of a cluster or is in use
   * @throws IllegalStateException if the cluster was stopped
   */
  synchronized void open() {
    if (stopped) {
      throw new IllegalStateException("Stopped");
    }
    folder = DataFolder.open(dir);
    Libraries.write(folder.path());
    cluster = new EmbeddedCluster(folder.path());
  }

  /** Starts HBase and Phoenix in the locked folder. */
  void start() throws IOException, InterruptedException, SQLException {
    requireCluster().start();
    requireCluster().connect(Map.of()).close();
    started = true;
  }

  /** Returns the locked folder. */
  Path folder() {
    return requireFolder().path();
  }

  private DataFolder requireFolder() {
    return Objects.requireNonNull(folder, "open was not called");
  }

  private EmbeddedCluster requireCluster() {
    return Objects.requireNonNull(cluster, "open was not called");
  }

  String url() {
    return requireCluster().url();
  }

  /**
   * Returns the log, or a copy if {@link #stop} will delete the log. Returns empty if there is no
   * log.
   */
  Optional<Path> log() throws IOException {
    Path log = Libraries.log(folder());
    return isDiscarded()
        ? LoggedException.copyLog(log, "pruning-sql-")
        : Optional.of(log).filter(Files::exists);
  }

  private boolean isDiscarded() {
    return !started && requireFolder().isNew();
  }

  /**
   * Stops the cluster and writes all data to the folder. Deletes the folder if it is new and the
   * cluster never started.
   */
  synchronized void stop() throws IOException {
    stopped = true;
    if (folder == null) {
      return;
    }
    try {
      if (started) {
        requireCluster().close();
      } else if (cluster != null) {
        cluster.abort();
      }
    } finally {
      if (isDiscarded()) {
        folder.delete();
      } else {
        folder.close();
      }
    }
  }
}

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
package org.apache.phoenix.pruning.mapreduce;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.phoenix.pruning.optimize.SnapshotCompilation;
import org.jspecify.annotations.Nullable;

/** Snapshot that the configuration of a MapReduce job names. */
public final class SnapshotOfJob implements SnapshotCompilation.Snapshot {

  private final Configuration configuration;
  private final String name;

  /** Table of the snapshot, or null until its description is read. */
  private @Nullable String table;

  public SnapshotOfJob(Configuration configuration, String name) {
    this.configuration = configuration;
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String table() throws IOException {
    if (table == null) {
      Path root = CommonFSUtils.getRootDir(configuration);
      FileSystem files = root.getFileSystem(configuration);
      table =
          SnapshotDescriptionUtils.readSnapshotInfo(
                  files, SnapshotDescriptionUtils.getCompletedSnapshotDir(name, root))
              .getTable();
    }
    return table;
  }
}

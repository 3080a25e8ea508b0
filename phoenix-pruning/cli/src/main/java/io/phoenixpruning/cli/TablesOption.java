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

import io.phoenixpruning.cli.advise.MirrorDatabase;
import io.phoenixpruning.cli.explain.ClusterDatabase;
import io.phoenixpruning.cli.explain.Database;
import io.phoenixpruning.cli.explain.DdlDatabase;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options that say where the tables are: on a cluster, or in a file that defines them. Exactly one
 * of the options is given.
 */
final class TablesOption {

  @Option(
      names = ClusterOption.NAME,
      required = true,
      paramLabel = ClusterOption.LABEL,
      description = ClusterOption.DESCRIPTION)
  private @Nullable String url;

  @Option(
      names = "--ddl",
      required = true,
      paramLabel = "FILE",
      description =
          "A file with CREATE TABLE ... SPLIT ON and CREATE INDEX. Plans without a cluster.")
  private @Nullable Path ddl;

  /** Returns true if the tables are on a cluster. */
  boolean areOnCluster() {
    return url != null;
  }

  /**
   * Opens the database with the tables.
   *
   * @param folder folder for temporary files
   */
  Database open(Path folder, Cleanup cleanup) throws Exception {
    if (ddl != null) {
      Libraries.write(folder);
      return define(ddl, cleanup);
    }
    return new ClusterDatabase(Reachability.open(Objects.requireNonNull(url), folder, cleanup));
  }

  /** Returns a copy of the tables in this process, which the caller may change. */
  Database copy(Database database, Collection<String> tables, Cleanup cleanup) throws Exception {
    if (ddl != null) {
      return define(ddl, cleanup);
    }
    MirrorDatabase mirror = MirrorDatabase.of(database.connection(), tables);
    cleanup.add(mirror::close);
    return mirror;
  }

  private static Database define(Path ddl, Cleanup cleanup) throws Exception {
    DdlDatabase database = DdlDatabase.read(ddl);
    cleanup.add(database::close);
    return database;
  }
}

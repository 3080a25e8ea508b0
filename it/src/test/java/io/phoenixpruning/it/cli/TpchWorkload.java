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
package io.phoenixpruning.it.cli;

import io.phoenixpruning.cli.explain.SqlScript;
import io.phoenixpruning.cli.explain.SqlStatement;
import io.phoenixpruning.cli.tpch.TpchData;
import io.phoenixpruning.cli.tpch.TpchLoader;
import io.phoenixpruning.cli.tpch.TpchSource;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** TPC-H's tables on a cluster, in the schema TPCH, and 30 queries on them. */
final class TpchWorkload {

  /** Scale for which the boundaries in the schema and the values in the queries were chosen. */
  private static final double SCALE = 0.002;

  private final Connection connection;

  /**
   * Creates a workload.
   *
   * @param connection connection without auto-commit, which the caller closes
   */
  TpchWorkload(Connection connection) {
    this.connection = connection;
  }

  /** Returns the file with the definitions of the tables and of two indexes. */
  static Path schema() {
    return resource("tpch-schema.sql");
  }

  /** Returns the file of the queries. */
  static Path queries() {
    return resource("tpch-queries.sql");
  }

  private static Path resource(String name) {
    try {
      return Path.of(TpchWorkload.class.getResource(name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("Resources have to be files: " + name, e);
    }
  }

  /** Returns the full names of the tables. */
  static List<String> tables() {
    return TpchSource.ALL.stream().map(TpchWorkload::nameOf).toList();
  }

  private static String nameOf(TpchSource<?> source) {
    return "TPCH." + source.name();
  }

  /** Creates the tables and their indexes, and loads them. */
  void create() throws SQLException {
    execute(SqlScript.read(schema()).statements().stream().map(SqlStatement::sql).toList());
    TpchData data = new TpchData(SCALE);
    for (TpchSource<?> source : TpchSource.ALL) {
      new TpchLoader<>(source, nameOf(source)).load(connection, data, 1, 1, committed -> {});
    }
    collectStatistics();
  }

  /** Runs DDL statements and collects statistics afterwards. */
  void change(List<String> definitions) throws SQLException {
    execute(definitions);
    collectStatistics();
  }

  private void collectStatistics() throws SQLException {
    execute(tables().stream().map(table -> "UPDATE STATISTICS " + table).toList());
  }

  private void execute(List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}

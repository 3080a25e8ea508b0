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
package io.phoenixpruning.cli.explain;

import io.phoenixpruning.cli.console.RefusedException;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixDriver;
import org.apache.phoenix.parse.BindableStatement;
import org.apache.phoenix.parse.CreateTableStatement;
import org.apache.phoenix.parse.DMLStatement;
import org.apache.phoenix.parse.MutableStatement;
import org.apache.phoenix.parse.SQLParser;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.SchemaUtil;

/**
 * Tables and indexes that a file of DDL statements defines, without rows and statistics. Tables of
 * other files are not visible. {@code SPLIT ON} sets the regions.
 */
public final class DdlDatabase implements Database, AutoCloseable {

  private final Path file;
  private final ClusterlessPhoenix phoenix;

  /**
   * Encodings by full table name, then by family. The empty family stands for all families that are
   * not in the map.
   */
  private final Map<String, Map<String, DataBlockEncoding>> encodings = new HashMap<>();

  private DdlDatabase(Path file, ClusterlessPhoenix phoenix) {
    this.file = file;
    this.phoenix = phoenix;
  }

  /**
   * Creates the tables and indexes that {@code file} defines.
   *
   * @throws RefusedException if the file cannot be read, or a statement is not a definition or
   *     fails
   */
  public static DdlDatabase read(Path file) throws SQLException {
    SqlScript script;
    try {
      script = SqlScript.read(file);
    } catch (RefusedException e) {
      throw new RefusedException("--ddl '" + file + "' " + e.getMessage(), e);
    }
    DdlDatabase database =
        new DdlDatabase(file, ClusterlessPhoenix.create(PhoenixDriver.INSTANCE.getQueryServices()));
    try {
      for (SqlStatement statement : script.statements()) {
        database.define(statement);
      }
    } catch (RefusedException e) {
      try {
        database.close();
      } catch (SQLException notClosed) {
        e.addSuppressed(notClosed);
      }
      throw e;
    }
    return database;
  }

  private void define(SqlStatement statement) {
    if (statement.flaw().isPresent()) {
      throw refused(statement.flaw().get().position(), statement.flaw().get().message());
    }
    String sql = statement.sql() + "\n";
    try {
      BindableStatement parsed = new SQLParser(sql).parseStatement();
      if (!(parsed instanceof MutableStatement) || parsed instanceof DMLStatement) {
        throw refused(
            statement.position(),
            "only definitions of tables, views and indexes are allowed. Remove this statement");
      }
      try (PreparedStatement definition = connection().prepareStatement(sql)) {
        definition.execute();
      }
      if (parsed instanceof CreateTableStatement table) {
        recordEncodings(table);
      }
    } catch (SQLException e) {
      SqlFailure failure = SqlFailure.of(e, statement.position());
      throw refused(failure.position(), failure.message());
    }
  }

  private RefusedException refused(Position position, String message) {
    return new RefusedException(Problem.at(file, position, message).toString());
  }

  private void recordEncodings(CreateTableStatement table) throws SQLException {
    Map<String, DataBlockEncoding> byFamily = new HashMap<>();
    for (Map.Entry<String, Pair<String, Object>> property : table.getProps().entries()) {
      if (property
          .getValue()
          .getFirst()
          .equals(ColumnFamilyDescriptorBuilder.DATA_BLOCK_ENCODING)) {
        byFamily.put(
            property.getKey(),
            DataBlockEncoding.valueOf(property.getValue().getSecond().toString()));
      }
    }
    encodings.put(table.getTableName().toString(), byFamily);
  }

  @Override
  public PhoenixConnection connection() {
    return phoenix.connection();
  }

  @Override
  public DataBlockEncoding encoding(PTable table, String family) {
    Map<String, DataBlockEncoding> byFamily =
        encodings.getOrDefault(table.getPhysicalName().getString(), Map.of());
    return byFamily.getOrDefault(
        family,
        byFamily.getOrDefault(
            QueryConstants.ALL_FAMILY_PROPERTIES_KEY, SchemaUtil.DEFAULT_DATA_BLOCK_ENCODING));
  }

  @Override
  public Optional<Warning> statisticsWarning(PTable table) {
    return Optional.empty();
  }

  @Override
  public String whereToDefine() {
    return "in " + file;
  }

  @Override
  public void close() throws SQLException {
    phoenix.close();
  }
}

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
package io.phoenixpruning.it.fuzz;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.SortOrder;

/** A table on a cluster, which steps change. */
final class WrittenTable implements AutoCloseable {

  private final Connections connections;
  private final String prefix;
  private final WrittenTableDefinition definition;
  private final WrittenRegions regions;

  /** Statements are prepared once, and run again after changes of the schema and the regions. */
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  /** Creates the table. Its names begin with {@code prefix}. */
  WrittenTable(
      Connections connections,
      HBaseTestingUtility utility,
      String prefix,
      WrittenTableDefinition definition)
      throws Exception {
    this.connections = connections;
    this.prefix = prefix;
    this.definition = definition;
    this.regions =
        new WrittenRegions(utility, name(ModelTable.TABLE), definition.saltBuckets() > 0);
    execute(definition.ddl());
    if (definition.splits() != null && !definition.splits().isEmpty()) {
      create(definition.splits());
    }
  }

  /** Creates the regions of the empty table again. */
  void create(List<ByteString> boundaries) throws Exception {
    regions.create(boundaries);
    connection(PruningMode.EXACT)
        .unwrap(PhoenixConnection.class)
        .getQueryServices()
        .clearTableRegionCache(TableName.valueOf(name(ModelTable.TABLE)));
  }

  String name(String text) {
    return RandomTable.name(text, prefix);
  }

  WrittenRegions regions() {
    return regions;
  }

  Connection connection(PruningMode mode) throws SQLException {
    return connections.get(new Connections.Key(mode, false));
  }

  void execute(String sql) throws SQLException {
    Connection connection = connection(PruningMode.EXACT);
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute(name(sql));
    }
  }

  void commit(Step.Commit commit) throws SQLException {
    Connection connection = connection(PruningMode.EXACT);
    connection.setAutoCommit(commit.autoCommit());
    try {
      for (Write write : commit.writes()) {
        PreparedStatement statement = prepare(connection, name(write.sql()));
        for (List<TypedValue> binds : write.executions()) {
          for (int i = 0; i < binds.size(); i++) {
            statement.setObject(i + 1, binds.get(i).jdbc());
          }
          if (commit.autoCommit()) {
            nextMillisecond();
          }
          statement.execute();
        }
      }
      if (!commit.autoCommit()) {
        nextMillisecond();
        connection.commit();
      }
    } catch (SQLException | RuntimeException e) {
      connection.rollback();
      throw e;
    }
  }

  private PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    return statement;
  }

  /**
   * Waits for the next millisecond, because a row cannot be written in the millisecond in which it
   * was deleted.
   */
  private static void nextMillisecond() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() <= now) {
      Thread.onSpinWait();
    }
  }

  /** Returns the row key that Phoenix gives a row with these values of the key columns. */
  byte[] rowKey(List<Object> key) throws SQLException {
    PTable table = table(ModelTable.TABLE);
    List<byte[]> values = new ArrayList<>();
    if (definition.saltBuckets() > 0) {
      values.add(new byte[1]);
    }
    for (int i = 0; i < key.size(); i++) {
      values.add(keyBytes(definition.columns().get(i), key.get(i)));
    }
    ImmutableBytesWritable bytes = new ImmutableBytesWritable();
    table.newKey(bytes, values.toArray(new byte[0][]));
    return bytes.copyBytes();
  }

  private static byte[] keyBytes(Column column, Object value) {
    if (value == null) {
      return new byte[0];
    }
    byte[] bytes = column.type().keyBytes(value);
    return column.descending() ? SortOrder.invert(bytes, 0, bytes.length) : bytes;
  }

  /** Returns Phoenix's description of the table or a view. */
  PTable table(String relation) throws SQLException {
    return connection(PruningMode.EXACT)
        .unwrap(PhoenixConnection.class)
        .getTable(new PTableKey(null, name(relation)));
  }

  /** Drops the table. */
  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : prepared.values()) {
      statement.close();
    }
    execute("DROP TABLE " + ModelTable.TABLE + " CASCADE");
  }
}

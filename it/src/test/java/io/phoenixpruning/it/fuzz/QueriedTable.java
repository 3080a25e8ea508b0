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
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.protocol.PlannedRegion;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.SortOrder;

/** A random table that Phoenix knows, with or without a cluster. */
abstract class QueriedTable {

  private final String prefix;

  /** Creates no tables yet. Their names will begin with {@code prefix}. */
  QueriedTable(String prefix) {
    this.prefix = prefix;
  }

  abstract RandomTable table();

  abstract Connection connection(PruningMode mode, boolean ofTenant) throws SQLException;

  /** Returns the regions of the table in key order. */
  abstract List<RegionInfo> regions() throws Exception;

  /** Returns the prefix of the table's names. */
  String name() {
    return prefix;
  }

  final String name(String text) {
    return RandomTable.name(text, prefix);
  }

  final void createTables(RandomTable wanted, String createTable) throws SQLException {
    Connection connection = connection(PruningMode.EXACT, false);
    execute(connection, List.of(createTable, wanted.createPartners()));
    execute(connection, wanted.createIndexes());
    execute(connection, wanted.createView());
    if (wanted.tenant()) {
      execute(connection(PruningMode.EXACT, true), wanted.createTenantView());
    }
  }

  final void execute(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(name(sql));
      }
    }
  }

  final PreparedStatement prepare(PruningMode mode, RandomQuery query, String hint)
      throws SQLException {
    Sql sql = query.sql();
    SampleValues.seed(sql.phoenix().hashCode());
    PreparedStatement statement =
        connection(mode, query.ofTenant())
            .prepareStatement(name(sql.phoenix().replace("%hint", hint)));
    for (int i = 0; i < sql.binds().size(); i++) {
      statement.setObject(i + 1, sql.binds().get(i));
    }
    return statement;
  }

  /**
   * Returns the regions of a plan that has scans, or null if the plan does not use a local index.
   */
  static List<PlannedRegion> plannedRegions(QueryPlan plan) {
    if (plan.getTableRef().getTable().getIndexType() != PTable.IndexType.LOCAL) {
      return null;
    }
    List<PlannedRegion> regions = new ArrayList<>();
    for (List<Scan> scans : plan.getScans()) {
      for (Scan scan : scans) {
        regions.add(PlannedRegion.of(scan));
      }
    }
    return regions.contains(null) ? null : regions;
  }

  /** Returns the row key that Phoenix gives a row with these values of the key columns. */
  byte[] rowKey(List<Object> keyValues) throws SQLException {
    return rowKey(table(), keyValues);
  }

  private byte[] rowKey(RandomTable ofTable, List<Object> keyValues) throws SQLException {
    PTable phoenixTable =
        connection(PruningMode.EXACT, false)
            .unwrap(PhoenixConnection.class)
            .getTable(new PTableKey(null, name("$T")));
    List<byte[]> values = new ArrayList<>();
    if (ofTable.saltBuckets() > 0) {
      values.add(new byte[1]);
    }
    for (int i = 0; i < ofTable.keys().size(); i++) {
      values.add(keyBytes(ofTable.columns().get(i), keyValues.get(i)));
    }
    ImmutableBytesWritable key = new ImmutableBytesWritable();
    phoenixTable.newKey(key, values.toArray(new byte[0][]));
    return key.copyBytes();
  }

  private static byte[] keyBytes(Column column, Object value) {
    if (value == null) {
      return new byte[0];
    }
    byte[] bytes = column.type().keyBytes(value);
    return column.descending() ? SortOrder.invert(bytes, 0, bytes.length) : bytes;
  }

  final List<byte[]> rowKeys(RandomTable ofTable) throws SQLException {
    List<byte[]> keys = new ArrayList<>();
    for (List<Object> row : ofTable.rows()) {
      keys.add(rowKey(ofTable, row));
    }
    return keys;
  }
}

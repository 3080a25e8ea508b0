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
package io.phoenixpruning.perf.bench;

import io.phoenixpruning.perf.harness.RegionsTable;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;

/** The table of a workload on a cluster. */
final class ChoiceTable {

  private static final int ROWS_OF_COMMIT = 2_000;

  private final MeasuredCluster cluster;
  private final ChoiceWorkload workload;
  private final String name;

  /**
   * Describes a table that does not exist yet.
   *
   * @param name table name, not used by another table
   */
  ChoiceTable(MeasuredCluster cluster, ChoiceWorkload workload, String name) {
    this.cluster = cluster;
    this.workload = workload;
    this.name = name;
  }

  /** Creates the table and its indexes. */
  void create() throws SQLException, IOException {
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement()) {
      for (String ddl : workload.ddl(name)) {
        statement.execute(ddl);
      }
      split(connection);
    }
  }

  /**
   * Recreates the empty table with all its regions. The indexes were created while the table had
   * one region, because CREATE INDEX opens each region again.
   */
  private void split(Connection connection) throws SQLException, IOException {
    if (workload.regions() == 1) {
      return;
    }
    try (Admin admin = RegionsTable.admin(connection)) {
      TableName hbaseName = TableName.valueOf(name);
      TableDescriptor table = admin.getDescriptor(hbaseName);
      admin.disableTable(hbaseName);
      admin.deleteTable(hbaseName);
      admin.createTable(
          table, workload.splits().stream().map(ChoiceTable::bytes).toArray(byte[][]::new));
    }
  }

  private static byte[] bytes(Object key) {
    return key instanceof String ? PVarchar.INSTANCE.toBytes(key) : PInteger.INSTANCE.toBytes(key);
  }

  /** Writes the rows. */
  void load(long seed) throws SQLException {
    SplittableRandom random = new SplittableRandom(seed);
    int perLeading = Math.max(1, workload.rows() / workload.leading());
    String text = "x".repeat(100);
    try (Connection connection = cluster.connect(Map.of());
        PreparedStatement upsert =
            connection.prepareStatement("UPSERT INTO " + name + " VALUES (?, ?, ?, ?, ?, ?)")) {
      for (int i = 0; i < workload.leading() * perLeading; i++) {
        int rest = i % perLeading;
        upsert.setObject(1, workload.key().apply(i / perLeading));
        upsert.setObject(2, workload.key().apply(rest % 10));
        upsert.setObject(3, workload.key().apply(rest / 10));
        upsert.setInt(4, random.nextInt(ChoiceWorkload.VALUES));
        upsert.setInt(5, random.nextInt(10));
        upsert.setString(6, text);
        upsert.executeUpdate();
        if (i % ROWS_OF_COMMIT == 0) {
          connection.commit();
        }
      }
      connection.commit();
    }
  }

  /** Collects statistics of the table and its indexes, with several guideposts per region. */
  void collectStatistics() throws SQLException {
    int bytesOfRow = 200;
    int width = Math.max(1_000, workload.rows() / workload.regions() * bytesOfRow / 10);
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE %s SET GUIDE_POSTS_WIDTH = %d".formatted(name, width));
      statement.execute("UPDATE STATISTICS " + name);
    }
  }
}

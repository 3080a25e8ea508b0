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
package io.phoenixpruning.perf.choice;

import io.phoenixpruning.cli.cluster.EmbeddedCluster;
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
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;

/** The table of a workload on a cluster. */
final class Dataset {

  private static final long SEED = 7;
  private static final int ROWS_PER_COMMIT = 2_000;

  private final EmbeddedCluster cluster;
  private final Workload workload;

  Dataset(EmbeddedCluster cluster, Workload workload) {
    this.cluster = cluster;
    this.workload = workload;
  }

  /** Creates and loads the table. */
  void create() throws SQLException, IOException {
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement()) {
      for (String ddl : workload.ddl()) {
        statement.execute(ddl);
      }
      split(connection);
      load(connection);
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
    try (Admin admin = connection.unwrap(PhoenixConnection.class).getQueryServices().getAdmin()) {
      TableName name = TableName.valueOf(workload.name());
      TableDescriptor table = admin.getDescriptor(name);
      admin.disableTable(name);
      admin.deleteTable(name);
      admin.createTable(
          table, workload.splits().stream().map(Dataset::bytes).toArray(byte[][]::new));
    }
  }

  private static byte[] bytes(Object key) {
    return key instanceof String ? PVarchar.INSTANCE.toBytes(key) : PInteger.INSTANCE.toBytes(key);
  }

  private void load(Connection connection) throws SQLException {
    SplittableRandom random = new SplittableRandom(SEED);
    int perLeading = Math.max(1, workload.rows() / workload.leading());
    String text = "x".repeat(100);
    try (PreparedStatement upsert =
        connection.prepareStatement(
            "UPSERT INTO " + workload.name() + " VALUES (?, ?, ?, ?, ?, ?)")) {
      for (int i = 0; i < workload.leading() * perLeading; i++) {
        int rest = i % perLeading;
        upsert.setObject(1, workload.key().apply(i / perLeading));
        upsert.setObject(2, workload.key().apply(rest % 10));
        upsert.setObject(3, workload.key().apply(rest / 10));
        upsert.setInt(4, random.nextInt(Workload.VALUES));
        upsert.setInt(5, random.nextInt(10));
        upsert.setString(6, text);
        upsert.executeUpdate();
        if (i % ROWS_PER_COMMIT == 0) {
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
      statement.execute(
          "ALTER TABLE %s SET GUIDE_POSTS_WIDTH = %d".formatted(workload.name(), width));
      statement.execute("UPDATE STATISTICS " + workload.name());
    }
  }

  void drop() throws SQLException {
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE " + workload.name());
    }
  }
}

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
package io.phoenixpruning.perf.fanout;

import io.phoenixpruning.perf.cluster.ClusterProcesses;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.types.PInteger;

/**
 * A table of many regions, with a local index on V. Region n, counted from 0, has the rows with K1
 * = n.
 */
final class FanOutTable {

  static final TableName NAME = TableName.valueOf("FAN_OUT");

  /** Query along the index, which holds all columns that the query needs. */
  static final String QUERY =
      "SELECT /*+ INDEX(FAN_OUT FAN_OUT_V) */ K1, K2 FROM FAN_OUT WHERE V = ?";

  private static final int ROWS_PER_COMMIT = 2_000;
  private static final long SEED = 13;

  private final ClusterProcesses cluster;
  private final int regions;
  private final int rowsPerRegion;
  private final int files;

  /**
   * Describes a table that does not exist yet.
   *
   * @param rowsPerRegion rows in each region besides those that {@link Matching} describes; at
   *     least 2 for each file
   * @param files number of files of each family of each region after loading
   */
  FanOutTable(ClusterProcesses cluster, int regions, int rowsPerRegion, int files) {
    this.cluster = cluster;
    this.regions = regions;
    this.rowsPerRegion = rowsPerRegion;
    this.files = files;
  }

  int regions() {
    return regions;
  }

  /** Creates the table and opens its regions, spread evenly over the servers. */
  void create() throws SQLException, IOException {
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement();
        Admin admin = admin(connection)) {
      admin.balancerSwitch(false, true);
      statement.execute(
          "CREATE TABLE FAN_OUT (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, X VARCHAR"
              + " CONSTRAINT PK PRIMARY KEY (K1, K2)) UPDATE_CACHE_FREQUENCY = 60000");
      statement.execute("CREATE LOCAL INDEX FAN_OUT_V ON FAN_OUT (V)");
      // Recreates the table with all its regions. The index was created while the table had one
      // region, because CREATE INDEX opens each region again. With its default settings, Phoenix
      // cannot create a table of more than 5,000 regions.
      TableDescriptor table = admin.getDescriptor(NAME);
      admin.disableTable(NAME);
      admin.deleteTable(NAME);
      admin.createTable(
          table,
          IntStream.range(1, regions).mapToObj(PInteger.INSTANCE::toBytes).toArray(byte[][]::new));
    }
  }

  /** Writes the rows, one file after the other. */
  void load() throws SQLException, IOException {
    try (Connection connection = cluster.connect(Map.of());
        Admin admin = admin(connection)) {
      for (int file = 0; file < files; file++) {
        load(connection, file);
        admin.flush(NAME);
      }
    }
  }

  private void load(Connection connection, int file) throws SQLException {
    SplittableRandom random = new SplittableRandom(SEED + file);
    String text = "x".repeat(100);
    int written = 0;
    try (PreparedStatement upsert =
        connection.prepareStatement("UPSERT INTO FAN_OUT VALUES (?, ?, ?, '" + text + "')")) {
      for (int region = 0; region < regions; region++) {
        for (int row = file; row < rowsPerRegion; row += files) {
          upsert(upsert, region, row, value(row, random));
          written++;
        }
        if (file == 0) {
          for (Matching matching : Matching.in(region, regions)) {
            upsert(upsert, region, matching.value(), matching.value());
            written++;
          }
        }
        if (written >= ROWS_PER_COMMIT) {
          connection.commit();
          written = 0;
        }
      }
      connection.commit();
    }
  }

  /** Returns an even value for a row. Each file has the smallest and the greatest value. */
  private int value(int row, SplittableRandom random) {
    if (row < files) {
      return Matching.SMALLEST;
    }
    return row < 2 * files ? Matching.GREATEST : 2 * random.nextInt(1, Matching.GREATEST / 2);
  }

  private static void upsert(PreparedStatement upsert, int k1, int k2, int v) throws SQLException {
    upsert.setInt(1, k1);
    upsert.setInt(2, k2);
    upsert.setInt(3, v);
    upsert.executeUpdate();
  }

  /** Compacts the files of each family of each region into one file. */
  void compact() {
    cluster.compact(NAME);
  }

  static Admin admin(Connection connection) throws SQLException {
    return connection.unwrap(PhoenixConnection.class).getQueryServices().getAdmin();
  }
}

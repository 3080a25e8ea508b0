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
package io.phoenixpruning.perf.harness;

import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.types.PInteger;

/**
 * A table with {@code PRIMARY KEY (pk1, pk2)} and the columns {@code v1} and {@code v2}, split at
 * every value of {@code pk1} from 1.
 */
public final class RegionsTable {

  /** Number of values of v1 and v2, which begin at 0. */
  public static final int VALUES = 100;

  private static final int ROWS_PER_COMMIT = 1_000;

  private final MeasuredCluster cluster;
  private final String name;
  private final int regions;
  private final OwnTable ownTable;

  /**
   * Describes a table that does not exist yet.
   *
   * @param name table name, not used by another table
   */
  public RegionsTable(MeasuredCluster cluster, String name, int regions) {
    this.cluster = cluster;
    this.name = name;
    this.regions = regions;
    this.ownTable = new OwnTable(cluster, name);
  }

  public String name() {
    return name;
  }

  public TableName hbaseName() {
    return TableName.valueOf(name);
  }

  /**
   * Creates the table, with its regions spread evenly over the servers. The indexes are created
   * while the table has one region, which is then replaced by all regions. Otherwise CREATE INDEX
   * would open each region again.
   *
   * @param indexes CREATE INDEX statements
   * @throws RefusedException if a table of this name exists that the run did not create
   */
  public void create(List<String> indexes) throws SQLException, IOException {
    ownTable.create(() -> createTable(indexes));
  }

  private void createTable(List<String> indexes) throws SQLException, IOException {
    try (Connection connection = cluster.connect(Map.of());
        Statement statement = connection.createStatement();
        Admin admin = admin(connection)) {
      statement.execute(
          "CREATE TABLE %s (pk1 INTEGER NOT NULL, pk2 INTEGER NOT NULL, v1 INTEGER, v2 INTEGER"
                  .formatted(name)
              + " CONSTRAINT pk PRIMARY KEY (pk1, pk2)) UPDATE_CACHE_FREQUENCY = NEVER");
      for (String index : indexes) {
        statement.execute(index);
      }
      TableDescriptor table = admin.getDescriptor(hbaseName());
      delete(admin);
      admin.createTable(
          table,
          IntStream.range(1, regions).mapToObj(PInteger.INSTANCE::toBytes).toArray(byte[][]::new));
    }
  }

  /**
   * Writes {@code rowsOfRegion} rows with random values to each region, and flushes them. One
   * additional row, with {@code v2 = 5}, fulfills every condition of the benchmarks.
   */
  public void load(int rowsOfRegion, long seed) throws SQLException, IOException {
    SplittableRandom random = new SplittableRandom(seed);
    try (Connection connection = cluster.connect(Map.of());
        Admin admin = admin(connection);
        PreparedStatement upsert =
            connection.prepareStatement(
                "UPSERT INTO %s (pk1, pk2, v1, v2) VALUES (?, ?, ?, ?)".formatted(name))) {
      int written = 0;
      for (int pk1 = 0; pk1 < regions; pk1++) {
        for (int pk2 = 0; pk2 < rowsOfRegion; pk2++) {
          upsert(upsert, pk1, pk2, random.nextInt(VALUES), random.nextInt(VALUES));
          if (++written % ROWS_PER_COMMIT == 0) {
            connection.commit();
          }
        }
      }
      upsert(upsert, regions / 4, 5, 6, 5);
      connection.commit();
      admin.flush(hbaseName());
    }
  }

  private static void upsert(PreparedStatement upsert, int... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      upsert.setInt(i + 1, values[i]);
    }
    upsert.executeUpdate();
  }

  /** Deletes the table in HBase, but not its metadata in Phoenix. */
  public void delete() throws SQLException, IOException {
    try (Connection connection = cluster.connect(Map.of());
        Admin admin = admin(connection)) {
      delete(admin);
    }
  }

  private void delete(Admin admin) throws IOException {
    admin.disableTable(hbaseName());
    admin.deleteTable(hbaseName());
  }

  /** Drops the table, if {@link #create} created it. */
  public void drop() throws SQLException, IOException {
    ownTable.drop();
  }

  public static Admin admin(Connection connection) throws SQLException {
    return connection.unwrap(PhoenixConnection.class).getQueryServices().getAdmin();
  }
}

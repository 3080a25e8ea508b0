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

import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.phoenix.schema.TableNotFoundException;
import org.apache.phoenix.util.PhoenixRuntime;

/**
 * A table that a run creates. If the run is interrupted, another thread can drop the table, even
 * while it is being created.
 */
public final class OwnTable {

  /** Creates a table and its indexes. */
  @FunctionalInterface
  public interface Creation {
    void run() throws SQLException, IOException;
  }

  private final MeasuredCluster cluster;
  private final String name;
  private boolean isCreated;
  private boolean isDropped;

  /** Describes a table that does not exist yet. */
  public OwnTable(MeasuredCluster cluster, String name) {
    this.cluster = cluster;
    this.name = name;
  }

  /**
   * Creates the table.
   *
   * @throws RefusedException if Phoenix or HBase already has a table of this name
   * @throws IllegalStateException if {@link #drop} was called before
   */
  public synchronized void create(Creation creation) throws SQLException, IOException {
    if (isDropped) {
      throw new IllegalStateException("The run is ending");
    }
    try (Connection connection = cluster.connect(Map.of());
        Admin admin = RegionsTable.admin(connection)) {
      if (isKnown(connection) || admin.tableExists(TableName.valueOf(name))) {
        throw new RefusedException(
            ("the table %s already exists. Wait for the run that created it. If this run has ended,"
                    + " drop the table")
                .formatted(name));
      }
    }
    isCreated = true;
    creation.run();
  }

  private boolean isKnown(Connection connection) throws SQLException {
    try {
      PhoenixRuntime.getTableNoCache(connection, name);
      return true;
    } catch (TableNotFoundException e) {
      return false;
    }
  }

  /** Drops the table, if {@link #create} created it or a part of it. */
  public synchronized void drop() throws SQLException, IOException {
    isDropped = true;
    if (isCreated) {
      TableName hbaseName = TableName.valueOf(name);
      try (Connection connection = cluster.connect(Map.of());
          Statement statement = connection.createStatement();
          Admin admin = RegionsTable.admin(connection)) {
        // Deletes the HBase table first, because Phoenix would read each region before it drops the
        // table.
        if (admin.tableExists(hbaseName)) {
          if (admin.isTableEnabled(hbaseName)) {
            admin.disableTable(hbaseName);
          }
          admin.deleteTable(hbaseName);
        }
        statement.execute("DROP TABLE IF EXISTS " + name);
        isCreated = false;
      }
    }
  }
}

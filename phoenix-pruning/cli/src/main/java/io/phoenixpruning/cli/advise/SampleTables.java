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
package io.phoenixpruning.cli.advise;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixDriver;
import org.apache.phoenix.schema.PTable;

/**
 * Temporary tables on a cluster, for writes that must not go to users' tables.
 *
 * <p>{@link #close} drops all sample tables, and no more tables can be created afterwards. Another
 * thread may call this method at any time.
 */
public final class SampleTables implements AutoCloseable {

  /** Prefix of the names of all sample tables. */
  public static final String PREFIX = "PRUNING_SAMPLE_";

  private final PhoenixDriver driver = new PhoenixDriver();
  private final PhoenixConnection connection;
  private final Set<String> names = new LinkedHashSet<>();
  private boolean closed;

  /**
   * Creates an object without sample tables.
   *
   * @param cluster connection to the cluster; not used after this constructor
   */
  public SampleTables(PhoenixConnection cluster) throws SQLException {
    // The registered driver closes all its connections as soon as the JVM begins to shut down.
    // Sample tables have to be dropped after that, so this class has its own driver.
    this.connection =
        driver.connect(cluster.getURL(), cluster.getClientInfo()).unwrap(PhoenixConnection.class);
    connection.setAutoCommit(true);
  }

  /**
   * Creates a table like {@code table}, but without rows and indexes, and returns its name in SQL.
   */
  synchronized String create(PTable table) throws SQLException {
    requireOpen();
    TableDescriptor descriptor =
        connection.getQueryServices().getTableDescriptor(table.getPhysicalName().getBytes());
    String name = PREFIX + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
    // Added before the CREATE, because a failed CREATE can leave a part of the table.
    names.add(name);
    execute(new SampleDefinition(table, descriptor).create(name));
    return name;
  }

  /** Creates an index like {@code index} on the sample table {@code name}. */
  synchronized void createIndex(String name, IndexDefinition index) throws SQLException {
    requireOpen();
    execute(
        new IndexDefinition(name, name + "_I", index.prefix(), index.columns(), index.covered())
            .create());
  }

  /** Deletes all rows of the sample table {@code name}. */
  synchronized void clear(String name) throws SQLException {
    requireOpen();
    execute("DELETE FROM " + name);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("The sample tables are being dropped");
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * Drops the sample table {@code name}, unless an earlier call tried to drop it.
   *
   * @throws SQLException if the table could not be dropped
   */
  synchronized void drop(String name) throws SQLException {
    if (!names.remove(name)) {
      return;
    }
    try (Admin admin = connection.getQueryServices().getAdmin()) {
      execute("DROP TABLE IF EXISTS " + name);
      // DROP TABLE leaves the HBase table if the client is configured to keep it. Phoenix also does
      // not know a table whose creation failed halfway.
      TableName table = TableName.valueOf(name);
      if (admin.tableExists(table)) {
        if (admin.isTableEnabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
    } catch (SQLException | IOException e) {
      throw new SQLException(
          "the sample table " + name + " could not be dropped. Run DROP TABLE " + name, e);
    }
  }

  /** Drops all remaining sample tables. If a table cannot be dropped, still drops the others. */
  @Override
  public synchronized void close() throws SQLException {
    closed = true;
    try (PhoenixConnection ignored = connection) {
      SQLException failure = null;
      for (String name : List.copyOf(names)) {
        try {
          drop(name);
        } catch (SQLException e) {
          if (failure == null) {
            failure = e;
          } else {
            failure.addSuppressed(e);
          }
        }
      }
      if (failure != null) {
        throw failure;
      }
    } finally {
      driver.close();
    }
  }
}

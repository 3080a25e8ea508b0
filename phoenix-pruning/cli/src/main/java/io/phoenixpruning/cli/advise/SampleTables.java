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
 * Tables on a cluster that are there for a while, to write to them what is not to be written to
 * those of users. When this is closed, which another thread may do at any time, all are dropped,
 * and no more can be made.
 */
public final class SampleTables implements AutoCloseable {

  /** How the names of all of them begin. */
  public static final String PREFIX = "PRUNING_SAMPLE_";

  private final PhoenixDriver driver = new PhoenixDriver();
  private final PhoenixConnection connection;
  private final Set<String> names = new LinkedHashSet<>();
  private boolean closed;

  /**
   * None yet.
   *
   * @param cluster where they are to be; is not used after this
   */
  public SampleTables(PhoenixConnection cluster) throws SQLException {
    // The registered driver closes all its connections as soon as the JVM is told to end, when
    // tables have to be dropped yet.
    this.connection =
        driver.connect(cluster.getURL(), cluster.getClientInfo()).unwrap(PhoenixConnection.class);
    connection.setAutoCommit(true);
  }

  /** Makes a table like {@code table}, without rows and indexes, and returns its name in SQL. */
  synchronized String create(PTable table) throws SQLException {
    TableDescriptor descriptor =
        connection.getQueryServices().getTableDescriptor(table.getPhysicalName().getBytes());
    String name = PREFIX + UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
    requireOpen();
    // Before it is made: a part of it may be there although making it fails.
    names.add(name);
    execute(new SampleDefinition(table, descriptor).create(name));
    return name;
  }

  /** Gives {@code name} an index like {@code index}. */
  synchronized void createIndex(String name, IndexDefinition index) throws SQLException {
    requireOpen();
    execute(
        new IndexDefinition(name, name + "_I", index.prefix(), index.columns(), index.covered())
            .create());
  }

  /** Deletes the rows of {@code name}. */
  synchronized void clear(String name) throws SQLException {
    requireOpen();
    execute("DELETE FROM " + name);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("Ending");
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * Drops {@code name}, unless that was tried before.
   *
   * @throws SQLException says that it is still there
   */
  synchronized void drop(String name) throws SQLException {
    if (!names.remove(name)) {
      return;
    }
    try (Admin admin = connection.getQueryServices().getAdmin()) {
      execute("DROP TABLE IF EXISTS " + name);
      // A client can be set up to leave it, and Phoenix does not know of one that is half made.
      TableName table = TableName.valueOf(name);
      if (admin.tableExists(table)) {
        if (admin.isTableEnabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
    } catch (SQLException | IOException e) {
      throw new SQLException(
          "the sample table " + name + " could not be dropped, and has to be: DROP TABLE " + name,
          e);
    }
  }

  /** Drops those that are there; also the others if one cannot be dropped. */
  @Override
  public synchronized void close() throws SQLException {
    closed = true;
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
    connection.close();
    driver.close();
    if (failure != null) {
      throw failure;
    }
  }
}

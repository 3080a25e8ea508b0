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
package io.phoenixpruning.it;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlConstants;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.junit.BeforeClass;
import org.junit.ClassRule;

/**
 * Base of the test of access rights: tables with two local indexes on a cluster that checks rights,
 * and users with different rights.
 */
public abstract class PayrollTest {

  @ClassRule public static final SecureCluster CLUSTER = new SecureCluster();

  static final TableName TABLE = TableName.valueOf("PAYROLL");

  /**
   * Table on which HBase checks each cell if the user has no right to the table: early_out is off.
   */
  static final TableName BY_CELL = TableName.valueOf("PAYROLL_BY_CELL");

  /** Table like {@link #BY_CELL}, whose regions are merged. */
  static final TableName MERGED = TableName.valueOf("PAYROLL_MERGED");

  static final byte[] INDEX_FAMILY = Bytes.toBytes("L#0");
  static final byte[] DATA_FAMILY = Bytes.toBytes("0");
  static final String DENIED = SecureCluster.DENIED;

  static User nobody;
  static User reader;
  static User readerOfTheIndex;
  static User readerOfTheData;
  static User readerOfCells;

  @BeforeClass
  public static void createTables() throws Exception {
    try (Connection connection = CLUSTER.connect(PruningMode.EXACT)) {
      createTable(connection, TABLE);
      for (TableName table : List.of(BY_CELL, MERGED)) {
        createTable(connection, table);
        checkCells(table);
      }
    }
    nobody = CLUSTER.user("nobody");
    reader = CLUSTER.user("reader");
    readerOfTheIndex = CLUSTER.user("index");
    readerOfTheData = CLUSTER.user("data");
    readerOfCells = CLUSTER.user("cells");
    for (TableName table : List.of(TABLE, BY_CELL, MERGED)) {
      CLUSTER.grant(reader, table, null, Permission.Action.READ);
      CLUSTER.grant(readerOfTheIndex, table, INDEX_FAMILY, Permission.Action.READ);
      CLUSTER.grant(readerOfTheData, table, DATA_FAMILY, Permission.Action.READ);
    }
    allowEverySecondRow(BY_CELL);
    allowEverySecondRow(MERGED);
  }

  private static void checkCells(TableName table) throws Exception {
    Admin admin = CLUSTER.utility().getAdmin();
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
            .setValue(AccessControlConstants.CF_ATTRIBUTE_EARLY_OUT, "false")
            .build());
  }

  private static void createTable(Connection connection, TableName table) throws SQLException {
    ClusterTest.execute(
        connection,
        """
        CREATE TABLE %s (K1 INTEGER NOT NULL, K2 INTEGER NOT NULL, V INTEGER, W INTEGER,
          CONSTRAINT PK PRIMARY KEY (K1, K2)) SPLIT ON (10, 20, 30)"""
            .formatted(table),
        "CREATE LOCAL INDEX %1$s_V ON %1$s (V)".formatted(table),
        "CREATE LOCAL INDEX %1$s_K1 ON %1$s (K1, V)".formatted(table));
    ClusterTest.upsertRows(
        connection, table.getNameAsString(), 240, k -> List.of(k / 6, k % 6, k % 6, k));
  }

  /** Gives a user rights to the cells of every second row of the table and of each index. */
  private static void allowEverySecondRow(TableName table) throws Exception {
    try (org.apache.hadoop.hbase.client.Connection connection =
            ConnectionFactory.createConnection(CLUSTER.utility().getConfiguration());
        Table hbase = connection.getTable(table);
        ResultScanner rows = hbase.getScanner(new Scan())) {
      boolean allowed = false;
      for (Result row : rows) {
        allowed = !allowed;
        if (allowed) {
          Put put = new Put(row.getRow());
          for (Cell cell : row.rawCells()) {
            put.add(cell);
          }
          put.setACL(readerOfCells.getShortName(), new Permission(Permission.Action.READ));
          hbase.put(put);
        }
      }
    }
  }

  static Map<PruningMode, String> outcomes(User user, TableName table, String query)
      throws Exception {
    Map<PruningMode, String> outcomes = new EnumMap<>(PruningMode.class);
    for (PruningMode mode : PruningMode.values()) {
      outcomes.put(mode, outcome(user, mode, table, query));
    }
    return outcomes;
  }

  /** Returns the rows as text, or {@link #DENIED} if access is denied. */
  static String outcome(User user, PruningMode mode, TableName table, String query)
      throws Exception {
    return outcome(
        user, Map.of(PruningOptions.MODE, mode.name().toLowerCase(Locale.ROOT)), table, query);
  }

  static String outcome(User user, Map<String, String> options, TableName table, String query)
      throws Exception {
    return CLUSTER.outcome(user, options, query.formatted(table));
  }

  static List<Throwable> causes(Throwable thrown) {
    List<Throwable> causes = new ArrayList<>();
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      causes.add(cause);
    }
    return causes;
  }
}

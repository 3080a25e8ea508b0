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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.query.QueryServices;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Tests tables with transactions of Omid, whose server Phoenix's test base starts. Phoenix 5.2.1
 * has no local indexes on such tables, and refuses each way to create one. There is nothing to
 * prune, and all other features must work as without pruning.
 */
public class TransactionalIT extends ClusterTest {

  private String table;
  private Connection connection;

  @Before
  public void connect() throws Exception {
    table = generateUniqueName();
    connection = transactional(PruningMode.EXACT);
  }

  @After
  public void close() throws Exception {
    connection.close();
  }

  private static Connection transactional(PruningMode mode) throws SQLException {
    return connect(
        Map.of(PruningOptions.MODE, mode.name(), QueryServices.TRANSACTIONS_ENABLED, "true"));
  }

  private void createTable(String options) throws SQLException {
    execute(
        connection,
        "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER) " + options);
  }

  @Test
  public void haveNoLocalIndexes() throws Exception {
    createTable("TRANSACTIONAL=true, TRANSACTION_PROVIDER='OMID'");
    assertRefused(
        SQLExceptionCode.CANNOT_CREATE_LOCAL_INDEX_FOR_TXN_TABLE,
        () -> execute(connection, "CREATE LOCAL INDEX I_" + table + " ON " + table + " (V)"));
  }

  @Test
  public void haveNoLocalIndexesOnViews() throws Exception {
    createTable("TRANSACTIONAL=true, TRANSACTION_PROVIDER='OMID'");
    execute(connection, "CREATE VIEW V_" + table + " AS SELECT * FROM " + table + " WHERE W = 1");
    assertRefused(
        SQLExceptionCode.CANNOT_CREATE_LOCAL_INDEX_FOR_TXN_TABLE,
        () -> execute(connection, "CREATE LOCAL INDEX I_" + table + " ON V_" + table + " (V)"));
  }

  @Test
  public void areNotMadeOfTablesWithLocalIndexes() throws Exception {
    createTable("");
    execute(connection, "CREATE LOCAL INDEX I_" + table + " ON " + table + " (V)");
    assertRefused(
        SQLExceptionCode.CANNOT_ALTER_TABLE_FROM_NON_TXN_TO_TXNL,
        () ->
            execute(
                connection,
                "ALTER TABLE " + table + " SET TRANSACTIONAL=true, TRANSACTION_PROVIDER='OMID'"));
  }

  private static void assertRefused(SQLExceptionCode code, ThrowingCallable statement) {
    assertThatThrownBy(statement)
        .isInstanceOf(SQLException.class)
        .extracting(e -> ((SQLException) e).getErrorCode())
        .isEqualTo(code.getErrorCode());
  }

  @Test
  public void giveTheSameRowsInEachMode() throws Exception {
    createTable("TRANSACTIONAL=true, TRANSACTION_PROVIDER='OMID'");
    execute(connection, "CREATE INDEX I_" + table + " ON " + table + " (V) INCLUDE (W)");
    Map<PruningMode, Connection> connections = new EnumMap<>(PruningMode.class);
    for (PruningMode mode : PruningMode.values()) {
      connections.put(mode, transactional(mode));
    }
    for (int k = 0; k < 20; k++) {
      upsert(connection, k, k % 3);
    }
    connection.commit();
    for (Map.Entry<PruningMode, Connection> entry : connections.entrySet()) {
      PruningMode mode = entry.getKey();
      Connection each = entry.getValue();
      assertRows(each, 7, mode + ", before it writes");
      upsert(each, 100, 1);
      assertRows(each, 8, mode + ", with its own row");
      assertRows(connection, 7, mode + ", of another transaction");
      each.rollback();
      assertRows(each, 7, mode + ", after rollback");
    }
    connection.commit();
    conflict(connections.get(PruningMode.EXACT), connections.get(PruningMode.NONE));
    for (Map.Entry<PruningMode, Connection> entry : connections.entrySet()) {
      Connection each = entry.getValue();
      each.commit();
      assertRows(each, 8, entry.getKey() + ", after a conflict");
      each.close();
    }
  }

  private void conflict(Connection first, Connection second) throws SQLException {
    upsert(first, 200, 1);
    upsert(second, 200, 2);
    first.commit();
    assertRefused(SQLExceptionCode.TRANSACTION_CONFLICT_EXCEPTION, second::commit);
    second.rollback();
  }

  private void upsert(Connection connection, int k, int v) throws SQLException {
    execute(connection, "UPSERT INTO " + table + " VALUES (" + k + ", " + v + ", 0)");
  }

  /** Checks the number of rows, and that they are the same along the index and in the table. */
  private void assertRows(Connection connection, int expected, String description)
      throws SQLException {
    String where = "W, K FROM " + table + " WHERE V = 1";
    assertThat(rows(connection, "SELECT /*+ INDEX(" + table + " I_" + table + ") */ " + where))
        .as(description)
        .isEqualTo(rows(connection, "SELECT /*+ NO_INDEX */ " + where))
        .hasSize(expected);
  }
}

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

import io.phoenixpruning.cli.console.RefusedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.phoenix.jdbc.PhoenixDatabaseMetaData;
import org.apache.phoenix.log.QueryStatus;
import org.apache.phoenix.schema.TableNotFoundException;

/**
 * Completed runs of statements that Phoenix logged in its table SYSTEM.LOG. Failed runs are left
 * out.
 */
public final class QueryLog {

  static final String NAME = PhoenixDatabaseMetaData.SYSTEM_LOG_NAME;

  private static final String FROM = " FROM SYSTEM.\"LOG\" WHERE QUERY_STATUS = ?";

  private final Connection connection;
  private final Optional<Instant> since;

  /**
   * Text of a statement, with the number of its runs.
   *
   * @param binds the parameter values of one of the runs, joined with commas; empty if no values
   *     were logged
   */
  record Entry(String sql, long runs, Optional<String> binds) {}

  /**
   * Creates a reader of a cluster's log.
   *
   * @param since start time of the first run to include; empty for all runs
   */
  public QueryLog(Connection connection, Optional<Instant> since) {
    this.connection = connection;
    this.since = since;
  }

  /**
   * Returns the statements that ran most often, most frequent first. Statements of tenants are left
   * out.
   */
  List<Entry> mostFrequent(int limit) throws SQLException {
    // A run with read metrics has one row for each table that it reads. So the number of runs is
    // the highest number of rows for any table.
    String sql =
        "SELECT QUERY, MAX(LOGGED), MAX(BINDS) FROM (SELECT QUERY, TABLE_NAME, COUNT(*) LOGGED,"
            + " MAX(BIND_PARAMETERS) BINDS"
            + from()
            + " AND TENANT_ID IS NULL AND QUERY IS NOT NULL GROUP BY QUERY, TABLE_NAME)"
            + " GROUP BY QUERY ORDER BY MAX(LOGGED) DESC, QUERY LIMIT "
            + limit;
    List<Entry> entries = new ArrayList<>();
    read(
        sql,
        row ->
            entries.add(
                new Entry(
                    row.getString(1), row.getLong(2), Optional.ofNullable(row.getString(3)))));
    return entries;
  }

  /**
   * Returns the number of runs of tenants' statements. A run with read metrics counts once for each
   * table that it reads.
   */
  long runsOfTenants() throws SQLException {
    List<Long> count = new ArrayList<>();
    read(
        "SELECT COUNT(*)" + from() + " AND TENANT_ID IS NOT NULL",
        row -> count.add(row.getLong(1)));
    return count.get(0);
  }

  private String from() {
    return FROM + (since.isPresent() ? " AND START_TIME >= ?" : "");
  }

  private interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  private void read(String sql, RowReader reader) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setString(1, QueryStatus.COMPLETED.name());
      if (since.isPresent()) {
        select.setLong(2, since.get().toEpochMilli());
      }
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          reader.read(rows);
        }
      }
    } catch (TableNotFoundException e) {
      throw new RefusedException(
          "--log reads " + NAME + ", which is not on the cluster. Give --queries instead", e);
    } catch (SQLException e) {
      if (isDenied(e)) {
        throw new RefusedException(
            "--log reads "
                + NAME
                + ", but you have no READ permission for it. Ask for the permission, or give"
                + " --queries instead",
            e);
      }
      throw e;
    }
  }

  private static boolean isDenied(SQLException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof AccessDeniedException) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return NAME + since.map(start -> " since " + start).orElse("");
  }
}

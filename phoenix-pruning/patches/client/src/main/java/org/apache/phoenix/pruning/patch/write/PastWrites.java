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
package org.apache.phoenix.pruning.patch.write;

import java.sql.SQLException;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.exception.SQLExceptionInfo;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;

/** Refuses writes of connections at an SCN. */
public final class PastWrites {

  private PastWrites() {}

  /**
   * Refuses a write to a table or a view with an index if the connection is at an SCN, as Phoenix's
   * UPSERT does. The server that maintains an index writes all cells with its current time.
   *
   * @throws SQLException if {@code connection} is at an SCN, unless Phoenix uses it for an upgrade
   *     or to build an index
   */
  public static void refuse(PTable table, PhoenixConnection connection) throws SQLException {
    if (connection.getSCN() != null
        && !connection.isRunningUpgrade()
        && !connection.isBuildingIndex()) {
      throw new SQLExceptionInfo.Builder(
              SQLExceptionCode.CANNOT_UPSERT_WITH_SCN_FOR_TABLE_WITH_INDEXES)
          .setSchemaName(table.getSchemaName().getString())
          .setTableName(table.getTableName().getString())
          .build()
          .buildException();
    }
  }
}

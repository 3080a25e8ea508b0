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
package org.apache.phoenix.pruning.patch.plan;

import java.sql.SQLException;
import org.apache.phoenix.parse.CreateTableStatement;
import org.apache.phoenix.pruning.config.Patches;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.MetaDataClient;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTable.IndexType;

/**
 * Refuses a local index on a table that already has rows of other local indexes. Phoenix's {@code
 * MetaDataClient.createIndex} gives the new index the id of one of them, and queries find the rows
 * of both (not reported).
 *
 * <p>Example: {@code CREATE LOCAL INDEX I ON CLONE (V)}, if CLONE is a clone of a snapshot that
 * {@code CREATE TABLE CLONE} has added to the catalog.
 */
public privileged aspect ForeignRowsAspect {

  // Both refuse a statement. The order decides which message the user sees.
  declare precedence : ForeignRowsAspect, DottedNameAspect;

  before(MetaDataClient client, CreateTableStatement statement, PTable table, IndexType type)
      throws SQLException :
      execution(private PTable MetaDataClient.createTableInternal(..))
      && this(client)
      && args(statement, *, table, *, *, *, *, *, *, type, *, *, *) {
    if (type == IndexType.LOCAL && Patches.isOn(Patch.FOREIGN_ROWS, client.connection)) {
      ForeignRows.check(client.connection, table, statement.getTableName().getTableName());
    }
  }
}

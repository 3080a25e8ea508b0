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
 * Refuses a local index on a table whose name Phoenix later splits at the wrong dot. Phoenix's
 * {@code MetaDataClient.createIndex} writes such an index into the catalog, and then does not find
 * its table. From then on, queries of the table fail (not reported).
 *
 * <p>Example: {@code CREATE LOCAL INDEX I ON "t.x" (V)} fails, and so do later queries of the
 * table.
 */
public privileged aspect DottedNameAspect {

  before(MetaDataClient client, CreateTableStatement statement, PTable table, IndexType type)
      throws SQLException :
      execution(private PTable MetaDataClient.createTableInternal(..))
      && this(client)
      && args(statement, *, table, *, *, *, *, *, *, type, *, *, *) {
    if (type == IndexType.LOCAL && Patches.isOn(Patch.DOTTED_NAME, client.connection)) {
      DottedNames.check(table, statement.getTableName().getTableName());
    }
  }
}

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

import java.sql.SQLFeatureNotSupportedException;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.util.SchemaUtil;

/** Finds tables whose names Phoenix splits into a wrong schema and a wrong name. */
public final class DottedNames {

  private DottedNames() {}

  /**
   * Checks that Phoenix finds a table by its full name. To find the table of a local index, Phoenix
   * splits the full name of the table at the first dot.
   *
   * @param table the table or view of the new index
   * @param index the name of the new index, without a schema
   * @throws SQLFeatureNotSupportedException if the schema or the name would be another one
   */
  public static void check(PTable table, String index) throws SQLFeatureNotSupportedException {
    String full = table.getName().getString();
    String schema = SchemaUtil.getSchemaNameFromFullName(full);
    if (!SchemaUtil.getTableNameFromFullName(full).equals(table.getTableName().getString())) {
      throw new SQLFeatureNotSupportedException(
          String.format(
              "Cannot create the local index %s on %s: Phoenix would look for a table in the schema"
                  + " %s. Expected a table in a schema, or without a dot in its name; and a schema"
                  + " without a dot in its name",
              index, full, schema));
    }
  }
}

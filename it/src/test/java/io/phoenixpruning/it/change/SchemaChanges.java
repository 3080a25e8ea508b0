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
package io.phoenixpruning.it.change;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;

/** Changes the schema of a table in ways that must not change the rows of any statement. */
final class SchemaChanges {

  private static final List<String> PROPERTIES =
      List.of(
          "BLOOMFILTER = 'ROWCOL'",
          "BLOOMFILTER = 'NONE'",
          "BLOCKSIZE = 1024",
          "BLOCKSIZE = 65536",
          "COMPRESSION = 'GZ'",
          "COMPRESSION = 'NONE'",
          "DATA_BLOCK_ENCODING = 'ROW_INDEX_V1'",
          "DATA_BLOCK_ENCODING = 'DIFF'",
          "DATA_BLOCK_ENCODING = 'NONE'",
          "IN_MEMORY = true",
          "IN_MEMORY = false",
          "VERSIONS = 5",
          "VERSIONS = 1",
          "KEEP_DELETED_CELLS = true",
          "KEEP_DELETED_CELLS = false",
          "TTL = 864000",
          "TTL = 2147483647",
          "CACHE_DATA_ON_WRITE = true",
          "CACHE_DATA_ON_WRITE = false",
          "MAX_FILESIZE = 1000000000",
          "MEMSTORE_FLUSHSIZE = 2000000",
          "DURABILITY = 'FSYNC_WAL'",
          "DURABILITY = 'USE_DEFAULT'",
          "UPDATE_CACHE_FREQUENCY = 60000",
          "UPDATE_CACHE_FREQUENCY = 0");

  private final Connection connection;
  private final ChangingTable table;
  private final Random random;

  SchemaChanges(Connection connection, ChangingTable table, Random random) {
    this.connection = connection;
    this.table = table;
    this.random = random;
  }

  /** Sets a random property of all families of the table, including the family of the index. */
  void setProperty() throws SQLException {
    execute(
        "ALTER TABLE "
            + table.name()
            + " SET "
            + PROPERTIES.get(random.nextInt(PROPERTIES.size())));
  }

  /** Creates a column or an index, and drops it. Statements use neither. */
  void change() throws SQLException {
    String kind = table.layout().ofView() ? "VIEW" : "TABLE";
    String alter = "ALTER " + kind + " " + table.relation();
    if (random.nextBoolean()) {
      execute(alter + " ADD X INTEGER");
      execute(alter + " DROP COLUMN X");
    } else {
      String index = table.index() + "_W";
      execute("CREATE LOCAL INDEX " + index + " ON " + table.relation() + " (W)");
      execute("DROP INDEX " + index + " ON " + table.relation());
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

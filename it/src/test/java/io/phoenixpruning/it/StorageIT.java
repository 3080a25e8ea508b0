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
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.Map;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.TableNotFoundException;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Tests local indexes of tables that use special features of HBase: old versions, region replicas,
 * MOB families and snapshots.
 */
public class StorageIT extends ClusterTest {

  private Connection connection;
  private String table;
  private String index;

  @Before
  public void connect() throws SQLException {
    connection = connect(PruningMode.EXACT);
    connection.setAutoCommit(true);
    table = generateUniqueName();
    index = "I_" + table;
  }

  @After
  public void close() throws SQLException {
    connection.close();
  }

  private void createTable(String options) throws SQLException {
    execute(
        connection,
        "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER) " + options,
        "CREATE LOCAL INDEX " + index + " ON " + table + " (V)");
  }

  private String along(String columns) {
    return "SELECT /*+ INDEX(" + table + " " + index + ") */ " + columns + " FROM " + table;
  }

  /**
   * Phoenix reads the name of the table as the table {@code x} in the schema {@code t}, with and
   * without namespace mapping.
   */
  @Test
  public void refusesALocalIndexOnATableWithADotInItsName() throws Exception {
    for (String patches : List.of("all", "all,-" + Patch.DOTTED_NAME.id())) {
      boolean isPatched = patches.equals("all");
      String dotted = "\"" + generateUniqueName() + ".x\"";
      try (Connection creator = connect(Map.of(PruningOptions.PATCHES, patches))) {
        creator.setAutoCommit(true);
        execute(
            creator,
            "CREATE TABLE " + dotted + " (K INTEGER PRIMARY KEY, V INTEGER)",
            "UPSERT INTO " + dotted + " VALUES (1, 1)");
        String creation = "CREATE LOCAL INDEX " + index + " ON " + dotted + " (V)";
        if (isPatched) {
          assertThatThrownBy(() -> execute(creator, creation))
              .isInstanceOf(SQLFeatureNotSupportedException.class)
              .hasMessageContaining("Cannot create the local index " + index)
              .hasMessageContaining("Expected a table in a schema, or without a dot in its name");
        } else {
          assertThatThrownBy(() -> execute(creator, creation))
              .isInstanceOf(TableNotFoundException.class);
        }
        String query = "SELECT K FROM " + dotted + " WHERE V = 1";
        if (isPatched) {
          assertThat(rows(creator, query)).hasSize(1);
        } else {
          assertThatThrownBy(() -> rows(creator, query))
              .as("without the patch")
              .isInstanceOf(TableNotFoundException.class);
        }
      }
    }
  }

  @Test
  public void createsALocalIndexWithADotInItsName() throws Exception {
    index = "\"i." + table + "\"";
    table = "S." + "\"" + table + ".x\"";
    createTable("");
    execute(connection, "UPSERT INTO " + table + " VALUES (1, 1, 1)");
    assertThat(rows(connection, along("K, W") + " WHERE V = 1")).hasSize(1);
  }
}

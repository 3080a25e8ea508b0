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
package io.phoenixpruning.perf.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table of the driver without a cluster. Its region locations are a list in memory. */
public final class PlannedTable implements AutoCloseable {

  private final Connection connection;
  private final int regions;
  private final String name;

  /**
   * Creates a table that is split at every value of {@code pk1} from 1.
   *
   * @param name table name, not used by another table
   * @param mode pruning mode
   * @param indexes CREATE INDEX statements without CREATE, with {@code %s} for the table name
   */
  public PlannedTable(String name, int regions, String mode, String... indexes)
      throws SQLException {
    this.name = name;
    this.regions = regions;
    Properties properties = new Properties();
    properties.setProperty("phoenix.index.population.wait.time", "0");
    properties.setProperty("phoenix.pruning.mode", mode);
    connection = DriverManager.getConnection("jdbc:phoenix:none", properties);
    String splits =
        IntStream.range(1, regions).mapToObj(Integer::toString).collect(Collectors.joining(", "));
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE %s (pk1 INTEGER NOT NULL, pk2 INTEGER NOT NULL, v1 INTEGER, v2 INTEGER"
                  .formatted(name)
              + " CONSTRAINT pk PRIMARY KEY (pk1, pk2)) SPLIT ON (%s)".formatted(splits));
      for (String index : indexes) {
        statement.execute("CREATE " + index.replace("%s", name));
      }
    }
  }

  /**
   * Prepares a query with {@code v2 = 5} and {@code condition}.
   *
   * @param hint SQL hint with {@code %s} for the table name; may be empty
   */
  public PreparedStatement query(String hint, LeadingColumnCondition condition)
      throws SQLException {
    return connection.prepareStatement(
        "SELECT %s pk1, pk2 FROM %s %s"
            .formatted(hint.replace("%s", name), name, condition.where("v2 = 5", regions)));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

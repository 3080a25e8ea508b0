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
import org.apache.phoenix.pruning.config.PruningMode;
import org.junit.After;
import org.junit.Before;

/** A test that has a connection with autocommit, and the name of a table that does not exist. */
public abstract class TableTest extends ClusterTest {

  protected Connection connection;
  protected String table;

  @Before
  public final void openConnection() throws SQLException {
    connection = connect(PruningMode.EXACT);
    connection.setAutoCommit(true);
    table = generateUniqueName();
  }

  @After
  public final void closeConnection() throws SQLException {
    connection.close();
  }
}

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
package org.apache.phoenix.pruning.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Tests that a server can read the description of every kind of local index. If it cannot, queries
 * fail.
 */
@RunWith(JUnitParamsRunner.class)
public class IndexRowKeysTest {

  private static final String[] KEY_TYPES = {
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "UNSIGNED_TINYINT",
    "UNSIGNED_SMALLINT",
    "UNSIGNED_INT",
    "UNSIGNED_LONG",
    "FLOAT",
    "DOUBLE",
    "UNSIGNED_FLOAT",
    "UNSIGNED_DOUBLE",
    "DECIMAL",
    "DECIMAL(10,2)",
    "VARCHAR",
    "VARCHAR(5)",
    "CHAR(3)",
    "BINARY(2)",
    "DATE",
    "TIME",
    "TIMESTAMP",
    "UNSIGNED_DATE",
    "UNSIGNED_TIME",
    "UNSIGNED_TIMESTAMP",
    "BOOLEAN"
  };
  private static final String[] INDEXED = {
    "V", "V DESC", "W", "W DESC, V", "K1, V", "V, K2", "UPPER(W)", "V + 1, SUBSTR(W, 1, 2)"
  };

  private Connectionless driver;

  @Before
  public void connect() throws Exception {
    driver = new Connectionless();
  }

  @After
  public void close() throws Exception {
    driver.close();
  }

  private static List<String[]> typesAndOrders() {
    List<String[]> cases = new ArrayList<>();
    for (String type : KEY_TYPES) {
      cases.add(new String[] {type, ""});
      cases.add(new String[] {type, " DESC"});
    }
    return cases;
  }

  @Test
  @Parameters(method = "typesAndOrders")
  public void readsKeysOfEachType(String type, String order) throws Exception {
    readsAll(type + " NOT NULL", order, "VARCHAR", "");
  }

  @Test
  @Parameters({"VARBINARY", "INTEGER ARRAY", "VARCHAR ARRAY"})
  public void readsKeysOfTypesThatMustBeLast(String type) throws Exception {
    readsAll("INTEGER NOT NULL", "", type, "");
  }

  private static List<String> tableProperties() {
    return List.of(
        "SALT_BUCKETS = 4",
        "MULTI_TENANT = true",
        "IMMUTABLE_ROWS = true",
        "COLUMN_ENCODED_BYTES = 0",
        "SALT_BUCKETS = 4, IMMUTABLE_ROWS = true");
  }

  @Test
  @Parameters(method = "tableProperties")
  public void readsEachKindOfTable(String properties) throws Exception {
    readsAll("VARCHAR NOT NULL", "", "DECIMAL", properties);
  }

  private void readsAll(String first, String order, String second, String properties)
      throws Exception {
    driver.execute("DROP TABLE IF EXISTS T CASCADE");
    driver.execute(
        String.format(
            """
            CREATE TABLE T (K1 %s, K2 %s, V INTEGER, A.W VARCHAR
              CONSTRAINT PK PRIMARY KEY (K1%s, K2)) %s""",
            first, second, order, properties));
    for (int i = 0; i < INDEXED.length; i++) {
      boolean repeatsTenant = properties.contains("MULTI_TENANT") && INDEXED[i].startsWith("K1");
      boolean notLast = second.contains("ARRAY") || second.equals("VARBINARY");
      if (!repeatsTenant && !(notLast && INDEXED[i].contains("K2"))) {
        driver.execute("CREATE LOCAL INDEX I" + i + " ON T (" + INDEXED[i] + ")");
      }
    }
    if (first.startsWith("VARCHAR") || first.startsWith("INTEGER")) {
      String constant = first.startsWith("VARCHAR") ? "'b'" : "5";
      driver.execute("CREATE VIEW W AS SELECT * FROM T WHERE K1 = " + constant);
      driver.execute("CREATE LOCAL INDEX X ON W (V)");
      readsAll("W");
    }
    readsAll("T");
  }

  private void readsAll(String name) throws Exception {
    PhoenixConnection connection = driver.connection().unwrap(PhoenixConnection.class);
    PTable table = connection.getTable(new PTableKey(null, name));
    assertThat(table.getIndexes())
        .as("indexes of a table with the key %s", table.getPKColumns())
        .isNotEmpty()
        .allSatisfy(
            index -> {
              byte[] maintainer = IndexRowKeys.serializeMaintainer(table, index, connection);
              byte[] constants = IndexRowKeys.serializeViewConstants(table);
              assertThatCode(() -> IndexRowKeys.read(maintainer, constants))
                  .doesNotThrowAnyException();
            });
  }
}

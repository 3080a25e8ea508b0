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
package org.apache.phoenix.pruning.region;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Checks that the row keys of the random tests are the same as Phoenix's. */
@RunWith(JUnitParamsRunner.class)
public class TestTableTest {

  private static final List<byte[]> STRINGS =
      List.of(TestColumn.NULL, "a".getBytes(US_ASCII), "ab".getBytes(US_ASCII));

  private static List<Object[]> bucketsAndOrders() {
    List<Object[]> cases = new ArrayList<>();
    for (int buckets : new int[] {0, 7}) {
      for (int order = 0; order < 8; order++) {
        cases.add(new Object[] {buckets, order});
      }
    }
    return cases;
  }

  /** The bits of {@code order} say which columns are descending. */
  @Test
  @Parameters(method = "bucketsAndOrders")
  public void keysAreThoseOfPhoenix(int buckets, int order) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:phoenix:none")) {
      compare(connection, buckets, order);
    }
  }

  private static void compare(Connection connection, int buckets, int order) throws SQLException {
    TestTable table =
        new TestTable(
            List.of(
                variable("A", (order & 1) != 0),
                fixed("B", (order & 2) != 0),
                variable("C", (order & 4) != 0),
                variable("D", (order & 1) != 0)),
            buckets);
    String name = "T" + buckets + "_" + order;
    connection
        .createStatement()
        .execute(
            "CREATE TABLE %s (a VARCHAR, b CHAR(2) NOT NULL, c VARCHAR, d VARCHAR, v INTEGER "
                    .formatted(name)
                + "CONSTRAINT pk PRIMARY KEY (a%s, b%s, c%s, d%s))%s"
                    .formatted(
                        desc(order & 1),
                        desc(order & 2),
                        desc(order & 4),
                        desc(order & 1),
                        buckets == 0 ? "" : " SALT_BUCKETS=" + buckets));
    PTable phoenix = connection.unwrap(PhoenixConnection.class).getTable(new PTableKey(null, name));
    assertThat(table.rows())
        .hasSize(2 * 27)
        .allSatisfy(
            row -> {
              ImmutableBytesWritable key = new ImmutableBytesWritable();
              phoenix.newKey(key, encoded(table, row));
              assertThat(row.key()).isEqualTo(key.copyBytes());
            });
  }

  /**
   * Returns the values as {@code newKey} expects them: descending values are inverted, and the salt
   * comes first.
   */
  private static byte[][] encoded(TestTable table, TestTable.Row row) {
    int salts = table.buckets() > 0 ? 1 : 0;
    byte[][] values = new byte[salts + row.values().length][];
    values[0] = new byte[1];
    for (int i = 0; i < row.values().length; i++) {
      values[salts + i] = table.columns().get(i).encode(row.values()[i]);
    }
    return values;
  }

  private static TestColumn variable(String name, boolean descending) {
    return new TestColumn(name, TestColumn.Kind.VARIABLE, 0, descending, true, STRINGS);
  }

  private static TestColumn fixed(String name, boolean descending) {
    return new TestColumn(
        name,
        TestColumn.Kind.FIXED,
        2,
        descending,
        false,
        List.of("xy".getBytes(US_ASCII), "zz".getBytes(US_ASCII)));
  }

  private static String desc(int bit) {
    return bit == 0 ? "" : " DESC";
  }
}

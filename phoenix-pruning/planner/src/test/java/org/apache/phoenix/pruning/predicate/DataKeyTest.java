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
package org.apache.phoenix.pruning.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.key.KeySpace;
import org.apache.phoenix.pruning.key.ValueRange;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableImpl;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.schema.SaltingUtil;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.schema.types.PVarchar;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class DataKeyTest {

  private static final int BUCKETS = 5;

  private Connectionless driver;

  @Before
  public void connect() throws SQLException {
    driver = new Connectionless();
  }

  @After
  public void dropTable() throws SQLException {
    driver.execute("DROP TABLE IF EXISTS T");
    driver.close();
  }

  private PTable table(String columns, String key, String options) throws SQLException {
    driver.execute(
        "CREATE TABLE T (%s, V INTEGER CONSTRAINT PK PRIMARY KEY (%s)) %s"
            .formatted(columns, key, options));
    return driver.connection().unwrap(PhoenixConnection.class).getTable(new PTableKey(null, "T"));
  }

  private static byte[] row(PTable table, String k1, int k2) {
    ImmutableBytesWritable key = new ImmutableBytesWritable();
    byte[] second = PInteger.INSTANCE.toBytes(k2);
    table.newKey(key, new byte[][] {new byte[1], PVarchar.INSTANCE.toBytes(k1), second});
    byte[] row = key.copyBytes();
    row[0] = SaltingUtil.getSaltingByte(row, 1, row.length - 1, BUCKETS);
    return row;
  }

  private static KeySpace where(DataKey key, String k1, int k2) {
    ValueRange first = ValueRange.point(PVarchar.INSTANCE.toBytes(k1));
    ValueRange second = ValueRange.point(PInteger.INSTANCE.toBytes(k2));
    return key.where(0, List.of(first)).and(key.where(1, List.of(second)));
  }

  private static boolean contains(KeySpace space, byte[] row) {
    return Bytes.equals(space.next(row), row);
  }

  /** Returns {@code row} with another salt. */
  private static byte[] salted(byte[] row, int salt) {
    byte[] salted = row.clone();
    salted[0] = (byte) salt;
    return salted;
  }

  @Test
  public void computesTheSaltOfEachRow() throws SQLException {
    PTable table =
        table("K1 VARCHAR NOT NULL, K2 INTEGER NOT NULL", "K1, K2", "SALT_BUCKETS = " + BUCKETS);
    DataKey key = DataKey.of(table);
    for (int k2 = 0; k2 < 20; k2++) {
      byte[] row = row(table, "a", k2);
      KeySpace space = where(key, "a", k2);
      for (int salt = 0; salt < BUCKETS; salt++) {
        assertThat(contains(space, salted(row, salt)))
            .as("K2 %s, salt %s", k2, salt)
            .isEqualTo(salt == row[0]);
      }
    }
    assertThat(contains(where(DataKey.ofPrefix(table), "a", 1), salted(row(table, "a", 1), 4)))
        .as("rows of a view with more key columns can have any salt")
        .isTrue();
  }

  /** Phoenix computes the salt of a key without K2 from fewer bytes. */
  @Test
  public void knowsNoSaltIfAFixedColumnCanBeMissing() throws SQLException {
    PTable table = table("K1 VARCHAR, K2 INTEGER NOT NULL", "K1, K2", "SALT_BUCKETS = " + BUCKETS);
    DataKey key = DataKey.of(table);
    byte[] row = row(table, "a", 3);
    for (int salt = 0; salt < BUCKETS; salt++) {
      assertThat(contains(where(key, "a", 3), salted(row, salt))).as("salt %s", salt).isTrue();
    }
  }

  @Test
  public void hasNamedColumns() throws SQLException {
    DataKey key = DataKey.of(table("K1 VARCHAR, K2 INTEGER NOT NULL", "K1, K2", ""));
    assertThat(key.indexOf("K1")).isZero();
    assertThat(key.indexOf("K2")).isEqualTo(1);
    assertThat(key.indexOf("V")).isEqualTo(-1);
  }

  /** In a table of an old Phoenix version, descending texts may not be sorted by their bytes. */
  @Test
  public void endsBeforeADescendingTextOfAnOldTable() throws SQLException {
    PTable table =
        table("K1 INTEGER NOT NULL, K2 VARCHAR NOT NULL, K3 VARCHAR", "K1, K2, K3 DESC", "");
    PTable old =
        PTableImpl.builderWithColumns(table, table.getColumns())
            .setRowKeyOrderOptimizable(false)
            .build();
    assertThat(DataKey.of(table).size()).isEqualTo(3);
    assertThat(DataKey.of(old).size()).isEqualTo(2);
  }
}

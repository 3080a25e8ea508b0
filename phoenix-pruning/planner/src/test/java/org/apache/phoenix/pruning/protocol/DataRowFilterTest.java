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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.index.IndexMaintainer;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.util.PhoenixRuntime;
import org.assertj.core.api.JUnitSoftAssertions;
import org.junit.Rule;
import org.junit.Test;

public class DataRowFilterTest {

  private static final byte[] EMPTY = new byte[0];
  private static final String COLUMNS = "(K1 VARCHAR NOT NULL, K2 INTEGER NOT NULL, V INTEGER";

  @Rule public final JUnitSoftAssertions softly = new JUnitSoftAssertions();

  @Test
  public void passesTheRowsOfTheRange() throws Exception {
    check("T1", COLUMNS + " CONSTRAINT PK PRIMARY KEY (K1, K2))");
  }

  @Test
  public void readsDescendingColumns() throws Exception {
    check("T2", COLUMNS + " CONSTRAINT PK PRIMARY KEY (K1 DESC, K2 DESC))");
  }

  @Test
  public void readsSaltedKeys() throws Exception {
    check("T3", COLUMNS + " CONSTRAINT PK PRIMARY KEY (K1, K2)) SALT_BUCKETS=4");
  }

  @Test
  public void readsViewConstants() throws Exception {
    try (Connectionless driver = new Connectionless()) {
      driver.execute(
          """
          CREATE TABLE T4 (K0 VARCHAR NOT NULL, K1 VARCHAR NOT NULL, K2 INTEGER NOT NULL,
            V INTEGER
            CONSTRAINT PK PRIMARY KEY (K0, K1, K2))""");
      driver.execute("CREATE VIEW V4 AS SELECT * FROM T4 WHERE K0 = 'shop'");
      check(driver, "V4");
    }
  }

  @Test
  public void refusesBytesOfSomethingElse() {
    assertThatThrownBy(() -> DataRowFilter.parseFrom(Bytes.toBytes("no filter")))
        .isInstanceOf(DeserializationException.class);
  }

  private void check(String table, String columns) throws Exception {
    try (Connectionless driver = new Connectionless()) {
      driver.execute("CREATE TABLE " + table + " " + columns);
      check(driver, table);
    }
  }

  /** Filters every row with every range of row keys, in regions with every kind of prefix. */
  private void check(Connectionless driver, String name) throws Exception {
    driver.execute("CREATE LOCAL INDEX I" + name + " ON " + name + " (K2)");
    PhoenixConnection connection = driver.connection().unwrap(PhoenixConnection.class);
    PTable table = connection.getTable(new PTableKey(null, name));
    PTable index = connection.getTable(new PTableKey(null, "I" + name));
    List<byte[]> keys = dataRowKeys(driver, name);
    byte[] first = keys.get(0);
    byte[] last = keys.get(keys.size() - 1);
    int passed = 0;
    for (byte[][] region : new byte[][][] {{EMPTY, EMPTY}, {EMPTY, last}, {first, EMPTY}}) {
      RegionInfo info =
          RegionInfoBuilder.newBuilder(TableName.valueOf(name))
              .setStartKey(region[0])
              .setEndKey(region[1])
              .build();
      for (byte[] start : keys) {
        for (byte[] end : keys) {
          DataRowRange range = DataRowRange.between(start, end);
          DataRowFilter sent = DataRowFilter.of(range, info, table, index, connection);
          DataRowFilter filter = DataRowFilter.parseFrom(sent.toByteArray());
          for (byte[] key : keys) {
            Cell cell = indexRow(index.getIndexMaintainer(table, connection), key, info);
            softly
                .assertThat(filter.filterRowKey(cell))
                .as("%s in %s of %s", Bytes.toStringBinary(key), range, info)
                .isEqualTo(!range.contains(key));
            passed += range.contains(key) ? 1 : 0;
          }
        }
      }
    }
    assertThat(passed).isPositive();
  }

  private static Cell indexRow(IndexMaintainer maintainer, byte[] dataRowKey, RegionInfo region) {
    byte[] row =
        maintainer.buildRowKey(
            null,
            new ImmutableBytesWritable(dataRowKey),
            region.getStartKey(),
            region.getEndKey(),
            0);
    return new KeyValue(row, Bytes.toBytes("L#0"), Bytes.toBytes("_0"));
  }

  /** Returns the row keys of the data table in order. */
  private static List<byte[]> dataRowKeys(Connectionless driver, String table) throws SQLException {
    try (PreparedStatement upsert =
        driver
            .connection()
            .prepareStatement("UPSERT INTO " + table + " (K1, K2, V) VALUES (?, ?, 0)")) {
      for (String k1 : new String[] {"a", "ab", "b c", "é"}) {
        for (int k2 : new int[] {Integer.MIN_VALUE, -1, 0, 7}) {
          upsert.setString(1, k1);
          upsert.setInt(2, k2);
          upsert.execute();
        }
      }
    }
    SortedSet<byte[]> keys = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    Iterator<Pair<byte[], List<Cell>>> mutations =
        PhoenixRuntime.getUncommittedDataIterator(driver.connection());
    while (mutations.hasNext()) {
      for (Cell cell : mutations.next().getSecond()) {
        keys.add(Bytes.copy(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength()));
      }
    }
    driver.connection().rollback();
    return new ArrayList<>(keys);
  }
}

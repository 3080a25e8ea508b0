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
package org.apache.phoenix.pruning.layout;

import static org.assertj.core.api.Assertions.assertThat;

import com.carrotsearch.randomizedtesting.RandomizedRunner;
import com.carrotsearch.randomizedtesting.RandomizedTest;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.util.PhoenixRuntime;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Tests random rows of random tables. The key of an index row must lead back to the data row and
 * have the values that were written.
 *
 * <p>{@code -Dtests.seed=} and {@code -Dtests.cases=} work as in RegionWalkRandomTest.
 */
@RunWith(RandomizedRunner.class)
@ThreadLeakScope(ThreadLeakScope.Scope.NONE) // Phoenix's driver keeps threads.
public class IndexRowKeyRandomTest extends RandomizedTest {

  private static final int CASES = Integer.getInteger("tests.cases", 100_000);
  private static final int ROWS_PER_TABLE = 50;

  /**
   * Column types. The last type is used only for the primary key: it cannot be in the middle of an
   * index key, where it could be null.
   */
  private static final String[] TYPES = {
    "VARCHAR", "VARCHAR(9)", "DECIMAL", "DECIMAL(20,2)", "INTEGER", "BIGINT", "SMALLINT", "TINYINT",
    "UNSIGNED_INT", "UNSIGNED_LONG", "CHAR(3)", "DOUBLE", "FLOAT", "DATE", "TIME", "TIMESTAMP",
    "UNSIGNED_DATE", "BOOLEAN", "BINARY(2)"
  };

  private static final class Column {

    private final String name;
    private final String type;
    private final boolean nullable;

    Column(String name, String type, boolean nullable) {
      this.name = name;
      this.type = type;
      this.nullable = nullable;
    }
  }

  private static final class Row {

    private final byte[] key;
    private final List<Cell> cells = new ArrayList<>();

    Row(byte[] key) {
      this.key = key;
    }
  }

  private final List<Column> key = new ArrayList<>();
  private final List<Column> values = new ArrayList<>();
  private String ddl;
  private boolean hasConstant;
  private Object constant;

  @Test
  public void theIndexRowLeadsToTheDataRow() throws SQLException {
    try (Connectionless driver = new Connectionless()) {
      for (int cases = 0; cases < CASES; ) {
        String table = create(driver);
        List<IndexLayout> layouts = layouts(driver, table);
        assertThat(layouts).as(ddl).isNotEmpty();
        for (int row = 0; row < ROWS_PER_TABLE; row++) {
          Map<String, Object> written = randomRow();
          Row stored = store(driver, table, written);
          for (IndexLayout layout : layouts) {
            assertRoundTrip(layout, stored, written);
            cases++;
          }
        }
      }
    }
  }

  private static List<IndexLayout> layouts(Connectionless driver, String table)
      throws SQLException {
    PhoenixConnection connection = driver.connection().unwrap(PhoenixConnection.class);
    return IndexLayout.allOf(connection, connection.getTable(new PTableKey(null, table)));
  }

  private void assertRoundTrip(IndexLayout layout, Row stored, Map<String, Object> written) {
    byte[] start = randomBoolean() ? new byte[0] : randomBytes();
    byte[] end = randomBoolean() ? new byte[0] : randomBytes();
    byte[] indexRowKey = layout.indexRowKey(stored.key, stored.cells, start, end);
    IndexRow row = layout.read(indexRowKey, start, end);
    String what = ddl + "\n" + layout + "\n" + written + "\n" + row;
    assertThat(row.dataRowKey()).as(what).isEqualTo(stored.key);
    for (int i = 1; i < layout.key().size(); i++) {
      assertThat(comparable(row.values().get(i)))
          .as("%s: %s", layout.key().get(i), what)
          .isEqualTo(comparable(expected(layout.key().get(i).name(), written)));
    }
  }

  private static Object expected(String column, Map<String, Object> written) {
    if (written.containsKey(column)) {
      return written.get(column);
    }
    assertThat(column).isEqualTo("COALESCE(A.V1,1)");
    return Objects.requireNonNullElse(written.get("A.V1"), 1);
  }

  private static Object comparable(Object value) {
    if (value instanceof Number) {
      return new BigDecimal(value.toString()).stripTrailingZeros();
    }
    return value instanceof byte[] ? Bytes.toStringBinary((byte[]) value) : value;
  }

  /**
   * Creates a random table, or a view of it, with local indexes. Returns the name of the table or
   * view to write to.
   */
  private String create(Connectionless driver) throws SQLException {
    driver.execute("DROP TABLE IF EXISTS T CASCADE");
    boolean tenant = randomInt(4) == 0;
    boolean immutable = randomInt(3) == 0;
    key.clear();
    values.clear();
    int keys = randomIntBetween(tenant ? 2 : 1, 4);
    for (int i = 1; i <= keys; i++) {
      boolean isTenant = tenant && i == 1;
      String type = isTenant ? "VARCHAR" : randomFrom(TYPES);
      // Phoenix cannot rebuild a data row key that ends after the tenant ID.
      boolean nullable =
          i > (tenant ? 2 : 1) && type.matches("(VARCHAR|DECIMAL).*") && randomBoolean();
      key.add(new Column(i == 2 ? "\"k\"" : "K" + i, type, nullable));
    }
    values.add(new Column("A.V1", "INTEGER", true));
    values.add(new Column("V2", valueType(), true));
    values.add(new Column("\"v\"", valueType(), true));
    List<String> properties = new ArrayList<>();
    if (randomInt(3) == 0) {
      properties.add("SALT_BUCKETS = 4");
    }
    if (tenant) {
      properties.add("MULTI_TENANT = TRUE");
    }
    if (immutable) {
      properties.add("IMMUTABLE_ROWS = TRUE");
    } else if (randomBoolean()) {
      properties.add("COLUMN_ENCODED_BYTES = 0");
    }
    ddl =
        "CREATE TABLE T ("
            + columns()
            + " CONSTRAINT PK PRIMARY KEY ("
            + key.stream()
                .map(column -> column.name + order(column))
                .collect(Collectors.joining(", "))
            + ")) "
            + String.join(", ", properties);
    driver.execute(ddl);
    String table = "T";
    hasConstant = false;
    if (!tenant && keys > 1 && randomInt(3) == 0 && key.get(0).type.matches("INTEGER|VARCHAR")) {
      hasConstant = true;
      constant = key.get(0).type.equals("INTEGER") ? 7 : "k";
      table = "W";
      execute(
          driver,
          "CREATE VIEW W AS SELECT * FROM T WHERE K1 = "
              + (constant instanceof Integer ? "7" : "'k'"));
    }
    index(driver, table, "I1", "(" + random(values) + ")");
    index(driver, table, "I2", "(" + random(values) + ", COALESCE(A.V1, 1))");
    int first = tenant || hasConstant ? 1 : 0;
    index(
        driver,
        table,
        "I3",
        "(" + key.get(first).name + order(key.get(first)) + ", " + random(values) + ")");
    index(
        driver,
        table,
        "I4",
        "(" + random(values) + ", " + key.get(keys - 1).name + order(key.get(keys - 1)) + ")");
    return table;
  }

  private static String valueType() {
    return TYPES[randomInt(TYPES.length - 2)];
  }

  private void index(Connectionless driver, String table, String name, String columns)
      throws SQLException {
    execute(driver, "CREATE LOCAL INDEX " + name + " ON " + table + " " + columns);
  }

  private void execute(Connectionless driver, String sql) throws SQLException {
    ddl += ";\n" + sql;
    driver.execute(sql);
  }

  private String random(List<Column> columns) {
    Column column = randomFrom(columns);
    return column.name + order(column);
  }

  /**
   * Returns a random sort order, but never DESC for a BOOLEAN. Phoenix inverts the bytes of an
   * indexed BOOLEAN differently when it writes them and when it reads them.
   */
  private static String order(Column column) {
    return randomInt(3) == 0 && !column.type.equals("BOOLEAN") ? " DESC" : "";
  }

  private String columns() {
    List<Column> all = new ArrayList<>(key);
    all.addAll(values);
    return all.stream()
        .map(column -> column.name + " " + column.type + (column.nullable ? "" : " NOT NULL"))
        .collect(Collectors.joining(", "));
  }

  private Map<String, Object> randomRow() {
    Map<String, Object> row = new LinkedHashMap<>();
    for (Column column : key) {
      row.put(column.name, randomValue(column));
    }
    if (hasConstant) {
      row.put("K1", constant);
    }
    for (Column column : values) {
      row.put(column.name, randomValue(column));
    }
    return row;
  }

  private static Object randomValue(Column column) {
    if (column.nullable && randomInt(4) == 0) {
      return null;
    }
    switch (column.type) {
      case "VARCHAR":
      case "VARCHAR(9)":
        return randomAsciiOfLengthBetween(1, 9);
      case "CHAR(3)":
        return randomAsciiLettersOfLengthBetween(1, 3);
      case "DECIMAL":
      case "DECIMAL(20,2)":
        return BigDecimal.valueOf(randomLong() >> randomInt(63), 2);
      case "BIGINT":
        return randomLong() >> randomInt(63);
      case "UNSIGNED_LONG":
        return randomLong() >>> 1;
      case "INTEGER":
        return randomInt() >> randomInt(31);
      case "UNSIGNED_INT":
        return randomInt(Integer.MAX_VALUE);
      case "SMALLINT":
        return randomShort();
      case "TINYINT":
        return randomByte();
      case "DOUBLE":
        return randomIntBetween(-1000, 1000) / 8d;
      case "FLOAT":
        return randomIntBetween(-1000, 1000) / 8f;
      case "DATE":
      case "UNSIGNED_DATE":
        return new Date(randomInt(Integer.MAX_VALUE) * 1_000L + randomInt(999));
      case "TIME":
        return new Time(randomInt(Integer.MAX_VALUE) * 1_000L + randomInt(999));
      case "TIMESTAMP":
        return new Timestamp(randomInt(Integer.MAX_VALUE) * 1_000L + randomInt(999));
      case "BOOLEAN":
        return randomBoolean();
      case "BINARY(2)":
        return new byte[] {(byte) randomIntBetween(1, 255), (byte) randomIntBetween(1, 255)};
      default:
        throw new AssertionError(column.type);
    }
  }

  private static byte[] randomBytes() {
    byte[] bytes = new byte[randomIntBetween(1, 12)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = randomByte();
    }
    return bytes;
  }

  /** Returns the row as HBase would receive it. */
  private Row store(Connectionless driver, String table, Map<String, Object> row)
      throws SQLException {
    List<String> names = new ArrayList<>(row.keySet());
    try (PreparedStatement upsert =
        driver
            .connection()
            .prepareStatement(
                "UPSERT INTO "
                    + table
                    + " ("
                    + String.join(", ", names)
                    + ") VALUES ("
                    + String.join(", ", Collections.nCopies(names.size(), "?"))
                    + ")")) {
      for (int i = 0; i < names.size(); i++) {
        upsert.setObject(i + 1, row.get(names.get(i)));
      }
      upsert.execute();
    }
    Map<String, Row> rows = new HashMap<>();
    Iterator<Pair<byte[], List<Cell>>> tables =
        PhoenixRuntime.getUncommittedDataIterator(driver.connection());
    while (tables.hasNext()) {
      for (Cell cell : tables.next().getSecond()) {
        if (!Bytes.toString(CellUtil.cloneFamily(cell)).startsWith("L#")) {
          byte[] rowKey = CellUtil.cloneRow(cell);
          rows.computeIfAbsent(Bytes.toStringBinary(rowKey), any -> new Row(rowKey))
              .cells
              .add(cell);
        }
      }
    }
    driver.connection().rollback();
    assertThat(rows).as(ddl).hasSize(1);
    return rows.values().iterator().next();
  }
}

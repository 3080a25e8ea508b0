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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.layout.IndexLayout.Kind;
import org.apache.phoenix.pruning.prune.Connectionless;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.PTableKey;
import org.apache.phoenix.util.ByteUtil;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Tests the columns of an index layout. */
public class IndexLayoutTest {

  private Connectionless driver;

  @Before
  public void connect() throws SQLException {
    driver = new Connectionless();
    driver.execute("DROP TABLE IF EXISTS T CASCADE");
  }

  @After
  public void close() throws SQLException {
    driver.close();
  }

  private void create(String properties) throws SQLException {
    driver.execute(
        """
        CREATE TABLE T (K1 VARCHAR NOT NULL, K2 INTEGER NOT NULL, K3 DECIMAL(10,2),
          V INTEGER, "w" CHAR(3), A.X DATE, "a"."y" VARCHAR(9)
          CONSTRAINT PK PRIMARY KEY (K1, K2 DESC, K3)) %s"""
            .formatted(properties));
  }

  private IndexLayout layout(String table, String columns) throws SQLException {
    driver.execute("CREATE LOCAL INDEX I ON " + table + " " + columns);
    IndexLayout layout = layout(table);
    driver.execute("DROP INDEX I ON " + table);
    return layout;
  }

  private IndexLayout layout(String table) throws SQLException {
    PhoenixConnection connection = driver.connection().unwrap(PhoenixConnection.class);
    PTable dataTable = connection.getTable(new PTableKey(null, table));
    return IndexLayout.of(connection, dataTable, dataTable.getIndexes().get(0));
  }

  private static void assertKey(IndexLayout layout, String... columns) {
    assertThat(
            layout.key().stream()
                .map(column -> column.role() + " " + column)
                .collect(Collectors.toList()))
        .containsExactly(columns);
  }

  @Test
  public void theRowsOfARegionLieBetweenTwoKeys() throws SQLException {
    create("");
    IndexLayout layout = layout("T", "(V)");
    byte[] id = layout.rowPrefix(new byte[0], new byte[0]);
    byte[] next = ByteUtil.nextKey(id);
    byte[] start = Bytes.toBytes("b");
    byte[] end = Bytes.toBytes("c");
    assertThat(layout.rowPrefix(start, end)).isEqualTo(Bytes.add(start, id));
    assertThat(layout.rowsEnd(start, end)).isEqualTo(Bytes.add(start, next));
    assertThat(layout.rowPrefix(new byte[0], end)).isEqualTo(Bytes.add(new byte[1], id));
    assertThat(layout.rowPrefix(start, new byte[0])).isEqualTo(Bytes.add(start, id));
    assertThat(layout.rowsEnd(start, Bytes.add(start, id))).isEqualTo(Bytes.add(start, id));
  }

  private static void assertPrefix(IndexLayout layout, String... names) {
    assertThat(layout.kind()).isEqualTo(names.length == 0 ? Kind.NATURAL : Kind.REARRANGED);
    assertThat(layout.prefix()).extracting(IndexKeyColumn::name).containsExactly(names);
  }

  @Test
  public void aNaturalIndexBeginsWithTheIndexedColumns() throws SQLException {
    create("");
    IndexLayout layout = layout("T", "(V, \"w\" DESC, A.X) INCLUDE (\"a\".\"y\")");
    assertPrefix(layout);
    assertKey(
        layout,
        "INDEX_ID _INDEX_ID SMALLINT",
        "INDEXED V DECIMAL",
        "INDEXED \"w\" VARCHAR(3) DESC",
        "INDEXED A.X DECIMAL",
        "DATA_KEY K1 VARCHAR",
        "DATA_KEY K2 INTEGER DESC",
        "DATA_KEY K3 DECIMAL(10,2)");
    assertThat(layout.covered()).containsExactly("\"a\".\"y\"");
    assertThat(layout.families()).containsExactly("L#a");
    assertThat(layout("T", "(V)").families()).containsExactly("L#0");
    assertThat(layout.key())
        .extracting(IndexKeyColumn::isNullable)
        .containsExactly(false, true, true, true, false, false, true);
    assertThat(layout.key())
        .extracting(IndexKeyColumn::sql)
        .containsExactly(
            "_INDEX_ID", "\"0\".\"V\"", "\"0\".\"w\"", "\"A\".\"X\"", "\"K1\"", "\"K2\"", "\"K3\"");
    assertThat(layout.toString()).startsWith("I of T, NATURAL [_INDEX_ID SMALLINT, V DECIMAL, ");
  }

  @Test
  public void aRearrangedIndexBeginsWithTheDataRowKey() throws SQLException {
    create("");
    IndexLayout one = layout("T", "(K1, V)");
    assertPrefix(one, "K1");
    assertKey(
        one,
        "INDEX_ID _INDEX_ID SMALLINT",
        "PREFIX K1 VARCHAR",
        "INDEXED V DECIMAL",
        "DATA_KEY K2 INTEGER DESC",
        "DATA_KEY K3 DECIMAL(10,2)");
    assertPrefix(layout("T", "(K1, K2, V)"), "K1", "K2");
    assertPrefix(layout("T", "(K1, K2 DESC, K3, V)"), "K1", "K2", "K3");
  }

  @Test
  public void columnsOfTheDataRowKeyInAnotherOrderAreNoPrefix() throws SQLException {
    create("");
    assertPrefix(layout("T", "(K2, K1, V)"));
    assertPrefix(layout("T", "(V, K1)"));
    assertPrefix(layout("T", "(K1, K3, V)"), "K1");
    assertKey(
        layout("T", "(K2, V)"),
        "INDEX_ID _INDEX_ID SMALLINT",
        "DATA_KEY K2 INTEGER",
        "INDEXED V DECIMAL",
        "DATA_KEY K1 VARCHAR",
        "DATA_KEY K3 DECIMAL(10,2)");
    assertThat(layout("T", "(K2, V)").dataKey())
        .extracting(IndexKeyColumn::name)
        .containsExactly("K1", "K2", "K3");
  }

  @Test
  public void anExpressionIsNoPrefix() throws SQLException {
    create("");
    IndexLayout layout = layout("T", "(UPPER(K1), V + 1, TRUNC(A.X, 'DAY'))");
    assertPrefix(layout);
    assertThat(layout.key().subList(1, 4).toString())
        .isEqualTo("[UPPER(K1) VARCHAR, (V + 1) DECIMAL, TRUNC(A.X,'DAY') DECIMAL]");
    assertThat(layout.key().subList(1, 4))
        .extracting(column -> column.type().getSqlTypeName())
        .containsExactly("VARCHAR", "BIGINT", "DATE");
  }

  @Test
  public void anIndexOfASaltedTableHasNoSalt() throws SQLException {
    create("SALT_BUCKETS = 4");
    IndexLayout layout = layout("T", "(K1, V)");
    assertPrefix(layout, "K1");
    assertThat(layout.key()).extracting(IndexKeyColumn::name).startsWith("_INDEX_ID", "K1", "V");
  }

  @Test
  public void theTenantIsNoPrefix() throws SQLException {
    create("MULTI_TENANT = TRUE");
    IndexLayout natural = layout("T", "(V)");
    assertPrefix(natural);
    assertKey(
        natural,
        "INDEX_ID _INDEX_ID SMALLINT",
        "TENANT K1 VARCHAR",
        "INDEXED V DECIMAL",
        "DATA_KEY K2 INTEGER DESC",
        "DATA_KEY K3 DECIMAL(10,2)");
    assertPrefix(layout("T", "(K2, V)"), "K2");
  }

  @Test
  public void anIndexOfAViewLacksItsConstants() throws SQLException {
    create("");
    driver.execute("CREATE VIEW W (Z INTEGER) AS SELECT * FROM T WHERE K1 = 'k'");
    IndexLayout layout = layout("W", "(K2, Z)");
    assertPrefix(layout, "K2");
    assertKey(
        layout,
        "INDEX_ID _INDEX_ID SMALLINT",
        "PREFIX K2 INTEGER",
        "INDEXED Z DECIMAL",
        "DATA_KEY K3 DECIMAL(10,2)");
    assertPrefix(layout("W", "(Z)"));
    assertPrefix(layout("W", "(Z, K2)"));
  }

  @Test
  public void aViewHasTheIndexesOfItsTable() throws SQLException {
    create("");
    driver.execute("CREATE LOCAL INDEX I ON T (K1, V)");
    driver.execute("CREATE VIEW W AS SELECT * FROM T WHERE K1 = 'k'");
    IndexLayout layout = layout("W");
    assertPrefix(layout, "K1");
    assertThat(layout.toString()).startsWith("W#I of W, REARRANGED ");
  }

  @Test
  public void theFamilyIsNamedUnlessItIsTheDefault() throws SQLException {
    create("DEFAULT_COLUMN_FAMILY = 'F'");
    IndexLayout layout = layout("T", "(V, A.X)");
    assertThat(layout.key()).extracting(IndexKeyColumn::name).contains("V", "A.X");
    assertThat(layout.key()).extracting(IndexKeyColumn::sql).contains("\"F\".\"V\"");
  }

  @Test
  public void anIndexThatIsNotLocalIsRefused() throws SQLException {
    create("");
    driver.execute("CREATE INDEX G ON T (V)");
    assertThatThrownBy(() -> layout("T"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected a local index. The index type of G is GLOBAL");
  }

  @Test
  public void aRowOfAnotherRegionOrIndexIsRefused() throws SQLException {
    create("");
    IndexLayout layout = layout("T", "(V)");
    byte[] start = Bytes.toBytes("b");
    byte[] end = Bytes.toBytes("c");
    byte[] row = layout.rowPrefix(start, end);
    assertThatThrownBy(() -> layout.read(row, end, new byte[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(
            "The row key b.* does not belong to I. Expected the prefix c.* in the region from c"
                + " to ");
    row[row.length - 1]++;
    assertThatThrownBy(() -> layout.read(row, start, end))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

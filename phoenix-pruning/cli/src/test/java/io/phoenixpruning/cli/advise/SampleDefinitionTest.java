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
package io.phoenixpruning.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.cli.explain.ClusterlessPhoenix;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixDriver;
import org.apache.phoenix.pruning.layout.SqlNames;
import org.apache.phoenix.schema.PTable;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Tests that a sample table resembles its original: creates and compares both. */
public class SampleDefinitionTest {

  private ClusterlessPhoenix phoenix;

  @Before
  public void open() throws SQLException {
    phoenix = ClusterlessPhoenix.create(PhoenixDriver.INSTANCE.getQueryServices());
  }

  @After
  public void close() throws SQLException {
    phoenix.close();
  }

  private PTable create(String sql, String name) throws SQLException {
    try (Statement statement = phoenix.connection().createStatement()) {
      statement.execute(sql);
    }
    return phoenix.connection().getTable(name);
  }

  private static ColumnFamilyDescriptor family(String name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name))
        .setDataBlockEncoding(DataBlockEncoding.ROW_INDEX_V1)
        .setCompressionType(Compression.Algorithm.SNAPPY)
        .setBloomFilterType(BloomType.NONE)
        .build();
  }

  private static TableDescriptorBuilder descriptor(String... families) {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(TableName.valueOf("ANY"));
    for (String family : families) {
      builder.setColumnFamily(family(family));
    }
    return builder;
  }

  /**
   * Creates a table and its sample, asserts that they are alike, and returns the sample's
   * definition.
   */
  private String assertAlike(String sql, String name, TableDescriptor descriptor)
      throws SQLException {
    PTable table = create(sql, name);
    String definition = new SampleDefinition(table, descriptor).create("SAMPLE");
    PTable sample = create(definition, "SAMPLE");
    assertThat(columns(sample)).isEqualTo(columns(table));
    assertThat(sample.getBucketNum()).isEqualTo(table.getBucketNum());
    assertThat(sample.isMultiTenant()).isEqualTo(table.isMultiTenant());
    assertThat(sample.isImmutableRows()).isEqualTo(table.isImmutableRows());
    assertThat(sample.getImmutableStorageScheme()).isEqualTo(table.getImmutableStorageScheme());
    assertThat(sample.getEncodingScheme()).isEqualTo(table.getEncodingScheme());
    assertThat(sample.getStoreNulls()).isEqualTo(table.getStoreNulls());
    assertThat(sample.isWALDisabled()).isEqualTo(table.isWALDisabled());
    assertThat(sample.getUpdateCacheFrequency()).isEqualTo(table.getUpdateCacheFrequency());
    assertThat(sample.getDefaultFamilyName()).isEqualTo(table.getDefaultFamilyName());
    return definition;
  }

  private static List<String> columns(PTable table) {
    return table.getColumns().stream()
        .map(
            column ->
                column.getFamilyName()
                    + "."
                    + column.getName()
                    + " "
                    + SqlNames.type(column)
                    + " "
                    + column.getSortOrder()
                    + (column.isNullable() ? "" : " NOT NULL")
                    + (column.isRowTimestamp() ? " ROW_TIMESTAMP" : ""))
        .toList();
  }

  @Test
  public void aTableWithAllKindsOfColumns() throws SQLException {
    String definition =
        assertAlike(
            """
            CREATE TABLE S.T ("k" CHAR(3) NOT NULL, D DATE NOT NULL, N DECIMAL(9,2),
              V VARCHAR(5), A.V INTEGER, A.C CHAR(2) ARRAY, A.I INTEGER ARRAY, "b".B BINARY(4),
              "b".S VARCHAR ARRAY
              CONSTRAINT PK PRIMARY KEY ("k" DESC, D, N DESC)) SALT_BUCKETS = 3,
              COLUMN_ENCODED_BYTES = 1, STORE_NULLS = true, UPDATE_CACHE_FREQUENCY = 60000,
              TTL = 86400""",
            "S.T",
            descriptor("0", "A", "b").setDurability(Durability.ASYNC_WAL).build());
    assertThat(definition)
        .contains("\"k\" CHAR(3) NOT NULL, ", "\"A\".\"C\" CHAR(2) ARRAY, ")
        .contains("PRIMARY KEY (\"k\" DESC, \"D\", \"N\" DESC)")
        .contains("\"b\".DATA_BLOCK_ENCODING = 'ROW_INDEX_V1'")
        .contains("\"A\".COMPRESSION = 'SNAPPY', \"A\".BLOOMFILTER = 'NONE'")
        .contains("DURABILITY = 'ASYNC_WAL'")
        .doesNotContain("TTL");
  }

  @Test
  public void rowsThatDoNotChange() throws SQLException {
    assertAlike(
        """
        CREATE TABLE T (TENANT VARCHAR NOT NULL, K DATE NOT NULL, V VARCHAR
          CONSTRAINT PK PRIMARY KEY (TENANT, K ROW_TIMESTAMP)) IMMUTABLE_ROWS = true,
          MULTI_TENANT = true, IMMUTABLE_STORAGE_SCHEME = SINGLE_CELL_ARRAY_WITH_OFFSETS,
          DISABLE_WAL = true""",
        "T",
        descriptor("0").build());
  }

  @Test
  public void onlyAKey() throws SQLException {
    String definition =
        assertAlike(
            """
            CREATE TABLE T (K INTEGER PRIMARY KEY) DEFAULT_COLUMN_FAMILY = 'F',
              COLUMN_ENCODED_BYTES = 0""",
            "T",
            descriptor("F").build());
    assertThat(definition).contains(", DATA_BLOCK_ENCODING = 'ROW_INDEX_V1'");
  }

  @Test
  public void columnsAreNamedWithTheirFamiliesAndWithoutTheSalt() throws SQLException {
    PTable table =
        create(
            "CREATE TABLE T (K INTEGER PRIMARY KEY, V INTEGER, A.V INTEGER) SALT_BUCKETS = 2", "T");
    assertThat(SampleDefinition.columns(table))
        .containsExactly("\"K\"", "\"0\".\"V\"", "\"A\".\"V\"");
  }
}

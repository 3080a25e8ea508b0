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

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.layout.IndexKeyColumn;
import org.apache.phoenix.pruning.layout.IndexLayout;
import org.apache.phoenix.pruning.layout.IndexRow;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.util.PhoenixRuntime;
import org.junit.After;
import org.junit.Test;

/**
 * Checks that stored index rows match their layouts. Each index row of each region is read and
 * mapped back to the data row that was written. The check is repeated after splits, a merge and
 * compactions.
 */
public class IndexLayoutIT extends ClusterTest {

  private static final int ROWS = 200;

  private String table;
  private Connection connection;

  /** Values of each column, by the row key of the data in HBase. */
  private final SortedMap<byte[], Map<String, Object>> written = new TreeMap<>(Bytes::compareTo);

  @After
  public void close() throws Exception {
    connection.close();
  }

  private void createTable(String columns, String properties) throws Exception {
    table = generateUniqueName();
    connection = connect(PruningMode.EXACT);
    execute(connection, "CREATE TABLE " + table + " (" + columns + ") " + properties);
  }

  private void createIndexes(String dataTable, String... columns) throws Exception {
    for (int i = 0; i < columns.length; i++) {
      execute(
          connection,
          "CREATE LOCAL INDEX I" + i + "_" + dataTable + " ON " + dataTable + " " + columns[i]);
    }
  }

  /** Writes rows, and records their values in the order of the column names. */
  private void write(String dataTable, List<String> columns, Row row) throws Exception {
    try (PreparedStatement upsert =
        connection.prepareStatement(
            "UPSERT INTO %s (%s) VALUES (%s)"
                .formatted(
                    dataTable,
                    String.join(", ", columns),
                    String.join(", ", Collections.nCopies(columns.size(), "?"))))) {
      for (int i = 0; i < ROWS; i++) {
        Map<String, Object> values = new LinkedHashMap<>();
        Object[] ofRow = row.values(i);
        for (int c = 0; c < ofRow.length; c++) {
          values.put(columns.get(c), comparable(ofRow[c]));
        }
        execute(upsert, ofRow);
        written.put(uncommittedRow(), values);
        connection.rollback();
      }
      for (int i = 0; i < ROWS; i++) {
        execute(upsert, row.values(i));
      }
      connection.commit();
    }
    assertThat(written).hasSize(ROWS);
    Admin admin = getUtility().getAdmin();
    TableDescriptor descriptor = admin.getDescriptor(TableName.valueOf(table));
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(descriptor).setCompactionEnabled(false).build());
    admin.flush(TableName.valueOf(table));
  }

  private static void execute(PreparedStatement upsert, Object[] values) throws Exception {
    for (int i = 0; i < values.length; i++) {
      upsert.setObject(i + 1, values[i]);
    }
    upsert.execute();
  }

  private interface Row {
    Object[] values(int i);
  }

  private byte[] uncommittedRow() throws Exception {
    Iterator<Pair<byte[], List<Cell>>> tables =
        PhoenixRuntime.getUncommittedDataIterator(connection);
    while (tables.hasNext()) {
      for (Cell cell : tables.next().getSecond()) {
        if (!isOfIndex(CellUtil.cloneFamily(cell))) {
          return CellUtil.cloneRow(cell);
        }
      }
    }
    throw new AssertionError("nothing to commit");
  }

  private static boolean isOfIndex(byte[] family) {
    return Bytes.toString(family).startsWith(QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX);
  }

  private static Object comparable(Object value) {
    return value instanceof Number ? new BigDecimal(value.toString()).stripTrailingZeros() : value;
  }

  /**
   * Checks the index rows of {@code dataTable} with one region, and after each change of its
   * regions.
   */
  private void assertStoredThroughChanges(String dataTable) throws Exception {
    List<byte[]> keys = new ArrayList<>(written.keySet());
    byte[] first = keys.get(ROWS / 3);
    byte[] second = keys.get(2 * ROWS / 3);
    assertStored(dataTable);
    split(regions(table).get(regionOf(first)), first);
    assertStoredBeforeAndAfterCompaction(dataTable);
    split(regions(table).get(regionOf(second)), second);
    assertStoredBeforeAndAfterCompaction(dataTable);
    int from = regionOf(first) - 1;
    int to = regionOf(second);
    merge(regions(table).subList(from, to + 1).toArray(RegionInfo[]::new));
    assertStoredBeforeAndAfterCompaction(dataTable);
  }

  private int regionOf(byte[] row) throws Exception {
    List<RegionInfo> regions = regions(table);
    int region = 0;
    while (!regions.get(region).containsRow(row)) {
      region++;
    }
    return region;
  }

  private void assertStoredBeforeAndAfterCompaction(String dataTable) throws Exception {
    assertThat(hasReferenceFiles()).isTrue();
    assertStored(dataTable);
    new RegionChanges(getUtility()).compact(TableName.valueOf(table));
    assertThat(hasReferenceFiles()).isFalse();
    assertStored(dataTable);
  }

  private boolean hasReferenceFiles() {
    return getUtility().getHBaseCluster().getRegions(TableName.valueOf(table)).stream()
        .anyMatch(region -> region.hasReferences());
  }

  private void assertStored(String dataTable) throws Exception {
    PhoenixConnection phoenix = connection.unwrap(PhoenixConnection.class);
    List<IndexLayout> layouts = IndexLayout.allOf(phoenix, phoenix.getTable(dataTable));
    assertThat(layouts).isNotEmpty();
    int rows = 0;
    for (RegionInfo region : regions(table)) {
      Map<byte[], List<Cell>> data = scan(region, false);
      rows += data.size();
      Map<byte[], List<Cell>> stored = scan(region, true);
      assertThat(stored).as("%s", region).hasSize(layouts.size() * data.size());
      for (IndexLayout layout : layouts) {
        assertStored(layout, region, data, stored);
      }
      assertThat(stored).as("rows of no index").isEmpty();
    }
    assertThat(rows).isEqualTo(ROWS);
  }

  /**
   * Compares the index rows in {@code stored} with {@code data} in two ways: by the values read
   * from their row keys, and by the row keys that the data must have in the index. Removes the
   * compared rows from {@code stored}.
   */
  private void assertStored(
      IndexLayout layout,
      RegionInfo region,
      Map<byte[], List<Cell>> data,
      Map<byte[], List<Cell>> stored) {
    byte[] start = region.getStartKey();
    byte[] end = region.getEndKey();
    for (Map.Entry<byte[], List<Cell>> row : data.entrySet()) {
      byte[] indexRowKey = layout.indexRowKey(row.getKey(), row.getValue(), start, end);
      String what = layout + " " + region + ": " + Bytes.toStringBinary(indexRowKey);
      assertThat(stored).as(what).containsKey(indexRowKey);
      stored.remove(indexRowKey);
      IndexRow read = layout.read(indexRowKey, start, end);
      assertThat(read.dataRowKey()).as(what).isEqualTo(row.getKey());
      for (int i = 0; i < layout.key().size(); i++) {
        IndexKeyColumn column = layout.key().get(i);
        if (column.role() != IndexKeyColumn.Role.INDEX_ID) {
          assertThat(comparable(read.values().get(i)))
              .as("%s %s", column, what)
              .isEqualTo(expected(column.name(), written.get(row.getKey())));
        }
      }
    }
  }

  private static Object expected(String column, Map<String, Object> row) {
    if (column.equals("UPPER(S)")) {
      return row.get("S") == null ? null : ((String) row.get("S")).toUpperCase();
    }
    assertThat(row).containsKey(column);
    return row.get(column);
  }

  /** Returns the rows of a region: the index rows if {@code ofIndexes}, otherwise the data rows. */
  private Map<byte[], List<Cell>> scan(RegionInfo region, boolean ofIndexes) throws Exception {
    Scan scan = new Scan().withStartRow(region.getStartKey()).withStopRow(region.getEndKey());
    try (Table hTable = getUtility().getConnection().getTable(TableName.valueOf(table))) {
      for (byte[] family : hTable.getDescriptor().getColumnFamilyNames()) {
        if (isOfIndex(family) == ofIndexes) {
          scan.addFamily(family);
        }
      }
      Map<byte[], List<Cell>> rows = new TreeMap<>(Bytes::compareTo);
      try (ResultScanner scanner = hTable.getScanner(scan)) {
        for (Result result : scanner) {
          rows.put(result.getRow(), result.listCells());
        }
      }
      return rows;
    }
  }

  private static final String COLUMNS =
      "K1 VARCHAR NOT NULL, K2 INTEGER NOT NULL, K3 DECIMAL(10,2), V INTEGER, S VARCHAR(9),"
          + " A.D DATE, \"c\" CHAR(3) CONSTRAINT PK PRIMARY KEY (K1, K2 DESC, K3)";

  private static final List<String> NAMES = List.of("K1", "K2", "K3", "V", "S", "A.D", "\"c\"");

  private static final String[] INDEXES = {
    "(V) INCLUDE (S, A.D)",
    "(K1, V DESC)",
    "(K1, K2 DESC, A.D, \"c\") INCLUDE (V)",
    "(UPPER(S), K2)",
    "(\"c\" DESC, A.D DESC, V, K3 DESC)",
    "(K2, V)"
  };

  private static Object[] row(int i) {
    return new Object[] {
      "k" + i % 17,
      (i - 90) * 1_000,
      i % 4 == 0 ? null : BigDecimal.valueOf(i * 37L - 2_000, 2),
      i % 5 == 0 ? null : i % 7 - 3,
      i % 6 == 0 ? null : "s" + i % 11,
      i % 7 == 0 ? null : new Date(1_600_000_000_000L + i % 9 * 86_400_001L),
      i % 8 == 0 ? null : "c" + i % 10
    };
  }

  @Test
  public void storesTheIndexesOfATable() throws Exception {
    createTable(COLUMNS, "");
    createIndexes(table, INDEXES);
    write(table, NAMES, IndexLayoutIT::row);
    assertStoredThroughChanges(table);
  }

  @Test
  public void storesTheIndexesOfAnImmutableTable() throws Exception {
    createTable(COLUMNS, "IMMUTABLE_ROWS = TRUE, DEFAULT_COLUMN_FAMILY = 'F'");
    createIndexes(table, INDEXES);
    write(table, NAMES, IndexLayoutIT::row);
    assertStoredThroughChanges(table);
  }

  @Test
  public void storesTheIndexesOfASaltedTable() throws Exception {
    createTable(COLUMNS, "SALT_BUCKETS = 3, COLUMN_ENCODED_BYTES = 0");
    createIndexes(table, INDEXES);
    write(table, NAMES, IndexLayoutIT::row);
    assertStoredThroughChanges(table);
  }

  @Test
  public void storesTheIndexesOfAMultiTenantTable() throws Exception {
    createTable(COLUMNS, "MULTI_TENANT = TRUE");
    createIndexes(table, "(V)", "(K2, V)", "(UPPER(S), K2)", "(K2 DESC, K3, A.D)");
    write(table, NAMES, IndexLayoutIT::row);
    assertStoredThroughChanges(table);
  }

  @Test
  public void storesTheIndexesOfAView() throws Exception {
    createTable(COLUMNS, "");
    String view = generateUniqueName();
    execute(
        connection,
        "CREATE VIEW " + view + " (X INTEGER) AS SELECT * FROM " + table + " WHERE K1 = 'k'");
    createIndexes(view, "(V)", "(X) INCLUDE (V)", "(K2, X DESC)");
    List<String> names = new ArrayList<>(NAMES);
    names.add("X");
    write(
        view,
        names,
        i -> {
          Object[] row = Arrays.copyOf(row(i), names.size());
          row[0] = "k";
          row[names.size() - 1] = i % 3 == 0 ? null : i;
          return row;
        });
    assertStoredThroughChanges(view);
  }

  @Test
  public void storesTheIndexesOfATenantsView() throws Exception {
    createTable(COLUMNS, "MULTI_TENANT = TRUE");
    connection.close();
    connection = connect(Map.of(PhoenixRuntime.TENANT_ID_ATTRIB, "me"));
    String view = generateUniqueName();
    execute(connection, "CREATE VIEW " + view + " (X INTEGER) AS SELECT * FROM " + table);
    createIndexes(view, "(X)", "(K2, V)");
    List<String> names = new ArrayList<>(NAMES.subList(1, NAMES.size()));
    names.add("X");
    write(
        view,
        names,
        i -> {
          Object[] row = Arrays.copyOfRange(row(i), 1, names.size() + 1);
          row[names.size() - 1] = i % 3 == 0 ? null : i;
          return row;
        });
    written.values().forEach(row -> row.put("K1", "me"));
    assertStoredThroughChanges(view);
  }
}

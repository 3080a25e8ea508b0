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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phoenixpruning.it.differential.PatchSwitch;
import java.sql.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.mob.MobConstants;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.schema.types.PInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Tests local indexes whose large values HBase stores in MOB files, in regions that were split or
 * merged.
 */
public class MobFamilyIT extends ClusterTest {

  private static final List<String> QUERIES =
      List.of(
          "K, V, W FROM %s WHERE V = 5",
          "K, V, W, U FROM %s WHERE V IN (2, 5, 7)",
          "K, W FROM %s WHERE V < 6 AND K BETWEEN 13 AND 74",
          "V, COUNT(*), COUNT(W), MAX(W) FROM %s WHERE V >= 0 GROUP BY V",
          "K, V FROM %s WHERE W LIKE '2%%'",
          "K, V, W FROM %s WHERE V > 2 ORDER BY V, K",
          "K, V, W FROM %s WHERE V < 8 ORDER BY V DESC, K DESC");

  private static final byte[] INDEX_FAMILY = QueryConstants.DEFAULT_LOCAL_INDEX_COLUMN_FAMILY_BYTES;

  private static final int ROWS = 200;

  /** Number of rows with a large value. */
  private static final int REFERENCES = 133;

  private static final int MOB_THRESHOLD = 20;

  private String table;
  private Connection connection;

  /** Creates a table of two regions. Two of three values of W are large. */
  @Before
  public void createTable() throws Exception {
    table = generateUniqueName();
    connection = connect(PruningMode.EXACT);
    execute(
        connection,
        "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, W VARCHAR, U INTEGER) COLUMN_ENCODED_BYTES = NONE SPLIT ON (80)"
            .formatted(table),
        "CREATE LOCAL INDEX I_" + table + " ON " + table + " (V) INCLUDE (W)");
    setMob();
    upsertRows(connection, table, ROWS, k -> Arrays.asList(k, k % 10, value(k), 3 * k));
    flush();
    assertThat(references()).isEqualTo(REFERENCES);
  }

  private static String value(int k) {
    return (k + "-").repeat(k % 3 == 0 ? 1 : 15);
  }

  /** Disables compactions, so that only the tests compact. */
  private void setMob() throws Exception {
    Admin admin = getUtility().getAdmin();
    TableDescriptor descriptor = admin.getDescriptor(TableName.valueOf(table));
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(descriptor)
            .setCompactionEnabled(false)
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(descriptor.getColumnFamily(INDEX_FAMILY))
                    .setMobEnabled(true)
                    .setMobThreshold(MOB_THRESHOLD)
                    .setBlocksize(512)
                    .build())
            .build());
  }

  @After
  public void close() throws Exception {
    switchOn();
    connection.close();
  }

  private void flush() throws Exception {
    getUtility().getAdmin().flush(TableName.valueOf(table));
  }

  private static byte[] key(int k) {
    return PInteger.INSTANCE.toBytes(k);
  }

  private List<HRegion> hRegions() {
    return getUtility().getHBaseCluster().getRegions(TableName.valueOf(table));
  }

  private void assertThatFilesAreHalf(boolean half) {
    assertThat(hRegions().stream().anyMatch(HRegion::hasReferences)).isEqualTo(half);
  }

  private void compact() {
    new RegionChanges(getUtility()).compact(TableName.valueOf(table));
    assertThatFilesAreHalf(false);
  }

  /** Compacts as an operator's major compaction does, which also rewrites the MOB files. */
  private void compactMobFiles() throws Exception {
    for (HRegion region : hRegions()) {
      HStore store = region.getStore(INDEX_FAMILY);
      store.triggerMajorCompaction();
      Optional<CompactionContext> compaction =
          store.requestCompaction(Store.PRIORITY_USER, CompactionLifeCycleTracker.DUMMY, null);
      assertThat(
              region.compact(compaction.orElseThrow(), store, NoLimitThroughputController.INSTANCE))
          .isTrue();
      store.closeAndArchiveCompactedFiles();
    }
  }

  /** Returns the number of cells of the index whose values are in MOB files. */
  private int references() throws Exception {
    Scan scan = new Scan().addFamily(INDEX_FAMILY);
    scan.setAttribute(MobConstants.MOB_SCAN_RAW, Bytes.toBytes(true));
    int references = 0;
    try (Table hTable = getUtility().getConnection().getTable(TableName.valueOf(table));
        ResultScanner scanner = hTable.getScanner(scan)) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          // A reference starts with the length of the value, and a large value with a digit.
          boolean isLong = cell.getValueLength() > MOB_THRESHOLD;
          references += isLong && CellUtil.cloneValue(cell)[0] == 0 ? 1 : 0;
        }
      }
    }
    return references;
  }

  private String alongTheIndex(String query) {
    return "SELECT /*+ INDEX(" + table + " I_" + table + ") */ " + query.formatted(table);
  }

  private void assertThatRowsAreRight() throws Exception {
    Map<String, String> pages = Map.of(QueryServices.PHOENIX_SERVER_PAGE_SIZE_MS, "0");
    try (Connection none = connect(PruningMode.NONE);
        Connection paged = connect(pages)) {
      for (String query : QUERIES) {
        List<List<Object>> expected =
            rows(connection, "SELECT /*+ NO_INDEX */ " + query.formatted(table));
        assertThat(expected).as(query).isNotEmpty();
        for (Connection reader : List.of(connection, none, paged)) {
          assertThat(rows(reader, alongTheIndex(query))).as(query).isEqualTo(expected);
        }
      }
    }
  }

  private void splitAndRead(int region, int splitPoint) throws Exception {
    assertThatRowsAreRight();
    split(regions(table).get(region), key(splitPoint));
    assertThatFilesAreHalf(true);
    assertThatRowsAreRight();
    compact();
    assertThat(references()).isEqualTo(REFERENCES);
    assertThatRowsAreRight();
    compactMobFiles();
    assertThat(references()).isEqualTo(REFERENCES);
    assertThatRowsAreRight();
  }

  @Test
  public void readsTheValuesOfASplitRegion() throws Exception {
    splitAndRead(1, 140);
  }

  /** Tests the first region. Its index keys start with as many zero bytes as its end key has. */
  @Test
  public void readsTheValuesOfTheFirstRegion() throws Exception {
    splitAndRead(0, 40);
  }

  @Test
  public void readsTheValuesOfMergedRegions() throws Exception {
    List<RegionInfo> regions = regions(table);
    merge(regions.get(0), regions.get(1));
    assertThatFilesAreHalf(true);
    assertThatRowsAreRight();
    compact();
    splitAndRead(0, 120);
  }

  @Test
  public void readsValuesThatWereReplacedOrDeleted() throws Exception {
    for (int k = 0; k < ROWS; k += 5) {
      execute(
          connection,
          k % 2 == 0
              ? "DELETE FROM " + table + " WHERE K = " + k
              : "UPSERT INTO %s (K, W) VALUES (%d, '%s')".formatted(table, k, value(k + 1)));
    }
    connection.commit();
    flush();
    assertThatRowsAreRight();
    split(regions(table).get(1), key(140));
    assertThatFilesAreHalf(true);
    assertThatRowsAreRight();
    compactMobFiles();
    assertThatRowsAreRight();
  }

  private static void switchOn() throws ReflectiveOperationException {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
  }

  private static void switchOff() throws ReflectiveOperationException {
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn() && patch != Patch.MOB_INDEX);
  }

  /** Returns the large value of a row in the upper half of each split. */
  private Object valueOfUpperHalf() throws Exception {
    return rows(connection, alongTheIndex("K, W FROM %s WHERE V = 5 AND K = 175")).get(0).get(1);
  }

  /** HBase compacts the references under their new keys, which the MOB file does not have. */
  @Test
  public void losesValuesWithoutThePatch() throws Exception {
    assertThat(valueOfUpperHalf()).isEqualTo(value(175));
    switchOff();
    split(regions(table).get(1), key(140));
    assertThatFilesAreHalf(true);
    assertThat(valueOfUpperHalf()).isNull();
    compact();
    assertThat(valueOfUpperHalf()).isNull();

    switchOn();
    split(regions(table).get(2), key(160));
    assertThatFilesAreHalf(true);
    assertThatThrownBy(this::valueOfUpperHalf)
        .hasMessageContaining(
            "is not in its MOB file. An earlier split or merge without the patch");
    // The page of the patch says how to repair such an index.
    switchOff();
    compact();
    switchOn();
    execute(connection, "ALTER INDEX I_" + table + " ON " + table + " REBUILD");
    assertThatRowsAreRight();
    flush();
    compactMobFiles();
    assertThatRowsAreRight();
  }
}

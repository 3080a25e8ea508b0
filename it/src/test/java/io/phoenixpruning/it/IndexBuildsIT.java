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

import io.phoenixpruning.it.differential.PatchSwitch;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToLongFunction;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.jdbc.PhoenixTestDriver;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.schema.PTable;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.EncodedColumnsUtil;
import org.apache.phoenix.util.EnvironmentEdge;
import org.apache.phoenix.util.EnvironmentEdgeManager;
import org.junit.Test;

/**
 * Tests {@code CREATE LOCAL INDEX} and {@code ALTER INDEX ... REBUILD} on tables with rows. Also
 * checks that Phoenix's code is wrong if the patch is switched off.
 */
public class IndexBuildsIT extends IndexedTableTest {

  @Test
  public void rebuildsALocalIndex() throws Exception {
    rebuildsTheIndexOf("SPLIT ON (4, 8)");
  }

  @Test
  public void rebuildsALocalIndexOfASaltedTable() throws Exception {
    rebuildsTheIndexOf("SALT_BUCKETS = 3");
  }

  private void rebuildsTheIndexOf(String options) throws Exception {
    createTable(options);
    for (int k = 0; k < 10; k++) {
      execute(connection, "UPSERT INTO " + table + " VALUES (" + k + ", " + k % 3 + ", 7)");
    }
    execute(connection, "UPSERT INTO " + table + " (K, V) VALUES (1, 5)");
    for (int i = 0; i < 3; i++) {
      rebuild(table);
      assertThat(indexed("K, V, W")).as("round %s", i).hasSize(10).isEqualTo(stored("K, V, W"));
      execute(connection, "DELETE FROM " + table + " WHERE K = " + i);
      execute(connection, "UPSERT INTO " + table + " VALUES (" + i + ", 9, " + i + ")");
      execute(connection, "UPSERT INTO " + table + " (K, W) VALUES (5, " + i + ")");
      assertThat(indexed("K, V, W")).as("round %s", i).hasSize(10).isEqualTo(stored("K, V, W"));
    }
    leaveOut(Patch.LOCAL_INDEX_REBUILD);
    rebuild(table);
    assertThat(indexed("K")).as("without the patch").isEmpty();
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
    rebuild(table);
    assertThat(indexed("K, V, W")).as("healed").hasSize(10).isEqualTo(stored("K, V, W"));
  }

  /** Tests that a rebuild removes an extra entry and restores a missing one. */
  @Test
  public void rebuildsAnIndexThatDiffersFromItsTable() throws Exception {
    createTable("");
    String view = "W_" + table;
    execute(
        connection,
        "CREATE VIEW " + view + " AS SELECT * FROM " + table + " WHERE W = 1",
        "DROP INDEX " + index + " ON " + table,
        "CREATE LOCAL INDEX " + index + " ON " + view + " (V)",
        "UPSERT INTO " + view + " (K, V) VALUES (1, 10)",
        "UPSERT INTO " + view + " (K, V) VALUES (2, 20)");
    leaveOut(Patch.VIEW_INDEX_WRITES);
    execute(
        connection,
        "UPSERT INTO " + table + " VALUES (1, 11, 1)",
        "UPSERT INTO " + table + " VALUES (3, 30, 1)");
    PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
    String hint = "INDEX(" + view + " " + index + ")";
    assertThat(rows(hint, "K, V", view)).containsExactly(row(1, 10), row(2, 20));
    rebuild(view);
    assertThat(rows(hint, "K, V", view)).containsExactly(row(1, 11), row(2, 20), row(3, 30));
    rebuild(view);
    assertThat(rows(hint, "K, V", view)).containsExactly(row(1, 11), row(2, 20), row(3, 30));
  }

  /** A rebuilt row has a later timestamp than its data row, but must not live longer. */
  @Test
  public void rebuiltRowsExpireWithTheirDataRows() throws Exception {
    createTable("TTL = 86400");
    execute(connection, "UPSERT INTO " + table + " VALUES (1, 5, 7)");
    rebuild(table);
    assertThat(indexed("K, V, W")).containsExactly(row(1, 5, 7));
    try (RegionScanner scanner =
        getUtility()
            .getHBaseCluster()
            .getRegions(TableName.valueOf(table))
            .get(0)
            .getScanner(new Scan().addFamily(Bytes.toBytes("L#0")))) {
      List<Cell> cells = new ArrayList<>();
      scanner.next(cells);
      assertThat(cells).isNotEmpty();
      for (Cell cell : cells) {
        assertThat(PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE)).as("%s", cell).isPresent();
      }
    }
  }

  @Test
  public void rebuildsWhileRowsAreWritten() throws Exception {
    createTable("SPLIT ON (20, 40)");
    for (int k = 0; k < 60; k++) {
      execute(connection, "UPSERT INTO " + table + " VALUES (" + k + ", " + k + ", 0)");
    }
    AtomicBoolean isRunning = new AtomicBoolean(true);
    ExecutorService writers = Executors.newFixedThreadPool(3);
    try {
      List<Future<Integer>> written =
          List.of(
              writers.submit(() -> write(1, isRunning)),
              writers.submit(() -> write(2, isRunning)),
              writers.submit(() -> write(3, isRunning)));
      for (int i = 0; i < 15; i++) {
        rebuild(table);
      }
      isRunning.set(false);
      for (int i = 0; i < written.size(); i++) {
        assertThat(written.get(i).get()).as("writer %s", i + 1).isPositive();
      }
    } finally {
      writers.shutdownNow();
    }
    assertThat(indexed("K, V, W")).isEqualTo(stored("K, V, W")).isNotEmpty();
  }

  private int write(long seed, AtomicBoolean isRunning) throws SQLException {
    Random random = new Random(seed);
    int count = 0;
    try (Connection own = connect(PruningMode.EXACT);
        PreparedStatement upsert =
            own.prepareStatement("UPSERT INTO " + table + " (K, V) VALUES (?, ?)");
        PreparedStatement delete = own.prepareStatement("DELETE FROM " + table + " WHERE K = ?")) {
      while (isRunning.get()) {
        for (int i = 0; i < 5; i++) {
          int k = random.nextInt(60);
          if (random.nextInt(4) == 0) {
            delete.setInt(1, k);
            delete.execute();
          } else {
            upsert.setInt(1, k);
            upsert.setInt(2, random.nextInt(1000));
            upsert.execute();
          }
        }
        own.commit();
        count++;
      }
    }
    return count;
  }

  /**
   * Creates an index while its second scan reads only a part of some rows. Column W of each row has
   * its own millisecond within 20 s, because the start time of the second scan is unknown.
   */
  @Test
  public void buildsWholeIndexRowsTwice() throws Exception {
    int rows = 20_000;
    PhoenixTestDriver client = driver(Map.of(QueryServices.INDEX_POPULATION_SLEEP_TIME, "1"));
    try (Connection creator = client.connect(getUrl(), withASecondScan())) {
      for (boolean isPatched : List.of(true, false)) {
        table = generateUniqueName();
        index = "I_" + table;
        execute(
            creator,
            "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER)".formatted(table));
        PTable data = creator.unwrap(PhoenixConnection.class).getTableNoCache(table);
        writeAt(data, "V", k -> 1, rows);
        long start = EnvironmentEdgeManager.currentTimeMillis();
        writeAt(data, "W", k -> start + k, rows);
        if (!isPatched) {
          leaveOut(Patch.PARTIAL_BUILD);
        }
        execute(creator, "CREATE LOCAL INDEX %s ON %s (V)".formatted(index, table));
        assertThat(EnvironmentEdgeManager.currentTimeMillis())
            .as("with the patch: %s", isPatched)
            .isLessThan(start + rows);
        long found =
            ((Number)
                    rows(
                            creator,
                            "SELECT /*+ INDEX(%s %s) */ COUNT(*) FROM %1$s".formatted(table, index))
                        .get(0)
                        .get(0))
                .longValue();
        if (isPatched) {
          assertThat(found).as("with the patch").isEqualTo(rows);
        } else {
          assertThat(found).as("without the patch").isGreaterThan(rows);
        }
        PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
      }
    } finally {
      client.close();
    }
  }

  /** Deletes a row when it is read with a Get, as a client may between the scan and the Get. */
  public static final class DeletingObserver extends RegionHook {

    @Override
    public void preGetOp(
        ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> cells)
        throws IOException {
      context.getEnvironment().getRegion().delete(new Delete(get.getRow()));
    }
  }

  @Test
  public void buildsNoIndexRowsOfDeletedRows() throws Exception {
    int rows = 20_000;
    PhoenixTestDriver client = driver(Map.of(QueryServices.INDEX_POPULATION_SLEEP_TIME, "1"));
    try (Connection creator = client.connect(getUrl(), withASecondScan())) {
      execute(
          creator,
          "CREATE TABLE %s (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER)".formatted(table));
      addObserver(table, DeletingObserver.class);
      PTable data = creator.unwrap(PhoenixConnection.class).getTableNoCache(table);
      writeAt(data, "V", k -> 1, rows);
      long start = EnvironmentEdgeManager.currentTimeMillis();
      writeAt(data, "W", k -> start + k, rows);
      execute(creator, "CREATE LOCAL INDEX %s ON %s (V)".formatted(index, table));
      assertThat(rows(creator, "SELECT /*+ NO_INDEX */ K FROM " + table))
          .as("some rows were deleted while the index was built")
          .hasSizeBetween(1, rows - 1);
      assertThat(rows(creator, "SELECT K FROM %s WHERE V IS NULL".formatted(table))).isEmpty();
    } finally {
      client.close();
    }
  }

  /** Leaves out the patch that makes the second scan unnecessary. */
  private static Properties withASecondScan() {
    Properties properties = new Properties();
    properties.setProperty(PruningOptions.PATCHES, "all,-" + Patch.CONCURRENT_BUILD.id());
    return properties;
  }

  /** Writes a column and the empty column of all rows like an UPSERT, but with given timestamps. */
  private void writeAt(PTable data, String column, IntToLongFunction time, int rows)
      throws Exception {
    byte[] family = Bytes.toBytes("0");
    byte[] qualifier = data.getColumnForColumnName(column).getColumnQualifierBytes();
    byte[] empty = EncodedColumnsUtil.getEmptyKeyValueInfo(data).getFirst();
    List<Put> puts = new ArrayList<>();
    for (int k = 0; k < rows; k++) {
      puts.add(
          new Put(PInteger.INSTANCE.toBytes(k), time.applyAsLong(k))
              .addColumn(family, qualifier, PInteger.INSTANCE.toBytes(5))
              .addColumn(family, empty, QueryConstants.EMPTY_COLUMN_VALUE_BYTES));
    }
    try (Table stored = getUtility().getConnection().getTable(TableName.valueOf(table))) {
      stored.put(puts);
    }
  }

  /** Creates an index 900 s after the first write of a row that lives for 1,000 s. */
  @Test
  public void buildsIndexRowsThatExpireWithTheirDataRows() throws Exception {
    AtomicLong ahead = new AtomicLong();
    // DDL statements wait for procedures of HBase, so the clock must not stand still.
    EnvironmentEdgeManager.injectEdge(
        new EnvironmentEdge() {
          @Override
          public long currentTime() {
            return System.currentTimeMillis() + ahead.get();
          }
        });
    try {
      for (String columns : List.of("B.V INTEGER, A.U INTEGER", "U INTEGER, V INTEGER")) {
        for (boolean isPatched : List.of(true, false)) {
          table = generateUniqueName();
          index = "I_" + table;
          if (!isPatched) {
            leaveOut(Patch.BUILT_ROW);
          }
          execute(
              connection,
              "CREATE TABLE %s (K INTEGER PRIMARY KEY, %s) TTL = 1000, COLUMN_ENCODED_BYTES = 0"
                  .formatted(table, columns),
              "UPSERT INTO %s (K, U) VALUES (1, 6)".formatted(table));
          ahead.addAndGet(TimeUnit.SECONDS.toMillis(900));
          execute(
              connection,
              "UPSERT INTO %s (K, V) VALUES (1, 7)".formatted(table),
              "CREATE LOCAL INDEX %s ON %s (V) INCLUDE (U)".formatted(index, table));
          ahead.addAndGet(TimeUnit.SECONDS.toMillis(200));
          assertThat(stored("K, V, U"))
              .as("%s, with the patch: %s", columns, isPatched)
              .isEqualTo(List.of(row(1, 7, 6)));
          assertThat(indexed("K, V"))
              .as("%s, with the patch: %s", columns, isPatched)
              .isEqualTo(isPatched ? List.of(row(1, 7)) : List.of());
          PatchSwitch.switchPatchesOfJvm(patch -> !patch.isOptIn());
          // Drops the table now. After the clock is reset, its creation time would be in the
          // future.
          execute(connection, "DROP TABLE " + table);
        }
      }
    } finally {
      EnvironmentEdgeManager.reset();
    }
  }
}

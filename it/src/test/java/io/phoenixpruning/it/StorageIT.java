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

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.phoenix.jdbc.PhoenixConnection;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.schema.TableNotFoundException;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.EnvironmentEdgeManager;
import org.apache.phoenix.util.PhoenixRuntime;
import org.awaitility.Awaitility;
import org.junit.Before;
import org.junit.Test;

/**
 * Tests local indexes of tables that use special features of HBase: old versions, region replicas
 * and snapshots.
 */
public class StorageIT extends TableTest {

  private static final byte[] INDEX_FAMILY = QueryConstants.DEFAULT_LOCAL_INDEX_COLUMN_FAMILY_BYTES;

  /** Options that give a table the same column qualifiers as its clone. */
  private static final String PLAIN = "COLUMN_ENCODED_BYTES = 0";

  private String index;

  @Before
  public void nameIndex() {
    index = "I_" + table;
  }

  private void createTable(String options) throws SQLException {
    execute(
        connection,
        "CREATE TABLE " + table + " (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER) " + options,
        "CREATE LOCAL INDEX " + index + " ON " + table + " (V)");
  }

  private String along(String columns) {
    return "SELECT /*+ INDEX(" + table + " " + index + ") */ " + columns + " FROM " + table;
  }

  private String stored(String columns) {
    return "SELECT /*+ NO_INDEX */ " + columns + " FROM " + table;
  }

  private List<HRegion> openRegions() {
    return getUtility().getHBaseCluster().getRegions(TableName.valueOf(table));
  }

  private static Connection connectAt(long time, String patches) throws SQLException {
    return connect(
        Map.of(
            PhoenixRuntime.CURRENT_SCN_ATTRIB,
            Long.toString(time),
            PruningOptions.PATCHES,
            patches));
  }

  /** Returns a time after all that was written, and before all that will be written. */
  private static long now() {
    long written = EnvironmentEdgeManager.currentTimeMillis();
    awaitClockAfter(written + 2);
    return written + 2;
  }

  private static void awaitClockAfter(long time) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> EnvironmentEdgeManager.currentTimeMillis() > time);
  }

  /** Writes each row several times, so that V changes and takes an old value again. */
  private List<Long> writeVersions() throws SQLException {
    List<Long> times = new ArrayList<>();
    for (int step = 0; step < 10; step++) {
      for (int k = 0; k < 4; k++) {
        execute(
            connection,
            "UPSERT INTO " + table + " VALUES (" + k + ", " + (step + k) % 3 + ", " + step + ")");
      }
      if (step % 3 == 2) {
        execute(connection, "DELETE FROM " + table + " WHERE K = " + step % 4);
      }
      times.add(now());
    }
    return times;
  }

  private void flushAndCompact() throws IOException {
    for (HRegion region : openRegions()) {
      region.flush(true);
      region.compact(true);
    }
  }

  private int countWrong(List<Long> times, String patches, String condition) throws SQLException {
    int wrong = 0;
    for (long time : times) {
      try (Connection past = connectAt(time, patches)) {
        if (!rows(past, along("K, V, W") + condition)
            .equals(rows(past, stored("K, V, W") + condition))) {
          wrong++;
        }
      }
    }
    return wrong;
  }

  @Test
  public void readsPastRows() throws Exception {
    createTable("VERSIONS = 10, KEEP_DELETED_CELLS = true");
    List<Long> times = writeVersions();
    flushAndCompact();
    assertThat(countWrong(times, "all", " WHERE V = 1")).isZero();
    assertThat(countWrong(times, "all", " WHERE V > 0")).isZero();
    assertThat(countWrong(times, "all,-" + Patch.PAST_ROWS.id(), " WHERE V = 1"))
        .as("without the patch")
        .isPositive();
    try (Connection past = connectAt(times.get(2), "all")) {
      assertThat(explain(past, along("K") + " WHERE V = 1").toString()).doesNotContain(index);
    }
    assertThat(explain(connection, along("K") + " WHERE V = 1").toString()).contains(index);
  }

  /** Tests a table without old versions. A connection at an SCN still reads along its index. */
  @Test
  public void readsAlongTheIndexIfTheTableKeepsNoPastRows() throws Exception {
    createTable("");
    execute(connection, "UPSERT INTO " + table + " VALUES (1, 1, 1)");
    try (Connection past = connectAt(now(), "all")) {
      assertThat(explain(past, along("K") + " WHERE V = 1").toString()).contains(index);
      assertThat(rows(past, along("K") + " WHERE V = 1")).hasSize(1);
    }
    execute(connection, "ALTER TABLE " + table + " SET VERSIONS = 3");
    try (Connection past = connectAt(now(), "all")) {
      assertThat(explain(past, along("K") + " WHERE V = 1").toString()).doesNotContain(index);
      assertThat(rows(past, along("K") + " WHERE V = 1")).hasSize(1);
    }
  }

  /** Holds the scans of primary regions. */
  public static final class HeldPrimary extends RegionHook {

    private static volatile CountDownLatch arrived = new CountDownLatch(1);
    private static volatile CountDownLatch released = new CountDownLatch(0);

    static void hold() {
      arrived = new CountDownLatch(1);
      released = new CountDownLatch(1);
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
        throws IOException {
      if (context.getEnvironment().getRegionInfo().getReplicaId()
          == RegionInfo.DEFAULT_REPLICA_ID) {
        arrived.countDown();
        try {
          released.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
    }
  }

  /**
   * Only the family of the index is flushed, so the replica has the rows of the index without their
   * data rows. HBase reads the replica if the primary region takes long.
   */
  @Test
  public void readsThePrimaryRegionAlongALocalIndex() throws Exception {
    createTable("");
    Admin admin = getUtility().getAdmin();
    TableName name = TableName.valueOf(table);
    TableDescriptor descriptor = admin.getDescriptor(name);
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(descriptor)
            .setRegionReplication(2)
            .setCoprocessor(HeldPrimary.class.getName())
            .build());
    getUtility().waitUntilAllRegionsAssigned(name);
    for (int k = 0; k < 5; k++) {
      execute(connection, "UPSERT INTO " + table + " VALUES (" + k + ", 1, " + k + ")");
    }
    List<List<Object>> right = rows(connection, stored("K, W"));
    assertThat(right).hasSize(5);
    admin.flush(name, INDEX_FAMILY);
    for (HRegion region : openRegions()) {
      if (region.getRegionInfo().getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID) {
        region.refreshStoreFiles();
      }
    }
    // The cached locations are older than the replicas of the table.
    connection
        .unwrap(PhoenixConnection.class)
        .getQueryServices()
        .clearTableRegionCache(TableName.valueOf(table));
    String query = along("K, W") + " WHERE V = 1";
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      HeldPrimary.hold();
      Future<List<List<Object>>> held = executor.submit(() -> readTimeline("all", query));
      HeldPrimary.arrived.await();
      HeldPrimary.released.countDown();
      assertThat(held.get(1, TimeUnit.MINUTES)).isEqualTo(right);
      HeldPrimary.hold();
      held = executor.submit(() -> readTimeline("all,-" + Patch.TIMELINE_READ.id(), query));
      assertThat(held.get(1, TimeUnit.MINUTES))
          .as("without the patch")
          .isNotEqualTo(right)
          .hasSize(5);
    } finally {
      HeldPrimary.released.countDown();
      executor.shutdownNow();
    }
  }

  /**
   * Takes a snapshot after a split that no compaction follows, and adds its clone to the catalog.
   * The files of the clone have index rows of other regions.
   */
  private String createClone() throws Exception {
    Admin admin = getUtility().getAdmin();
    TableName name = TableName.valueOf(table);
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
            .setCompactionEnabled(false)
            .build());
    for (int k = 0; k < 60; k++) {
      execute(connection, "UPSERT INTO " + table + " VALUES (" + k + ", " + k % 7 + ", " + k + ")");
    }
    admin.flush(name);
    split(regions(table).get(1), PInteger.INSTANCE.toBytes(40));
    String snapshot = "S_" + table;
    String clone = "C_" + table;
    admin.snapshot(snapshot, name);
    admin.cloneSnapshot(snapshot, TableName.valueOf(clone));
    execute(
        connection,
        "CREATE TABLE " + clone + " (K INTEGER PRIMARY KEY, V INTEGER, W INTEGER) " + PLAIN);
    return clone;
  }

  @Test
  public void refusesALocalIndexOnACloneThatHasIndexRows() throws Exception {
    createTable(PLAIN + " SPLIT ON (20)");
    table = createClone();
    index = "J_" + table;
    String creation = "CREATE LOCAL INDEX " + index + " ON " + table + " (V)";
    String view = "V_" + table;
    execute(connection, "CREATE VIEW " + view + " AS SELECT * FROM " + table + " WHERE W = 3");
    for (String refused :
        List.of(creation, "CREATE LOCAL INDEX VI_" + table + " ON " + view + " (V)")) {
      assertThatThrownBy(() -> execute(connection, refused))
          .as(refused)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("already has index rows in L#0")
          .hasMessageContaining("alter '" + table + "', 'delete' => 'L#0'");
    }
    List<List<Object>> right = rows(connection, stored("K, W"));
    assertThat(right).hasSize(60);
    getUtility().getAdmin().deleteColumnFamily(TableName.valueOf(table), INDEX_FAMILY);
    execute(connection, creation);
    assertThat(rows(connection, along("K, W") + " WHERE V >= 0")).isEqualTo(right);
    execute(
        connection,
        "DROP INDEX " + index + " ON " + table,
        creation,
        "CREATE LOCAL INDEX VI_" + table + " ON " + view + " (V)");
    assertThat(rows(connection, along("K, W") + " WHERE V >= 0")).isEqualTo(right);
  }

  @Test
  public void findsRowsOfOtherRegionsInACloneWithoutThePatch() throws Exception {
    createTable(PLAIN + " SPLIT ON (20)");
    table = createClone();
    index = "J_" + table;
    try (Connection creator = connect(allBut(Patch.FOREIGN_ROWS))) {
      execute(creator, "CREATE LOCAL INDEX " + index + " ON " + table + " (V)");
    }
    assertThat(rows(connection, along("K") + " WHERE V >= 0")).hasSizeGreaterThan(60);
  }

  private static List<List<Object>> readTimeline(String patches, String query) throws SQLException {
    try (Connection reader = connect(Map.of(PruningOptions.PATCHES, patches))) {
      execute(reader, "ALTER SESSION SET CONSISTENCY = 'TIMELINE'");
      return rows(reader, query);
    }
  }

  /**
   * Tests names with a dot. Phoenix reads the name of the table as the table {@code x} in the
   * schema {@code t}, with and without namespace mapping.
   */
  @Test
  public void refusesALocalIndexOnATableWithADotInItsName() throws Exception {
    for (String patches : List.of("all", "all,-" + Patch.DOTTED_NAME.id())) {
      boolean isPatched = patches.equals("all");
      String dotted = "\"" + generateUniqueName() + ".x\"";
      try (Connection creator = connect(Map.of(PruningOptions.PATCHES, patches))) {
        creator.setAutoCommit(true);
        execute(
            creator,
            "CREATE TABLE " + dotted + " (K INTEGER PRIMARY KEY, V INTEGER)",
            "UPSERT INTO " + dotted + " VALUES (1, 1)");
        String creation = "CREATE LOCAL INDEX " + index + " ON " + dotted + " (V)";
        if (isPatched) {
          assertThatThrownBy(() -> execute(creator, creation))
              .as("with the patch")
              .isInstanceOf(SQLFeatureNotSupportedException.class)
              .hasMessageContaining("Cannot create the local index " + index)
              .hasMessageContaining("Expected a table in a schema, or without a dot in its name");
        } else {
          assertThatThrownBy(() -> execute(creator, creation))
              .as("without the patch")
              .isInstanceOf(TableNotFoundException.class);
        }
        String query = "SELECT K FROM " + dotted + " WHERE V = 1";
        if (isPatched) {
          assertThat(rows(creator, query)).as("with the patch").hasSize(1);
        } else {
          assertThatThrownBy(() -> rows(creator, query))
              .as("without the patch")
              .isInstanceOf(TableNotFoundException.class);
          removeFromTheCatalog(dotted.replace("\"", ""));
        }
      }
    }
  }

  /** Removes a table that Phoenix cannot drop, because it does not find the index of the table. */
  private void removeFromTheCatalog(String dotted) throws Exception {
    for (String name : List.of(dotted, index)) {
      execute(
          connection,
          "DELETE FROM SYSTEM.CATALOG WHERE TABLE_SCHEM IS NULL AND TABLE_NAME = '" + name + "'");
    }
    getUtility().deleteTable(TableName.valueOf(dotted));
  }

  @Test
  public void createsALocalIndexWithADotInItsName() throws Exception {
    index = "\"i." + table + "\"";
    table = "S." + "\"" + table + ".x\"";
    createTable("");
    execute(connection, "UPSERT INTO " + table + " VALUES (1, 1, 1)");
    assertThat(rows(connection, along("K, W") + " WHERE V = 1")).hasSize(1);
  }
}

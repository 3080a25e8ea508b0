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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.phoenix.compile.QueryPlan;
import org.apache.phoenix.iterate.TableSnapshotResultIterator;
import org.apache.phoenix.jdbc.PhoenixStatement;
import org.apache.phoenix.log.LogLevel;
import org.apache.phoenix.mapreduce.PhoenixInputSplit;
import org.apache.phoenix.monitoring.ScanMetricsHolder;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.ByteUtil;
import org.junit.After;
import org.junit.Test;

/** Tests MapReduce jobs that read a snapshot of a table with a local index. */
public class MapReduceSnapshotIT extends TableTest {

  private static final String WITHOUT = "all,-" + Patch.SNAPSHOT_READ.id();

  private String snapshot;

  @After
  public void close() throws Exception {
    if (snapshot != null) {
      getUtility().getAdmin().deleteSnapshot(snapshot);
    }
  }

  /** Creates a table with 600 rows, of which 60 have V = 3. */
  private void createTable(String options) throws Exception {
    MapReduceTable.create(connection, table, options);
    execute(connection, "CREATE LOCAL INDEX I_" + table + " ON " + table + " (V) INCLUDE (W)");
    MapReduceTable.write(connection, table, 600, 10);
  }

  private void takeSnapshot() throws Exception {
    takeSnapshotOf(table);
  }

  private void takeSnapshotOf(String taken) throws Exception {
    snapshot = "S_" + generateUniqueName();
    getUtility().getAdmin().snapshot(snapshot, TableName.valueOf(taken));
  }

  private MapReduceInput input(String patches, String query) throws Exception {
    return MapReduceInput.ofSnapshot(
        getUtility().getConfiguration(),
        new HashMap<>(Map.of(PruningOptions.PATCHES, patches)),
        snapshot,
        table,
        getUtility().getDataTestDir("restored"),
        query);
  }

  private List<List<Object>> read(String patches, String query) throws Exception {
    MapReduceInput input = input(patches, query);
    return input.rows(input.splits());
  }

  private List<List<Object>> stored(String query) throws Exception {
    List<List<Object>> rows =
        rows(connection, query.replaceFirst("SELECT ", "SELECT /*+ NO_INDEX */ "));
    assertThat(rows).as(query).isNotEmpty();
    return rows;
  }

  private void assertReads(String query) throws Exception {
    assertThat(read("all", query)).as(query).isEqualTo(stored(query));
  }

  private void assertReadsOnlyWithThePatch(String query) throws Exception {
    assertReads(query);
    assertThat(read(WITHOUT, query)).as("without the patch").isNotEqualTo(stored(query));
  }

  private String select(String columns, String where) {
    return "SELECT " + columns + " FROM " + table + where;
  }

  @Test
  public void readsEachRowOnce() throws Exception {
    createTable("SPLIT ON (10, 20, 30, 40, 50)");
    takeSnapshot();
    assertThat(stored(select("PK1, PK2", " WHERE V = 3"))).hasSize(60);
    assertReadsOnlyWithThePatch(select("PK1, PK2", " WHERE V = 3"));
    assertReadsOnlyWithThePatch(select("PK1, V, W", " WHERE V = 3 AND W > 1"));
    assertReads(select("PK1, PK2, V, W", " WHERE V IN (3, 5) AND PK1 > 12"));
    assertReads(select("PK1, PK2, V, W, X", " WHERE V = 3 AND PK1 > 12"));
  }

  /**
   * Tests that index rows, which are in the same regions as data rows, are not read as data rows.
   */
  @Test
  public void readsNoRowsOfTheIndex() throws Exception {
    createTable("SPLIT ON (20, 40)");
    takeSnapshot();
    assertReads(select("*", ""));
    assertReads(select("PK1, PK2", ""));
    assertReads(select("X", " WHERE PK1 IN (7, 23)"));
    assertReads(select("PK2", " WHERE W = 3"));
  }

  @Test
  public void readsASaltedTable() throws Exception {
    createTable("SALT_BUCKETS = 4");
    takeSnapshot();
    assertReadsOnlyWithThePatch(select("PK1, PK2", " WHERE V = 3"));
    assertReads(select("*", " WHERE PK1 < 9"));
  }

  @Test
  public void readsAView() throws Exception {
    createTable("SPLIT ON (20, 40)");
    String view = "V_" + table;
    execute(
        connection,
        "CREATE VIEW " + view + " (Y INTEGER) AS SELECT * FROM " + table + " WHERE W = 3",
        "CREATE LOCAL INDEX VI_" + table + " ON " + view + " (Y)",
        "UPSERT INTO " + view + " (PK1, PK2, V, Y) SELECT PK1, PK2, V, PK2 FROM " + view);
    takeSnapshot();
    assertReadsOnlyWithThePatch("SELECT PK1, PK2 FROM " + view + " WHERE V = 3");
    assertReadsOnlyWithThePatch("SELECT PK1, PK2 FROM " + view + " WHERE Y = 5");
    assertReads("SELECT * FROM " + view);
  }

  /** Tests a global index. The rows of this index are not in the snapshot. */
  @Test
  public void readsTheTableInsteadOfAGlobalIndex() throws Exception {
    createTable("SPLIT ON (20, 40)");
    execute(
        connection,
        "DROP INDEX I_" + table + " ON " + table,
        "CREATE INDEX G_" + table + " ON " + table + " (V) INCLUDE (W)");
    takeSnapshot();
    String query = select("PK1, PK2, W", " WHERE V = 3");
    assertReadsOnlyWithThePatch(query);
    getUtility().getAdmin().deleteSnapshot(snapshot);
    takeSnapshotOf("G_" + table);
    assertReads(query);
    assertThatThrownBy(() -> read("all", query.replaceFirst("SELECT ", "SELECT /*+ NO_INDEX */ ")))
        .hasMessageContaining(
            "The snapshot " + snapshot + " cannot be read with a plan for " + table + ". Expected")
        .hasMessageContaining("for the table G_" + table);
  }

  @Test
  public void readsTheSnapshotAfterTheTableHasChanged() throws Exception {
    createTable("SPLIT ON (20, 40)");
    String query = select("PK1, PK2, X", " WHERE V = 3");
    String covered = select("PK1, W", " WHERE V = 3");
    List<List<Object>> rows = stored(query);
    List<List<Object>> coveredRows = stored(covered);
    takeSnapshot();
    MapReduceInput input = input("all", query);
    List<PhoenixInputSplit> splits = input.splits();
    RegionInfo region = regions(table).get(1);
    split(region, ByteUtil.concat(PInteger.INSTANCE.toBytes(30), new byte[Integer.BYTES]));
    List<RegionInfo> regions = regions(table);
    merge(regions.get(2), regions.get(3));
    execute(connection, "DELETE FROM " + table + " WHERE PK1 > 25");
    assertThat(input.rows(splits)).isEqualTo(rows);
    assertThat(read("all", query)).isEqualTo(rows);
    assertThat(read("all", covered)).isEqualTo(coveredRows);
  }

  @Test
  public void refusesToReadAlongTheIndex() throws Exception {
    createTable("SPLIT ON (20, 40)");
    takeSnapshot();
    String hinted =
        select("PK1, PK2", " WHERE V = 3")
            .replaceFirst("SELECT ", "SELECT /*+ INDEX(" + table + " I_" + table + ") */ ");
    String ofIndex = "SELECT \":PK1\", \":PK2\" FROM I_" + table + " WHERE \"0:V\" = 3";
    for (String query : List.of(hinted, ofIndex)) {
      assertThatThrownBy(() -> read("all", query))
          .as(query)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(
              "The snapshot " + snapshot + " cannot be read with a plan for the local index I_")
          .hasMessageContaining("Expected a plan for the table " + table + ". Select from");
    }
    assertThat(read(WITHOUT, hinted)).as("without the patch").hasSizeGreaterThan(60);
  }

  /** Tests scans that were planned without the patch. */
  @Test
  public void refusesScansOfTheIndex() throws Exception {
    createTable("SPLIT ON (20, 40)");
    takeSnapshot();
    String query = select("PK1, PK2", " WHERE V = 3");
    List<PhoenixInputSplit> splits = input(WITHOUT, query).splits();
    assertThatThrownBy(() -> input("all", query).rows(splits))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Scans were planned for I_" + table + ", but this reader has");
    assertThat(input(WITHOUT, query).rows(splits)).as("without the patch").hasSizeGreaterThan(60);
    assertThatThrownBy(() -> open("all", splits.get(0).getScans().get(0)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be read with a scan of a local index. Expected");
    open(WITHOUT, splits.get(0).getScans().get(0)).close();
  }

  /** Opens a scan of the snapshot as a reader other than Phoenix's does. */
  private TableSnapshotResultIterator open(String patches, Scan scan) throws Exception {
    String query = select("PK1, PK2", " WHERE V = 3");
    try (Connection reader = connect(Map.of(PruningOptions.PATCHES, patches));
        PhoenixStatement statement = reader.createStatement().unwrap(PhoenixStatement.class)) {
      QueryPlan plan = statement.optimizeQuery(query);
      ScanMetricsHolder metrics =
          ScanMetricsHolder.getInstance(
              plan.getContext().getReadMetricsQueue(), table, scan, LogLevel.OFF);
      return new TableSnapshotResultIterator(
          input(patches, query).configuration(),
          scan,
          metrics,
          plan.getContext(),
          true,
          Long.MAX_VALUE);
    }
  }

  /** Phoenix reads no aggregates from a snapshot. */
  @Test
  public void refusesAggregates() throws Exception {
    createTable("SPLIT ON (20, 40)");
    takeSnapshot();
    for (String patches : List.of("all", WITHOUT)) {
      assertThatThrownBy(() -> read(patches, select("COUNT(*)", " WHERE V = 3")))
          .as(patches)
          .hasStackTraceContaining("Snapshot M/R jobs not available for aggregate queries");
    }
  }
}

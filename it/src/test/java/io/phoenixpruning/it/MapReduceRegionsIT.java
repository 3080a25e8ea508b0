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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.phoenix.mapreduce.PhoenixInputFormat;
import org.apache.phoenix.mapreduce.PhoenixInputSplit;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.schema.StaleRegionBoundaryCacheException;
import org.apache.phoenix.schema.types.PInteger;
import org.apache.phoenix.util.ByteUtil;
import org.apache.phoenix.util.ScanUtil;
import org.junit.Test;

/**
 * Tests MapReduce jobs whose regions split, merge or move after the driver has planned the splits.
 * Together, the splits return each row once.
 */
public class MapReduceRegionsIT extends TableTest {

  private static final String SPLIT_BY_STATISTICS = "phoenix.mapreduce.split.by.stats";

  /** A change of regions. */
  private interface Change {
    void apply() throws Exception;
  }

  /** Creates a table with 500 rows. Each key PK1 from 0 to 49 has 10 rows with V from 0 to 9. */
  private void createTable(String options) throws Exception {
    MapReduceTable.create(connection, table, options);
    execute(
        connection,
        "CREATE LOCAL INDEX N_" + table + " ON " + table + " (V) INCLUDE (W)",
        "CREATE LOCAL INDEX R_" + table + " ON " + table + " (PK1, V)");
    MapReduceTable.write(connection, table, 500, 10);
  }

  private String hinted(String hint, String columns, String from, String where) {
    return "SELECT /*+ " + hint + " */ " + columns + " FROM " + from + where;
  }

  private List<String> queries() {
    String natural = "INDEX(" + table + " N_" + table + ")";
    String rearranged = "INDEX(" + table + " R_" + table + ")";
    return List.of(
        hinted(natural, "PK1, PK2, W", table, " WHERE V = 3"),
        hinted(natural, "PK1, PK2, X", table, " WHERE V = 3"),
        hinted(natural, "PK1, PK2, X", table, " WHERE V IN (1, 3) AND PK1 > 12 AND W = 1"),
        hinted(natural, "PK1, PK2, V", table, " WHERE V > 5 ORDER BY V DESC, PK1 DESC, PK2 DESC"),
        hinted(natural, "V", table, " WHERE V < 4 GROUP BY V"),
        hinted(rearranged, "PK1, PK2, V", table, " WHERE PK1 BETWEEN 7 AND 45 AND V = 3"),
        hinted(rearranged, "PK1, X", table, " WHERE PK1 IN (3, 14, 16, 24, 35, 48) AND V > 3"),
        hinted("NO_INDEX", "PK1, PK2", table, " WHERE V = 3"));
  }

  private MapReduceInput input(Map<String, String> settings, String query) {
    return MapReduceInput.of(getUtility().getConfiguration(), settings, table, query);
  }

  private List<List<Object>> expected(String query) throws Exception {
    List<List<Object>> rows =
        new ArrayList<>(rows(connection, query.replaceFirst("/\\*.*\\*/", "/*+ NO_INDEX */")));
    assertThat(rows).as(query).isNotEmpty();
    rows.sort(Comparator.comparing(List::toString));
    return rows;
  }

  /** Sorts rows, and merges groups, because each scan returns its own part of a group. */
  private static List<List<Object>> comparable(String query, List<List<Object>> rows) {
    List<List<Object>> comparable = new ArrayList<>();
    for (List<Object> row : rows) {
      if (!(query.contains("GROUP BY") || query.contains("DISTINCT"))
          || !comparable.contains(row)) {
        comparable.add(row);
      }
    }
    comparable.sort(Comparator.comparing(List::toString));
    return comparable;
  }

  private static byte[] key(int pk1) {
    return ByteUtil.concat(PInteger.INSTANCE.toBytes(pk1), new byte[Integer.BYTES]);
  }

  private RegionInfo regionOf(byte[] key) throws Exception {
    for (RegionInfo region : regions(table)) {
      if (region.containsRow(key)) {
        return region;
      }
    }
    throw new AssertionError("no region has " + Arrays.toString(key));
  }

  private void splitAt(int pk1) throws Exception {
    split(regionOf(key(pk1)), key(pk1));
  }

  private void mergeAround(int pk1) throws Exception {
    merge(regionOf(key(pk1 - 1)), regionOf(key(pk1)));
  }

  /** Closes a region and opens it again, as a move does. */
  private void reopen(RegionInfo region) throws Exception {
    Admin admin = getUtility().getAdmin();
    admin.unassign(region.getRegionName(), true);
    admin.assign(region.getRegionName());
    getUtility().waitUntilAllRegionsAssigned(region.getTable());
  }

  private void changeRegions() throws Exception {
    splitAt(15);
    mergeAround(30);
    reopen(regionOf(key(45)));
  }

  /** Applies {@code change} between planning and reading. */
  private void assertReadsAfter(Map<String, String> settings, List<String> queries, Change change)
      throws Exception {
    Map<String, List<PhoenixInputSplit>> planned = new HashMap<>();
    for (String query : queries) {
      planned.put(query, input(settings, query).splits());
    }
    change.apply();
    for (String query : queries) {
      assertThat(comparable(query, input(settings, query).rows(planned.get(query))))
          .as(query)
          .isEqualTo(expected(query));
    }
  }

  @Test
  public void readsSplitsThatWerePlannedBeforeRegionsChanged() throws Exception {
    createTable("SPLIT ON (10, 20, 30, 40)");
    assertReadsAfter(Map.of(), queries(), this::changeRegions);
  }

  @Test
  public void readsSplitsThatWerePlannedBeforeRegionsMergedAndSplitAgain() throws Exception {
    createTable("SPLIT ON (10, 20, 30, 40)");
    assertReadsAfter(
        Map.of(PruningOptions.MODE, "none"),
        queries(),
        () -> {
          merge(regions(table).toArray(new RegionInfo[0]));
          splitAt(25);
        });
  }

  /** Tests grouped queries whose tasks would choose an index that was created after planning. */
  @Test
  public void readsGroupsAlongThePlannedIndexAfterRegionsChanged() throws Exception {
    createTable("SPLIT ON (10, 20, 30, 40)");
    String planned = "I_" + table;
    execute(connection, "CREATE LOCAL INDEX " + planned + " ON " + table + " (W) INCLUDE (V)");
    List<String> queries =
        List.of(
            hinted("", "V", table, " WHERE W = 1 AND V > 2 GROUP BY V"),
            hinted("", "DISTINCT V, PK2", table, " WHERE W = 1 AND V > 2 AND PK1 > 12"),
            hinted("", "V", table, " WHERE W = 1 AND V > 2 GROUP BY V HAVING V < 7"),
            hinted("", "V", table, " WHERE W = 1 AND V > 2 GROUP BY V ORDER BY V DESC"));
    assertScanned(planned, queries);
    assertReadsAfter(
        Map.of(),
        queries,
        () -> {
          changeRegions();
          execute(connection, "CREATE LOCAL INDEX J_" + table + " ON " + table + " (W, V)");
          assertScanned("J_" + table, queries);
        });
  }

  private void assertScanned(String index, List<String> queries) throws Exception {
    for (String query : queries) {
      assertThat(attributes(connection, query).getTableName())
          .as(query)
          .isEqualTo(index + "(" + table + ")");
    }
  }

  @Test
  public void readsSplitsWithSeveralScans() throws Exception {
    createTable("SPLIT ON (20)");
    execute(connection, "UPDATE STATISTICS " + table);
    List<String> queries = queries().subList(0, 5);
    assertThat(input(Map.of(), queries.get(0)).splits().size()).isGreaterThan(4);
    Map<String, String> together = Map.of(SPLIT_BY_STATISTICS, "false");
    assertThat(input(together, queries.get(0)).splits().get(0).getScans().size()).isGreaterThan(2);
    assertReadsAfter(Map.of(), queries, () -> splitAt(10));
    assertReadsAfter(
        together,
        queries,
        () -> {
          splitAt(30);
          mergeAround(20);
        });
  }

  @Test
  public void readsSplitsOfASaltedTable() throws Exception {
    createTable("SALT_BUCKETS = 4");
    assertReadsAfter(
        Map.of(),
        queries(),
        () -> {
          List<RegionInfo> regions = regions(table);
          merge(regions.get(0), regions.get(1));
          split(regions.get(2), ByteUtil.concat(new byte[] {2}, key(20)));
          reopen(regions.get(3));
        });
  }

  @Test
  public void readsSplitsOfAView() throws Exception {
    createTable("SPLIT ON (10, 20, 30, 40)");
    String view = "V_" + table;
    execute(
        connection,
        "CREATE VIEW " + view + " (Y INTEGER) AS SELECT * FROM " + table + " WHERE W = 1",
        "CREATE LOCAL INDEX VI_" + table + " ON " + view + " (Y)",
        "UPSERT INTO " + view + " (PK1, PK2, V, Y) SELECT PK1, PK2, V, PK2 FROM " + view);
    assertReadsAfter(
        Map.of(),
        List.of(
            hinted("INDEX(" + view + " VI_" + table + ")", "PK1, PK2", view, " WHERE Y = 4"),
            hinted("INDEX(" + view + " VI_" + table + ")", "PK1, X", view, " WHERE Y = 4"),
            hinted("INDEX(" + view + " N_" + table + ")", "PK1, X", view, " WHERE V = 3")),
        this::changeRegions);
  }

  @Test
  public void readsSplitsWhoseRegionsChangeBeforeTheFirstRow() throws Exception {
    createTable("SPLIT ON (10, 20, 30, 40)");
    Map<String, List<RecordReader<NullWritable, MapReduceInput.Row>>> readers = new HashMap<>();
    for (String query : queries()) {
      MapReduceInput input = input(Map.of(), query);
      readers.put(query, new ArrayList<>());
      for (PhoenixInputSplit split : input.splits()) {
        RecordReader<NullWritable, MapReduceInput.Row> reader = input.reader(split);
        reader.initialize(split, input.task());
        readers.get(query).add(reader);
      }
    }
    changeRegions();
    for (String query : queries()) {
      List<List<Object>> rows = new ArrayList<>();
      for (RecordReader<NullWritable, MapReduceInput.Row> reader : readers.get(query)) {
        rows.addAll(MapReduceInput.remainingRows(reader));
        reader.close();
      }
      assertThat(comparable(query, rows)).as(query).isEqualTo(expected(query));
    }
  }

  /**
   * Tests that a reader stops if its region changes after a row, and that the task's next attempt
   * succeeds.
   */
  @Test
  public void failsIfARegionChangesAfterTheFirstRow() throws Exception {
    createTable("SPLIT ON (10, 20, 30, 40)");
    String query = queries().get(1);
    MapReduceInput input = input(Map.of(), query);
    List<PhoenixInputSplit> splits = input.splits();
    assertThat(splits).hasSize(5);
    for (PhoenixInputSplit split : splits) {
      split.getScans().forEach(scan -> scan.setCaching(1));
    }
    assertFailsAfterARow(input, splits.get(1), () -> splitAt(15));
    assertFailsAfterARow(input, splits.get(2), () -> mergeAround(30));
    assertFailsAfterARow(input, splits.get(4), () -> reopen(regionOf(key(45))));
    assertThat(input.rows(splits)).as("the next attempts").isEqualTo(expected(query));
  }

  private static void assertFailsAfterARow(
      MapReduceInput input, PhoenixInputSplit split, Change change) throws Exception {
    String key = Bytes.toStringBinary(split.getScans().get(0).getStartRow());
    try (RecordReader<NullWritable, MapReduceInput.Row> reader = input.reader(split)) {
      reader.initialize(split, input.task());
      assertThat(reader.nextKeyValue()).isTrue();
      change.apply();
      assertThatThrownBy(() -> MapReduceInput.remainingRows(reader))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("merged or moved after the task had read rows of its split")
          .hasMessageContaining("The task reads these regions: [" + key + ", ")
          .hasMessageContaining("The next attempt plans the split for the current regions");
    }
  }

  /** Refuses scans of local indexes as if the region of the server had changed. */
  public static final class Refusing extends RegionHook {

    private static final AtomicInteger REFUSED = new AtomicInteger();

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
        throws IOException {
      if (ScanUtil.isLocalIndex(scan) && REFUSED.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        StaleRegionBoundaryCacheException stale =
            new StaleRegionBoundaryCacheException(
                context.getEnvironment().getRegionInfo().getTable().getNameAsString());
        throw new DoNotRetryIOException(stale.getMessage(), stale);
      }
    }
  }

  @Test
  public void plansASplitAgainUntilItsRegionsStay() throws Exception {
    createTable("SPLIT ON (10)");
    Admin admin = getUtility().getAdmin();
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(TableName.valueOf(table)))
            .setCoprocessor(Refusing.class.getName())
            .build());
    String query = queries().get(0);
    MapReduceInput input = input(Map.of(HConstants.HBASE_CLIENT_RETRIES_NUMBER, "3"), query);
    List<PhoenixInputSplit> splits = input.splits();
    Refusing.REFUSED.set(3);
    assertThat(input.rows(splits)).isEqualTo(expected(query));
    Refusing.REFUSED.set(4);
    assertThatThrownBy(() -> input.rows(splits))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("again after the split had been planned 4 times. The task reads");
    assertThat(Refusing.REFUSED).hasValue(0);
  }

  /** Tests tasks in mode stock, which read their splits as Phoenix does. */
  @Test
  public void failsOrLosesRowsInModeStock() throws Exception {
    createTable("SPLIT ON (10, 20, 30, 40)");
    Map<String, String> stock = Map.of(PruningOptions.MODE, "stock");
    String query = queries().get(0);
    List<PhoenixInputSplit> splits = input(Map.of(), query).splits();
    mergeAround(10);
    assertThatThrownBy(() -> input(stock, query).rows(splits))
        .isInstanceOf(RuntimeException.class)
        .hasCauseInstanceOf(StaleRegionBoundaryCacheException.class);
    assertThat(input(Map.of(), query).rows(splits)).isEqualTo(expected(query));
    serveAsStock(table);
    String ofRegion = query + " AND PK1 = 35";
    MapReduceInput input = input(stock, ofRegion);
    List<PhoenixInputSplit> planned = input.splits();
    mergeAround(30);
    assertThat(expected(ofRegion)).hasSize(1);
    assertThat(input.rows(planned)).as("on Phoenix's server").isEmpty();
  }

  /** An input format whose regions change while the job starts. */
  public static final class Changing extends PhoenixInputFormat<MapReduceInput.Row> {

    private static volatile Change change;

    @Override
    public List<InputSplit> getSplits(JobContext context) throws IOException, InterruptedException {
      List<InputSplit> splits = super.getSplits(context);
      try {
        change.apply();
      } catch (Exception e) {
        throw new IOException(e);
      }
      return splits;
    }
  }

  /** Collects the rows of a job that runs in this JVM. */
  public static final class Collector
      extends Mapper<NullWritable, MapReduceInput.Row, NullWritable, NullWritable> {

    private static final List<List<Object>> ROWS = Collections.synchronizedList(new ArrayList<>());

    @Override
    protected void map(NullWritable key, MapReduceInput.Row row, Context context) {
      ROWS.add(row.values());
    }
  }

  @Test
  public void runsAJobWhoseRegionsChangeAtItsStart() throws Exception {
    createTable("SPLIT ON (10, 20, 30, 40)");
    String query = queries().get(1);
    Collector.ROWS.clear();
    Changing.change = this::changeRegions;
    Job job = Job.getInstance(input(Map.of(), query).configuration());
    job.setInputFormatClass(Changing.class);
    job.setMapperClass(Collector.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    job.getConfiguration().set("mapreduce.framework.name", "local");
    assertThat(job.waitForCompletion(false)).isTrue();
    assertThat(comparable(query, Collector.ROWS)).isEqualTo(expected(query));
  }
}

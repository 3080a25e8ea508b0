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

import io.phoenixpruning.testing.CountingRpcSchedulerFactory;
import io.phoenixpruning.testing.ForklessLocalFileSystem;
import io.phoenixpruning.testing.ParsedConfigurationFactory;
import io.phoenixpruning.testing.ResultRows;
import io.phoenixpruning.testing.ScanRpcCounter;
import io.phoenixpruning.testing.ScanRpcCounts;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.procedure2.RemoteProcedureDispatcher;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.ShutdownHook;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.metrics2.impl.JmxCacheBuster;
import org.apache.phoenix.cache.GlobalCache;
import org.apache.phoenix.compile.ExplainPlan;
import org.apache.phoenix.compile.ExplainPlanAttributes;
import org.apache.phoenix.jdbc.PhoenixPreparedStatement;
import org.apache.phoenix.jdbc.PhoenixTestDriver;
import org.apache.phoenix.pruning.config.PruningMode;
import org.apache.phoenix.pruning.config.PruningOptions;
import org.apache.phoenix.pruning.patch.Patch;
import org.apache.phoenix.query.BaseTest;
import org.apache.phoenix.query.ConnectionQueryServices;
import org.apache.phoenix.query.QueryServices;
import org.apache.phoenix.util.ReadOnlyProps;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A test on the mini cluster, which all tests of a JVM share. */
public abstract class ClusterTest extends BaseTest {

  private static final Logger LOGGER = LoggerFactory.getLogger(ClusterTest.class);

  /** Option of Phoenix's test base: the number of region servers. */
  protected static final String REGION_SERVERS = "phoenix.tests.minicluster.numregionservers";

  /**
   * Makes the cluster keep its files in HDFS. By default, they are in a local folder, because a
   * test takes longer on HDFS.
   */
  protected static final boolean HDFS = Boolean.getBoolean("it.hdfs");

  /**
   * Makes tests run each combination of their statements, types and tables. By default, they run
   * some of them ({@link Combinations}).
   */
  protected static final boolean ALL_COMBINATIONS = Boolean.getBoolean("it.combinations");

  private static final Map<String, String> SERVER =
      Map.ofEntries(
          // The servers of the tests have few handlers. All of them may answer probes, because RPCs
          // are counted.
          Map.entry("phoenix.pruning.probe.handlers.share", "1"),
          // RPCs are counted, so a busy machine must not change the answers.
          Map.entry("phoenix.pruning.probe.page.ms", "60000"),
          Map.entry(
              CountingRpcSchedulerFactory.CONFIGURATION_KEY,
              CountingRpcSchedulerFactory.class.getName()),
          // Statistics are collected only if a test requests it, with several guideposts per
          // region.
          Map.entry(QueryServices.STATS_GUIDEPOST_WIDTH_BYTES_ATTRIB, "500"),
          Map.entry(QueryServices.STATS_UPDATE_FREQ_MS_ATTRIB, "1"),
          Map.entry(QueryServices.STATS_COLLECTION_ENABLED, "true"),
          // Overwrites released memory, so that a test fails if a server reads it later.
          Map.entry(
              ByteBuffAllocator.BYTEBUFF_ALLOCATOR_CLASS, OverwritingAllocator.class.getName()),
          Map.entry(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, "0"),
          // Avoids a buffer of 2 MB for every family of every region.
          Map.entry(MemStoreLAB.USEMSLAB_KEY, "false"),
          // Collecting the metrics of regions takes much time, and no test reads them.
          Map.entry(HConstants.REGIONSERVER_METRICS_PERIOD, "3600000"),
          // Phoenix's test base stops the servers when the JVM ends.
          Map.entry(ShutdownHook.RUN_SHUTDOWN_HOOK, "false"),
          // All servers are local. The master does not wait to batch region assignments or
          // requests to a server. Clients check often whether a table has changed, for half a
          // minute in total.
          Map.entry(AssignmentManager.ASSIGN_DISPATCH_WAIT_MSEC_CONF_KEY, "5"),
          Map.entry(RemoteProcedureDispatcher.DISPATCH_DELAY_CONF_KEY, "5"),
          // Interval in which the master checks whether a region has moved or opened. Default: 1 s.
          Map.entry("hbase.master.event.waiting.time", "5"),
          Map.entry(HConstants.HBASE_CLIENT_PAUSE, "5"),
          Map.entry(HConstants.HBASE_CLIENT_RETRIES_NUMBER, "70"),
          // HDFS waits this long whenever a file is closed before the data node has reported it.
          Map.entry(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, "2"),
          Map.entry(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_RETRIES_KEY, "12"));

  /** Settings of servers that keep their files in a local folder. */
  static final Map<String, String> LOCAL_FILES =
      Map.of(
          "fs.defaultFS",
          "file:///",
          "fs.file.impl",
          ForklessLocalFileSystem.class.getName(),
          "hbase.wal.provider",
          "filesystem",
          "hbase.unsafe.stream.capability.enforce",
          "false");

  private static final Map<String, String> CLIENT =
      Map.of(
          QueryServices.STATS_UPDATE_FREQ_MS_ATTRIB,
          "1",
          QueryServices.EXPLAIN_ROW_COUNT_ATTRIB,
          "false",
          // This is Phoenix's default. Its test base reads all rows in the order of the key.
          QueryServices.FORCE_ROW_KEY_ORDER_ATTRIB,
          "false",
          // Nobody writes to a table while an index is created on it.
          QueryServices.INDEX_POPULATION_SLEEP_TIME,
          "0",
          QueryServices.DELAY_FOR_SCHEMA_UPDATE_CHECK,
          "50",
          QueryServices.NUM_RETRIES_FOR_SCHEMA_UPDATE_CHECK,
          "2000",
          QueryServices.MIN_STATS_UPDATE_FREQ_MS_ATTRIB,
          "1",
          // By default, the query log has 32 regions.
          QueryServices.LOG_SALT_BUCKETS_ATTRIB,
          "1",
          // RPCs are counted, so busy servers must not change them.
          PruningOptions.PROBE_DEADLINE_MS,
          "60000");

  @BeforeClass
  public static void startCluster() throws Exception {
    startCluster(Map.of(), Map.of());
  }

  /** Starts the cluster with additional options for the servers and the client. */
  protected static void startCluster(Map<String, String> server, Map<String, String> client)
      throws Exception {
    startCluster(HDFS, server, client);
  }

  /**
   * Starts the cluster, whose files are in HDFS, with additional options for the servers and the
   * client.
   */
  protected static void startClusterOnHdfs(Map<String, String> server, Map<String, String> client)
      throws Exception {
    startCluster(true, server, client);
  }

  /**
   * Starts the cluster, whose files are in a local folder, with additional options for the servers
   * and the client. The servers' options also replace those of Phoenix's test base, such as the
   * number of handlers.
   */
  protected static void startClusterOnLocalFiles(
      Map<String, String> server, Map<String, String> client) throws Exception {
    startCluster(false, server, client);
  }

  private static void startCluster(
      boolean onHdfs, Map<String, String> server, Map<String, String> client) throws Exception {
    Map<String, String> ofServer = new HashMap<>(SERVER);
    ofServer.putAll(server);
    Map<String, String> ofClient = new HashMap<>(CLIENT);
    ofClient.putAll(client);
    ParsedConfigurationFactory.install(Map.of());
    ReadOnlyProps serverProperties = new ReadOnlyProps(ofServer);
    if (!onHdfs && !clusterInitialized) {
      startServersOnLocalFiles(serverProperties, server);
    }
    setUpTestDriver(serverProperties, new ReadOnlyProps(ofClient));
    // Otherwise, HBase collects the metrics of all regions whenever a region opens or closes.
    JmxCacheBuster.stop();
  }

  /** Starts the servers of the cluster as Phoenix's test base does, but without HDFS. */
  private static void startServersOnLocalFiles(ReadOnlyProps options, Map<String, String> ofTest)
      throws Exception {
    setUpConfigForMiniCluster(config, options);
    ofTest.forEach(config::set);
    LOCAL_FILES.forEach(config::set);
    utility = new HBaseTestingUtility(config);
    utility.startMiniZKCluster();
    utility.startMiniHBaseCluster(
        StartMiniClusterOption.builder()
            .numRegionServers(options.getInt(REGION_SERVERS, NUM_SLAVES_BASE))
            .build());
    url = getLocalClusterUrl(utility);
    clusterInitialized = true;
  }

  /** Returns a driver that shares nothing with other connections, with additional options. */
  protected static PhoenixTestDriver driver(Map<String, String> options) {
    freeServerCache();
    Map<String, String> ofClient = new HashMap<>(CLIENT);
    ofClient.putAll(options);
    return new PhoenixTestDriver(new ReadOnlyProps(ofClient));
  }

  /**
   * Frees the hash tables and index metadata that statements have left on the servers. All servers
   * of a JVM share this memory, and Phoenix's test driver fails when it closes if any is in use.
   */
  @AfterClass
  public static void freeServerCache() {
    long left = GlobalCache.getInstance(null).clearTenantCache();
    if (left > 0) {
      LOGGER.warn("{} bytes were left in the memory of the servers", left);
    }
  }

  /**
   * Drops all tables, because the cluster's heap has no room for the regions of all test classes.
   * Phoenix's tests keep the tables of HBase, with their regions, for the next table of this name.
   * So this method also deletes those.
   */
  @AfterClass
  public static void dropTables() throws Exception {
    deletePriorMetaData(HConstants.LATEST_TIMESTAMP, getUrl());
    ConnectionQueryServices services =
        driver.getConnectionQueryServices(getUrl(), new Properties());
    try (Admin admin = services.getAdmin()) {
      List<TableName> tables =
          Stream.of(admin.listTableNames())
              .filter(table -> !table.getNameAsString().matches("SYSTEM[.:].*"))
              .toList();
      List<Future<Void>> disabled = new ArrayList<>();
      for (TableName table : tables) {
        if (admin.isTableEnabled(table)) {
          disabled.add(admin.disableTableAsync(table));
        }
      }
      awaitAll(disabled);
      List<Future<Void>> deleted = new ArrayList<>();
      for (TableName table : tables) {
        deleted.add(admin.deleteTableAsync(table));
        services.clearTableRegionCache(table);
      }
      awaitAll(deleted);
    }
  }

  private static void awaitAll(List<Future<Void>> operations) throws Exception {
    for (Future<Void> operation : operations) {
      operation.get(1, TimeUnit.MINUTES);
    }
  }

  /** Returns the scan RPCs for a table that have arrived at the region servers. */
  protected static ScanRpcCounts scanRpcs(String table) {
    return ScanRpcCounter.on(() -> getUtility().getHBaseCluster().getRegionServerThreads())
        .counts(TableName.valueOf(table));
  }

  protected static Connection connect(PruningMode mode) throws SQLException {
    return connect(Map.of(PruningOptions.MODE, mode.name().toLowerCase(Locale.ROOT)));
  }

  protected static Connection connect(Map<String, String> options) throws SQLException {
    return DriverManager.getConnection(getUrl(), properties(options));
  }

  /** Returns the option of a connection that leaves out one of the patches. */
  protected static Map<String, String> allBut(Patch patch) {
    return Map.of(PruningOptions.PATCHES, "all,-" + patch.id());
  }

  protected static Connection connect(PhoenixTestDriver driver, Map<String, String> options)
      throws SQLException {
    return driver.connect(getUrl(), properties(options));
  }

  private static Properties properties(Map<String, String> options) {
    Properties properties = new Properties();
    properties.putAll(options);
    return properties;
  }

  protected static void execute(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Writes the rows with the numbers from 0 to {@code count - 1}, and commits them. */
  protected static void upsertRows(
      Connection connection, String table, int count, IntFunction<List<?>> valuesOfRow)
      throws SQLException {
    String parameters = String.join(", ", Collections.nCopies(valuesOfRow.apply(0).size(), "?"));
    try (PreparedStatement upsert =
        connection.prepareStatement("UPSERT INTO %s VALUES (%s)".formatted(table, parameters))) {
      for (int row = 0; row < count; row++) {
        List<?> values = valuesOfRow.apply(row);
        for (int i = 0; i < values.size(); i++) {
          upsert.setObject(i + 1, values.get(i));
        }
        upsert.execute();
      }
    }
    connection.commit();
  }

  /**
   * Creates a table of integers with the key PK1, PK2 and the columns V1 and V2, and a local index
   * on V2.
   *
   * @param splits split points of the table
   */
  protected static void createTableOfPairs(
      Connection connection, String table, String index, String splits) throws SQLException {
    execute(
        connection,
        """
        CREATE TABLE %s (PK1 INTEGER NOT NULL, PK2 INTEGER NOT NULL, V1 INTEGER, V2 INTEGER
          CONSTRAINT PK PRIMARY KEY (PK1, PK2)) SPLIT ON (%s)"""
            .formatted(table, splits),
        "CREATE LOCAL INDEX " + index + " ON " + table + " (V2)");
  }

  /**
   * Writes a row for each pair of a number below {@code firsts} and a number below {@code seconds},
   * and commits the rows.
   */
  protected static void upsertPairs(
      Connection connection,
      String table,
      int firsts,
      int seconds,
      BiFunction<Integer, Integer, List<?>> valuesOfRow)
      throws SQLException {
    upsertRows(
        connection,
        table,
        firsts * seconds,
        row -> valuesOfRow.apply(row / seconds, row % seconds));
  }

  /** Returns the rows of a query, sorted unless it has an ORDER BY. */
  protected static List<List<Object>> rows(Connection connection, String sql, Object... binds)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < binds.length; i++) {
        statement.setObject(i + 1, binds[i]);
      }
      try (ResultSet result = statement.executeQuery()) {
        return rows(result, sql.contains("ORDER BY"));
      }
    }
  }

  /**
   * Returns the rows of a result as {@link ResultRows} normalizes them. Sorts them unless {@code
   * ordered}.
   */
  static List<List<Object>> rows(ResultSet result, boolean ordered) throws SQLException {
    List<List<Object>> rows = new ArrayList<>(ResultRows.read(result).rows());
    if (!ordered) {
      rows.sort(Comparator.comparing(List::toString));
    }
    return rows;
  }

  /** Adds an observer that handles each request before Phoenix's observers. */
  static void addObserver(String table, Class<? extends RegionCoprocessor> observer)
      throws IOException {
    Admin admin = getUtility().getAdmin();
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(TableName.valueOf(table)))
            .setCoprocessor(
                CoprocessorDescriptorBuilder.newBuilder(observer.getName())
                    .setPriority(Coprocessor.PRIORITY_HIGHEST)
                    .build())
            .build());
  }

  /** Returns all steps of the plan, in their order. */
  protected static List<String> explain(Connection connection, String sql, Object... binds)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("EXPLAIN " + sql)) {
      for (int i = 0; i < binds.length; i++) {
        statement.setObject(i + 1, binds[i]);
      }
      try (ResultSet result = statement.executeQuery()) {
        return rows(result, true).stream()
            .map(row -> (String) row.get(0))
            .collect(Collectors.toList());
      }
    }
  }

  protected static ExplainPlanAttributes attributes(
      Connection connection, String sql, Object... binds) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < binds.length; i++) {
        statement.setObject(i + 1, binds[i]);
      }
      ExplainPlan plan =
          statement.unwrap(PhoenixPreparedStatement.class).optimizeQuery().getExplainPlan();
      return plan.getPlanStepsAsAttributes();
    }
  }

  /** Returns the split points 1 x step, 2 x step, ... as a list for SPLIT ON. */
  protected static String splits(int regions, int step) {
    return IntStream.range(1, regions)
        .mapToObj(i -> Integer.toString(i * step))
        .collect(Collectors.joining(","));
  }

  protected static List<RegionInfo> regions(String table) throws Exception {
    return new RegionChanges(getUtility()).regions(table);
  }

  /** Undoes {@link #serveAsStock}. */
  protected static void serveAsOurs(String table) throws Exception {
    Admin admin = getUtility().getAdmin();
    TableDescriptor descriptor = admin.getDescriptor(TableName.valueOf(table));
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(descriptor)
            .removeValue(Bytes.toBytes(PruningOptions.MODE))
            .build());
  }

  /** Makes the servers treat the scans of {@code table} as stock's servers do. */
  protected static void serveAsStock(String table) throws Exception {
    Admin admin = getUtility().getAdmin();
    TableDescriptor descriptor = admin.getDescriptor(TableName.valueOf(table));
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(descriptor)
            .setValue(PruningOptions.MODE, PruningMode.STOCK.name())
            .build());
  }

  /** Merges adjacent regions. */
  protected static void merge(RegionInfo... regions) throws Exception {
    new RegionChanges(getUtility()).merge(regions);
  }

  protected static void split(RegionInfo region, byte[] splitPoint) throws Exception {
    new RegionChanges(getUtility()).split(region, splitPoint);
  }
}

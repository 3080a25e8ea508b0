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
package io.phoenixpruning.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.phoenixpruning.perf.harness.RegionsTable;
import io.phoenixpruning.perf.harness.UrlBenchmark;
import io.phoenixpruning.perf.harness.cluster.ClusterProcesses;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import io.phoenixpruning.perf.harness.cluster.QueryClientMXBean;
import io.phoenixpruning.perf.storage.BlockCacheBench;
import io.phoenixpruning.perf.storage.EncodingsBench;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.phoenix.schema.PTableType;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;

/**
 * A cluster of two servers that the benchmarks of all test classes share, like one that a benchmark
 * starts. Benchmarks also share the clients: one with our jars and one with Phoenix's. The cluster
 * starts with the first class of a JVM and ends with the JVM.
 */
public final class SharedCluster extends ExternalResource implements MeasuredCluster {

  static final int SERVERS = 2;

  private static final String SERVER_HEAP = "768m";
  private static final long SERVER_HEAP_BYTES = 768L << 20;

  private static final SharedCluster INSTANCE = new SharedCluster();

  private final List<String> deaths = new CopyOnWriteArrayList<>();

  /** Clients by their class path. */
  private final Map<String, QueryClientMXBean> clients = new HashMap<>();

  private ClusterProcesses processes;

  private SharedCluster() {}

  /** Returns the cluster as a rule for a class. */
  public static SharedCluster rule() {
    return INSTANCE;
  }

  @Override
  protected void before() throws Throwable {
    if (processes != null) {
      return;
    }
    TemporaryFolder folder = new TemporaryFolder();
    folder.create();
    processes =
        new ClusterProcesses(folder.getRoot().toPath(), settings(), SERVER_HEAP, deaths::add);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  processes.close();
                  folder.delete();
                }));
    processes.start();
    try (Connection connection = connect(Map.of());
        Admin admin = RegionsTable.admin(connection)) {
      admin.balancerSwitch(false, true);
    }
  }

  /**
   * Returns the settings that two benchmarks require. The other benchmarks do not depend on them.
   */
  private static List<Map<String, String>> settings() {
    List<Map<String, String>> settings = new ArrayList<>();
    for (Map<String, String> ofServer : BlockCacheBench.quickSettings(SERVER_HEAP_BYTES)) {
      Map<String, String> all = new HashMap<>(EncodingsBench.quickSettings());
      all.putAll(ofServer);
      settings.add(all);
    }
    assertThat(settings).hasSize(SERVERS);
    return settings;
  }

  /** Drops the tables of benchmarks. Runs of other classes may create tables of the same name. */
  @Override
  protected void after() {
    assertThat(deaths).isEmpty();
    try (Connection connection = connect(Map.of());
        Statement statement = connection.createStatement();
        ResultSet tables =
            connection
                .getMetaData()
                .getTables(
                    null,
                    null,
                    UrlBenchmark.tableName("%"),
                    new String[] {PTableType.TABLE.getValue().getString()})) {
      while (tables.next()) {
        statement.execute("DROP TABLE " + tables.getString("TABLE_NAME"));
      }
    } catch (SQLException e) {
      throw new IllegalStateException("The tables of benchmarks were not dropped", e);
    }
  }

  /** Returns the JDBC URL, for benchmarks on a running cluster. */
  String url() {
    return processes.url();
  }

  /** Returns the processes, for benchmarks that read more counts than others. */
  public ClusterProcesses processes() {
    return processes;
  }

  @Override
  public Connection connect(Map<String, String> properties) throws SQLException {
    return processes.connect(properties);
  }

  @Override
  public QueryClientMXBean startClient(String name, String limit, String classPath)
      throws IOException, InterruptedException {
    if (!clients.containsKey(classPath)) {
      clients.put(classPath, processes.startClient(name, limit, classPath));
    }
    return clients.get(classPath);
  }

  @Override
  public long scanRpcs(TableName table) {
    return processes.scanRpcs(table);
  }

  @Override
  public void compact(TableName table) {
    processes.compact(table);
  }

  @Override
  public OptionalLong storeFileBytes(TableName table, String family) {
    return processes.storeFileBytes(table, family);
  }

  @Override
  public boolean isExternal() {
    return false;
  }

  /** Does nothing, because the cluster and its clients end with the JVM. */
  @Override
  public void close() {}
}

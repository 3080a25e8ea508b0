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
package io.phoenixpruning.perf.harness.cluster;

import io.phoenixpruning.testing.EmbeddedCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import javax.management.JMX;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.phoenix.query.QueryServices;
import org.jspecify.annotations.Nullable;

/**
 * HBase with Phoenix in separate processes on this machine: one process with ZooKeeper and the
 * master, and one for each region server. The processes listen only on the loopback interface, on
 * free ports, and have the settings of an {@link EmbeddedCluster}. Clients choose their own
 * settings.
 */
public final class ClusterProcesses implements MeasuredCluster {

  /**
   * Region server setting that names a configuration file on the class path, which the whole
   * process reads. The file contains settings that HBase reads only from default resources.
   */
  public static final String DEFAULT_RESOURCE = "phoenix.pruning.perf.default.resource";

  private static final String MASTER_HEAP = "1g";

  /**
   * Property of all connections, because any of them may be the first. With the default of 32
   * regions, the query log would take a third of Phoenix's start time.
   */
  private static final String LOG = QueryServices.LOG_SALT_BUCKETS_ATTRIB + "=1";

  /** Properties of connections of this process. */
  private static final Map<String, String> OWN_PROPERTIES =
      Map.of(
          QueryServices.LOG_SALT_BUCKETS_ATTRIB,
          "1",
          // All servers are local, so the client asks often whether they have finished.
          HConstants.HBASE_CLIENT_PAUSE,
          "20");

  /**
   * Class path and options of the JVMs.
   *
   * @param classPath class path of the servers, including this module
   * @param options JVM options of servers and clients
   */
  public record Jvm(String classPath, List<String> options) {

    /** Returns the class path of this JVM, without options. */
    public static Jvm own() {
      return new Jvm(System.getProperty("java.class.path"), List.of());
    }
  }

  private final Path folder;
  private final List<Map<String, String>> servers;
  private final String heap;
  private final Jvm jvm;
  private final Consumer<String> onDeath;
  private final List<ServerProcess> processes = new ArrayList<>();
  private final List<ServerProcess> regionServers = new ArrayList<>();
  private final List<RegionServerMXBean> management = new ArrayList<>();
  private final List<ServerName> names = new ArrayList<>();
  private boolean closed;

  /** JDBC URL, or null before the cluster has started. */
  private @Nullable String url;

  /**
   * Describes a cluster whose processes are not started yet.
   *
   * @param folder folder for files and logs, not used by another running cluster
   * @param servers settings of each region server, in addition to the common ones
   * @param heap heap limit of each region server, such as {@code 1g}
   * @param onDeath receives a message with the end of the log if a process ends before the cluster
   *     is closed
   */
  public ClusterProcesses(
      Path folder, List<Map<String, String>> servers, String heap, Consumer<String> onDeath) {
    this(folder, servers, heap, Jvm.own(), onDeath);
  }

  /** Describes a cluster whose processes run with {@code jvm}. */
  public ClusterProcesses(
      Path folder,
      List<Map<String, String>> servers,
      String heap,
      Jvm jvm,
      Consumer<String> onDeath) {
    this.folder = folder;
    this.jvm = jvm;
    this.servers = List.copyOf(servers);
    this.heap = heap;
    this.onDeath = onDeath;
  }

  /**
   * Starts the processes and waits until the master knows all region servers.
   *
   * @throws IOException if a process does not start, with the end of its log; {@link #close()} ends
   *     the other processes
   */
  public void start() throws IOException, InterruptedException {
    ServerProcess master =
        start(
            "master",
            MASTER_HEAP,
            MasterMain.class,
            List.of(folder.toString(), Integer.toString(servers())));
    String zooKeeperPort = master.awaitReady();
    for (Map<String, String> settings : servers) {
      List<String> arguments = new ArrayList<>(List.of(folder.toString(), zooKeeperPort));
      settings.forEach((name, value) -> arguments.add(name + "=" + value));
      regionServers.add(
          start(
              "regionserver-" + (regionServers.size() + 1),
              heap,
              RegionServerMain.class,
              arguments));
    }
    for (ServerProcess server : regionServers) {
      names.add(ServerName.valueOf(server.awaitReady()));
      management.add(
          JMX.newMXBeanProxy(
              server.management().getMBeanServerConnection(),
              RegionServerMXBean.NAME,
              RegionServerMXBean.class));
    }
    url = "jdbc:phoenix:" + EmbeddedCluster.LOOPBACK + ":" + zooKeeperPort;
  }

  private ServerProcess start(String name, String limit, Class<?> main, List<String> arguments)
      throws IOException {
    return start(name, limit, jvm.classPath(), main, arguments);
  }

  /** Starts a process, unless the cluster is closed, for example at Ctrl-C. */
  private synchronized ServerProcess start(
      String name, String limit, String classPath, Class<?> main, List<String> arguments)
      throws IOException {
    if (closed) {
      throw new IOException("The cluster is closed");
    }
    ServerProcess process =
        new ServerProcess(name, folder, limit, jvm.options(), classPath, main, arguments, onDeath);
    processes.add(process);
    return process;
  }

  /** Starts a client, which ends with the cluster. */
  @Override
  public QueryClientMXBean startClient(String name, String limit, String classPath)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(url(), LOG));
    MeasuredCluster.PROPERTIES.forEach((key, value) -> arguments.add(key + "=" + value));
    return start(name, limit, classPath, QueryClientMain.class, arguments).awaitClient();
  }

  /** Returns the JDBC URL of the cluster, which must have started. */
  public String url() {
    return Objects.requireNonNull(url, "start was not called");
  }

  /** Returns the number of region servers. */
  public int servers() {
    return servers.size();
  }

  /** Returns the name of a region server, by its index in the list of settings. */
  public ServerName server(int index) {
    return names.get(index);
  }

  /**
   * Returns the milliseconds that a region server has spent on garbage collection since it started.
   */
  public long gcMillis(int server) {
    return management.get(server).getGcMillis();
  }

  /**
   * Connects with {@code properties}. The first connection creates Phoenix's system tables if they
   * are missing.
   */
  @Override
  public Connection connect(Map<String, String> properties) throws SQLException {
    Map<String, String> all = new HashMap<>(OWN_PROPERTIES);
    all.putAll(properties);
    return MeasuredCluster.connect(url(), all);
  }

  /** Returns the number of scan RPCs that have reached the region servers. */
  @Override
  public long scanRpcs(TableName table) {
    return sum(server -> server.scanRpcs(table.getNameAsString()));
  }

  @Override
  public boolean isExternal() {
    return false;
  }

  /**
   * Returns the number of data blocks that the region servers did not find in their block caches.
   */
  public long dataBlockMisses() {
    return sum(RegionServerMXBean::getDataBlockMisses);
  }

  /** Returns the CPU time and the allocated bytes of all region servers. */
  public ProcessUsage usage() {
    long cpuNanos = 0;
    long allocatedBytes = 0;
    for (RegionServerMXBean server : management) {
      ProcessUsage usage = server.getUsage();
      cpuNanos += usage.getCpuNanos();
      allocatedBytes += usage.getAllocatedBytes();
    }
    return new ProcessUsage(cpuNanos, allocatedBytes);
  }

  /** Collects garbage in all region servers and returns the bytes of their heaps still in use. */
  public long collectGarbage() {
    return sum(RegionServerMXBean::collectGarbage);
  }

  /** Flushes the memstores of {@code table} to files. */
  public void flush(TableName table) {
    management.forEach(server -> server.flush(table.getNameAsString()));
  }

  @Override
  public void compact(TableName table) {
    management.parallelStream().forEach(server -> server.compact(table.getNameAsString()));
  }

  @Override
  public OptionalLong storeFileBytes(TableName table, String family) {
    return OptionalLong.of(sum(server -> server.storeFileBytes(table.getNameAsString(), family)));
  }

  private long sum(ToLongFunction<RegionServerMXBean> count) {
    return management.stream().mapToLong(count).sum();
  }

  /** Kills all processes. Their folder can be deleted afterwards. */
  @Override
  public synchronized void close() {
    closed = true;
    processes.forEach(ServerProcess::expectEnd);
    processes.forEach(ServerProcess::close);
  }
}

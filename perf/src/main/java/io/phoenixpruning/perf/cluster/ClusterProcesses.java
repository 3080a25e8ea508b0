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
package io.phoenixpruning.perf.cluster;

import io.phoenixpruning.cli.cluster.EmbeddedCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import javax.management.JMX;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;

/**
 * HBase with Phoenix in processes of their own on this machine: one with ZooKeeper and the master,
 * and one for each region server. They listen on the loopback interface only, on free ports, and
 * have the settings of an {@link EmbeddedCluster}. Clients have what they choose.
 */
public final class ClusterProcesses implements MeasuredCluster {

  /**
   * The setting of a region server with the name of a configuration file on the class path that all
   * of its process reads: for what HBase takes only from there.
   */
  public static final String DEFAULT_RESOURCE = "phoenix.pruning.perf.default.resource";

  private static final String MASTER_HEAP = "1g";

  /**
   * Says which code the processes run, and how.
   *
   * @param classPath of the servers, with this module
   * @param options of the JVMs of servers and clients
   */
  public record Jvm(String classPath, List<String> options) {

    /** Has the class path of this JVM, and no options. */
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
  private String url;

  /**
   * Processes that are not started.
   *
   * @param folder for files and logs; of no other running cluster
   * @param servers the settings of each region server beyond those of all
   * @param heap the limit of each region server, such as {@code 1g}
   * @param onDeath is told, with the end of its log, if a process ends before all are closed
   */
  public ClusterProcesses(
      Path folder, List<Map<String, String>> servers, String heap, Consumer<String> onDeath) {
    this(folder, servers, heap, Jvm.own(), onDeath);
  }

  /** As above, with code of the caller's choice. */
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
   * Starts, and waits until the master knows all region servers.
   *
   * @throws IOException with the end of the log of a process that does not start; {@link #close()}
   *     ends the others
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

  /** Not while all are being killed at Ctrl-C. */
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

  /** The client ends with the cluster. */
  @Override
  public QueryClientMXBean startClient(String name, String limit, String classPath)
      throws IOException, InterruptedException {
    return start(name, limit, classPath, QueryClientMain.class, List.of(url)).awaitClient();
  }

  /** The JDBC URL, when it has started. */
  public String url() {
    return url;
  }

  /** The number of region servers. */
  public int servers() {
    return servers.size();
  }

  /** The name of a region server, by its place in the list that was given. */
  public ServerName server(int index) {
    return names.get(index);
  }

  /** The milliseconds that a region server has spent collecting garbage, from its start on. */
  public long gcMillis(int server) {
    return management.get(server).getGcMillis();
  }

  /**
   * Connects with {@code properties}. The first connection makes Phoenix's system tables where they
   * are missing.
   */
  @Override
  public Connection connect(Map<String, String> properties) throws SQLException {
    return MeasuredCluster.connect(url, properties);
  }

  /** Those that have reached the region servers. */
  @Override
  public long scanRpcs(TableName table) {
    return sum(server -> server.scanRpcs(table.getNameAsString()));
  }

  @Override
  public boolean isOfOthers() {
    return false;
  }

  /** The data blocks that the region servers wanted and did not have in their block caches. */
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

  /** Writes what {@code table} has in memory to files. */
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

  /** Kills all processes: for a folder that is about to be deleted. */
  @Override
  public synchronized void close() {
    closed = true;
    processes.forEach(ServerProcess::expectEnd);
    processes.forEach(ServerProcess::close);
  }
}

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
package io.phoenixpruning.perf.harness;

import io.phoenixpruning.cli.PlainPath;
import io.phoenixpruning.cli.console.JvmExit;
import io.phoenixpruning.cli.console.RefusedException;
import io.phoenixpruning.cli.console.Terminal;
import io.phoenixpruning.perf.harness.cluster.ClusterProcesses;
import io.phoenixpruning.perf.harness.cluster.MeasuredCluster;
import io.phoenixpruning.perf.harness.cluster.QueryClientMXBean;
import io.phoenixpruning.report.format.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.Admin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** A benchmark on a cluster. Its servers and clients run in separate processes. */
public abstract class ClusterBenchmark extends Benchmark {

  /** Option for the heap limit of each region server. */
  protected static final String HEAP = "--heap";

  /** Heap limit of each client. */
  protected static final String CLIENT_HEAP = "1g";

  /** Memory of the master and of this process. */
  private static final long OTHER_BYTES = 3L << 30;

  private static final long CLIENT_BYTES = 1L << 30;

  /** Memory of a region server without regions. Each region adds {@link #REGION_BYTES}. */
  private static final long SERVER_BYTES = 300L << 20;

  private static final long REGION_BYTES = 500L << 10;

  private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,4})([gm])");

  @Option(
      names = HEAP,
      paramLabel = "SIZE",
      defaultValue = "2g",
      description = "Heap of each region server, such as 512m or 2g. Default: ${DEFAULT-VALUE}.")
  private String heap;

  /** Cluster that {@link #use} has set, or null. */
  private @Nullable MeasuredCluster shared;

  /** Returns the number of region servers. */
  protected abstract int servers();

  /** Returns an estimate of the bytes that the run writes. */
  protected abstract long diskBytes();

  /** Returns the maximum number of regions that are open at a time. */
  protected abstract long regions();

  /** Returns the number of client processes. */
  protected abstract int clients();

  @Override
  protected void check() throws IOException {
    PlainPath.requireTemporary();
    long serverBytes = heapBytes();
    long regionsOfServer = (regions() + servers() - 1) / servers();
    long needed = SERVER_BYTES + regionsOfServer * REGION_BYTES;
    if (serverBytes < needed) {
      throw new RefusedException(
          "--heap is %s. Expected at least %s for %s on each server. Choose a larger --heap%s"
              .formatted(
                  heap(),
                  Figures.bytes(needed),
                  Figures.plural(regionsOfServer, "region"),
                  moreServersAdvice()));
    }
    long requiredBytes = servers() * serverBytes + clientBytes() + OTHER_BYTES;
    long available = Machine.availableMemory();
    if (requiredBytes > available) {
      throw new RefusedException(
          ("%s of %s and the other processes need %s of memory. Available: %s. Choose a smaller"
                  + " --heap%s")
              .formatted(
                  Figures.plural(servers(), "region server"),
                  heap(),
                  Figures.bytes(requiredBytes),
                  Figures.bytes(available),
                  fewerServersAdvice()));
    }
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    long free = Files.getFileStore(temporary).getUsableSpace();
    if (diskBytes() > free) {
      throw new RefusedException(
          ("the run writes %s, but '%s' has only %s free. Set TMPDIR to a folder with more space,"
                  + " or choose a smaller run")
              .formatted(Figures.bytes(diskBytes()), temporary, Figures.bytes(free)));
    }
  }

  /** Returns the memory of all clients. */
  final long clientBytes() {
    return clients() * CLIENT_BYTES;
  }

  /** Returns the end of the advice if servers have too little memory. */
  protected String moreServersAdvice() {
    return "";
  }

  /** Returns the end of the advice if the machine has too little memory. */
  protected String fewerServersAdvice() {
    return "";
  }

  /** Returns the heap limit of each region server in bytes. */
  protected final long heapBytes() {
    String heap = heap();
    Matcher size = SIZE.matcher(heap);
    if (!size.matches()) {
      throw new RefusedException(
          "--heap is '" + heap + "'. Expected a number with m or g, such as 512m");
    }
    return Long.parseLong(size.group(1)) << (size.group(2).equals("g") ? 30 : 20);
  }

  private String heap() {
    return isQuick() ? "512m" : heap;
  }

  /** Makes runs use a cluster that is already there. Tests share one between benchmarks. */
  public final void useSharedCluster(MeasuredCluster cluster) {
    shared = cluster;
  }

  /**
   * Starts a cluster and creates Phoenix's system tables. The cluster ends with the run. If {@link
   * #useSharedCluster} has set a cluster, this method returns it instead.
   */
  protected final MeasuredCluster start(Run run) throws Exception {
    return startOrShare(run, "cluster", Collections.nCopies(servers(), Map.of()));
  }

  /**
   * Starts a cluster as {@link #start(Run, String, List)} does. If {@link #useSharedCluster} has
   * set a cluster, this method returns it instead. Its servers must have the same settings.
   */
  final MeasuredCluster startOrShare(Run run, String name, List<Map<String, String>> settings)
      throws Exception {
    return shared == null ? start(run, name, settings) : shared;
  }

  /**
   * Starts a cluster and creates Phoenix's system tables. The cluster ends with the run at the
   * latest.
   *
   * @param name name of the cluster's folder
   * @param settings settings of each region server, in addition to the common ones
   */
  protected final ClusterProcesses start(Run run, String name, List<Map<String, String>> settings)
      throws Exception {
    ClusterProcesses cluster = newCluster(run, name, settings, ClusterProcesses.Jvm.own());
    run.progress()
        .perform(
            "Start HBase and Phoenix",
            -1,
            done -> {
              cluster.start();
              try (Connection connection = cluster.connect(Map.of());
                  Admin admin = RegionsTable.admin(connection)) {
                // The balancer must not move regions during a measurement.
                admin.balancerSwitch(false, true);
              }
            });
    return cluster;
  }

  /**
   * Starts servers that run the code of {@code jvm}. The first connection creates Phoenix's system
   * tables.
   *
   * @param name name of the cluster's folder
   * @param settings settings of each region server, in addition to the common ones
   */
  protected final ClusterProcesses startServers(
      Run run, String name, List<Map<String, String>> settings, ClusterProcesses.Jvm jvm)
      throws Exception {
    ClusterProcesses cluster = newCluster(run, name, settings, jvm);
    cluster.start();
    return cluster;
  }

  private ClusterProcesses newCluster(
      Run run, String name, List<Map<String, String>> settings, ClusterProcesses.Jvm jvm)
      throws IOException {
    Path folder = Files.createDirectory(run.folder().resolve(name));
    ClusterProcesses cluster =
        new ClusterProcesses(folder, settings, heap(), jvm, ClusterBenchmark::exitOnDeath);
    run.cleanup().add(cluster::close);
    return cluster;
  }

  /** Starts a client in a separate process, with our jars. */
  protected static QueryClientMXBean startOurClient(MeasuredCluster cluster, String name)
      throws Exception {
    return cluster.startClient(name, CLIENT_HEAP, System.getProperty("java.class.path"));
  }

  /** Starts a client in a separate process, with stock's jars. */
  protected static QueryClientMXBean startStockClient(MeasuredCluster cluster) throws Exception {
    return cluster.startClient("stock", CLIENT_HEAP, StockJars.classPath());
  }

  /**
   * Starts a client in a separate process for each way, and opens a connection with the way's name.
   */
  protected static Map<Way, QueryClientMXBean> startClients(MeasuredCluster cluster, Way... ways)
      throws Exception {
    Map<Way, QueryClientMXBean> clients = new EnumMap<>(Way.class);
    for (Way way : ways) {
      QueryClientMXBean client =
          way == Way.STOCK ? startStockClient(cluster) : startOurClient(cluster, way.title());
      client.connect(way.name(), way.properties());
      clients.put(way, client);
    }
    return clients;
  }

  /**
   * Ends this process when another process has ended unexpectedly. Otherwise the benchmark would
   * wait and fail much later. The exit cleans up.
   */
  static void exitOnDeath(String process) {
    // Ctrl-C ends all processes of a terminal, which is not a failure.
    if (!JvmExit.hasBegun()) {
      Terminal.ERR.println(process);
      System.exit(CommandLine.ExitCode.SOFTWARE);
    }
  }
}
